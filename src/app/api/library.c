/* SPDX-License-Identifier: MIT */
/* Data that ships with aula: the library of materials, and files by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/file.h"
#include "base/text.h"
#include "room/tables/material_table.h"

struct aula_library {
    struct room *room; /* has only materials; NULL: imported */
    struct material_table table;
    char *text, *source; /* of imported materials */
    char **notes;
    size_t note_count;
};

static int open_library(struct call *call, struct aula_library **out)
{
    if (!out)
        return call_refuse_null(call, "library", "the address of a pointer");
    *out = NULL;
    struct aula_library *library = calloc(1, sizeof *library);
    if (!library)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    if (room_read_library(&library->room, &call->error)) {
        free(library);
        return -1;
    }
    *out = library;
    return 0;
}

int aula_library_open(struct aula_library **library, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, open_library(&call, library));
}

void aula_library_close(struct aula_library *library)
{
    if (!library)
        return;
    room_free(library->room);
    material_table_free(&library->table);
    lines_free(library->notes, library->note_count);
    free(library->text);
    free(library->source);
    free(library);
}

static int import(struct call *call, struct aula_library **out, const char *path, const char *format,
                  const char *source)
{
    struct error *e = &call->error;
    if (!out)
        return call_refuse_null(call, "library", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, path, "path", "the name of the file with the table") ||
        material_table_check_source(source, e))
        return -1;
    struct aula_library *library = calloc(1, sizeof *library);
    if (!library)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = material_table_read(&library->table, path, format, e) ||
                 material_table_notes(&library->notes, &library->note_count, &library->table, path, e);
    if (!status) {
        library->text = material_table_text(&library->table, path, source);
        library->source = text_copy(source);
        status = library->text && library->source ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    }
    if (status) {
        aula_library_close(library);
        return -1;
    }
    *out = library;
    return 0;
}

int aula_library_import(struct aula_library **library, const char *path, const char *format, const char *source,
                        struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, import(&call, library, path, format, source));
}

const char *aula_library_text(const struct aula_library *library)
{
    return library ? library->text : NULL;
}

const char *aula_library_note(const struct aula_library *library, size_t index)
{
    return library && index < library->note_count ? library->notes[index] : NULL;
}

/* NULL beyond the last, and for imported materials. */
static const struct material *material_of(const struct aula_library *library, size_t material)
{
    return material < aula_library_material_count(library) && library->room ? &library->room->materials[material]
                                                                            : NULL;
}

/* NULL beyond the last, and for the library that ships. */
static const struct material_row *row_of(const struct aula_library *library, size_t material)
{
    return material < aula_library_material_count(library) && !library->room ? &library->table.rows[material] : NULL;
}

size_t aula_library_material_count(const struct aula_library *library)
{
    if (!library)
        return 0;
    return library->room ? library->room->material_count : library->table.count;
}

const char *aula_library_material_name(const struct aula_library *library, size_t material)
{
    const struct material *m = material_of(library, material);
    const struct material_row *row = row_of(library, material);
    return m ? m->name : row ? row->key : NULL;
}

const char *aula_library_material_source(const struct aula_library *library, size_t material)
{
    const struct material *m = material_of(library, material);
    return m ? m->source : row_of(library, material) ? library->source : NULL;
}

static double absorption_of(const struct material *m, size_t band)
{
    if (m && m->kind == MATERIAL_LAYERS)
        return layers_octave_absorption(&m->layered, octave_band_centre[band], M_PI_2, true);
    return m && boundary_kind_of(m)->has_absorption ? m->absorption[band] : NAN;
}

/* The octave of a table that stands for `band`: the nearest one that it gives. */
static size_t given_band(const struct material_table *t, size_t band)
{
    const size_t last = t->first + t->octaves - 1;
    return band < t->first ? t->first : band > last ? last : band;
}

int aula_library_material_absorption(const struct aula_library *library, size_t material,
                                     double absorption[AULA_OCTAVES], double scattering[AULA_OCTAVES])
{
    const struct material *m = material_of(library, material);
    const struct material_row *row = row_of(library, material);
    for (size_t band = 0; band < AULA_OCTAVES; band++) {
        if (absorption)
            absorption[band] = row ? row->absorption[given_band(&library->table, band)] : absorption_of(m, band);
        if (scattering && m)
            scattering[band] = m->scattering[band];
        else if (scattering)
            scattering[band] = row && row->scatters ? row->scattering[given_band(&library->table, band)] : NAN;
    }
    if (scattering && row && !row->scatters)
        scattering_of_smooth_walls(scattering);
    return m || row ? 0 : -1;
}

static int find_data(struct call *call, char *path, size_t size, const char *name)
{
    if (!path || !size)
        return call_refuse_null(call, "path", "a buffer for the path");
    *path = '\0';
    if (call_check_text(call, name, "name", "the name of a file that ships, such as rooms/studio.cfg"))
        return -1;
    char *found = data_path(name, &call->error);
    if (!found)
        return -1;
    const size_t length = strlen(found);
    if (length < size)
        memcpy(path, found, length + 1);
    free(found);
    return length < size ? 0
                         : fail(&call->error, ERROR_USAGE, "size is %zu; the path needs %zu bytes including its end",
                                size, length + 1);
}

int aula_data_path(char *path, size_t size, const char *name, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, find_data(&call, path, size, name));
}

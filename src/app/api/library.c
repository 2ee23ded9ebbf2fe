/* SPDX-License-Identifier: MIT */
/* Data that ships with aula: the library of materials, and files by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/file.h"

struct aula_library {
    struct room *room; /* has only materials */
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
    free(library);
}

/* NULL beyond the last. */
static const struct material *material_of(const struct aula_library *library, size_t material)
{
    return material < aula_library_material_count(library) ? &library->room->materials[material] : NULL;
}

size_t aula_library_material_count(const struct aula_library *library)
{
    return library ? library->room->material_count : 0;
}

const char *aula_library_material_name(const struct aula_library *library, size_t material)
{
    const struct material *m = material_of(library, material);
    return m ? m->name : NULL;
}

const char *aula_library_material_source(const struct aula_library *library, size_t material)
{
    const struct material *m = material_of(library, material);
    return m ? m->source : NULL;
}

static double absorption_of(const struct material *m, size_t band)
{
    if (m && m->kind == MATERIAL_LAYERS)
        return layers_octave_absorption(&m->layered, octave_band_centre[band], M_PI_2, true);
    return m && boundary_kind_of(m)->has_absorption ? m->absorption[band] : NAN;
}

int aula_library_material_absorption(const struct aula_library *library, size_t material,
                                     double absorption[AULA_OCTAVES], double scattering[AULA_OCTAVES])
{
    const struct material *m = material_of(library, material);
    for (size_t band = 0; band < AULA_OCTAVES; band++) {
        if (absorption)
            absorption[band] = absorption_of(m, band);
        if (scattering)
            scattering[band] = m ? m->scattering[band] : NAN;
    }
    return m ? 0 : -1;
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

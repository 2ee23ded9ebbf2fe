/* SPDX-License-Identifier: MIT */
/* One material by itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "present/materials/material_acoustics.h"
#include "present/materials/material_room.h"

_Static_assert(AULA_OCTAVES == OCTAVE_BANDS, "aula.h and the materials have the same octaves");
static const double LOWEST = 1.0, HIGHEST = 1e5; /* Hz */

struct aula_material {
    struct room *room; /* has the layers' rows */
    struct material_acoustics acoustics;
    char *notes[MATERIAL_NOTES];
    size_t note_count;
};

void aula_material_close(struct aula_material *material)
{
    if (!material)
        return;
    for (size_t i = 0; i < material->note_count; i++)
        free(material->notes[i]);
    material_acoustics_free(&material->acoustics);
    room_free(material->room);
    free(material);
}

static int read_file(struct room **room, const void *context, const char *const *settings, size_t setting_count,
                     struct error *e)
{
    return room_read(room, context, settings, setting_count, e);
}

static int fill(struct aula_material *m, const char *name, const char *path, const char *const *settings,
                size_t setting_count, struct error *e)
{
    const struct material *found;
    if (path ? material_room_read_file(&m->room, &found, name, path, read_file, path, settings, setting_count, e)
             : material_room_read(&m->room, &found, name, settings, setting_count, e))
        return -1;
    if (material_acoustics_make(&m->acoustics, found, m->room->path, e))
        return -1;
    return material_notes(m->notes, &m->note_count, &m->acoustics, e);
}

static int make(struct call *call, struct aula_material **out, const char *name, const char *path,
                const char *const *settings, size_t setting_count)
{
    if (!out)
        return call_refuse_null(call, "material", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, name, "name", "the name of a material, or layers such as \"porous 50 mm 10000\"") ||
        (path && call_check_text(call, path, "path", "the path of a room file, or NULL")) ||
        call_check_settings(call, settings, setting_count))
        return -1;
    struct aula_material *material = calloc(1, sizeof *material);
    if (!material)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    if (fill(material, name, path, settings, setting_count, &call->error)) {
        aula_material_close(material);
        return -1;
    }
    *out = material;
    return 0;
}

int aula_material_make(struct aula_material **material, const char *name, const char *path, const char *const *settings,
                       size_t setting_count, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, material, name, path, settings, setting_count));
}

const char *aula_material_warning(const struct aula_material *material, size_t index)
{
    return material && index < material->note_count ? material->notes[index] : NULL;
}

size_t aula_material_layer_count(const struct aula_material *material)
{
    return material ? material->acoustics.wall.layers.count : 0;
}

double aula_material_depth(const struct aula_material *material)
{
    return aula_material_layer_count(material) ? layers_depth(&material->acoustics.wall.layers) : NAN;
}

double aula_material_octave(const struct aula_material *material, enum aula_incidence incidence, size_t band)
{
    if (!material || band >= AULA_OCTAVES)
        return NAN;
    switch (incidence) {
    case AULA_NORMAL:
        return material->acoustics.normal[band];
    case AULA_RANDOM:
        return material->acoustics.local[band];
    case AULA_RANDOM_ALONG:
        return material->acoustics.along[band];
    }
    return NAN;
}

int aula_material_at(const struct aula_material *material, double frequency, struct aula_material_point *point)
{
    struct material_point p = {NAN, NAN, NAN, NAN, NAN, NAN};
    const bool there = material && frequency >= LOWEST && frequency <= HIGHEST;
    if (there)
        p = material_acoustics_at(&material->acoustics, frequency);
    if (!point)
        return -1;
    *point = (struct aula_material_point){
        .frequency = p.frequency, .absorption = {p.normal, p.local, p.along}, .admittance = {p.real, p.imaginary}};
    return there ? 0 : -1;
}

size_t aula_material_resonance_count(const struct aula_material *material)
{
    return material ? material->acoustics.resonance_count : 0;
}

int aula_material_resonance(const struct aula_material *material, size_t index, struct aula_resonance *resonance)
{
    struct material_resonance r = {NAN, NAN, NAN};
    const bool there = index < aula_material_resonance_count(material);
    if (there)
        r = material->acoustics.resonances[index];
    if (!resonance)
        return -1;
    *resonance = (struct aula_resonance){.frequency = r.frequency, .absorption = r.absorption, .quality = r.quality};
    return there ? 0 : -1;
}

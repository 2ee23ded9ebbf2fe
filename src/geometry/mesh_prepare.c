/* SPDX-License-Identifier: MIT */
#include "geometry/mesh_prepare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const double extent_min = 1.0, extent_max = 300.0; /* m */

const char *const mesh_unit_names[MESH_UNIT_COUNT] = {
#define X(id, name, metres) name,
    MESH_UNITS(X)
#undef X
};

const double mesh_unit_metres[MESH_UNIT_COUNT] = {
#define X(id, name, metres) metres,
    MESH_UNITS(X)
#undef X
};

const char *const mesh_up_names[MESH_UP_COUNT] = {[MESH_UP_FILE] = "file", [MESH_UP_Z] = "z", [MESH_UP_Y] = "y"};

void mesh_bounds(const struct mesh *m, double least[3], double greatest[3])
{
    for (int k = 0; k < 3; k++) {
        least[k] = m->triangle_count ? DBL_MAX : 0.0;
        greatest[k] = m->triangle_count ? -DBL_MAX : 0.0;
    }
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++) {
                const double x = m->vertices[m->triangles[t].vertex[corner]][k];
                least[k] = fmin(least[k], x);
                greatest[k] = fmax(greatest[k], x);
            }
}

static void place(struct mesh *m, const struct mesh_options *o)
{
    const double metres = mesh_unit_metres[o->unit];
    for (size_t i = 0; i < m->vertex_count; i++) {
        double *v = m->vertices[i];
        const double x = v[0], y = v[1], z = v[2];
        const bool turned = o->up == MESH_UP_Y;
        v[0] = metres * (o->flip ? -x : x);
        v[1] = metres * (turned ? -z : y);
        v[2] = metres * (turned ? y : z);
    }
    for (size_t t = 0; o->flip && t < m->triangle_count; t++) {
        uint32_t *corner = m->triangles[t].vertex, first = corner[1];
        corner[1] = corner[2];
        corner[2] = first;
    }
}

static bool extent_is_sound(double extent)
{
    return extent >= extent_min && extent <= extent_max;
}

/* Lists the units with which the extents would be plausible, and the resulting extents. */
static void suggest(char *text, size_t size, const double extent[3], double largest, enum mesh_unit given)
{
    size_t used = 0;
    text[0] = '\0';
    for (int u = MESH_UNIT_M; u < MESH_UNIT_COUNT; u++) {
        const double scale = mesh_unit_metres[u] / mesh_unit_metres[given];
        if (!extent_is_sound(scale * largest) || used >= size)
            continue;
        const int n =
            snprintf(text + used, size - used, "%s unit = \"%s\" makes it %.4g x %.4g x %.4g m", used ? "," : ":",
                     mesh_unit_names[u], scale * extent[0], scale * extent[1], scale * extent[2]);
        used += n > 0 ? (size_t)n : 0;
    }
    if (!used)
        snprintf(text, size, ", and no unit makes its largest extent %g m to %g m; look for parts that lie far away",
                 extent_min, extent_max);
}

int mesh_prepare(struct mesh *m, const char *path, const struct mesh_options *o, struct error *e)
{
    double least[3], greatest[3], extent[3], largest = 0.0;
    char hint[512];
    place(m, o);
    mesh_bounds(m, least, greatest);
    for (int k = 0; k < 3; k++) {
        extent[k] = greatest[k] - least[k];
        largest = fmax(largest, extent[k]);
    }
    if (extent_is_sound(largest))
        return 0;
    suggest(hint, sizeof hint, extent, largest, o->unit);
    return fail(e, ERROR_INPUT, "%s: measures %.4g x %.4g x %.4g m with unit = \"%s\", which is %s for a room%s", path,
                extent[0], extent[1], extent[2], mesh_unit_names[o->unit],
                largest < extent_min ? "too small" : "too large", hint);
}

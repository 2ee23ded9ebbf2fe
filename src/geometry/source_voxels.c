/* SPDX-License-Identifier: MIT */
#include "geometry/source_voxels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/transport/gather.h"

int source_voxel_refuse(const struct source_voxel *s, struct error *e, const char *format, ...)
{
    char reason[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return fail(e, ERROR_INPUT, "%s at (%g, %g, %g) m %s",
                s->name       ? s->name
                : s->receiver ? "a receiver"
                              : "a source",
                s->position[0], s->position[1], s->position[2], reason);
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Whether the segment from..to meets a triangle. */
static bool meets(const struct surface_triangle *t, const double from[3], const double to[3])
{
    double edge[2][3], direction[3], offset[3];
    for (int k = 0; k < 3; k++) {
        edge[0][k] = t->corner[1][k] - t->corner[0][k];
        edge[1][k] = t->corner[2][k] - t->corner[0][k];
        direction[k] = from[k] - to[k];
        offset[k] = from[k] - t->corner[0][k];
    }
    /* from + s (to - from) = corner + u edge0 + v edge1, by Cramer's rule */
    const double d = determinant(edge[0], edge[1], direction);
    if (d == 0.0)
        return false;
    const double u = determinant(offset, edge[1], direction) / d, v = determinant(edge[0], offset, direction) / d;
    const double s = determinant(edge[0], edge[1], offset) / d, slack = -1e-9;
    return u >= slack && v >= slack && u + v <= 1.0 - slack && s >= 0.0 && s <= 1.0;
}

static bool is_parted(const struct room_cuts *r, const double from[3], const double to[3])
{
    for (size_t i = 0; i < r->surface->triangle_count; i++)
        if (meets(&r->surface->triangles[i], from, to))
            return true;
    return false;
}

/* Whether a solid is on the way; its border is not. */
static bool is_behind_solid(const struct room_cuts *r, const double from[3], const double to[3])
{
    const double slack = 1e-9;
    struct chord *chords = r->solids.chords;
    double direction[3];
    for (int k = 0; k < 3; k++)
        direction[k] = to[k] - from[k];
    if (direction[0] == 0.0 && direction[1] == 0.0 && direction[2] == 0.0)
        return false;
    for (size_t i = 0; i < r->surface->solid_count; i++) {
        const size_t count = solid_chords(chords, &r->surface->solids[i], from, direction);
        for (size_t k = 0; k < count; k++)
            if (fmin(chords[k].to, 1.0) - fmax(chords[k].from, 0.0) > slack)
                return true;
    }
    return false;
}

/* Of the voxels from the one below the position less `reach` to that above it plus `reach`, along each axis. */
static uint32_t nearest_run(size_t voxel[3], const struct room_cuts *r, const double position[3], int reach)
{
    const int width = 2 + 2 * reach;
    double nearest = INFINITY, lower[3];
    uint32_t found = NO_RUN;
    for (int k = 0; k < 3; k++)
        lower[k] = floor((position[k] - r->lattice->origin[k]) / r->lattice->spacing - 0.5) + (double)r->shift - reach;
    for (int n = 0; n < width * width * width; n++) {
        const int of[3] = {n % width, n / width % width, n / width / width};
        size_t at[3];
        double place[3], distance = 0.0;
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            const double i = lower[k] + of[k] - (k == 2 ? (double)r->planes.from : 0.0);
            inside = inside && i >= 0.0 && i < (double)r->count[k];
            at[k] = inside ? (size_t)i : 0;
        }
        cuts_place(place, r, at);
        for (int k = 0; k < 3; k++)
            distance += (place[k] - position[k]) * (place[k] - position[k]);
        const uint32_t run = inside ? regions_run_at(&r->air, at) : NO_RUN;
        if (run == NO_RUN || distance >= nearest || is_parted(r, position, place) ||
            is_behind_solid(r, position, place))
            continue;
        nearest = distance;
        found = run;
        memcpy(voxel, at, sizeof at);
    }
    return found;
}

uint32_t source_voxel_run(size_t voxel[3], const struct room_cuts *r, const double position[3])
{
    const uint32_t found = nearest_run(voxel, r, position, 0);
    return found == NO_RUN ? nearest_run(voxel, r, position, 1) : found;
}

/* Whether a seed is this slab's to look for. */
static bool is_ours(const struct room_cuts *r, const struct source_voxel *s)
{
    const double plane = floor((s->position[2] - r->lattice->origin[2]) / r->lattice->spacing - 0.5) + (double)r->shift;
    const double at = fmin(fmax(plane, 0.0), (double)r->planes.all - 1.0) - (double)r->planes.from;
    return at >= (double)r->own[0] && at < (double)r->own[1];
}

enum { FOUND, PART, VOXEL, FIGURES = VOXEL + 3 };

int source_voxels_find(struct source_voxel_place *places, const struct room_cuts *r, bool parts,
                       const struct source_voxel *source_voxels, size_t count, struct error *e)
{
    uint64_t *figures = calloc(FIGURES * count + 1, sizeof *figures); /* 0 in all slabs but one */
    int status = figures ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++) {
        size_t voxel[3];
        const uint32_t run =
            is_ours(r, &source_voxels[i]) ? source_voxel_run(voxel, r, source_voxels[i].position) : NO_RUN;
        uint64_t *f = figures + FIGURES * i;
        if (run == NO_RUN)
            continue;
        f[FOUND] = 1;
        f[PART] = parts ? r->air.part[run] : 0;
        for (int k = 0; k < 3; k++)
            f[VOXEL + k] = voxel[k] + (k == 2 ? r->planes.from : 0);
    }
    status = gather_agree(r->transport, status, e) || gather_sums(r->transport, figures, FIGURES * count, e) ? -1 : 0;
    for (size_t i = 0; i < count && !status; i++) {
        const uint64_t *f = figures + FIGURES * i;
        places[i] = (struct source_voxel_place){.found = f[FOUND] != 0, .part = (uint32_t)f[PART]};
        for (int k = 0; k < 3; k++)
            places[i].voxel[k] = (size_t)f[VOXEL + k];
    }
    free(figures);
    return status;
}

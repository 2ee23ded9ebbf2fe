/* SPDX-License-Identifier: MIT */
/* Runs of air along x, and the connected parts that uncut links form from them. */
#ifndef AULA_GEOMETRY_REGIONS_H
#define AULA_GEOMETRY_REGIONS_H

#include "geometry/crossings.h"
#include "geometry/solids.h"
#include "geometry/voxels/voxel_set.h"

struct regions {
    size_t count[3], rows; /* voxels along each axis, with padding, along z of the planes here; count[1] count[2] */
    uint32_t *start;       /* [rows + 1]: of each row's runs */
    struct air_run *runs;  /* [start[rows]]; runs of a row may touch, where a link is cut */
    uint32_t *part;        /* [start[rows]]: of a run: the lowest run that it is joined with; geometry/air_parts.h
                              counts parts instead */
};

/* The air outside the solids and, on a walled lattice, inside its ends, cut by crossings; not joined yet.
 * ERROR_INPUT when there are too many runs, ERROR_MEMORY, ERROR_STOPPED. */
int regions_find(struct regions *g, const struct crossings *c, const struct solid_rows *solids, int threads,
                 struct error *e);

/* Drops all runs but those of parts with keep[part] set; `part` becomes invalid. */
void regions_keep(struct regions *g, const bool *keep);

/* Drops voxels of air, by ascending index (x + nx (y + ny z)), each once; `part` becomes invalid. ERROR_MEMORY. */
int regions_remove(struct regions *g, const uint64_t *voxels, size_t voxel_count, struct error *e);

/* Joins runs by the links that nothing cuts; c: NULL: after sheets are solid, no link between air is cut. */
int regions_join(struct regions *g, const struct crossings *c, struct error *e);
/* The same for planes from .. end - 1 with each other and with the plane after them. */
int regions_join_planes(struct regions *g, const struct crossings *c, size_t from, size_t end, struct error *e);

#define NO_RUN UINT32_MAX
uint32_t regions_run_at(const struct regions *g, const size_t at[3]);      /* NO_RUN: not air, or outside */
uint64_t regions_voxels(const struct regions *g, size_t from, size_t end); /* in planes from .. end - 1 */
static inline uint64_t regions_index(const struct regions *g, const size_t at[3])
{
    return at[0] + g->count[0] * (at[1] + (uint64_t)g->count[1] * at[2]);
}
static inline void regions_place(size_t at[3], const struct regions *g, uint64_t index)
{
    at[0] = (size_t)(index % g->count[0]);
    at[1] = (size_t)(index / g->count[0] % g->count[1]);
    at[2] = (size_t)(index / g->count[0] / g->count[1]);
}

void regions_free(struct regions *g); /* safe on a zeroed struct */

#endif

/* SPDX-License-Identifier: MIT */
/* A grid cut into slabs of planes across z, its slowest axis: the planes of a slab, and those that neighbours exchange,
 * are in one piece of memory. */
#ifndef AULA_SOLVER_PARTS_CUT_H
#define AULA_SOLVER_PARTS_CUT_H

#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "solver/solver.h"

/* Planes first .. end - 1 are the part's own; `below` and `above` of them it has of its neighbours, too: its halos. */
struct slab {
    size_t first, end, below, above;
};

static inline size_t slab_from(const struct slab *s)
{
    return s->first - s->below;
}

static inline size_t slab_planes(const struct slab *s)
{
    return s->end + s->above - slab_from(s);
}

/* Layers of voxels in these planes of points. */
static inline size_t slab_layers(const struct slab *s, enum air_stencil stencil)
{
    return slab_planes(s) - (stencil == STENCIL_19_POINT ? 1 : 0);
}

/* Steps between two exchanges, when nobody says: few enough that a part of so many planes does not step its halos for
 * much of its time. */
size_t cut_halo(size_t planes, size_t parts);

/* Cuts the grid of a leapfrog problem into slabs[parts] of about as much work each: points of air, and branches of
 * walls, each of which takes as long as `branch_work` points of air. Every slab has at least as many planes as a halo;
 * `halo`: wanted, 0: cut_halo. No cut is within a halo of planes that instruments touch (docs/design/parallel.md P4). ERROR_USAGE when there are
 * fewer planes than parts, or no place for a cut. */
int cut_grid(struct slab *slabs, size_t parts, const struct problem *p, size_t halo, double branch_work,
             struct error *e);

/* Numbers of parts that are worth a comparison. */

enum { PART_NUMBERS = 32 };

/* 1, 2, 4 .. and `most`, ascending. Returns how many. */
int part_numbers(int numbers[PART_NUMBERS], int most);

/* The choice for so many parts: on the first devices of its list, if it has one, one part of it on the first alone. */
struct solver_options part_options_of(const struct solver_options *c, int parts);

#endif

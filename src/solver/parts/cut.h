/* SPDX-License-Identifier: MIT */
/* Divides a grid into slabs of planes along z, its slowest axis, so that the planes of a slab,
 * and those exchanged by neighbours, are contiguous in memory. */
#ifndef AULA_SOLVER_PARTS_CUT_H
#define AULA_SOLVER_PARTS_CUT_H

#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "solver/solver.h"

/* The part owns planes first .. end - 1. Its halos are the `below` and `above` planes that it
 * copies from its neighbours. */
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

/* Number of layers of voxels in these planes of points. */
static inline size_t slab_layers(const struct slab *s, enum air_stencil stencil)
{
    return slab_planes(s) - (stencil == STENCIL_19_POINT ? 1 : 0);
}

/* Default number of steps between two exchanges: small enough that a part of this many planes
 * spends little of its time on its halos. */
size_t cut_halo(size_t planes, size_t parts);

/* Divides the grid of a leapfrog problem into slabs[parts] of about equal work: points of air,
 * and branches of walls, each of which counts as `branch_work` points of air. Every slab has at
 * least as many planes as a halo; `halo` is the requested size, 0: cut_halo. No cut lies within
 * a halo of planes that instruments touch (docs/design/parallel.md P4), or that a partition across
 * z spans from one side to the other (P4a). ERROR_USAGE if there are
 * fewer planes than parts, or no position for a cut. */
int cut_grid(struct slab *slabs, size_t parts, const struct problem *p, size_t halo, double branch_work,
             struct error *e);

/* Largest number of entries of part_numbers. */

enum { PART_NUMBERS = 32 };

/* Numbers of parts worth comparing: 1, 2, 4 .. and `most`, ascending. Returns their number. */
int part_numbers(int numbers[PART_NUMBERS], int most);

/* Options for this number of parts: on the first devices of the list, if it has one; a single
 * part uses the first device. */
struct solver_options part_options_of(const struct solver_options *c, int parts);

#endif

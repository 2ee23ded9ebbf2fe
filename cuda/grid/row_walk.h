/* SPDX-License-Identifier: MIT */
/* Iterates over the rows of a layout in stretches of equal points. */
#ifndef AULA_CUDA_ROW_WALK_H
#define AULA_CUDA_ROW_WALK_H

#include "cuda/grid/layout.h"

/* Points x .. end - 1 of a row that have one kind, and the same expected kind. */
struct stretch {
    size_t x, end;
    struct point_kind kind, expected;
};

/* Iterator over the stretches of a row, by ascending x. */
struct row_walk {
    const struct layout *layout;
    const struct rows *rows;
    enum precision precision;
    size_t at[3]; /* the next point */
    bool inside;  /* the row crosses the box of air */
    uint64_t run, run_end, wall, wall_end;
};

struct row_walk row_walk_from(const struct layout *l, const struct rows *rows, const struct problem *p, size_t row);
bool row_walk_next(struct row_walk *walk, struct stretch *s); /* false after the last */

static inline double weight_at(const struct rows *rows, enum precision precision, uint64_t wall)
{
    return precision == PRECISION_DOUBLE ? ((const double *)rows->wall_weight)[wall]
                                         : (double)((const float *)rows->wall_weight)[wall];
}

static inline uint8_t links_of(const struct rows *rows, struct run run)
{
    return (uint8_t)(rows->stencil == STENCIL_19_POINT ? run.links : (unsigned)__builtin_popcount(run.links));
}

static inline unsigned state_at(const struct layout *l, const size_t at[3])
{
    unsigned state = 0;
    for (int axis = 0; axis < 3; axis++) {
        state |= (unsigned)(at[axis] == l->from[axis]) << (2 * axis);
        state |= (unsigned)(at[axis] + 1 == l->to[axis]) << (2 * axis + 1);
    }
    return state & l->missing;
}

static inline bool same_kind(const struct point_kind *a, const struct point_kind *b)
{
    return a->updated == b->updated && a->links == b->links && a->weight == b->weight;
}

static inline bool is_irregular(const struct stretch *s)
{
    return !same_kind(&s->kind, &s->expected);
}

#endif

/* SPDX-License-Identifier: MIT */
/* The stiffness of a surface as a matrix, assembled from its discrete energy. */
#ifndef AULA_RENDER_SYNTH_STIFFNESS_H
#define AULA_RENDER_SYNTH_STIFFNESS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Neighbours up to four nodes away along either axis, [9][9] around the node: three inside a plate, four at a clamped
 * rim that lies between nodes. */
enum { REACH = 4, REACH_WIDTH = 2 * REACH + 1, REACH_COUNT = REACH_WIDTH * REACH_WIDTH };
/* Width of the border of fixed or missing nodes. */
enum { RIM = 2 };

struct stiffness {
    size_t nx, ny;
    const uint8_t *active;    /* [ny][nx]; 0 in the border of RIM nodes */
    double (*k)[REACH_COUNT]; /* [ny nx]: stiffness over mass, 1/s² */
    double (*l)[REACH_COUNT]; /* [ny nx]: minus the Laplacian, 1/m² */
};

/* Slot of node `to` in the row of node `from`; stiffness_other is the inverse. */
static inline size_t stiffness_slot(const struct stiffness *s, size_t from, size_t to)
{
    const ptrdiff_t dy = (ptrdiff_t)(to / s->nx) - (ptrdiff_t)(from / s->nx);
    const ptrdiff_t dx = (ptrdiff_t)(to % s->nx) - (ptrdiff_t)(from % s->nx);
    return (size_t)((dy + REACH) * REACH_WIDTH + dx + REACH);
}

static inline ptrdiff_t stiffness_step(const struct stiffness *s, size_t slot)
{
    return ((ptrdiff_t)(slot / REACH_WIDTH) - REACH) * (ptrdiff_t)s->nx + (ptrdiff_t)(slot % REACH_WIDTH) - REACH;
}

static inline size_t stiffness_other(const struct stiffness *s, size_t from, size_t slot)
{
    return (size_t)((ptrdiff_t)from + stiffness_step(s, slot));
}

/* Adds coefficient times the square of a difference to the energy w·k w (or w·l w): term[i] times node at[i], where
 * nodes may repeat. No two nodes are more than REACH apart. */
enum { DIFFERENCE_MAX = 20 };
struct difference {
    size_t count;
    size_t at[DIFFERENCE_MAX];
    double term[DIFFERENCE_MAX];
};
void stiffness_add(double (*matrix)[REACH_COUNT], const struct stiffness *s, const struct difference *d,
                   double coefficient);

/* Largest absolute row sum of k² K + 4 σ1 k L: the scheme is stable up to 4 (Gershgorin, theory (67)). */
double stiffness_bound(const struct stiffness *s, double time_step, double sigma1);

/* The lowest eigenvalue of K of a surface with a fixed edge, by inverse iteration. NaN with *e filled: out of memory,
 * or stopped on request. */
double stiffness_lowest(const struct stiffness *s, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* The bending energy of a plate on its grid, a sum of squares: the stiffness is symmetric and
 * positive semidefinite for any outline, and natural boundary conditions follow from it. By theory
 * (65)
 *
 *     E/D = ∬ (w_xx + w_yy)² + 2 (1 - ν)(w_xy² - w_xx w_yy)
 *
 * Three parts, weighted by plate_tune.h:
 *   BENDING     second differences, each times the area of the plate around it
 *   DISPERSION  h²/6 times the squared slopes of the curvatures: with weight 1 the error of second
 *               differences, which makes waves in the interior fourth-order accurate
 *   EDGE        the part of BENDING in the zone along a free edge, whose curvatures are taken from
 *               the nearest positions */
#ifndef AULA_RENDER_SYNTH_PLATE_ENERGY_H
#define AULA_RENDER_SYNTH_PLATE_ENERGY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "render/synth/surface.h"

/* The stiffness of a surface as a matrix, assembled from its discrete energy. */

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

enum plate_part { PART_BENDING, PART_DISPERSION, PART_EDGE, PLATE_PARTS };

/* A plate on its grid. */
struct plate_nodes {
    const struct surface_plan *plan;
    const struct surface_grid *grid;
    const struct stiffness *matrix;           /* nx, ny, active */
    double (*part[PLATE_PARTS])[REACH_COUNT]; /* [ny nx]: κ² times squared curvature, over hx hy, 1/s² m⁻² */
};

/* Area of the plate around a position, in units of hx hy: integral over the outline of the bilinear
 * hat centred there. 1 inside, 1/2 on a straight edge. */
double plate_share(const struct surface_plan *plan, const struct surface_grid *grid, double x, double y);

/* Whether node ix, iy moves; indices in spacings from the centre (half-integers for an even number of nodes). */
bool plate_moves(const struct surface_plan *plan, const struct surface_grid *grid, double ix, double iy);

/* Adds to the parts, initially zero, for a fixed edge (plate_fixed.c) or a free one (plate_free.c). `mass` [ny][nx]: of
 * the moving nodes, over ρH hx hy. Nonzero with *e filled: out of memory. */
void plate_assemble_fixed(struct plate_nodes *p);
int plate_assemble_free(struct plate_nodes *p, double *mass, struct error *e);

/* Second difference at a node along an axis, over h². */
struct difference plate_curvature(const struct plate_nodes *p, size_t at, int axis);

/* a + factor b. */
struct difference difference_sum(const struct difference *a, const struct difference *b, double factor);

#endif

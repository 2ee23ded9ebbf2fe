/* SPDX-License-Identifier: MIT */
/* The bending energy of a plate on its grid, a sum of squares, so that the stiffness is symmetric and positive
 * semidefinite for any outline; natural boundary conditions follow from it. By theory (65)
 *
 *     E/D = ∬ (w_xx + w_yy)² + 2 (1 - ν)(w_xy² - w_xx w_yy)
 *
 * Three parts, weighted by plate_tune.h:
 *   BENDING     second differences, each times the area of the plate around it
 *   DISPERSION  h²/6 times the squared slopes of the curvatures: with weight 1 the error of second differences, so that
 *               waves in the interior are fourth-order accurate
 *   EDGE        the part of BENDING in the zone along a free edge, where curvatures are those of the nearest places */
#ifndef AULA_RENDER_SYNTH_PLATE_ENERGY_H
#define AULA_RENDER_SYNTH_PLATE_ENERGY_H

#include "render/synth/stiffness.h"
#include "render/synth/surface.h"

enum plate_part { PART_BENDING, PART_DISPERSION, PART_EDGE, PLATE_PARTS };

/* A plate on its grid. */
struct plate_nodes {
    const struct surface_plan *plan;
    const struct surface_grid *grid;
    const struct stiffness *matrix;           /* nx, ny, active */
    double (*part[PLATE_PARTS])[REACH_COUNT]; /* [ny nx]: κ² times squared curvature, over hx hy, 1/s² m⁻² */
};

/* Area of the plate around a place, in units of hx hy: integral over the outline of the bilinear hat centred there. 1
 * inside, 1/2 on a straight edge. */
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

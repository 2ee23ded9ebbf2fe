/* The bending energy of a plate on its grid. It is a sum of squares, so the stiffness is symmetric and gives no energy for
 * any outline; natural boundary conditions come by themselves.
 *
 *     E/D = ∬ (w_xx + w_yy)² + 2 (1 - ν)(w_xy² - w_xx w_yy)
 *
 * Three parts, which plate_tune.h weighs:
 *   BENDING     second differences where the outline has their nodes, each for the share of the plate around it
 *   DISPERSION  h²/6 times the squared slopes of the curvatures: with a weight of 1 what second differences leave out, so
 *               that waves inside are right to fourth order
 *   EDGE        what BENDING has of the strip along a free edge, where curvatures are not known and those next to it stand in */
#ifndef AULA_SYNTH_PLATE_ENERGY_H
#define AULA_SYNTH_PLATE_ENERGY_H

#include "synth/stiffness.h"
#include "synth/surface.h"

enum plate_part { PART_BENDING, PART_DISPERSION, PART_EDGE, PLATE_PARTS };

/* A plate on its nodes. */
struct plate_nodes {
    const struct surface_plan *plan;
    const struct surface_grid *grid;
    const struct stiffness *matrix;           /* nx, ny, active */
    double (*part[PLATE_PARTS])[REACH_COUNT]; /* [ny nx]: the square of κ times curvature, over hx hy, 1/s² m⁻² */
};

/* The share of the plate that belongs to a place, in units of hx hy: the integral of the bilinear hat around it over the
 * outline. 1 inside, 1/2 on a straight edge. */
double plate_share(const struct surface_plan *plan, const struct surface_grid *grid, double x, double y);

/* Whether the node ix, iy, counted from the middle in spacings (halves where there is no node in the middle), moves. */
bool plate_moves(const struct surface_plan *plan, const struct surface_grid *grid, double ix, double iy);

/* Adds to the parts, which are zero, for an edge that is held (plate_held.c) or free (plate_free.c). `mass` [ny][nx]: of the
 * nodes that move, over ρH hx hy. Nonzero with *e filled: out of memory. */
void plate_assemble_held(struct plate_nodes *p);
int plate_assemble_free(struct plate_nodes *p, double *mass, struct error *e);

/* Second difference about a node along an axis, over h². */
struct difference plate_curvature(const struct plate_nodes *p, size_t at, int axis);

/* a + factor b. */
struct difference difference_sum(const struct difference *a, const struct difference *b, double factor);

#endif

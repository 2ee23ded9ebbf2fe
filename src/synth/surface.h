/* Membranes and thin plates on a grid of their own: from metres and newtons to the stencils of scheme/bodies.h.
 *
 *     ρH w_tt = T ∇²w - D ∇⁴w - 2ρHσ0 w_t + 2ρHσ1 ∇²w_t + f + (p_below - p_above)        PHYSICS (6)
 *
 * The stiffness is assembled from a discrete energy, so it is symmetric whatever the outline: membranes from the squared
 * differences along links; plates from squared curvatures, whose natural boundary condition is the free edge. A circle is
 * a staircase; the stiffness is then scaled so that the lowest mode has its exact pitch, time step included. */
#ifndef AULA_SYNTH_SURFACE_H
#define AULA_SYNTH_SURFACE_H

#include <stdbool.h>

#include "scheme/bodies.h"

enum surface_outline { SURFACE_CIRCLE, SURFACE_RECTANGLE };
enum surface_edge { SURFACE_SUPPORTED, SURFACE_CLAMPED, SURFACE_FREE };

struct surface_plan {
    enum surface_outline outline;
    double half[2]; /* m: half the sides along the plane's two axes; both the radius for a circle */
    enum surface_edge edge;
    double density; /* ρH, kg/m² */
    double tension; /* T, N/m; 0 for plates */
    double bending; /* D, N m; 0 for membranes */
    double poisson; /* of plates */
    double sigma0;  /* 1/s */
    double sigma1;  /* m²/s */
    double time_step;
    size_t cells; /* along the radius or the longer side; 0: as many as are stable and useful */
};

/* Useful for the first twelve modes, in cells along a radius or the longer side. */
enum { MEMBRANE_CELLS = 32, PLATE_CELLS = 64, CELLS_LEAST = 4 };

struct surface_grid {
    double spacing[2]; /* hx, hy, m */
    size_t cells;      /* along the radius or the longer side */
    size_t cells_most; /* of these, where the scheme is stable */
    double first[2];   /* m from the centre of the surface: node (0, 0) */
    double pitch; /* Hz: the exact lowest mode that was aimed at, in vacuo; 0: none is known, the grid's own is taken */
    double lowest; /* Hz: the lowest mode as it is computed, moves and turns of free edges apart */
    double scale;  /* of the stiffness, that brings it there */
};

/* Fails for fewer than CELLS_LEAST or more than cells_most cells: the message gives the bound. The surface is in no air
 * yet. Free with surface_free. */
int surface_make(struct surface **s, struct surface_grid *grid, const struct surface_plan *plan, const char *name,
                 struct error *e);
void surface_free(struct surface *s); /* NULL-safe */

/* The exact lowest mode in vacuo, Hz, without losses: J0's first zero for a round membrane; for a plate that is a
 * supported rectangle, or a clamped or free circle. 0 where there is no closed form. */
double surface_exact_pitch(const struct surface_plan *plan);

/* Bilinear weights of the place (u, v), -1..1 of the half sides, over nodes that move, and their sum: 1, but less towards
 * an edge that is held, and 0 at it. At a free edge the nearest nodes stand for what is beyond them. */
double surface_place(uint32_t node[4], double weight[4], const struct surface *s, const struct surface_grid *grid,
                     const struct surface_plan *plan, const double place[2]);

#endif

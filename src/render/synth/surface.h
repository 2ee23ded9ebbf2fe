/* SPDX-License-Identifier: MIT */
/* Membranes and thin plates on their grids: from dimensions and materials to the stencils of
 * solver/schemes/bodies/bodies.h.
 *
 *     ρH w_tt = T ∇²w - D ∇⁴w - 2ρHσ0 w_t + 2ρHσ1 ∇²w_t + f + (p_below - p_above)        theory (64)
 *
 * The stiffness is assembled from a discrete energy, so it is symmetric for any outline. Membranes: squared differences
 * along links; a circle is a staircase, and the stiffness is scaled so that the lowest mode has its exact pitch, time
 * step included. Plates: plate_energy.h, with weights for which the lowest mode is exact and nine more are accurate
 * (plate_tune.h). */
#ifndef AULA_RENDER_SYNTH_SURFACE_H
#define AULA_RENDER_SYNTH_SURFACE_H

#include <stdbool.h>

#include "solver/schemes/bodies/bodies.h"

enum surface_outline { SURFACE_CIRCLE, SURFACE_RECTANGLE };
enum surface_edge { SURFACE_SUPPORTED, SURFACE_CLAMPED, SURFACE_FREE };

struct surface_plan {
    enum surface_outline outline;
    double half[2]; /* m: half the sides along the plane's axes; a circle: the radius twice */
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

/* Enough for the first twelve modes, in cells along a radius or the longer side. */
enum { MEMBRANE_CELLS = 32, PLATE_CELLS = 64, CELLS_MIN = 4 };

struct surface_grid {
    double spacing[2]; /* hx, hy, m */
    size_t cells;      /* along the radius or the longer side */
    size_t cells_max;  /* largest stable number of these */
    double first[2];   /* m from the centre of the surface: node (0, 0) */
    double pitch;      /* Hz: exact lowest mode in vacuo, without rigid-body motions */
    double lowest;     /* Hz: lowest mode as computed; equals pitch unless that is above half the rate */
    double scale;      /* of the stiffness, for that pitch */
    double worst;      /* largest relative error of a plate's first ten modes, degenerate pairs counted twice */
};

/* Fails for fewer than CELLS_MIN or more than cells_max cells; the message gives the bound. The surface is not coupled
 * to air yet. Free with surface_free. */
int surface_make(struct surface **s, struct surface_grid *grid, const struct surface_plan *plan, const char *name,
                 struct error *e);
void surface_free(struct surface *s); /* NULL-safe */

/* The exact lowest mode of a membrane in vacuo without losses, Hz (closed form). */
double membrane_pitch(const struct surface_plan *plan);

/* Bilinear weights of the place (u, v), -1..1 of the half sides, over moving nodes, and their sum:
 * 1, decreasing to 0 at a fixed edge. At a free edge the nearest nodes are extrapolated. The
 * weights apply to the nodes' states, which are displacements divided by lightness; the sum
 * excludes the lightness. */
double surface_place(uint32_t node[4], double weight[4], const struct surface *s, const struct surface_grid *grid,
                     const struct surface_plan *plan, const double place[2]);

#endif

/* Membranes and thin plates on a grid of their own: from metres and newtons to the stencils of schemes/bodies/bodies.h.
 *
 *     ρH w_tt = T ∇²w - D ∇⁴w - 2ρHσ0 w_t + 2ρHσ1 ∇²w_t + f + (p_below - p_above)        PHYSICS (6)
 *
 * The stiffness is assembled from a discrete energy, so it is symmetric whatever the outline. Membranes: squared differences
 * along links; a circle is a staircase, and the stiffness is scaled so that the lowest mode has its exact pitch, time step
 * included. Plates: plate_energy.h, whose parts are weighed so that the lowest mode is exact and nine more as near as they
 * get (plate_tune.h). */
#ifndef AULA_SYNTH_SURFACE_H
#define AULA_SYNTH_SURFACE_H

#include <stdbool.h>

#include "schemes/bodies/bodies.h"

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
    size_t cells_max;  /* of these, where the scheme is stable */
    double first[2];   /* m from the centre of the surface: node (0, 0) */
    double pitch;      /* Hz: the exact lowest mode that was aimed at, in vacuo, moves and turns of free edges apart */
    double lowest;     /* Hz: the lowest mode as it is computed: the same but where half the rate is below it */
    double scale;      /* of the stiffness, that brings it there */
    double worst;      /* of a plate's first ten modes, both of a pair counted: how far it is off, relative */
};

/* Fails for fewer than CELLS_LEAST or more than cells_max cells: the message gives the bound. The surface is in no air
 * yet. Free with surface_free. */
int surface_make(struct surface **s, struct surface_grid *grid, const struct surface_plan *plan, const char *name,
                 struct error *e);
void surface_free(struct surface *s); /* NULL-safe */

/* The exact lowest mode of a membrane in vacuo, Hz, without losses. */
double membrane_pitch(const struct surface_plan *plan);

/* Bilinear weights of the place (u, v), -1..1 of the half sides, over nodes that move, and their sum: 1, but less towards
 * an edge that is held, and 0 at it. At a free edge the nearest nodes stand for what is beyond them. They are weights of the
 * nodes' states: displacements' times their lightness, which the sum leaves out. */
double surface_place(uint32_t node[4], double weight[4], const struct surface *s, const struct surface_grid *grid,
                     const struct surface_plan *plan, const double place[2]);

#endif

/* SPDX-License-Identifier: MIT */
/* Airy stress functions of a plate whose edge is free to move in its plane: Ψ = ∂Ψ/∂n = 0 at the edge. They are closed
 * forms over the true outline, not over the staircase of a grid, and orthonormal under ∬ ∇²Ψ_p ∇²Ψ_q dx dy, with x, y
 * in m.
 *
 * Disc:       r^m (1 - r²)² P_j(2r² - 1) cos mθ and sin mθ, P_j Legendre's polynomials, r over the radius
 * Rectangle:  f_i(x) f_j(y), with f_i of ritz_functions.h that meet both conditions at either end
 *
 * The functions of a disc have m <= AIRY_ANGULAR and j < AIRY_RADIAL. The stress is smoother than the deflection that
 * causes it, since it is the inverse of a biharmonic operator, so that the first functions have most of the energy: in a
 * crash of a cymbal, a fifth as many give the same octave bands to within 4 dB. A rectangle has about as many as a disc,
 * with equal wavelengths along both axes. */
#ifndef AULA_RENDER_SYNTH_AIRY_FUNCTIONS_H
#define AULA_RENDER_SYNTH_AIRY_FUNCTIONS_H

#include "render/synth/banded.h"
#include "render/synth/plate_modes.h"

enum { AIRY_RADIAL = 6, AIRY_ANGULAR = 10, AIRY_TOTAL = AIRY_RADIAL * (2 * AIRY_ANGULAR + 1) };
/* Functions of one parity (plate_modes.h) at most. */
enum { AIRY_MAX = 64 };

struct airy_functions {
    enum surface_outline outline;
    double half[2];         /* m: half the sides, or the radius twice */
    size_t along[2];        /* rectangle: functions along each axis, both parities together */
    size_t count[PARITIES]; /* functions by parity */
    /* Cholesky factors of ∬ ∇²∇² of the forms above: by order m of a disc, by parity of a rectangle. */
    struct banded factor[AIRY_ANGULAR + 1];
};

/* Nonzero with *e filled: out of memory. Call airy_functions_free in any case. */
int airy_functions_make(struct airy_functions *a, const struct surface_plan *plan, struct error *e);
void airy_functions_free(struct airy_functions *a);

/* value[count[parity]] of the functions of a parity at x, y, m from the centre, which have the unit m; 0 outside. */
void airy_functions_at(double *value, const struct airy_functions *a, int parity, double x, double y);

#endif

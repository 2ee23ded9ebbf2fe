/* SPDX-License-Identifier: MIT */
/* Airy stress functions of a plate whose edge is free to move in its plane: Ψ = ∂Ψ/∂n = 0 at the edge. They are closed
 * forms over the true outline, not over the staircase of a grid, and orthonormal under ∬ ∇²Ψ_p ∇²Ψ_q dx dy, with x, y
 * in m (theory (68b)).
 *
 * Disc:       r^m (1 - r²)² P_j(2r² - 1) cos mθ and sin mθ, P_j Legendre's polynomials, r over the radius
 * Rectangle:  f_i(x) f_j(y), with f_i of ritz_functions.h that meet both conditions at either end
 *
 * There is about one function for eight nodes of the plate's grid: a disc with n cells along its radius has j < n/2.75 and
 * m up to 7/4 of that, a rectangle one function along an axis for 2.8 cells. Fewer suffice for the lowest modes, as the
 * stress is smoother than the deflection that causes it. The high end of a crash needs them: on a gong of 32 cells, a
 * third as many make the octave at 4 kHz 5 dB weaker. */
#ifndef AULA_RENDER_SYNTH_AIRY_FUNCTIONS_H
#define AULA_RENDER_SYNTH_AIRY_FUNCTIONS_H

#include "render/synth/banded.h"
#include "render/synth/plate_modes.h"

enum { AIRY_RADIAL_MAX = 11, AIRY_ANGULAR_MAX = AIRY_RADIAL_MAX * 7 / 4, AIRY_ALONG_MAX = 30 };
/* Functions of one parity (plate_modes.h) at most. */
enum { AIRY_MAX = 240 };

struct airy_functions {
    enum surface_outline outline;
    double half[2];         /* m: half the sides, or the radius twice */
    size_t radial, angular; /* disc: numbers of j, and largest m */
    size_t along[2];        /* rectangle: functions along each axis, both parities together */
    size_t count[PARITIES]; /* functions by parity */
    /* Cholesky factors of ∬ ∇²∇² of the forms above: by order m of a disc, by parity of a rectangle. */
    struct banded factor[AIRY_ANGULAR_MAX + 1];
};

/* For the outline of a plan and the spacings of its grid. Nonzero with *e filled: out of memory. Call
 * airy_functions_free in any case. */
int airy_functions_make(struct airy_functions *a, const struct surface_plan *plan, const double spacing[2],
                        struct error *e);
void airy_functions_free(struct airy_functions *a);

/* value[count[parity]] of the functions of a parity at x, y, m from the centre, which have the unit m; 0 outside. */
void airy_functions_at(double *value, const struct airy_functions *a, int parity, double x, double y);

#endif

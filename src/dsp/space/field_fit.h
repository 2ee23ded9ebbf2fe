/* SPDX-License-Identifier: MIT */
/* Weights of stencils (field_stencil.h), found order by order by least squares over plane waves that the grid itself
 * carries, e^{iκ d·x}:
 *
 *     min  mean over frequencies and directions of |(c/sX)^n Σ_q W_q e^{iκ d·x_q} - Y_nm(d)|²
 *          + η² |c/sX at 0.01|^{2n} Σ_q W_q²
 *
 * twelve frequencies, six of them log-spaced, and directions of half a sphere, as d and -d give the same equations. */
#ifndef AULA_DSP_SPACE_FIELD_FIT_H
#define AULA_DSP_SPACE_FIELD_FIT_H

#include "base/error.h"
#include "dsp/space/field_stencil.h"

/* What stencils share: the factored matrices of all points around a cell, a list of one for each kind of waves, radius
 * and order. From 8 MB (order 1) to 40 MB (order 4) each. */
struct field_lattice;

void field_lattices_free(struct field_lattice **l); /* leaves NULL, the empty list */

/* The weights of all harmonics up to s->order from the s->count points of s, which are any within the radius. They do
 * not depend on what was fitted before. ERROR_MEMORY, ERROR_STOPPED. */
int field_stencil_fit(struct field_stencil *s, struct field_lattice **l, const struct grid_waves *waves,
                      struct error *e);

#endif

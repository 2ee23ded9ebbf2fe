/* SPDX-License-Identifier: MIT */
/* Stencils that sample the spherical harmonics of a field on the grid points around a position.
 *
 *     t_nm = Σ_q W_nm[q] p_q  ≈  (s X/c)^n Y_nm(d) p(position)     for a plane wave of the grid that comes from d
 *
 * W is real and independent of frequency, so t_nm is an ordinary sparse channel of the solver, and integrators.h turns it
 * into the field a_nm = (c/s)^n t_nm. By reciprocity the same weights as a source radiate Σ W_nm[q] G(x_q),
 * (s X/c)^n Y_nm(d) towards an observer in the direction d.
 *
 * See theory (48); field_stencil_fit finds W, theory (49). */
#ifndef AULA_DSP_SPACE_FIELD_STENCIL_H
#define AULA_DSP_SPACE_FIELD_STENCIL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dsp/space/harmonics.h"

enum { FIELD_ORDER_MAX = 4, FIELD_CHANNELS_MAX = (FIELD_ORDER_MAX + 1) * (FIELD_ORDER_MAX + 1) };

/* Plane waves as a grid carries them. Frequencies are over the rate. */
struct grid_waves {
    double (*wavenumber)(double frequency, const double direction[3], double courant_squared); /* κ, per cell */
    double courant_squared;                                                                    /* λ² */
    double lowest, highest;
    bool trapezoid; /* s is (2/k) tan(ωk/2) j, as filters by the bilinear transform have it; else jω */
    /* η of each order. With 1e-6 instead of 1e-4, order 0 amplifies waves beyond the band up to fourteenfold, because only
     * the penalty bounds its weights there, without being better within the band. */
    double penalty[FIELD_ORDER_MAX + 1];
};

/* |s X/c| at a frequency: s = j times it c/X. */
double grid_waves_operator(const struct grid_waves *waves, double frequency);

/* Points of a cube of ten a side from FIELD_LOWEST on, which holds a ball of 4.35 cells around any position of a cell,
 * and no fewer than the most of them, 360, in such a ball. */
enum { FIELD_LOWEST = -4, FIELD_SIDE = 10, FIELD_POINTS_MAX = 368 };

struct field_stencil {
    int order;
    double radius;      /* cells: at least to the last of the points; at most 4.35 */
    double fraction[3]; /* 0 to 1: of the position in its cell */
    size_t count;
    int point[FIELD_POINTS_MAX][3];                      /* from the lower corner of the cell */
    double weight[FIELD_CHANNELS_MAX][FIELD_POINTS_MAX]; /* W_nm, ACN */
};

/* All points of a grid within the stencil's radius of its position. */
void field_stencil_ball(struct field_stencil *s);

/* (c/sX)^n Σ_q W_q e^{iκ d·x_q} of each harmonic for the plane wave from d at a frequency: values[channels][2], real
 * and imaginary part; ideally Y_nm(d) and 0. */
void field_stencil_response(double (*values)[2], const struct field_stencil *s, const struct grid_waves *waves,
                            double frequency, const double direction[3]);

/* Weights of stencils (field_stencil.h), found order by order by least squares over plane waves that the grid itself
 * carries, e^{iκ d·x}:
 *
 *     min  mean over frequencies and directions of |(c/sX)^n Σ_q W_q e^{iκ d·x_q} - Y_nm(d)|²
 *          + η² |c/sX at 0.01|^{2n} Σ_q W_q²
 *
 * twelve frequencies, six of them log-spaced, and directions of half a sphere, as d and -d give the same equations. */

/* What stencils share: the factored matrices of all points around a cell, a list of one for each kind of waves, radius
 * and order. From 8 MB (order 1) to 40 MB (order 4) each. */
struct field_lattice;

void field_lattices_free(struct field_lattice **l); /* leaves NULL, the empty list */

/* The weights of all harmonics up to s->order from the s->count points of s, which are any within the radius. They do
 * not depend on what was fitted before. ERROR_MEMORY, ERROR_STOPPED. */
int field_stencil_fit(struct field_stencil *s, struct field_lattice **l, const struct grid_waves *waves,
                      struct error *e);

#endif

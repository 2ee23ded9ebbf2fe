/* SPDX-License-Identifier: MIT */
/* Amplitudes of modes at many points, summed while a field runs. */
#ifndef AULA_PRESENT_MODES_MODE_SUMS_H
#define AULA_PRESENT_MODES_MODE_SUMS_H

#include <complex.h>
#include <stddef.h>

#include "base/error.h"

struct mode_sums {
    size_t modes, points;
    size_t frames, added;   /* frames: of the run */
    double complex *poles;  /* [modes]: z of a frame */
    double complex *powers; /* [modes]: conj(z)^added */
    double complex *sums;   /* [modes][points] */
};

/* For a run of `frames` frames; exponents[modes]: of a frame. ERROR_MEMORY. */
int mode_sums_make(struct mode_sums *s, const double complex *exponents, size_t modes, size_t points, size_t frames,
                   struct error *e);
void mode_sums_free(struct mode_sums *s); /* safe on a zeroed struct */

/* Adds w[n] conj(z)^n p[n] of the next frame; values[points]. The Hann window w[n] = (1 - cos(2π n/frames))/2 keeps out
 * modes that are not among these: without it, those above the range reach all of them. */
void mode_sums_add(struct mode_sums *s, const float *values);

/* Replaces the sums by amplitudes: solves Σ_j G_ij a_j = b_i over the poles and their conjugates, with G_ij = Σ_n
 * w[n] (conj(z_i) z_j)^n. ERROR_MEMORY, ERROR_FAILED, ERROR_STOPPED. */
int mode_sums_solve(struct mode_sums *s, struct error *e);

#endif

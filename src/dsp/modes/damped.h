/* SPDX-License-Identifier: MIT */
/* Damped exponentials in uniformly sampled records that share them: ESPRIT, and least squares for amplitudes. The
 * linear algebra is LAPACK's. */
#ifndef AULA_DSP_MODES_DAMPED_H
#define AULA_DSP_MODES_DAMPED_H

#include <complex.h>
#include <stddef.h>

#include "base/error.h"

/* NULL: this build has LAPACK; else the reason why it has not. */
const char *damped_unavailable(void);

/* Records y_p[n] = Σ_m A_pm z_m^n. */
struct damped_records {
    const double complex *samples; /* [places][frames] */
    size_t places, frames;
};

enum { DAMPED_PENCIL_MAX = 160 }; /* rows of the data matrix, at most */

/* Poles z[*count] of the records, by ESPRIT (Roy and Kailath, IEEE TASSP 37(7), 984-995, 1989). The Hankel matrices of
 * all places, side by side, have L rows: half of the frames, or 4/5 with four places or more, DAMPED_PENCIL_MAX at most. Their left singular vectors whose singular
 * value exceeds `floor` times the largest span the signal, at most `most` of them, and z are the eigenvalues of the Ψ
 * that solves U_low Ψ = U_high. A second estimate with a sixth more vectors confirms each pole: one that moves by more
 * than `tolerance` ln |z| is dropped. *z has room for `most`. ERROR_INPUT for fewer than 8 frames; ERROR_MEMORY;
 * ERROR_FAILED. */
int damped_poles(double complex *z, size_t *count, const struct damped_records *r, size_t most, double floor,
                 double tolerance, struct error *e);

/* amplitudes[places][count] of the poles by least squares, and *residual, the norm of what is left over that of the
 * records. ERROR_MEMORY, ERROR_FAILED. */
int damped_amplitudes(double complex *amplitudes, double *residual, const struct damped_records *r,
                      const double complex *z, size_t count, struct error *e);

/* Solves a x = b in place: a[order][order], by columns; b[right][order] becomes x. ERROR_MEMORY; ERROR_FAILED if a is
 * singular. */
int damped_solve(double complex *a, size_t order, double complex *b, size_t right, struct error *e);

#endif

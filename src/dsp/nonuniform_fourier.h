/* SPDX-License-Identifier: MIT */
/* The Fourier transform of real samples at any frequencies: a transform padded to at least twice the length, from which
 * each value is interpolated over eight bins by a Kaiser-Bessel kernel, after the samples have been divided by the
 * kernel's transform. J. A. Fessler and B. P. Sutton, "Nonuniform fast Fourier transforms using min-max interpolation",
 * IEEE Transactions on Signal Processing 51(2), 560-574, 2003; the kernel's shape by P. J. Beatty et al., IEEE
 * Transactions on Medical Imaging 24(6), 799-808, 2005. Errors are 130 dB below the rms of the spectrum or less. */
#ifndef AULA_DSP_NONUNIFORM_FOURIER_H
#define AULA_DSP_NONUNIFORM_FOURIER_H

#include "dsp/fourier.h"

struct nonuniform_fourier {
    size_t samples; /* of the input */
    size_t bins;    /* kept, from 0 on */
    struct real_fourier fft;
    double *weights;       /* [samples]: 1 over the kernel's transform */
    double *kernel;        /* [..][8]: see nonuniform_fourier.c */
    double (*spectrum)[2]; /* [padding + bins + padding], bins below 0 included */
};

/* Length of the padded transform: a power of two. */
size_t nonuniform_fourier_length(size_t samples);

/* For frequencies up to `highest`, over the rate, at most 1/2. tables: of nonuniform_fourier_length, kept by the caller
 * while t is used. On failure *t is zero. */
int nonuniform_fourier_make(struct nonuniform_fourier *t, size_t samples, double highest, const struct fourier *tables,
                            struct error *e);
void nonuniform_fourier_free(struct nonuniform_fourier *t); /* NULL-safe */

/* Takes samples [t->samples]. re, im: scratch of half the padded length. ERROR_STOPPED. */
int nonuniform_fourier_take(struct nonuniform_fourier *t, const double *samples, double *re, double *im,
                            struct error *e);

/* Σ x[n] e^{-2πi f (n - c)} of the samples taken, c = samples/2 rounded down; f from 0 to `highest`. */
void nonuniform_fourier_at(const struct nonuniform_fourier *t, double frequency, double value[2]);

#endif

/* SPDX-License-Identifier: MIT */
/* The discrete Fourier transform of real samples in double precision, by a complex one of half the length. */
#ifndef AULA_DSP_REAL_FOURIER_H
#define AULA_DSP_REAL_FOURIER_H

#include "dsp/fourier.h"

struct real_fourier {
    size_t length;       /* of the samples: a power of two, 4 or more */
    struct fourier half; /* with the tables of `tables`, which own them */
};

/* tables: of at least this length, kept by the caller. */
struct real_fourier real_fourier_of(const struct fourier *tables, size_t length);

/* re, im: [length/2], the samples of even and of odd index; transformed in place, for real_fourier_bin. Stops like
 * fourier_forward. */
void real_fourier_forward(const struct real_fourier *f, double *re, double *im);

/* X[bin] = Σ x[n] e^{-2πi n bin/length}, bin from 0 to length/2, from what real_fourier_forward left in re and im. */
void real_fourier_bin(const struct real_fourier *f, const double *re, const double *im, size_t bin, double value[2]);

/* spectrum: [length/2 + 1][2]. re, im: [length/2], become the samples of even and of odd index, times `length`. Stops
 * like fourier_inverse. */
void real_fourier_inverse(const struct real_fourier *f, const double (*spectrum)[2], double *re, double *im);

#endif

/* SPDX-License-Identifier: MIT */
/* The discrete Fourier transform in double precision, for lengths that are powers of two. */
#ifndef AULA_DSP_FOURIER_H
#define AULA_DSP_FOURIER_H

#include <stddef.h>

#include "base/error.h"

struct fourier {
    size_t length;
    double *cosine, *sine; /* [length]: cos and sin of πk/half at index half + k, for butterflies of distance `half` */
};

/* length: a power of two, 2 or more. ERROR_STOPPED when a stop is requested. */
int fourier_make(struct fourier *f, size_t length, struct error *e);
void fourier_free(struct fourier *f); /* NULL-safe */

/* In place: X[b] = Σ x[n] e^{-2πi nb/length}, at index fourier_index(f, b): bit-reversed, since filtering needs no
 * order. After a requested stop (base/stop.h) the transform is incomplete: check for it before the result is used. */
void fourier_forward(const struct fourier *f, double *re, double *im);

/* In place, from bit-reversed order: x[n] = Σ X[b] e^{2πi nb/length}, not divided by the length. Stops likewise. */
void fourier_inverse(const struct fourier *f, double *re, double *im);

/* Index of bin b: its bits reversed. */
size_t fourier_index(const struct fourier *f, size_t bin);

/* The discrete Fourier transform of real samples in double precision, by a complex one of half the length. */

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

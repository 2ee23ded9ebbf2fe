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

#endif

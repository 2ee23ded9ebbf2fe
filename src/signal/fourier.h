/* The discrete Fourier transform in double precision, for lengths that are powers of two. */
#ifndef AULA_SIGNAL_FOURIER_H
#define AULA_SIGNAL_FOURIER_H

#include <stddef.h>

#include "base/error.h"

struct fourier {
    size_t length;
    double *cosine, *sine; /* [length]: for butterflies `half` apart, cos and sin of πk/half at half + k */
};

/* length: a power of two, 2 or more. ERROR_STOPPED when a stop is requested. */
int fourier_make(struct fourier *f, size_t length, struct error *e);
void fourier_free(struct fourier *f); /* NULL-safe */

/* In place: X[b] = Σ x[n] e^{-2πi nb/length}, where X[b] lands at index fourier_index(f, b). Filtering needs no order,
 * so neither direction spends time on one. Once a stop is requested (base/stop.h) neither finishes: who transforms much at
 * once looks at that before the result is used. */
void fourier_forward(const struct fourier *f, double *re, double *im);

/* In place, from that order: x[n] = Σ X[b] e^{2πi nb/length}, not divided by the length. */
void fourier_inverse(const struct fourier *f, double *re, double *im);

/* Where bin b stands: its bits reversed. */
size_t fourier_index(const struct fourier *f, size_t bin);

#endif

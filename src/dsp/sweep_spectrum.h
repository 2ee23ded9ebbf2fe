/* SPDX-License-Identifier: MIT */
/* The whole spectrum of a real signal in double precision, in the order of its bins. */
#ifndef AULA_DSP_SWEEP_SPECTRUM_H
#define AULA_DSP_SWEEP_SPECTRUM_H

#include <stddef.h>

#include "base/error.h"

struct sweep_spectrum {
    size_t length;     /* of the transform: a power of two */
    double (*bins)[2]; /* [length/2 + 1], real and imaginary part; not normalised */
};

/* Of samples [frames] followed by zeros up to at least `length`. ERROR_MEMORY, ERROR_STOPPED. */
int sweep_spectrum_make(struct sweep_spectrum *s, const double *samples, size_t frames, size_t length, struct error *e);
void sweep_spectrum_free(struct sweep_spectrum *s); /* NULL-safe */

/* Energy of the samples between two frequencies, each over the rate. */
double sweep_spectrum_energy(const struct sweep_spectrum *s, double from, double to);

/* The power of two, 4 or more, that holds `frames`. */
size_t sweep_transform_length(size_t frames);

#endif

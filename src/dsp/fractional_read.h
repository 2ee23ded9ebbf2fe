/* SPDX-License-Identifier: MIT */
/* Values of a sampled signal between its samples, for delays that change: interpolation by a sinc under a Kaiser window.
 *
 * At whole samples it returns the sample itself. Up to 0.85 of half the rate the level is within 0.01 dB, and images
 * are 80 dB down. */
#ifndef AULA_DSP_FRACTIONAL_READ_H
#define AULA_DSP_FRACTIONAL_READ_H

#include <stddef.h>

#include "base/error.h"

enum { FRACTIONAL_TAPS = 48, FRACTIONAL_PHASES = 512 };

struct fractional_reader {
    double (*taps)[FRACTIONAL_TAPS]; /* [FRACTIONAL_PHASES + 1] */
};

/* ERROR_MEMORY. */
int fractional_reader_make(struct fractional_reader *r, struct error *e);
void fractional_reader_free(struct fractional_reader *r); /* safe on a zeroed struct */

/* The signal at index `at`, which need not be whole; 0 outside of its samples [frames]. */
double fractional_read(const struct fractional_reader *r, const double *samples, size_t frames, double at);

#endif

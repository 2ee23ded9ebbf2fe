/* SPDX-License-Identifier: MIT */
/* Power spectrum of a response. */
#ifndef AULA_PRESENT_REPORT_SPECTRUM_H
#define AULA_PRESENT_REPORT_SPECTRUM_H

#include <stddef.h>

#include "base/error.h"

/* |Σ x[n] e^{-2πi f n/rate}|² at f = k `step`, k < count, up to half the rate. Free `power`. */
struct spectrum {
    double *power; /* [count] */
    size_t count;
    double step; /* Hz: a fraction of 1/duration, to resolve the peaks of modes */
};
int spectrum_make(struct spectrum *s, const double *samples, size_t frames, double rate, struct error *e);
void spectrum_free(struct spectrum *s); /* NULL-safe */

/* Mean power in a band of `part` octaves around f; NaN when no bin lies in it. */
double spectrum_smooth(const struct spectrum *s, double f, double part);

#endif

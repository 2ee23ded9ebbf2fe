/* SPDX-License-Identifier: MIT */
/* Clipped records: runs of samples at one full-scale value. */
#ifndef AULA_DSP_MEASURE_CLIPPING_H
#define AULA_DSP_MEASURE_CLIPPING_H

#include <stddef.h>

struct clipping {
    size_t samples; /* in runs at full scale; 0: not clipped */
    size_t longest; /* of these runs */
};

/* Full scale is a magnitude from 0.99 to 1.01 that is the largest or the smallest value of the record; a run has three
 * samples or more. */
struct clipping clipping_of(const double *samples, size_t frames);

#endif

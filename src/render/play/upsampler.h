/* SPDX-License-Identifier: MIT */
/* Raises the rate of a stream by a whole factor, block by block: zeros between the samples, and a low-pass. */
#ifndef AULA_RENDER_PLAY_UPSAMPLER_H
#define AULA_RENDER_PLAY_UPSAMPLER_H

#include <stddef.h>

#include "base/error.h"

struct upsampler {
    size_t factor;
    size_t delay;   /* output samples */
    size_t before;  /* input samples kept from earlier blocks */
    double *taps;   /* [factor][before + 1]: the low-pass by phase, latest sample last */
    double *recent; /* [before + block] */
};

/* A factor of 1 copies. Above, components up to 0.45 of the input's rate pass within 0.1 dB, their images are 80 dB
 * down. ERROR_MEMORY. upsampler_free accepts a zeroed struct. */
int upsampler_make(struct upsampler *u, size_t factor, size_t block, struct error *e);
void upsampler_free(struct upsampler *u);

/* out[factor frames] from in[frames], frames <= block. Does not allocate. */
void upsampler_run(struct upsampler *u, const double *in, size_t frames, double *out);

#endif

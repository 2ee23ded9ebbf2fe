/* SPDX-License-Identifier: MIT */
/* Conversion between a sound card's rate and a grid rate, of which it is an integer multiple M:
 * low-pass and keep every M-th sample, or insert M - 1 zeros and low-pass. Linear phase, double
 * precision, block by block; running does not allocate or wait. */
#ifndef AULA_RENDER_PREVIEW_RATE_CHANGE_H
#define AULA_RENDER_PREVIEW_RATE_CHANGE_H

#include <stddef.h>

#include "base/error.h"

/* Band of a filter: within 0.01 % up to `pass`, 80 dB down beyond `stop`. Over the card's rate;
 * 0 < pass < stop < 0.5. */
struct band {
    double pass, stop;
};

struct decimator {
    double *taps; /* [2 half + 1], symmetric, sum 1 */
    size_t half;  /* delay in frames */
    size_t every; /* M */
    size_t block; /* frames per call, a multiple of `every` */
    double *in;   /* [2 half + block]: history, then the block */
};

/* On failure *d is zero. */
int decimator_make(struct decimator *d, size_t every, size_t block, struct band band, struct error *e);
void decimator_free(struct decimator *d); /* safe on a zeroed struct */

/* in: [block]; out: [block / every], of frames 0, M, 2 M ..., delayed by half. Samples beyond
 * +-1e20 or NaN count as 0, because they would remain in a room for long. */
void decimator_run(struct decimator *d, const float *in, double *out);

struct interpolator {
    double *taps; /* [every][reach]: polyphase filters for frames p, p + M, ..., reversed, sum 1 each */
    size_t half, every, steps;
    size_t reach;    /* samples per output frame */
    size_t channels; /* each with its own history */
    double *in;      /* [channels][reach - 1 + steps] */
};

/* steps: samples per call and channel. On failure *i is zero. */
int interpolator_make(struct interpolator *i, size_t every, size_t steps, size_t channels, struct band band,
                      struct error *e);
void interpolator_free(struct interpolator *i); /* safe on a zeroed struct */

/* in: [channels][steps]; out: [channels] pointers to [steps * every], delayed by half. */
void interpolator_run(struct interpolator *i, const double *in, float *const *out);

#endif

/* SPDX-License-Identifier: MIT */
/* The last stage before the sound card: a look-ahead limiter that keeps every sample within full scale.
 *
 * One gain for all channels, `delay` frames ahead: it falls linearly to what a peak needs and recovers within about a
 * fifth of a second. After some seconds without peaks the gain is 1 and the output is the input, bit for bit, `delay`
 * frames later. Attenuations are integers, so that rounding does not accumulate. */
#ifndef AULA_RENDER_PREVIEW_LIMITER_H
#define AULA_RENDER_PREVIEW_LIMITER_H

#include <stddef.h>

#include "base/error.h"

#define LIMITER_CEILING 0.998 /* of full scale: largest magnitude that passes unchanged, and largest output */

struct limiter;

/* rate in Hz: sets the times. On failure *l is NULL. */
int limiter_make(struct limiter **l, size_t channels, double rate, struct error *e);
void limiter_free(struct limiter *l); /* NULL-safe */

size_t limiter_delay(const struct limiter *l); /* frames: 3 ms */

struct limiter_report {
    float peak;     /* largest input magnitude */
    float gain;     /* smallest gain applied; 1: unchanged */
    size_t limited; /* frames with a gain of -0.01 dB or less */
};

/* samples: [frames][channels], in place. Samples that are not finite count as 0. Does not allocate or wait. */
struct limiter_report limiter_run(struct limiter *l, float *samples, size_t frames);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds the gain for a dry sound in a room before it is played. */
#ifndef AULA_RENDER_PREVIEW_LEVEL_H
#define AULA_RENDER_PREVIEW_LEVEL_H

#include <stddef.h>

#include "base/error.h"
#include "dsp/convolve.h"
#include "dsp/ears/ear_filters.h"

#define LEVEL_HEADROOM 1.0 /* dB: margin of peaks below the limiter's ceiling */

/* The gain at which the dry sound has the same power in the room as without it (mean over the
 * filters), reduced if the peak would exceed the headroom. filters: [count], one per receiver; dry:
 * [frames], mono, loops; rate in Hz. Measures the loudest half minute of a longer sound. For a
 * silent dry sound: the gain for white noise. Takes up to a fifth of a second. */
int level_gain(double *gain, const struct convolver_filter *filters, size_t count, const float *dry, size_t frames,
               double rate, struct error *e);

/* The same for two ears that face forward, from the responses of the field: filters
 * [ears->channels], all of one length. */
int level_of_ears(double *gain, const struct convolver_filter *filters, const struct ear_filters *ears,
                  const float *dry, size_t frames, double rate, struct error *e);

/* The last stage ahead of the sound card: a look-ahead limiter that keeps every sample within full
 * scale.
 *
 * All channels share one gain, `delay` frames ahead. It falls linearly to the value that a peak
 * needs and recovers within about a fifth of a second. After some seconds without peaks the gain is
 * 1, and the output is the input, bit for bit, `delay` frames later. Attenuations are integers,
 * which prevents rounding errors from accumulating. */

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

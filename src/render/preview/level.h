/* SPDX-License-Identifier: MIT */
/* Gain for a dry sound in a room, found before it is played. */
#ifndef AULA_RENDER_PREVIEW_LEVEL_H
#define AULA_RENDER_PREVIEW_LEVEL_H

#include <stddef.h>

#include "base/error.h"
#include "dsp/convolve.h"
#include "dsp/ears/ear_filters.h"

#define LEVEL_HEADROOM 1.0 /* dB of its peaks below the limiter's ceiling */

/* The gain with which the dry sound has the same power in the room as without it (mean over the filters), reduced where
 * the peak would exceed the headroom. filters: [count], one per receiver; dry: [frames], mono, loops; rate in Hz. Of a
 * longer sound the loudest half minute is measured. For a dry sound without power: the gain for white noise. Takes up
 * to a fifth of a second. */
int level_gain(double *gain, const struct convolver_filter *filters, size_t count, const float *dry, size_t frames,
               double rate, struct error *e);

/* The same for two ears that look to the front, by the responses of the field: filters [ears->channels], all of one
 * length. */
int level_of_ears(double *gain, const struct convolver_filter *filters, const struct ear_filters *ears,
                  const float *dry, size_t frames, double rate, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Dry samples through responses. */
#ifndef AULA_RENDER_WET_H
#define AULA_RENDER_WET_H

#include "io/audio_file.h"

#define WET_RATIO_MAX 256.0 /* of the rates of dry sound and responses, by libsamplerate */

/* Resamples all channels of *dry to `rate` Hz, in place. `name` is used in messages. */
int wet_resample(struct audio *dry, const char *name, double rate, struct error *e);

/* *wet: fresh [channel of the responses][frame], the sum over channels i of dry through responses[i]. One response for
 * each channel of dry, with equal channels; all at one rate. On failure wet->samples is NULL. */
int wet_make(struct audio *wet, const struct audio *responses, const struct audio *dry, struct error *e);

#endif

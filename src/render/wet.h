/* A dry sound through responses: the samples, wherever they come from. */
#ifndef AULA_RENDER_WET_H
#define AULA_RENDER_WET_H

#include "io/audio_file.h"

#define WET_GREATEST_RATIO 256.0 /* of the rates of dry sound and responses: libsamplerate's */

/* All channels of *dry to `rate` Hz, in place. `name` stands in messages. */
int wet_bring_to_rate(struct audio *dry, const char *name, double rate, struct error *e);

/* *wet: fresh [channel of the responses][frame], each the sum over the channels i of dry through responses[i], at their
 * rate. Responses: one for each channel of dry, of equal numbers of channels and of equal rates; dry at that rate.
 * On failure wet->samples is NULL. */
int wet_make(struct audio *wet, const struct audio *responses, const struct audio *dry, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Auralization: a dry sound through the responses of a room, one per dry channel, summed over these. */
#ifndef AULA_RENDER_AURALIZE_H
#define AULA_RENDER_AURALIZE_H

#include "io/audio_file.h"

struct auralization {
    struct audio wet; /* the channels and rate of the responses; dry + response - 1 frames */
    char **names;     /* [wet.channels] of the receivers, from the JSON beside a response; NULL: not known */
    double dry_rate;  /* of the file */
    size_t dry_channels, dry_frames, response_frames;
    double valid_to; /* Hz: limit by the responses and the rate of the dry sound; 0: not known */
    bool mixed_down; /* the mean of several dry channels was used for one response */
    double peak;     /* of the wet sound; 0: silence */
    char *title, *description;
    char **warnings;
    size_t warning_count;
};

/* responses: [count] files, one for each channel of the file dry_path, with equal channels and rates (lengths may
 * differ). One response takes any dry sound: the mean of its channels. The dry sound is resampled to their rate, at
 * which a response is a filter: no further gain. ERROR_INPUT names the file that does not fit and a remedy; silence and
 * responses that are recorded signals are warnings. On failure *a is zero. */
int auralization_make(struct auralization *a, const char *const *responses, size_t count, const char *dry_path,
                      struct error *e);
void auralization_free(struct auralization *a); /* safe on a zeroed struct */

/* Dry samples through responses. */

#define WET_RATIO_MAX 256.0 /* of the rates of dry sound and responses, by libsamplerate */

/* Resamples all channels of *dry to `rate` Hz, in place. `name` is used in messages. */
int wet_resample(struct audio *dry, const char *name, double rate, struct error *e);

/* *wet: fresh [channel of the responses][frame], the sum over channels i of dry through responses[i]. One response for
 * each channel of dry, with equal channels; all at one rate. On failure wet->samples is NULL. */
int wet_make(struct audio *wet, const struct audio *responses, const struct audio *dry, struct error *e);

#endif

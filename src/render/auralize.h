/* SPDX-License-Identifier: MIT */
/* Auralizes a dry sound: convolves each of its channels with a response and sums the results. */
#ifndef AULA_RENDER_AURALIZE_H
#define AULA_RENDER_AURALIZE_H

#include "io/audio_file.h"

struct auralization {
    struct audio wet; /* channels and rate of the responses; dry + response - 1 frames */
    char **names;     /* [wet.channels] names of the receivers from the JSON beside a response; NULL: unknown */
    double dry_rate;  /* of the file */
    size_t dry_channels, dry_frames, response_frames;
    double valid_to; /* Hz: limited by the responses and the rate of the dry sound; 0: unknown */
    bool mixed_down; /* the channels of the dry sound were averaged for a single response */
    double peak;     /* of the wet sound; 0: silence */
    char *title, *description;
    char **warnings;
    size_t warning_count;
};

/* responses: [count] files, one for each channel of the file dry_path, of equal channels and rates;
 * lengths may differ. A single response takes any dry sound: the mean of its channels. The dry
 * sound is resampled to the rate of the responses, at which a response is a filter, and no further
 * gain is applied. ERROR_INPUT names the unsuitable file and a remedy. Silence, and responses that
 * are recorded signals, are warnings. On failure *a is zero. */
int auralization_make(struct auralization *a, const char *const *responses, size_t count, const char *dry_path,
                      struct error *e);
void auralization_free(struct auralization *a); /* safe on a zeroed struct */

/* Reads the dry sound at `rate` Hz for `count` responses, as auralization_make does; for one, its channels are averaged.
 * Sets the facts about it in *a and adds warnings. */
int auralization_read_dry(struct auralization *a, struct audio *dry, const char *path, size_t count, double rate,
                          struct error *e);

/* Sets a->peak from a->wet. ERROR_STOPPED. */
int auralization_find_peak(struct auralization *a, struct error *e);

/* The name of a file in titles. */
const char *auralization_name(const char *path);

/* Convolution of samples in memory. */

#define WET_RATIO_MAX 256.0 /* largest ratio of the rates of dry sound and responses that libsamplerate supports */

/* Resamples all channels of *dry to `rate` Hz, in place. `name` is used in messages. */
int wet_resample(struct audio *dry, const char *name, double rate, struct error *e);

/* *wet, fresh: [channel of the responses][frame], the sum over i of channel i of dry convolved with
 * responses[i]. Takes one response for each channel of dry, all with equal channels and at one
 * rate. On failure wet->samples is NULL. */
int wet_make(struct audio *wet, const struct audio *responses, const struct audio *dry, struct error *e);

#endif

/* A dry sound as it is heard in a room: each of its channels through the responses of one source, summed over sources. */
#ifndef AULA_RENDER_AURALIZE_H
#define AULA_RENDER_AURALIZE_H

#include "io/audio_file.h"

struct auralization {
    struct audio wet; /* a channel for each of the responses' channels, at their rate; dry + response - 1 frames */
    char **names;     /* [wet.channels] of the receivers, from the JSON beside a response; NULL: not known */
    double dry_rate;  /* as the file has it */
    size_t dry_channels, dry_frames, response_frames;
    double valid_to; /* Hz: what the responses, and the rate of the dry sound, are good to; 0: not known */
    bool mixed_down; /* a dry sound of several channels met one response: their mean was taken */
    double peak;     /* of the wet sound; 0: silence */
    char *title, *description;
    char **warnings;
    size_t warning_count;
};

/* responses: [count] files, one for each channel of the file dry_path, with equal numbers of channels and equal rates
 * (lengths may differ). One response takes any dry sound: the mean of its channels. The dry sound is resampled to their rate, where a response is a filter already: no gain but what
 * the responses have. ERROR_INPUT names the file that does not fit and says what would; silence and responses that are
 * recorded signals are warnings. On failure *a is zero. */
int auralization_make(struct auralization *a, const char *const *responses, size_t count, const char *dry_path,
                      struct error *e);
void auralization_free(struct auralization *a); /* safe on a zeroed struct */

#endif

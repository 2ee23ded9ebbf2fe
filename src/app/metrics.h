/* SPDX-License-Identifier: MIT */
/* Why figures are missing, for the table of aula metrics. */
#ifndef AULA_APP_METRICS_H
#define AULA_APP_METRICS_H

#include "app/options.h"
#include "dsp/measure/metrics.h"

/* "125", "2k" or "broad"; in a buffer of the caller. */
const char *metrics_band_text(char text[16], const struct metrics_band *b);

/* Prints "no T30 at 63 125: why", a line for each figure and reason: with the duration needed where the response is too
 * short, with the shortest time that the filter resolves where the decay is. */
void metrics_print_missing(const struct metrics_band *bands, size_t count);

/* Optional output of aula metrics: speech with levels, third octaves, stage support. */

struct metrics_options {
    struct common_options common;
    bool csv;
    const char *voice, *speech_level, *noise_level;
    bool at_one_metre, unmasked, third_octaves, stage;
};

struct metrics_wanted {
    bool speech;        /* an index under `conditions` beside that of the room alone */
    bool levels;        /* they have levels; else it is the room alone for another voice */
    bool noise;         /* there is noise */
    double weighted;    /* A-weighted speech level as given, dB; NaN: given by octave */
    bool third_octaves; /* in place of the octaves */
    bool stage;         /* stage support */
    struct metrics_conditions conditions;
};

extern const struct option_row option_voice, option_speech_level, option_at_one_metre, option_noise_level,
    option_unmasked, option_third_octaves, option_stage;

/* ERROR_USAGE names the option and the remedy. */
int metrics_wanted_parse(struct metrics_wanted *w, const struct metrics_options *o, struct error *e);

#endif

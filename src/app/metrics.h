/* SPDX-License-Identifier: MIT */
/* Options of aula metrics, and the reasons for missing parameters in its table. */
#ifndef AULA_APP_METRICS_H
#define AULA_APP_METRICS_H

#include "app/options.h"
#include "app/target.h"
#include "dsp/measure/metrics.h"

/* Writes "125", "2k" or "broad" to the caller's buffer and returns it. */
const char *metrics_band_text(char text[16], const struct metrics_band *b);

/* Prints "no T30 at 63 125: REASON", one line per parameter and reason. If the response is too short, the line states
 * the necessary length; if the decay is too short for the octave filter, the shortest time that the filter resolves. */
void metrics_print_missing(const struct metrics_band *bands, size_t count);

struct metrics_options {
    struct common_options common;
    bool csv;
    const char *voice, *speech_level, *noise_level;
    bool at_one_metre, unmasked, third_octaves, stage;
    struct target_options target;
};

/* Optional output: STI with levels, third octaves, stage support. */
struct metrics_wanted {
    bool speech;        /* also the STI under `conditions` */
    bool levels;        /* `conditions` has levels; false: the room alone with another voice */
    bool noise;         /* `conditions` has noise */
    double weighted;    /* A-weighted speech level, dB; NaN: by octave */
    bool third_octaves; /* instead of octaves */
    bool stage;         /* stage support */
    struct metrics_conditions conditions;
};

extern const struct option_row option_voice, option_speech_level, option_at_one_metre, option_noise_level,
    option_unmasked, option_third_octaves, option_stage;

/* Checks the options and fills *w. ERROR_USAGE. */
int metrics_wanted_parse(struct metrics_wanted *w, const struct metrics_options *o, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Parameters of the whole response, STI with levels, and stage support in the text and JSON of aula metrics. */
#ifndef AULA_APP_METRICS_SPEECH_H
#define AULA_APP_METRICS_SPEECH_H

#include "io/json_build.h"

#include "app/metrics.h"
#include "dsp/measure/recording.h"

/* Prints each single-number parameter or the reason why it is missing, the modulation transfer indices, and the STI
 * under the conditions of `w`. */
int metrics_print_single(const struct recording *r, const struct metrics *m, const struct metrics_wanted *w,
                         struct error *e);
void metrics_print_stage(const struct recording *r, size_t channel, const struct metrics *m);

cJSON *metrics_speech_json(const struct metrics *m, const struct metrics_wanted *w);
cJSON *metrics_stage_json(const struct recording *r, size_t channel, const struct metrics *m);

#endif

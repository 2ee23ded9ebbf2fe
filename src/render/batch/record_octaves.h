/* SPDX-License-Identifier: MIT */
/* The acoustic parameters in a record of a manifest. */
#ifndef AULA_RENDER_BATCH_RECORD_OCTAVES_H
#define AULA_RENDER_BATCH_RECORD_OCTAVES_H

#include "dsp/measure/metrics.h"

struct cJSON;

/* "yes", "partly" and "no", as in the CSV of aula metrics. */
extern const char *const validity_names[METRICS_OUTSIDE + 1];

/* Whether an octave lies in the valid band of the record's response: as `valid` of the item of
 * `metrics` says, or by the valid band and the rate where a record lacks it. */
enum metrics_validity record_validity(const struct cJSON *record, const struct cJSON *metrics, size_t octave);

/* The parameter of an item of `metrics` in an octave; NaN: not measured. */
double record_octave(const struct cJSON *metrics, const char *name, size_t octave);

/* Mean of the octaves of 500 Hz and 1 kHz that are valid and have a value, of an item of `metrics`, or of all of them
 * (NULL); NaN: none has. */
double record_middle(const struct cJSON *record, const struct cJSON *metrics, const char *name);

/* Centre of an octave, Hz. */
double record_octave_hertz(size_t octave);

#endif

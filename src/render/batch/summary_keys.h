/* SPDX-License-Identifier: MIT */
/* The varied keys of a plan as columns of numbers and choices. */
#ifndef AULA_RENDER_BATCH_SUMMARY_KEYS_H
#define AULA_RENDER_BATCH_SUMMARY_KEYS_H

#include "render/batch/summary.h"

/* The keys of the plan, with room for the values of s->done rooms. ERROR_MEMORY. */
int summary_keys_make(struct summary *s, const struct plan *plan, struct error *e);
void summary_keys_free(struct summary *s);

/* Takes the values of the row-th finished room. ERROR_OUTPUT if one is missing. */
int summary_keys_take(struct summary *s, size_t row, const struct cJSON *record, struct error *e);

/* Finds keys that are constant, and pairs that vary together. ERROR_MEMORY, ERROR_STOPPED. */
int summary_keys_compare(struct summary *s, struct error *e);

/* The effect of a key on values [count] of the finished rooms rows [count]. ERROR_MEMORY. */
int summary_effect_of(struct summary_effect *effect, const struct summary_key *key, const double *values,
                      const size_t *rows, size_t count, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* What the taps of a model record of one of its drives, for checks against what is known. */
#ifndef AULA_VALIDATE_MODEL_TAPS_H
#define AULA_VALIDATE_MODEL_TAPS_H

#include "room/grid/model.h"
#include "validate/validate.h"

/* Drives a model by signal[steps] and records `count` of its taps from `first` on, the channels of its receivers as
 * they are before integration: taps [count][steps]. ERROR_MEMORY and those of the engine. */
int model_taps_record(double *taps, struct validation *v, const struct model *m, size_t drive, const double *signal,
                      size_t steps, size_t first, size_t count, struct error *e);

/* Source and receiver exchanged: the largest difference of two records, over the peak of the second. */
double model_taps_difference(const double *there, const double *back, size_t steps);

#endif

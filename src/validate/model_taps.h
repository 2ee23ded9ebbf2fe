/* SPDX-License-Identifier: MIT */
/* Records of a model's taps for one of its drives, for checks against known values. */
#ifndef AULA_VALIDATE_MODEL_TAPS_H
#define AULA_VALIDATE_MODEL_TAPS_H

#include "room/grid/model.h"
#include "validate/validate.h"

/* Drives a model by signal[steps] and records `count` of its taps from `first`, the channels of
 * its receivers before integration: taps [count][steps]. ERROR_MEMORY and errors of the engine. */
int model_taps_record(double *taps, struct validation *v, const struct model *m, size_t drive, const double *signal,
                      size_t steps, size_t first, size_t count, struct error *e);

/* Source and receiver exchanged: the largest difference of two records relative to the peak of
 * the second. */
double model_taps_difference(const double *there, const double *back, size_t steps);

#endif

/* SPDX-License-Identifier: MIT */
/* Where a record stops to be one: editors pad measured responses with digital silence, or fade out their noise. */
#ifndef AULA_DSP_MEASURE_RECORD_END_H
#define AULA_DSP_MEASURE_RECORD_END_H

#include <stddef.h>

/* Frames before silence or a fade-out, which would be taken for a lower noise floor; `frames` where there is neither,
 * or less than 2 % of the record. Silence is one value to the end, behind sound that is dense: what follows a pulse or
 * a few arrivals belongs to them. A fade-out falls away from a noise floor. */
size_t record_end(const double *samples, size_t frames, double rate);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds digital silence or a fade-out that an editor added to the end of a measured response. */
#ifndef AULA_DSP_MEASURE_RECORD_END_H
#define AULA_DSP_MEASURE_RECORD_END_H

#include <stddef.h>

/* Frames before silence or a fade-out, which would pass for a low noise floor; `frames` if there is neither, or less than
 * 2 % of the record. Silence is a constant value to the end after dense sound; the gap after a pulse or a few arrivals
 * belongs to the response. A fade-out drops away from a noise floor. */
size_t record_end(const double *samples, size_t frames, double rate);

#endif

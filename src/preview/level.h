/* How loud a dry sound becomes in a room, found out before it is heard. */
#ifndef AULA_PREVIEW_LEVEL_H
#define AULA_PREVIEW_LEVEL_H

#include <stddef.h>

#include "base/error.h"
#include "signal/convolve.h"

#define LEVEL_HEADROOM 1.0 /* dB that its peaks keep below what the limiter lets through */

/* The gain that makes the dry sound as loud in the room as it is without it (the same power, the mean over the filters),
 * or less where its peak would not keep the headroom otherwise. filters: [count], each to a receiver; dry: [frames], mono,
 * loops; rate in Hz. Of a longer sound the loudest half minute counts. For a dry sound without power: as loud for white
 * noise. Takes up to a fifth of a second. */
int level_gain(double *gain, const struct convolver_filter *filters, size_t count, const float *dry, size_t frames,
               double rate, struct error *e);

#endif

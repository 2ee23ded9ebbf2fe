/* SPDX-License-Identifier: MIT */
/* Why figures are missing, for the table of aula metrics. */
#ifndef AULA_APP_METRICS_MISSING_H
#define AULA_APP_METRICS_MISSING_H

#include "dsp/measure/metrics.h"

/* "125", "2k" or "broad"; in a buffer of the caller. */
const char *metrics_band_text(char text[16], const struct metrics_band *b);

/* Prints "no T30 at 63 125: why", a line for each figure and reason: with the duration needed where the response is too
 * short, with the shortest time that the filter resolves where the decay is. */
void metrics_print_missing(const struct metrics_band *bands, size_t count);

#endif

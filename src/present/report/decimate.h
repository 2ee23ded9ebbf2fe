/* SPDX-License-Identifier: MIT */
/* Long curves for narrow plots. */
#ifndef AULA_PRESENT_REPORT_DECIMATE_H
#define AULA_PRESENT_REPORT_DECIMATE_H

#include <stddef.h>

/* Indices of the points of a curve to draw: of each column (`width` units of x, x rising) the smallest and the largest
 * y, in their order; of points whose y is not finite the first, where the line breaks. kept[count]; returns how many.
 * Covers the same pixels as the whole curve. */
size_t decimate(size_t *kept, const double *x, const double *y, size_t count, double width);

#endif

/* Long curves for narrow plots. */
#ifndef AULA_REPORT_DECIMATE_H
#define AULA_REPORT_DECIMATE_H

#include <stddef.h>

/* Which points of a curve are worth drawing: of all that fall into one column (`width` units of x wide, x rising) the
 * smallest and the largest y, in their order; where y is not finite, the first such point, for the line breaks there.
 * kept[] has room for `count`; returns how many. What is drawn touches the same pixels as the whole curve. */
size_t decimate(size_t *kept, const double *x, const double *y, size_t count, double width);

#endif

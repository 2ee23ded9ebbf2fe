/* The largest value seen so far, for comparisons in which NaN must fail: once there was a NaN, it stays. */
#ifndef AULA_BASE_WORST_H
#define AULA_BASE_WORST_H

#include <math.h>

static inline double worst_of(double worst, double value)
{
    return isnan(worst) || value <= worst ? worst : value; /* a value of NaN is never <= */
}

#endif

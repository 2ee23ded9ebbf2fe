/* SPDX-License-Identifier: MIT */
/* Running maximum in which a NaN, once seen, stays: comparisons with it must fail. */
#ifndef AULA_BASE_NAN_MAX_H
#define AULA_BASE_NAN_MAX_H

#include <math.h>

static inline double nan_max(double worst, double value)
{
    return isnan(worst) || value <= worst ? worst : value; /* false for a NaN value */
}

#endif

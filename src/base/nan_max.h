/* SPDX-License-Identifier: MIT */
/* Running maximum that stays NaN once it has seen a NaN, so that comparisons with it fail. */
#ifndef AULA_BASE_NAN_MAX_H
#define AULA_BASE_NAN_MAX_H

#include <math.h>

static inline double nan_max(double worst, double value)
{
    return isnan(worst) || value <= worst ? worst : value; /* false for a NaN value */
}

#endif

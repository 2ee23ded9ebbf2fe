/* SPDX-License-Identifier: MIT */
#ifndef AULA_VALIDATE_HYBRID_LOG_RATIO_H
#define AULA_VALIDATE_HYBRID_LOG_RATIO_H

#include <stddef.h>

/* The logarithm of the ratio of the means of b and a, and its standard error by the jackknife over places. */
struct log_ratio {
    double value, error;
};
struct log_ratio log_ratio(const double *a, const double *b, size_t n);

#endif

/* SPDX-License-Identifier: MIT */
/* Compares parameters of two responses at the same positions, over the positions. */
#ifndef AULA_VALIDATE_HYBRID_COMPARISON_H
#define AULA_VALIDATE_HYBRID_COMPARISON_H

#include <stddef.h>

enum { COMPARISON_MAX = 64 }; /* places */

/* All NaN with fewer than two positions. */
struct comparison {
    double truth;  /* mean reference value over these positions */
    double value;  /* difference of the other from it */
    double error;  /* standard error of that value */
    size_t places; /* number of positions where both parameters are known; the others are ignored */
};

/* truth, other [n], n <= COMPARISON_MAX; NaN: unknown. Relative difference of the means in %,
 * for times. Its standard error is that of a jackknife over the positions. */
struct comparison comparison_of_means(const double *truth, const double *other, size_t n);

/* The mean difference in the unit of the parameter, for levels. */
struct comparison comparison_of_levels(const double *truth, const double *other, size_t n);

/* The logarithm of the ratio of the means of b and a, and its standard error by the jackknife
 * over positions. */
struct log_ratio {
    double value, error;
};
struct log_ratio log_ratio(const double *a, const double *b, size_t n);

#endif

/* SPDX-License-Identifier: MIT */
/* Parameters of two responses at the same places, compared over the places. */
#ifndef AULA_VALIDATE_HYBRID_COMPARISON_H
#define AULA_VALIDATE_HYBRID_COMPARISON_H

#include <stddef.h>

enum { COMPARISON_MAX = 64 }; /* places */

/* All NaN with fewer than two places. */
struct comparison {
    double truth;  /* mean of the truth over these places */
    double value;  /* how far the other is from it */
    double error;  /* standard error of that value */
    size_t places; /* where both parameters are known; the others are left out of both */
};

/* truth, other [n], n <= COMPARISON_MAX; NaN: not known. The relative difference of the means, %: for times. Its error is that of a jackknife
 * over the places. */
struct comparison comparison_of_means(const double *truth, const double *other, size_t n);

/* The mean difference, in the unit of the parameter: for levels. */
struct comparison comparison_of_levels(const double *truth, const double *other, size_t n);

/* The logarithm of the ratio of the means of b and a, and its standard error by the jackknife over places. */
struct log_ratio {
    double value, error;
};
struct log_ratio log_ratio(const double *a, const double *b, size_t n);

#endif

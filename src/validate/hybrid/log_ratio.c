/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/log_ratio.h"

#include <math.h>

struct log_ratio log_ratio(const double *a, const double *b, size_t n)
{
    double sum_a = 0.0, sum_b = 0.0, mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum_a += a[i];
        sum_b += b[i];
    }
    for (size_t i = 0; i < n; i++)
        mean += log((sum_b - b[i]) / (sum_a - a[i])) / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += pow(log((sum_b - b[i]) / (sum_a - a[i])) - mean, 2.0);
    return (struct log_ratio){log(sum_b / sum_a), sqrt((double)(n - 1) / (double)n * squares)};
}

/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/comparison.h"

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

/* The parameters at positions where both are known. */
struct pairs {
    double truth[COMPARISON_MAX], other[COMPARISON_MAX];
    size_t count;
};

static struct pairs known_pairs(const double *truth, const double *other, size_t n)
{
    struct pairs p = {.count = 0};
    for (size_t i = 0; i < n; i++)
        if (!isnan(truth[i]) && !isnan(other[i])) {
            p.truth[p.count] = truth[i];
            p.other[p.count++] = other[i];
        }
    return p;
}

static double mean_of(const double *of, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += of[i];
    return sum / (double)n;
}

static struct comparison of_too_few(size_t places)
{
    return (struct comparison){NAN, NAN, NAN, places};
}

struct comparison comparison_of_means(const double *truth, const double *other, size_t n)
{
    const struct pairs p = known_pairs(truth, other, n);
    if (p.count < 2)
        return of_too_few(p.count);
    const struct log_ratio ratio = log_ratio(p.truth, p.other, p.count);
    return (struct comparison){mean_of(p.truth, p.count), 100.0 * expm1(ratio.value),
                               100.0 * exp(ratio.value) * ratio.error, p.count};
}

struct comparison comparison_of_levels(const double *truth, const double *other, size_t n)
{
    const struct pairs p = known_pairs(truth, other, n);
    if (p.count < 2)
        return of_too_few(p.count);
    const double mean = mean_of(p.truth, p.count), shift = mean_of(p.other, p.count) - mean;
    double squares = 0.0;
    for (size_t i = 0; i < p.count; i++)
        squares += pow(p.other[i] - p.truth[i] - shift, 2.0);
    return (struct comparison){mean, shift, sqrt(squares / (double)(p.count * (p.count - 1))), p.count};
}

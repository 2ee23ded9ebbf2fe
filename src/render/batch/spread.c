/* SPDX-License-Identifier: MIT */
#include "render/batch/spread.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

double spread_percentile(const double *sorted, size_t count, double share)
{
    const double at = share * (double)(count - 1);
    const size_t below = (size_t)at, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* Sum of the squared distances from the mean. */
static double squares_of(const double *values, size_t count)
{
    const double mean = mean_of(values, count);
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum;
}

struct spread spread_of(double *values, size_t count)
{
    struct spread s = {count, NAN, NAN, NAN, NAN, NAN, NAN};
    if (!count)
        return s;
    qsort(values, count, sizeof *values, compare_numbers);
    s.mean = mean_of(values, count);
    s.minimum = values[0];
    s.maximum = values[count - 1];
    if (count > 1)
        s.deviation = sqrt(squares_of(values, count) / (double)(count - 1));
    if (count >= SPREAD_PERCENTILES_LEAST) {
        s.low = spread_percentile(values, count, 0.025);
        s.high = spread_percentile(values, count, 0.975);
    }
    return s;
}

struct placed {
    double value;
    size_t index;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *one = a, *other = b;
    return compare_numbers(&one->value, &other->value);
}

int spread_ranks(double *ranks, const double *values, size_t count)
{
    struct placed *placed = calloc(count + 1, sizeof *placed);
    if (!placed)
        return -1;
    for (size_t i = 0; i < count; i++)
        placed[i] = (struct placed){values[i], i};
    qsort(placed, count, sizeof *placed, compare_placed);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && !(placed[next].value > placed[first].value);)
            next++;
        for (size_t i = first; i < next; i++)
            ranks[placed[i].index] = 0.5 * (double)(first + 1 + next);
    }
    free(placed);
    return 0;
}

/* Whether all values are equal; rounding may give them a small variance. */
static int is_constant(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i] < values[0] || values[i] > values[0])
            return 0;
    return 1;
}

double spread_correlation(const double *a, const double *b, size_t count)
{
    if (count < 2 || is_constant(a, count) || is_constant(b, count))
        return NAN;
    const double a_mean = mean_of(a, count), b_mean = mean_of(b, count);
    double products = 0.0;
    for (size_t i = 0; i < count; i++)
        products += (a[i] - a_mean) * (b[i] - b_mean);
    const double r = products / sqrt(squares_of(a, count) * squares_of(b, count));
    return fmax(-1.0, fmin(1.0, r));
}

double spread_eta_squared(const double *values, const size_t *group, size_t count, size_t groups, double *sums,
                          size_t *sizes, size_t *present)
{
    double between = 0.0;
    *present = 0;
    for (size_t g = 0; g < groups; g++) {
        sums[g] = 0.0;
        sizes[g] = 0;
    }
    const double mean = count ? mean_of(values, count) : 0.0;
    for (size_t i = 0; i < count; i++) {
        sums[group[i]] += values[i] - mean;
        sizes[group[i]]++;
    }
    for (size_t g = 0; g < groups; g++) {
        if (!sizes[g])
            continue;
        between += sums[g] * sums[g] / (double)sizes[g];
        ++*present;
    }
    if (count < 2 || is_constant(values, count))
        return NAN;
    return fmin(1.0, between / squares_of(values, count));
}

int spread_cramer_squared(double *squared, const size_t *a, size_t a_groups, const size_t *b, size_t b_groups,
                          size_t count)
{
    size_t *cells = calloc(a_groups * b_groups + a_groups + b_groups + 1, sizeof *cells);
    if (!cells)
        return -1;
    size_t *rows = cells + a_groups * b_groups, *columns = rows + a_groups, row_count = 0, column_count = 0;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        cells[a[i] * b_groups + b[i]]++;
        row_count += !rows[a[i]]++;
        column_count += !columns[b[i]]++;
    }
    for (size_t i = 0; i < a_groups; i++)
        for (size_t k = 0; k < b_groups; k++)
            if (rows[i] && columns[k]) /* chi squared = n (sum of n_ik^2/(n_i n_k) - 1) */
                sum += (double)cells[i * b_groups + k] / (double)rows[i] * (double)cells[i * b_groups + k] /
                       (double)columns[k];
    const size_t fewer = row_count < column_count ? row_count : column_count;
    *squared = fewer > 1 ? fmax(0.0, fmin(1.0, (sum - 1.0) / (double)(fewer - 1))) : NAN;
    free(cells);
    return 0;
}

/* The continued fraction of the incomplete beta function, DLMF 8.17.22, by the modified Lentz
 * method (DLMF 3.10(iii)). Converges fast for x < (a + 1)/(a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    enum { TERMS = 10000 };
    const double tiny = 1e-300;
    double value = 1.0, c = 1.0, d = 0.0;
    for (int k = 1; k < TERMS && !(k > 1 && fabs(c * d - 1.0) < 1e-15); k++) {
        const double m = k / 2;
        const double term = k % 2 ? -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
                                  : m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 + term * d;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = 1.0 + term / c;
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
    }
    return 1.0 / value;
}

/* Regularized incomplete beta function I_x(a, b), DLMF 8.17.8 and 8.17.4. */
static double incomplete_beta(double x, double a, double b)
{
    if (!(x > 0.0))
        return 0.0;
    if (!(x < 1.0))
        return 1.0;
    const double front = exp(a * log(x) + b * log1p(-x) - lgamma(a) - lgamma(b) + lgamma(a + b));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(x, a, b) / a
                                         : 1.0 - front * beta_fraction(1.0 - x, b, a) / b;
}

double spread_chance(double share, size_t count, size_t groups)
{
    if (isnan(share) || groups < 2 || count <= groups)
        return NAN;
    return incomplete_beta(1.0 - share, 0.5 * (double)(count - groups), 0.5 * (double)(groups - 1));
}

/* SPDX-License-Identifier: MIT */
/* Statistics of values that vary from room to room: spread, percentiles, and the share of the
 * variance that a varied key explains. Arrays hold one value for each room; all values are
 * finite. */
#ifndef AULA_RENDER_BATCH_SPREAD_H
#define AULA_RENDER_BATCH_SPREAD_H

#include <stddef.h>

enum {
    SPREAD_PERCENTILES_LEAST = 40, /* rooms: with fewer, 2.5 % of the rooms are less than one */
    SPREAD_SHARES_LEAST = 10,      /* rooms */
    SPREAD_ROOMS_A_CHOICE = 2      /* for each choice of a key, on average */
};

struct spread {
    size_t count;
    double mean, deviation;  /* NaN without rooms; deviation: with n - 1, NaN below two rooms */
    double low, high;        /* 2.5 and 97.5 %; NaN for fewer than SPREAD_PERCENTILES_LEAST rooms */
    double minimum, maximum; /* NaN without rooms */
};

/* Sorts values [count]. */
struct spread spread_of(double *values, size_t count);

/* Linear interpolation between the order statistics at (n - 1) share, definition 7 of Hyndman
 * and Fan, The American Statistician 50 (1996) 361. sorted [count], count > 0. */
double spread_percentile(const double *sorted, size_t count, double share);

/* Ranks from 1 on; equal values share the mean of their ranks. Nonzero: out of memory. */
int spread_ranks(double *ranks, const double *values, size_t count);

/* Product-moment correlation, which is Spearman's for ranks; NaN if one of the two is constant. */
double spread_correlation(const double *a, const double *b, size_t count);

/* Correlation ratio, eta squared: variance between groups over total variance. group [count]:
 * below `groups`; sums and sizes: working memory [groups]. NaN for constant values. *present:
 * number of groups that occur. */
double spread_eta_squared(const double *values, const size_t *group, size_t count, size_t groups, double *sums,
                          size_t *sizes, size_t *present);

/* Cramér's V squared of two groupings: chi squared over count (min(groups) - 1), of groups that
 * occur. Nonzero: out of memory. NaN if one of the groupings is constant. */
int spread_cramer_squared(double *squared, const size_t *a, size_t a_groups, const size_t *b, size_t b_groups,
                          size_t count);

/* Probability that independent values reach this share by chance, from the F distribution with
 * groups - 1 and count - groups degrees of freedom; groups = 2 for the square of a correlation. */
double spread_chance(double share, size_t count, size_t groups);

#endif

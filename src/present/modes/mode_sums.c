/* SPDX-License-Identifier: MIT */
#include "present/modes/mode_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/modes/damped.h"

enum { TOGETHER = 1024 }; /* points solved at a time */

int mode_sums_make(struct mode_sums *s, const double complex *exponents, size_t modes, size_t points, size_t frames,
                   struct error *e)
{
    memset(s, 0, sizeof *s);
    if (memory_demand((double)modes * (double)points * sizeof *s->sums, e, "pictures of %zu modes", modes))
        return -1;
    s->modes = modes;
    s->points = points;
    s->frames = frames;
    s->poles = malloc((modes + 1) * sizeof *s->poles);
    s->powers = malloc((modes + 1) * sizeof *s->powers);
    s->sums = calloc(modes * points + 1, sizeof *s->sums);
    if (!s->poles || !s->powers || !s->sums)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < modes; m++) {
        s->poles[m] = cexp(exponents[m]);
        s->powers[m] = 1.0;
    }
    return 0;
}

void mode_sums_free(struct mode_sums *s)
{
    free(s->poles);
    free(s->powers);
    free(s->sums);
    memset(s, 0, sizeof *s);
}

void mode_sums_add(struct mode_sums *s, const float *values)
{
    const double window = 0.5 - 0.5 * cos(2.0 * M_PI * (double)s->added / (double)s->frames);
    for (size_t m = 0; m < s->modes; m++) {
        const double re = window * creal(s->powers[m]), im = window * cimag(s->powers[m]);
        double *sum = (double *)(s->sums + m * s->points); /* C11 6.2.5: two doubles each */
        for (size_t i = 0; i < s->points; i++) {
            sum[2 * i] += re * (double)values[i];
            sum[2 * i + 1] += im * (double)values[i];
        }
        s->powers[m] *= conj(s->poles[m]);
    }
    s->added++;
}

/* (1 - q^N)/(1 - q) */
static double complex series(double complex q, size_t count)
{
    if (cabs(1.0 - q) < 1e-12)
        return (double)count;
    return (1.0 - cpow(q, (double)count)) / (1.0 - q);
}

/* The same with the window. */
static double complex windowed(double complex q, size_t count)
{
    const double complex turn = cexp(I * (2.0 * M_PI / (double)count));
    return 0.5 * series(q, count) - 0.25 * series(q * turn, count) - 0.25 * series(q / turn, count);
}

/* G by columns; poles, then their conjugates. */
static void fill(double complex *matrix, const struct mode_sums *s)
{
    const size_t order = 2 * s->modes;
    for (size_t j = 0; j < order; j++)
        for (size_t i = 0; i < order; i++) {
            const double complex row = i < s->modes ? conj(s->poles[i]) : s->poles[i - s->modes];
            const double complex column = j < s->modes ? s->poles[j] : conj(s->poles[j - s->modes]);
            matrix[j * order + i] = windowed(row * column, s->frames);
        }
}

int mode_sums_solve(struct mode_sums *s, struct error *e)
{
    const size_t order = 2 * s->modes;
    double complex *whole = malloc((order * order + 1) * sizeof *whole);
    double complex *matrix = malloc((order * order + 1) * sizeof *matrix);
    double complex *right = malloc((order * TOGETHER + 1) * sizeof *right);
    int status = whole && matrix && right ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        fill(whole, s);
    for (size_t first = 0; first < s->points && !status; first += TOGETHER) {
        const size_t count = s->points - first < TOGETHER ? s->points - first : TOGETHER;
        memcpy(matrix, whole, order * order * sizeof *matrix);
        for (size_t i = 0; i < count; i++)
            for (size_t m = 0; m < s->modes; m++) {
                right[i * order + m] = s->sums[m * s->points + first + i];
                right[i * order + s->modes + m] = conj(right[i * order + m]);
            }
        status = stop_check(e) || damped_solve(matrix, order, right, count, e) ? -1 : 0;
        for (size_t i = 0; i < count && !status; i++)
            for (size_t m = 0; m < s->modes; m++)
                s->sums[m * s->points + first + i] = right[i * order + m];
    }
    free(whole);
    free(matrix);
    free(right);
    return status;
}

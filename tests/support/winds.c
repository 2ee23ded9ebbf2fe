/* SPDX-License-Identifier: MIT */
#include "support/winds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bore_grid winds_grid(void)
{
    return (struct bore_grid){.spacing = WINDS_SPEED / WINDS_RATE / 0.999,
                              .time_step = 1.0 / WINDS_RATE,
                              .density = WINDS_DENSITY,
                              .sound_speed = WINDS_SPEED};
}

static void couple(struct wind_rig *rig)
{
    struct error e;
    free(rig->wind.mutual);
    if (wind_couple_openings(&rig->wind, &e))
        fail_msg("%s", e.message);
}

void winds_make(struct wind_rig *rig, const double *radius, size_t cells, const struct wall_loss *loss,
                const struct reed *reed)
{
    const struct bore_grid grid = winds_grid();
    struct error e;
    double *volume = malloc(cells * sizeof *volume);
    memset(rig, 0, sizeof *rig);
    assert_non_null(volume);
    for (size_t i = 0; i < cells; i++)
        volume[i] = M_PI * radius[i] * radius[i] * grid.spacing;
    if (bore_make(&rig->wind.bore, volume, cells, &grid, loss, &e))
        fail_msg("%s", e.message);
    free(volume);
    rig->wind.reed = *reed;
    rig->openings[0] = opening_make(cells - 1, radius[cells - 1], 0.0, 0, 0.0, 0.0, &grid);
    rig->wind.openings = rig->openings;
    rig->wind.opening_count = 1;
    couple(rig);
    rig->state = calloc(1, wind_state_bytes(&rig->wind) + WINDS_OPENINGS * sizeof(struct opening_state));
    assert_non_null(rig->state);
}

void winds_hole(struct wind_rig *rig, struct opening hole)
{
    const size_t end = rig->wind.opening_count - 1;
    assert_true(rig->wind.opening_count < WINDS_OPENINGS);
    rig->openings[end + 1] = rig->openings[end];
    rig->openings[end] = hole;
    rig->wind.opening_count++;
    couple(rig);
}

void winds_free(struct wind_rig *rig)
{
    bore_free(&rig->wind.bore);
    free(rig->wind.mutual);
    free(rig->state);
}

void winds_clarinet(struct wind_rig *rig, const struct wall_loss *loss)
{
    const struct reed reed = reed_clarinet();
    double radius[69];
    for (size_t i = 0; i < 69; i++)
        radius[i] = 0.0075;
    winds_make(rig, radius, 69, loss, &reed);
}

void winds_trombone(struct wind_rig *rig, const struct wall_loss *loss, double lips)
{
    const double h = winds_grid().spacing;
    const struct reed reed = reed_lips(lips);
    double radius[400] = {0.012, 0.012, 0.010, 0.00675, 0.0035};
    size_t n = 5;
    for (int i = 0; i < 9; i++)
        radius[n++] = 0.0035 + 0.0034 * i / 8;
    for (int i = 0; i < (int)(1.75 / h); i++)
        radius[n++] = 0.0069;
    for (int i = 0; i < (int)(0.55 / h); i++)
        radius[n++] = 0.0069 * pow(1.0 - i * h / 0.565, -0.7);
    winds_make(rig, radius, n, loss, &reed);
}

void winds_play(struct wind_rig *rig, double pressure, double rise, double *record, size_t steps)
{
    for (size_t n = 0; n < steps; n++) {
        const struct wind_input input = {.blowing = pressure * fmin(1.0, (double)n / (rise * WINDS_RATE)),
                                         .conductance = rig->conductance};
        wind_step(&rig->wind, rig->state, &input, rig->flow);
        record[n] = wind_pressure(&rig->wind, rig->state)[0];
    }
}

double winds_balance(const struct wind_rig *rig)
{
    const double given = wind_given(rig->state);
    return fabs(given - wind_lost(rig->state) - wind_energy(&rig->wind, rig->state)) / fabs(given);
}

double winds_deviation(const double *x, size_t count)
{
    double mean = 0.0, sum = 0.0;
    for (size_t i = 0; i < count; i++)
        mean += x[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sqrt(sum / (double)count);
}

/* Mean product of x with itself `lag` later. */
static double correlation(const double *x, size_t count, double mean, size_t lag)
{
    double sum = 0.0;
    for (size_t i = 0; i + lag < count; i++)
        sum += (x[i] - mean) * (x[i + lag] - mean);
    return sum / (double)(count - lag);
}

static size_t best_lag(const double *x, size_t count, double mean, size_t low, size_t high)
{
    size_t best = low;
    double max = -INFINITY;
    for (size_t lag = low; lag <= high; lag++) {
        const double value = correlation(x, count, mean, lag);
        best = value > max ? lag : best;
        max = fmax(max, value);
    }
    return best;
}

double winds_pitch(const double *x, size_t count, double low, double high, double *periodic)
{
    double mean = 0.0;
    for (size_t i = 0; i < count; i++)
        mean += x[i] / (double)count;
    const size_t first = best_lag(x, count, mean, (size_t)(WINDS_RATE / high), (size_t)(WINDS_RATE / low));
    const size_t periods = count * 2 / 5 / first;
    size_t lag = first;
    for (size_t q = 2; q <= periods; q++) {
        const size_t near = (lag * q + (q - 1) / 2) / (q - 1);
        lag = best_lag(x, count, mean, near - 4, near + 4);
    }
    const double before = correlation(x, count, mean, lag - 1), at = correlation(x, count, mean, lag),
                 after = correlation(x, count, mean, lag + 1);
    *periodic = correlation(x, count, mean, first) / correlation(x, count, mean, 0);
    return WINDS_RATE * (double)(periods > 1 ? periods : 1) /
           ((double)lag + 0.5 * (before - after) / (before - 2.0 * at + after));
}

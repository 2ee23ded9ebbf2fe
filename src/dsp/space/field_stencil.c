/* SPDX-License-Identifier: MIT */
#include "dsp/space/field_stencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/space/penalised_squares.h"

enum { FREQUENCIES = 12 };

static const double reference = 0.01; /* of the rate, where η compares noise with the plane wave */

double grid_waves_operator(const struct grid_waves *waves, double frequency)
{
    const double s = waves->trapezoid ? 2.0 * tan(M_PI * frequency) : 2.0 * M_PI * frequency;
    return s / sqrt(waves->courant_squared);
}

void field_stencil_ball(struct field_stencil *s, const double fraction[3], double radius)
{
    const int reach = (int)ceil(radius);
    s->count = 0;
    for (int z = -reach; z <= reach + 1; z++)
        for (int y = -reach; y <= reach + 1; y++)
            for (int x = -reach; x <= reach + 1; x++) {
                const double at[3] = {x - fraction[0], y - fraction[1], z - fraction[2]};
                if (at[0] * at[0] + at[1] * at[1] + at[2] * at[2] <= radius * radius + 1e-9 &&
                    s->count < FIELD_POINTS_MAX)
                    memcpy(s->point[s->count++], at, sizeof at);
            }
}

/* Phases of all waves at all points, which the orders share. */
struct wave_table {
    size_t begin[FREQUENCIES + 1];     /* waves of a frequency: begin[f] .. begin[f + 1] - 1 */
    size_t waves;                      /* begin[FREQUENCIES] */
    double operator_at[FREQUENCIES];   /* |s X/c| */
    double mean[FREQUENCIES];          /* square root of the weight of each wave */
    double (*harmonic)[HARMONICS_MAX]; /* [waves] */
    double *cosine, *sine;             /* [points][waves] */
};

/* Half of the frequencies log-spaced up to a quarter of the highest, the others evenly from there on, where errors of a
 * coarse grid would rise between them. */
static double frequency_of(const struct grid_waves *waves, int index)
{
    const double quarter = 0.25 * waves->highest;
    if (index < FREQUENCIES / 2)
        return waves->lowest * pow(quarter / waves->lowest, index / (0.5 * FREQUENCIES - 1.0));
    return quarter + (waves->highest - quarter) * (index - FREQUENCIES / 2 + 1) / (0.5 * FREQUENCIES);
}

/* Directions of half a sphere at each frequency, lowest first, multiples of 2: a cloud resolves more of them as the
 * wavelength falls, and too few would leave it free between them. */
static int directions_of(int order, int frequency)
{
    const int channels = (int)harmonics_count(order), low = 3 * channels > 32 ? (3 * channels + 1) / 2 * 2 : 32;
    return frequency < 6 ? low : frequency < 9 ? 2 * low : 2 * low > 160 ? 2 * low : 160;
}

static void wave_table_free(struct wave_table *t)
{
    free(t->harmonic);
    free(t->cosine);
    free(t->sine);
}

/* The wave from d at a frequency, at all points. */
static void set_wave(struct wave_table *t, size_t wave, const struct field_stencil *s, const double d[3], double kappa)
{
    harmonics_at(t->harmonic[wave], s->order, d);
    for (size_t q = 0; q < s->count; q++) {
        const double *x = s->point[q], phase = kappa * (d[0] * x[0] + d[1] * x[1] + d[2] * x[2]);
        t->cosine[q * t->waves + wave] = cos(phase);
        t->sine[q * t->waves + wave] = sin(phase);
    }
}

static int wave_table_make(struct wave_table *t, const struct field_stencil *s, const struct grid_waves *waves,
                           struct error *e)
{
    *t = (struct wave_table){.waves = 0};
    for (int f = 0; f < FREQUENCIES; f++)
        t->begin[f + 1] = t->waves += (size_t)directions_of(s->order, f);
    t->harmonic = malloc(t->waves * sizeof *t->harmonic);
    t->cosine = malloc((s->count * t->waves + 1) * sizeof *t->cosine);
    t->sine = malloc((s->count * t->waves + 1) * sizeof *t->sine);
    if (!t->harmonic || !t->cosine || !t->sine) {
        wave_table_free(t);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (int f = 0; f < FREQUENCIES; f++) {
        const double frequency = frequency_of(waves, f);
        const int directions = directions_of(s->order, f);
        t->operator_at[f] = grid_waves_operator(waves, frequency);
        t->mean[f] = 1.0 / sqrt((double)FREQUENCIES * directions);
        for (int i = 0; i < directions; i++) {
            double d[3];
            half_sphere(d, i, directions);
            set_wave(t, t->begin[f] + (size_t)i, s, d, waves->wavenumber(frequency, d, waves->courant_squared));
        }
    }
    return 0;
}

/* Σ W cos is to be Y (sX/c)^n, times i^n, and Σ W sin nothing for an even order; the other way round for an odd one. */
static void fill(double *columns, size_t rows, const struct field_stencil *s, const struct wave_table *t, int n)
{
    const double sign = n / 2 % 2 ? -1.0 : 1.0;
    const double *same = n % 2 ? t->sine : t->cosine, *other = n % 2 ? t->cosine : t->sine;
    for (int f = 0; f < FREQUENCIES; f++)
        for (size_t q = 0; q < s->count; q++) {
            const double factor = t->mean[f] * pow(t->operator_at[f], -n);
            for (size_t i = t->begin[f]; i < t->begin[f + 1]; i++) {
                columns[q * rows + 2 * i] = factor * same[q * t->waves + i];
                columns[q * rows + 2 * i + 1] = factor * other[q * t->waves + i];
            }
        }
    for (size_t m = 0; m < (size_t)(2 * n + 1); m++)
        for (int f = 0; f < FREQUENCIES; f++) {
            double *column = columns + (s->count + m) * rows;
            for (size_t i = t->begin[f]; i < t->begin[f + 1]; i++) {
                column[2 * i] = sign * t->mean[f] * t->harmonic[i][(size_t)(n * n) + m];
                column[2 * i + 1] = 0.0;
            }
        }
}

/* Weights that sum to 1 for order 0 and to 0 for the others, so that a constant field, to which the least frequency is
 * near, is exact. */
static void balance(double *weight, size_t count, double wanted)
{
    double sum = 0.0;
    for (size_t q = 0; q < count; q++)
        sum += weight[q];
    for (size_t q = 0; q < count; q++)
        weight[q] += (wanted - sum) / (double)count;
}

int field_stencil_fit(struct field_stencil *s, const struct grid_waves *waves, struct error *e)
{
    struct wave_table t;
    if (wave_table_make(&t, s, waves, e))
        return -1;
    const size_t rows = 2 * t.waves, sides_max = 2 * (size_t)s->order + 1; /* a multiple of 4 */
    double *columns = malloc((s->count + sides_max) * rows * sizeof *columns);
    double *weights = malloc((sides_max * s->count + 1) * sizeof *weights);
    int status = columns && weights ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int n = 0; !status && n <= s->order; n++) {
        const size_t sides = 2 * (size_t)n + 1;
        fill(columns, rows, s, &t, n);
        status =
            stop_check(e) || penalised_squares(weights, s->count, sides, columns, rows,
                                               waves->penalty[n] * pow(grid_waves_operator(waves, reference), -n), e)
                ? -1
                : 0;
        for (size_t m = 0; !status && m < sides; m++) {
            double *weight = s->weight[(size_t)(n * n) + m];
            for (size_t q = 0; q < s->count; q++)
                weight[q] = weights[m * s->count + q];
            balance(weight, s->count, n ? 0.0 : 1.0);
        }
    }
    free(columns);
    free(weights);
    wave_table_free(&t);
    return status;
}

void field_stencil_response(double (*values)[2], const struct field_stencil *s, const struct grid_waves *waves,
                            double frequency, const double direction[3])
{
    const double kappa = waves->wavenumber(frequency, direction, waves->courant_squared);
    const double operator_at = grid_waves_operator(waves, frequency);
    for (size_t c = 0; c < harmonics_count(s->order); c++)
        values[c][0] = values[c][1] = 0.0;
    for (size_t q = 0; q < s->count; q++) {
        const double *x = s->point[q];
        const double phase = kappa * (direction[0] * x[0] + direction[1] * x[1] + direction[2] * x[2]);
        const double cosine = cos(phase), sine = sin(phase);
        for (size_t c = 0; c < harmonics_count(s->order); c++) {
            values[c][0] += s->weight[c][q] * cosine;
            values[c][1] += s->weight[c][q] * sine;
        }
    }
    for (size_t c = 0; c < harmonics_count(s->order); c++) {
        const int n = harmonics_order_of(c);
        const double scale = pow(operator_at, -n), re = scale * values[c][0], im = scale * values[c][1];
        const double turned[4][2] = {{re, im}, {im, -re}, {-re, -im}, {-im, re}}; /* times (-i)^n */
        values[c][0] = turned[n % 4][0];
        values[c][1] = turned[n % 4][1];
    }
}

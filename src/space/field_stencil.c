#include "space/field_stencil.h"

#include <math.h>
#include <stdlib.h>

#include "space/penalised_squares.h"

enum { FREQUENCIES = 12, DIRECTIONS_LEAST = 48, DIRECTIONS_PER_CHANNEL = 6 };

static const double reference = 0.01; /* of the rate, where η compares noise with the plane wave */

double grid_waves_operator(const struct grid_waves *waves, double frequency)
{
    const double s = waves->trapezoid ? 2.0 * tan(M_PI * frequency) : 2.0 * M_PI * frequency;
    return s / sqrt(waves->courant_squared);
}

/* The upper half of a Fibonacci lattice on the sphere. */
static void half_sphere(double d[3], int index, int half)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0)), i = index + 0.5;
    const double z = 1.0 - i / half, angle = 2.0 * M_PI * golden * i, across = sqrt(1.0 - z * z);
    d[0] = across * cos(angle);
    d[1] = across * sin(angle);
    d[2] = z;
}

/* Phases of all waves at all points, which the orders share. */
struct wave_table {
    int directions;
    size_t waves;                      /* FREQUENCIES * directions */
    double operator_at[FREQUENCIES];   /* |s X/c| */
    double (*harmonic)[HARMONICS_MAX]; /* [directions] */
    double *cosine, *sine;             /* [points][waves], wave = frequency * directions + direction */
};

static void wave_table_free(struct wave_table *t)
{
    free(t->harmonic);
    free(t->cosine);
    free(t->sine);
}

static int wave_table_make(struct wave_table *t, const struct field_stencil *s, const struct grid_waves *waves,
                           struct error *e)
{
    const int wanted = DIRECTIONS_PER_CHANNEL * (int)harmonics_count(s->order);
    *t = (struct wave_table){.directions = wanted > DIRECTIONS_LEAST ? wanted : DIRECTIONS_LEAST};
    t->waves = (size_t)t->directions * FREQUENCIES;
    t->harmonic = malloc((size_t)t->directions * sizeof *t->harmonic);
    t->cosine = malloc((s->count * t->waves + 1) * sizeof *t->cosine);
    t->sine = malloc((s->count * t->waves + 1) * sizeof *t->sine);
    if (!t->harmonic || !t->cosine || !t->sine) {
        wave_table_free(t);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; i < t->directions; i++) {
        double d[3];
        half_sphere(d, i, t->directions);
        harmonics_at(t->harmonic[i], s->order, d);
        for (int f = 0; f < FREQUENCIES; f++) {
            const double frequency = waves->lowest * pow(waves->highest / waves->lowest, f / (FREQUENCIES - 1.0));
            const double kappa = waves->wavenumber(frequency, d, waves->courant_squared);
            t->operator_at[f] = grid_waves_operator(waves, frequency);
            for (size_t q = 0; q < s->count; q++) {
                const double *x = s->point[q], phase = kappa * (d[0] * x[0] + d[1] * x[1] + d[2] * x[2]);
                const size_t at = q * t->waves + (size_t)(f * t->directions + i);
                t->cosine[at] = cos(phase);
                t->sine[at] = sin(phase);
            }
        }
    }
    return 0;
}

/* Σ W cos is to be Y (sX/c)^n, times i^n, and Σ W sin nothing for an even order; the other way round for an odd one. */
static void fill(double *columns, size_t rows, const struct field_stencil *s, const struct wave_table *t, int n)
{
    const double mean = 1.0 / sqrt((double)t->waves), sign = n / 2 % 2 ? -1.0 : 1.0;
    const double *same = n % 2 ? t->sine : t->cosine, *other = n % 2 ? t->cosine : t->sine;
    for (size_t q = 0; q < s->count; q++)
        for (int f = 0; f < FREQUENCIES; f++) {
            const double factor = mean * pow(t->operator_at[f], -n);
            for (size_t i = (size_t)(f * t->directions); i < (size_t)((f + 1) * t->directions); i++) {
                columns[q * rows + 2 * i] = factor * same[q * t->waves + i];
                columns[q * rows + 2 * i + 1] = factor * other[q * t->waves + i];
            }
        }
    for (size_t m = 0; m < (size_t)(2 * n + 1); m++)
        for (size_t i = 0; i < t->waves; i++) {
            double *column = columns + (s->count + m) * rows;
            column[2 * i] = sign * mean * t->harmonic[i % (size_t)t->directions][(size_t)(n * n) + m];
            column[2 * i + 1] = 0.0;
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
        status = penalised_squares(weights, s->count, sides, columns, rows,
                                   waves->penalty[n] * pow(grid_waves_operator(waves, reference), -n), e);
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

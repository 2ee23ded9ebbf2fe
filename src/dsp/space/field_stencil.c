/* SPDX-License-Identifier: MIT */
#include "dsp/space/field_stencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/space/field_lattice.h"

double grid_waves_operator(const struct grid_waves *waves, double frequency)
{
    const double s = waves->trapezoid ? 2.0 * tan(M_PI * frequency) : 2.0 * M_PI * frequency;
    return s / sqrt(waves->courant_squared);
}

void field_stencil_ball(struct field_stencil *s)
{
    const double square = s->radius * s->radius + 1e-9;
    const int end = FIELD_LOWEST + FIELD_SIDE;
    s->count = 0;
    for (int z = FIELD_LOWEST; z < end; z++)
        for (int y = FIELD_LOWEST; y < end; y++)
            for (int x = FIELD_LOWEST; x < end; x++) {
                const double at[3] = {x - s->fraction[0], y - s->fraction[1], z - s->fraction[2]};
                if (at[0] * at[0] + at[1] * at[1] + at[2] * at[2] <= square && s->count < FIELD_POINTS_MAX)
                    memcpy(s->point[s->count++], (int[]){x, y, z}, sizeof *s->point);
            }
}

void field_stencil_response(double (*values)[2], const struct field_stencil *s, const struct grid_waves *waves,
                            double frequency, const double direction[3])
{
    const double kappa = waves->wavenumber(frequency, direction, waves->courant_squared);
    const double operator_at = grid_waves_operator(waves, frequency);
    for (size_t c = 0; c < harmonics_count(s->order); c++)
        values[c][0] = values[c][1] = 0.0;
    for (size_t q = 0; q < s->count; q++) {
        double along = 0.0;
        for (int axis = 0; axis < 3; axis++)
            along += direction[axis] * (s->point[q][axis] - s->fraction[axis]);
        const double phase = kappa * along;
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

/* The columns that a stencil takes of the matrix of a lattice: of a pair of points both, as they are in the lattice, or
 * those of one point, which have both halves. */
struct choice {
    size_t count;
    size_t last[FIELD_POINTS_MAX]; /* row */
    size_t pair[FIELD_POINTS_MAX];
    double sign[FIELD_POINTS_MAX]; /* 0: of a pair of which both are taken; else of the second half */
};

enum { NONE = -1 };

/* Which point of the stencil each of the lattice is: at[pairs][2]. */
static int (*find_points(const struct field_stencil *s, const struct field_lattice *l))[2]
{
    int(*at)[2] = malloc((l->pairs + 1) * sizeof *at);
    for (size_t k = 0; at && k < l->pairs; k++)
        at[k][0] = at[k][1] = NONE;
    for (size_t q = 0; at && q < s->count; q++) {
        const size_t column = field_lattice_column(l, s->point[q]);
        at[column / 2][column % 2] = (int)q;
    }
    return at;
}

static void choose(struct choice *c, const struct field_lattice *l, const int (*at)[2])
{
    c->count = 0;
    for (size_t k = 0; k < l->pairs; k++) {
        const bool both = at[k][0] != NONE && at[k][1] != NONE;
        for (size_t side = 0; side < 2; side++) {
            if (at[k][side] == NONE)
                continue;
            c->pair[c->count] = k;
            c->sign[c->count] = both ? 0.0 : side ? -1.0 : 1.0;
            c->last[c->count++] = both ? 2 * k + side : 2 * k + 1;
        }
    }
}

/* Row 2 k is row k of the even half, row 2 k + 1 that of the odd one. */
static void fill_columns(double *columns, const struct choice *c, const struct field_lattice *l, int n)
{
    const size_t rows = 2 * l->pairs;
    memset(columns, 0, c->count * rows * sizeof *columns);
    for (size_t i = 0; i < c->count; i++)
        for (size_t half = 0; half < 2; half++) {
            const double factor = c->sign[i] == 0.0 ? 1.0 : M_SQRT1_2 * (half ? c->sign[i] : 1.0);
            const double *triangle = l->factors[n][half].triangle;
            if (c->sign[i] == 0.0 && c->last[i] % 2 != half)
                continue;
            for (size_t row = 0; row <= c->pair[i]; row++)
                columns[i * rows + 2 * row + half] = factor * triangle[row * l->pairs + c->pair[i]];
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

/* Of a solution those of the points. */
static void take_weights(double *weight, const double *solution, const struct choice *c, const int (*at)[2])
{
    for (size_t i = 0; i < c->count; i++) {
        const int *points = at[c->pair[i]];
        if (c->sign[i] != 0.0) {
            weight[points[c->sign[i] < 0.0]] = solution[i];
            continue;
        }
        weight[points[0]] = M_SQRT1_2 * (solution[i] + solution[i + 1]);
        weight[points[1]] = M_SQRT1_2 * (solution[i] - solution[i + 1]);
        i++;
    }
}

static int fit_order(struct field_stencil *s, const struct field_lattice *l, const struct choice *c, const int (*at)[2],
                     int n, struct error *e)
{
    const size_t rows = 2 * l->pairs, sides = 2 * (size_t)n + 1;
    double *columns = malloc((c->count + sides) * rows * sizeof *columns);
    double *solution = malloc((sides * c->count + 1) * sizeof *solution);
    const int status = columns && solution ? field_lattice_turn(columns + c->count * rows, l, s->fraction, n, e)
                                           : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        fill_columns(columns, c, l, n);
        staircase_solve(solution, c->count, sides, columns, rows, c->last);
        for (size_t m = 0; m < sides; m++) {
            double *weight = s->weight[(size_t)(n * n) + m];
            take_weights(weight, solution + m * c->count, c, at);
            balance(weight, s->count, n ? 0.0 : 1.0);
        }
    }
    free(columns);
    free(solution);
    return status;
}

int field_stencil_fit(struct field_stencil *s, struct field_lattice **lattices, const struct grid_waves *waves,
                      struct error *e)
{
    struct field_lattice *l = field_lattice_of(lattices, s, waves, e);
    struct choice choice;
    if (!l)
        return -1;
    int(*at)[2] = find_points(s, l);
    int status = at ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (at)
        choose(&choice, l, (const int(*)[2])at);
    for (int n = 0; n <= s->order && !status; n++)
        status = stop_check(e) || field_lattice_factor(l, n, e) || fit_order(s, l, &choice, (const int(*)[2])at, n, e)
                     ? -1
                     : 0;
    free(at);
    return status;
}

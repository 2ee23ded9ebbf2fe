/* SPDX-License-Identifier: MIT */
#include "dsp/space/penalised_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In four sums, which a processor adds side by side. */
static double product(const double *restrict a, const double *restrict b, size_t count)
{
    const size_t fours = count / 4 * 4;
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (size_t i = 0; i < fours; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (size_t i = fours; i < count; i++)
        sum[i - fours] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void subtract(double *restrict a, double factor, const double *restrict b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] -= factor * b[i];
}

/* Reflects [0; column] at the vector (head, pivot), whose square is 2 norm head. Returns the new upper element. */
static double reflect(double *column, const double *pivot, double norm, double head, size_t rows)
{
    const double along = product(pivot, column, rows) / (norm * head);
    subtract(column, along, pivot, rows);
    return -along * head;
}

/* Fills the upper triangle [count][count]; the pivots stay in the columns. */
static void factor(double *triangle, double *columns, size_t count, size_t rows, double penalty)
{
    for (size_t j = 0; j < count; j++) {
        const double *pivot = columns + j * rows;
        const double norm = sqrt(penalty * penalty + product(pivot, pivot, rows));
        double *row = triangle + j * count;
        row[j] = -norm;
        for (size_t k = j + 1; k < count; k++)
            row[k] = reflect(columns + k * rows, pivot, norm, penalty + norm, rows);
    }
}

/* x: right-hand side, then solution. */
static void substitute_back(double *x, const double *triangle, size_t count)
{
    for (size_t j = count; j-- > 0;) {
        const double *row = triangle + j * count;
        for (size_t k = j + 1; k < count; k++)
            x[j] -= row[k] * x[k];
        x[j] /= row[j];
    }
}

int penalised_factors_make(struct penalised_factors *f, size_t count, double *columns, size_t rows, double penalty,
                           struct error *e)
{
    *f = (struct penalised_factors){.count = count, .rows = rows, .penalty = penalty, .columns = columns};
    f->triangle = malloc((count * count + 1) * sizeof *f->triangle);
    if (!f->triangle)
        return fail(e, ERROR_MEMORY, "out of memory");
    factor(f->triangle, columns, count, rows, penalty);
    return 0;
}

void penalised_factors_free(struct penalised_factors *f)
{
    free(f->triangle);
    f->triangle = NULL;
}

void penalised_factors_turn(double *turned, size_t stride, const struct penalised_factors *f, double *b)
{
    for (size_t j = 0; j < f->count; j++) {
        const double norm = -f->triangle[j * f->count + j];
        turned[j * stride] = reflect(b, f->columns + j * f->rows, norm, f->penalty + norm, f->rows);
    }
}

int penalised_squares(double *x, size_t count, size_t sides, double *columns, size_t rows, double penalty,
                      struct error *e)
{
    struct penalised_factors f;
    if (penalised_factors_make(&f, count, columns, rows, penalty, e))
        return -1;
    for (size_t side = 0; side < sides; side++) {
        penalised_factors_turn(x + side * count, 1, &f, columns + (count + side) * rows);
        substitute_back(x + side * count, f.triangle, count);
    }
    penalised_factors_free(&f);
    return 0;
}

/* Reflects column j and the `right` columns right of it, so that it is zero below row j; `last`: the lowest row of
 * column j that is not zero. */
static void clear_below(double *columns, size_t rows, size_t j, size_t right, size_t last)
{
    double *pivot = columns + j * rows + j;
    const size_t length = last - j + 1;
    const double norm = sqrt(product(pivot, pivot, length)), first = pivot[0], diagonal = first > 0.0 ? -norm : norm;
    if (length == 1)
        return;
    pivot[0] -= diagonal;
    for (size_t k = 1; k <= right; k++) {
        double *column = pivot + k * rows;
        subtract(column, product(pivot, column, length) / (norm * (norm + fabs(first))), pivot, length);
    }
    pivot[0] = diagonal;
}

void staircase_solve(double *x, size_t count, size_t sides, double *columns, size_t rows, const size_t *last)
{
    for (size_t j = 0; j < count; j++)
        clear_below(columns, rows, j, count - j - 1 + sides, last[j]);
    for (size_t side = 0; side < sides; side++) {
        double *solution = x + side * count;
        memcpy(solution, columns + (count + side) * rows, count * sizeof *x);
        for (size_t j = count; j-- > 0;) {
            solution[j] /= columns[j * rows + j];
            subtract(solution, solution[j], columns + j * rows, j);
        }
    }
}

int penalised_factors_solve(double *x, const struct penalised_factors *f, const size_t *column, size_t chosen,
                            double *b, struct error *e)
{
    const size_t rows = f->count;
    double *columns = calloc((chosen + 1) * rows + 1, sizeof *columns);
    if (!columns)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < chosen; k++)
        for (size_t row = 0; row <= column[k]; row++)
            columns[k * rows + row] = f->triangle[row * rows + column[k]];
    penalised_factors_turn(columns + chosen * rows, 1, f, b);
    staircase_solve(x, chosen, 1, columns, rows, column);
    free(columns);
    return 0;
}

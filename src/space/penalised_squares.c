/* SPDX-License-Identifier: MIT */
#include "space/penalised_squares.h"

#include <math.h>
#include <stdlib.h>

/* In four sums, which a processor adds side by side; count is a multiple of 4. */
static double product(const double *restrict a, const double *restrict b, size_t count)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void subtract(double *restrict a, double factor, const double *restrict b, size_t count)
{
    for (size_t i = 0; i < count; i += 4)
        for (size_t k = 0; k < 4; k++)
            a[i + k] -= factor * b[i + k];
}

int penalised_squares(double *x, size_t count, size_t sides, double *columns, size_t rows, double penalty,
                      struct error *e)
{
    const size_t width = count + sides;
    double *triangle =
        malloc((count * width + 1) * sizeof *triangle); /* [count][width]: R, and what stands beside it */
    if (!triangle)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t j = 0; j < count; j++) {
        const double *pivot = columns + j * rows;
        const double square = product(pivot, pivot, rows), norm = sqrt(penalty * penalty + square);
        const double head = penalty + norm; /* the vector of the reflection is (head, pivot) */
        double *row = triangle + j * width;
        row[j] = -norm;
        for (size_t k = j + 1; k < width; k++) {
            double *column = columns + k * rows;
            const double along = product(pivot, column, rows) / (norm * head);
            row[k] = -along * head;
            subtract(column, along, pivot, rows);
        }
    }
    for (size_t side = 0; side < sides; side++)
        for (size_t j = count; j-- > 0;) {
            const double *row = triangle + j * width;
            double sum = row[count + side];
            for (size_t k = j + 1; k < count; k++)
                sum -= row[k] * x[side * count + k];
            x[side * count + j] = sum / row[j];
        }
    free(triangle);
    return 0;
}

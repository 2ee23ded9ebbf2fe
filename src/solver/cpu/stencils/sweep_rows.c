/* SPDX-License-Identifier: MIT */
/* The sweep and the derivative by whole rows along x: the fast kernels of the CPU engine.
 * Compiled for both precisions and every instruction set with REAL and VARIANT set. Sums follow
 * the order of the references, and give the same bits. */
#include "solver/cpu/stencils/arrays.h"
#include "solver/cpu/variant.h"
#include "solver/schemes/derivative/derivative.h"
#include "solver/schemes/sweep/sweep.h"

array_rows NAME(sweep_rows), NAME(derivative_rows);

/* Inlined with a constant number of points, so that the sum unrolls. */
static inline __attribute__((always_inline)) void sum_row(REAL *restrict next, const REAL *restrict u, ptrdiff_t first,
                                                          ptrdiff_t end, const ptrdiff_t *offset,
                                                          const REAL *coefficient, int size)
{
#pragma omp simd
    for (ptrdiff_t x = first; x < end; x++) {
        REAL sum = coefficient[0] * u[x];
        for (int i = 1; i < size; i++)
            sum += coefficient[i] * u[x + offset[i]];
        next[x] = sum;
    }
}

void NAME(sweep_rows)(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct sweep_problem *s = sweep_of(g->problem);
    const ptrdiff_t stride[3] = {1, g->pitch, g->plane}, radius = s->radius;
    ptrdiff_t offset[SWEEP_COEFFICIENTS_MAX] = {0};
    REAL coefficient[SWEEP_COEFFICIENTS_MAX];
    int size = 1;
    for (int distance = 1; distance <= s->radius; distance++)
        for (int axis = 0; axis < s->dimensions; axis++) {
            offset[size++] = -distance * stride[axis];
            offset[size++] = distance * stride[axis];
        }
    for (int i = 0; i < size; i++)
        coefficient[i] = (REAL)s->coefficients[i];
    for (ptrdiff_t row = row0; row < row1; row++) {
        const ptrdiff_t y = row % g->n[1], z = row / g->n[1];
        const REAL *u = (const REAL *)g->now[0] + z * g->plane + y * g->pitch;
        REAL *next = (REAL *)g->next[0] + z * g->plane + y * g->pitch;
        if ((s->dimensions > 1 && (y < radius || y >= g->n[1] - radius)) ||
            (s->dimensions > 2 && (z < radius || z >= g->n[2] - radius)))
            continue;
        switch (size) {
        case 3:
            sum_row(next, u, radius, g->n[0] - radius, offset, coefficient, 3);
            break;
        case 5:
            sum_row(next, u, radius, g->n[0] - radius, offset, coefficient, 5);
            break;
        case 7:
            sum_row(next, u, radius, g->n[0] - radius, offset, coefficient, 7);
            break;
        case 9:
            sum_row(next, u, radius, g->n[0] - radius, offset, coefficient, 9);
            break;
        default:
            sum_row(next, u, radius, g->n[0] - radius, offset, coefficient, 13);
        }
    }
}

/* Points first .. end - 1 of a row from four pairs of rows (along x, the same row shifted). */
static inline void differences(REAL *restrict df, const REAL *const *above, const REAL *const *below,
                               const REAL *coefficient, ptrdiff_t first, ptrdiff_t end)
{
    const REAL *const a0 = above[0], *const a1 = above[1], *const a2 = above[2], *const a3 = above[3];
    const REAL *const b0 = below[0], *const b1 = below[1], *const b2 = below[2], *const b3 = below[3];
    const REAL c0 = coefficient[0], c1 = coefficient[1], c2 = coefficient[2], c3 = coefficient[3];
#pragma omp simd
    for (ptrdiff_t x = first; x < end; x++)
        df[x] = ((c0 * (a0[x] - b0[x]) + c1 * (a1[x] - b1[x])) + c2 * (a2[x] - b2[x])) + c3 * (a3[x] - b3[x]);
}

void NAME(derivative_rows)(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct derivative_problem *d = derivative_of(g->problem);
    const ptrdiff_t stride[3] = {1, g->pitch, g->plane}, n = g->n[d->axis];
    REAL coefficient[DERIVATIVE_RADIUS];
    for (int k = 0; k < DERIVATIVE_RADIUS; k++)
        coefficient[k] = (REAL)(derivative_coefficients[k] / d->spacing);
    for (ptrdiff_t row = row0; row < row1; row++) {
        const ptrdiff_t at[3] = {0, row % g->n[1], row / g->n[1]};
        const REAL *f = (const REAL *)g->now[0] + at[2] * g->plane + at[1] * g->pitch;
        REAL *df = (REAL *)g->now[1] + at[2] * g->plane + at[1] * g->pitch;
        const REAL *above[DERIVATIVE_RADIUS], *below[DERIVATIVE_RADIUS];
        for (ptrdiff_t k = 1; k <= DERIVATIVE_RADIUS; k++) {
            const ptrdiff_t here = at[d->axis];
            const ptrdiff_t up = d->axis == 0 ? k : (here + k) % n - here,
                            down = d->axis == 0 ? -k : (here - k + n) % n - here;
            above[k - 1] = f + up * stride[d->axis];
            below[k - 1] = f + down * stride[d->axis];
        }
        if (d->axis != 0) {
            differences(df, above, below, coefficient, 0, g->n[0]);
            continue;
        }
        differences(df, above, below, coefficient, DERIVATIVE_RADIUS, n - DERIVATIVE_RADIUS);
        for (ptrdiff_t i = 0; i < 2 * DERIVATIVE_RADIUS; i++) { /* both ends, where neighbours wrap around */
            const ptrdiff_t x = i < DERIVATIVE_RADIUS ? i : n - 2 * DERIVATIVE_RADIUS + i;
            REAL sum = 0;
            for (ptrdiff_t k = 1; k <= DERIVATIVE_RADIUS; k++)
                sum += coefficient[k - 1] * (f[x + k < n ? x + k : x + k - n] - f[x >= k ? x - k : x - k + n]);
            df[x] = sum;
        }
    }
}

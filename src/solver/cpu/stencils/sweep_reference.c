/* SPDX-License-Identifier: MIT */
/* The sweep and the derivative point by point, as defined. These slow and readable kernels are
 * the references for all others. Compiled for both precisions with REAL and VARIANT set. */
#include "solver/cpu/stencils/arrays.h"
#include "solver/cpu/variant.h"
#include "solver/schemes/derivative/derivative.h"
#include "solver/schemes/sweep/sweep.h"

array_rows NAME(sweep_reference), NAME(derivative_reference);

void NAME(sweep_reference)(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct sweep_problem *s = sweep_of(g->problem);
    const ptrdiff_t stride[3] = {1, g->pitch, g->plane};
    const REAL *u = g->now[0];
    REAL *next = g->next[0];
    for (ptrdiff_t row = row0; row < row1; row++)
        for (ptrdiff_t x = 0; x < g->n[0]; x++) {
            const ptrdiff_t at[3] = {x, row % g->n[1], row / g->n[1]};
            const ptrdiff_t point = at[2] * stride[2] + at[1] * stride[1] + x;
            bool inside = true;
            for (int axis = 0; axis < s->dimensions; axis++)
                inside = inside && at[axis] >= s->radius && at[axis] < g->n[axis] - s->radius;
            if (!inside)
                continue;
            REAL sum = (REAL)s->coefficients[0] * u[point];
            int c = 1;
            for (int distance = 1; distance <= s->radius; distance++)
                for (int axis = 0; axis < s->dimensions; axis++) {
                    sum += (REAL)s->coefficients[c++] * u[point - distance * stride[axis]];
                    sum += (REAL)s->coefficients[c++] * u[point + distance * stride[axis]];
                }
            next[point] = sum;
        }
}

void NAME(derivative_reference)(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct derivative_problem *d = derivative_of(g->problem);
    const ptrdiff_t stride[3] = {1, g->pitch, g->plane};
    const REAL *f = g->now[0];
    REAL *df = g->now[1];
    for (ptrdiff_t row = row0; row < row1; row++)
        for (ptrdiff_t x = 0; x < g->n[0]; x++) {
            ptrdiff_t at[3] = {x, row % g->n[1], row / g->n[1]};
            const ptrdiff_t here = at[d->axis], n = g->n[d->axis];
            const ptrdiff_t line = at[2] * stride[2] + at[1] * stride[1] + x - here * stride[d->axis];
            REAL sum = 0;
            for (int k = 1; k <= DERIVATIVE_RADIUS; k++)
                sum += (REAL)(derivative_coefficients[k - 1] / d->spacing) *
                       (f[line + (here + k) % n * stride[d->axis]] - f[line + (here - k + n) % n * stride[d->axis]]);
            df[line + here * stride[d->axis]] = sum;
        }
}

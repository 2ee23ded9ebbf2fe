/* What needs no instruction set of its own: the energy of a row, and the plain loop that bench measures against.
 * Compiled for both precisions with REAL and VARIANT set. */
#include <stdint.h>

#include "cpu/kernel.h"
#include "cpu/variant.h"

double NAME(row_energy)(const struct field *f, size_t row)
{
    const struct rows *rows = &f->rows;
    const double courant_squared = f->problem->as.leapfrog.courant_squared;
    const ptrdiff_t stride[6] = {-1,
                                 1,
                                 -(ptrdiff_t)rows->stride,
                                 (ptrdiff_t)rows->stride,
                                 -(ptrdiff_t)(rows->stride * rows->ny),
                                 (ptrdiff_t)(rows->stride * rows->ny)};
    double energy = 0.0;
    for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
        const struct run run = rows->runs[r];
        const REAL *older = (const REAL *)f->next + row * rows->stride + run.start;
        const REAL *newer = (const REAL *)f->now + row * rows->stride + run.start;
        for (size_t i = 0; i < run.length; i++) {
            double differences = 0.0; /* K p - S of the older level */
            for (int face = 0; face < 6; face++)
                if (run.links >> face & 1u)
                    differences += (double)older[i] - (double)older[(ptrdiff_t)i + stride[face]];
            double change = (double)newer[i] - (double)older[i];
            energy += 0.5 * change * change + 0.5 * courant_squared * (double)newer[i] * differences;
        }
    }
    return energy;
}

void NAME(plain_loop)(void *u, const void *p, size_t n)
{
    REAL *restrict to = u;
    const REAL *restrict from = p;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] - to[i];
}

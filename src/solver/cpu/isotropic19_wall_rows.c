/* SPDX-License-Identifier: MIT */
/* Walls of real admittance in the 19-point scheme: as in leapfrog_rows.c, at points of any mass. */
#include <stdint.h>

#include "solver/cpu/kernel.h"
#include "solver/cpu/row_walls.h"
#include "solver/cpu/variant.h"

void NAME(isotropic19_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);

/* Absorption at consecutive points; adds the energy, times 2 MASS_UNITS, to `taken`. */
static inline void absorb_row(REAL *restrict u, const REAL *restrict before, const REAL *restrict weights,
                              const uint8_t *restrict mass, size_t count, double *restrict taken)
{
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS) {
#pragma omp simd
        for (size_t k = 0; k < SUMS; k++)
            taken[k] += absorb(u + i + k, before[i + k], weights[i + k]) * (double)mass[i + k];
    }
    for (; i < count; i++)
        taken[i % SUMS] += absorb(u + i, before[i], weights[i]) * (double)mass[i];
}

void NAME(isotropic19_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed)
{
    const struct rows *rows = &f->rows;
    const REAL *keep = saved, *weights = rows->wall_weight;
    for (size_t row = row0; row < row1 && rows->wall_max > 0; row++) {
        REAL *u = (REAL *)f->next + row * rows->stride;
        const uint64_t first = rows->wall_start[row];
        const size_t count = (size_t)(rows->wall_start[row + 1] - first);
        const uint32_t *x = rows->wall_x + first;
        double taken[SUMS] = {0.0};
        if (count == 0)
            continue;
        if (count > LANES && adjoining(x, count))
            absorb_row(u + x[0], keep, weights + first, rows->wall_mass + first, count, taken);
        else
            for (size_t i = 0; i < count; i++)
                taken[0] += absorb(u + x[i], keep[i], weights[first + i]) * (double)rows->wall_mass[first + i];
        keep += count;
        absorbed[row] +=
            0.5 / MASS_UNITS *
            (((taken[0] + taken[4]) + (taken[1] + taken[5])) + ((taken[2] + taken[6]) + (taken[3] + taken[7])));
    }
}

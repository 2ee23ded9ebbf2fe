/* SPDX-License-Identifier: MIT */
/* Points of a row at walls of real admittance: for kernels compiled with REAL and LANES set (CMakeLists.txt). */
#ifndef AULA_SOLVER_CPU_ROW_WALLS_H
#define AULA_SOLVER_CPU_ROW_WALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "solver/cpu/variant.h"

/* Whether the points are consecutive, as in a row along a wall. */
static inline bool adjoining(const uint32_t *x, size_t count)
{
    return x[count - 1] - x[0] == count - 1;
}

/* Saves the values at these points; returns their number. */
static inline size_t save_walls(REAL *keep, const REAL *u, const uint32_t *x, size_t count)
{
    if (count > LANES && adjoining(x, count))
        memcpy(keep, u + x[0], count * sizeof *keep);
    else
        for (size_t i = 0; i < count; i++)
            keep[i] = u[x[i]];
    return count;
}

/* theory (33) without branches: p⁺ = q + a/(1+a) (p⁻ - q), which does not drift. In a step the
 * wall absorbs m a (p⁺ - p⁻)²/2, where m is the mass of the point. As a (p⁺ - p⁻) = q - p⁺, this
 * is half the product of m and the two differences; the return value is that product without m,
 * and needs no division. */
static inline double absorb(REAL *u, REAL before, REAL weight)
{
    const REAL rigid = *u, after = rigid + weight * (before - rigid);
    *u = after;
    return ((double)rigid - (double)after) * ((double)after - (double)before);
}

enum { SUMS = 8 }; /* partial sums, which vectorize in the same order on every instruction set */

#endif

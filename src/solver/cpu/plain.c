/* SPDX-License-Identifier: MIT */
/* Code without special instruction sets: the energy of a row, and the plain loop of benchmarks.
 * Compiled for both precisions with REAL and VARIANT set. */
#include <stdint.h>

#include "solver/cpu/kernels.h"
#include "solver/cpu/variant.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/corners.h"

enum { SUMS = 8 }; /* partial sums, which vectorize in the same order on every instruction set */

/* The neighbours of a run across each face; a missing one points to the run itself, so that its
 * difference is 0. */
static void find_neighbours(const REAL *neighbour[FACES], const REAL *p, const struct rows *rows, unsigned links)
{
    const size_t distance[FACES / 2] = {1, rows->stride, rows->stride * rows->ny};
    for (int face = 0; face < FACES; face++) {
        const size_t d = links >> face & 1u ? distance[face / 2] : 0;
        neighbour[face] = face % 2 ? p + d : p - d;
    }
}

/* theory (17): ½ (p⁺ - p)² + (λ²/2) p⁺ (K p - S) at point i of a run. */
static inline double point_energy(const REAL *newer, const REAL *older, const REAL *const neighbour[FACES],
                                  double half_courant_squared, size_t i)
{
    const double p = (double)older[i], after = (double)newer[i], change = after - p;
    const double differences = ((p - (double)neighbour[0][i]) + (p - (double)neighbour[1][i])) +
                               ((p - (double)neighbour[2][i]) + (p - (double)neighbour[3][i])) +
                               ((p - (double)neighbour[4][i]) + (p - (double)neighbour[5][i]));
    return 0.5 * change * change + half_courant_squared * after * differences;
}

/* The neighbours of all points of a run, and their mass. */
struct run_corner {
    double mass, links[18];
    ptrdiff_t offset[18]; /* in the grid */
    int count;
};

static struct run_corner run_corner_of(const struct rows *rows, unsigned pattern)
{
    const ptrdiff_t row = (ptrdiff_t)rows->stride, plane = row * (ptrdiff_t)rows->ny;
    const struct corner_neighbours near = corner_neighbours_of(pattern);
    struct run_corner corner = {.mass = (double)__builtin_popcount(pattern) / MASS_UNITS, .count = near.count};
    for (int i = 0; i < near.count; i++) {
        const struct corner_neighbour *n = &near.list[i];
        corner.links[i] = (double)n->links;
        corner.offset[i] = n->dx + n->dy * row + n->dz * plane;
    }
    return corner;
}

/* m ½ (p⁺ - p)² + ½ p⁺ Σ (W/4) n (p - p_j), as m λ²/m W_ij of corners.h equals W n/4. */
static double corner_energy(const REAL *newer, const REAL *older, const struct run_corner *corner)
{
    const double change = (double)*newer - (double)*older;
    double differences = 0.0;
    for (int i = 0; i < corner->count; i++)
        differences += corner->links[i] * ((double)*older - (double)older[corner->offset[i]]);
    return 0.5 * corner->mass * change * change + 0.125 * ISOTROPIC19_W * (double)*newer * differences;
}

double NAME(isotropic19_row_energy)(const struct field *f, size_t row)
{
    const struct rows *rows = &f->rows;
    struct run_corner corner = {.count = 0};
    unsigned pattern = 0; /* pattern of `corner` */
    double energy = 0.0;
    for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
        const struct run run = rows->runs[r];
        const size_t at = row * rows->stride + run.start;
        if (run.links != pattern)
            corner = run_corner_of(rows, pattern = run.links);
        for (size_t i = 0; i < run.length; i++)
            energy += corner_energy((const REAL *)f->now + at + i, (const REAL *)f->next + at + i, &corner);
    }
    return energy;
}

double NAME(row_energy)(const struct field *f, size_t row)
{
    const struct rows *rows = &f->rows;
    const double half_courant_squared = 0.5 * leapfrog_of(f->problem)->courant_squared;
    double sums[SUMS] = {0.0};
    for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
        const struct run run = rows->runs[r];
        const REAL *older = (const REAL *)f->next + row * rows->stride + run.start;
        const REAL *newer = (const REAL *)f->now + row * rows->stride + run.start;
        const REAL *neighbour[FACES];
        size_t i = 0;
        find_neighbours(neighbour, older, rows, run.links);
        for (; i + SUMS <= run.length; i += SUMS) {
#pragma omp simd
            for (size_t k = 0; k < SUMS; k++)
                sums[k] += point_energy(newer, older, neighbour, half_courant_squared, i + k);
        }
        for (; i < run.length; i++)
            sums[i % SUMS] += point_energy(newer, older, neighbour, half_courant_squared, i);
    }
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

void NAME(plain_loop)(void *u, const void *p, size_t n)
{
    REAL *restrict to = u;
    const REAL *restrict from = p;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] - to[i];
}

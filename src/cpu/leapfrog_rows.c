/* The leapfrog scheme over runs of rows: the fast kernel of the CPU engine.
 *
 * One source text for both precisions and every instruction set: the build compiles it with REAL and VARIANT set
 * (CMakeLists.txt), and kernels.c picks at run time. No contraction into fused multiply-adds: every variant then gives
 * the same bits.  */
#include <stdint.h>
#include <string.h>

#include "cpu/kernel.h"

#define JOIN(a, b) a##_##b
#define EXPAND(a, b) JOIN(a, b)
#define NAME(function) EXPAND(function, VARIANT)

void NAME(leapfrog_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(leapfrog_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);

enum { LANES = ROW_ALIGNMENT / sizeof(REAL) };

/* Two of the seven streams come from memory: p⁻, and p of the plane ahead. Asking for them this far ahead lets them
 * arrive while the others are summed: measured on Webb's grid, a step takes 1.1 times the plain loop with it and 1.4
 * times without; 1 to 4 KiB are alike. */
enum { PREFETCH_BYTES = 2048 };

/* The neighbours of a run, a missing one standing at zeros. */
struct around {
    const REAL *x_min, *x_max, *y_min, *y_max, *z_min, *z_max;
};

/* PHYSICS (1): p⁺ = (2 - λ²K) p + λ² S - p⁻, written over p⁻. */
static inline void update(REAL *restrict u, const REAL *p, struct around a, size_t first, size_t end, REAL centre,
                          REAL courant_squared)
{
    for (size_t i = first; i < end; i++)
        u[i] = (centre * p[i] + courant_squared * (((a.x_min[i] + a.x_max[i]) + (a.y_min[i] + a.y_max[i])) +
                                                   (a.z_min[i] + a.z_max[i]))) -
               u[i];
}

/* The same over whole vectors: first and end are multiples of LANES, u and p are aligned. */
static inline void update_vectors(REAL *restrict u, const REAL *p, struct around a, size_t first, size_t end,
                                  REAL centre, REAL courant_squared)
{
    u = __builtin_assume_aligned(u, ROW_ALIGNMENT);
    p = __builtin_assume_aligned(p, ROW_ALIGNMENT);
    for (size_t block = first; block < end; block += LANES) {
        __builtin_prefetch((const char *)(u + block) + PREFETCH_BYTES, 1);
        __builtin_prefetch((const char *)(a.z_max + block) + PREFETCH_BYTES, 0);
#pragma omp simd
        for (size_t i = block; i < block + LANES; i++)
            u[i] = (centre * p[i] + courant_squared * (((a.x_min[i] + a.x_max[i]) + (a.y_min[i] + a.y_max[i])) +
                                                       (a.z_min[i] + a.z_max[i]))) -
                   u[i];
    }
}

/* A long run by whole vectors: what they cover to its left and right is put back. */
static inline void update_long(REAL *restrict u, const REAL *p, struct around a, size_t start, size_t end, REAL centre,
                               REAL courant_squared)
{
    const size_t first = start & ~(size_t)(LANES - 1), last = (end - 1) & ~(size_t)(LANES - 1);
    REAL head[LANES], tail[LANES];
    memcpy(head, u + first, sizeof head);
    memcpy(tail, u + last, sizeof tail);
    update_vectors(u, p, a, first, last + LANES, centre, courant_squared);
    for (size_t i = first; i < start; i++)
        u[i] = head[i - first];
    for (size_t i = end; i < last + LANES; i++)
        u[i] = tail[i - last];
}

void NAME(leapfrog_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    const struct rows *rows = &f->rows;
    const size_t stride = rows->stride, plane = stride * rows->ny;
    const REAL courant_squared = (REAL)f->problem->as.leapfrog.courant_squared;
    const REAL *zeros = f->zeros;
    REAL centre[7], *keep = saved;
    for (int k = 0; k <= 6; k++)
        centre[k] = (REAL)2 - (REAL)k * courant_squared;

    for (size_t row = row0; row < row1; row++) {
        REAL *u = (REAL *)f->next + row * stride;
        const REAL *p = (const REAL *)f->now + row * stride;
        for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++)
            *keep++ = u[rows->wall_x[w]];
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
            const struct run run = rows->runs[r];
            const unsigned links = run.links;
            const REAL c = centre[__builtin_popcount(links)];
            const size_t start = run.start, end = start + run.length;
            const struct around a = {
                .x_min = links & 1u ? p - 1 : zeros,
                .x_max = links & 2u ? p + 1 : zeros,
                .y_min = links & 4u ? p - stride : zeros,
                .y_max = links & 8u ? p + stride : zeros,
                .z_min = links & 16u ? p - plane : zeros,
                .z_max = links & 32u ? p + plane : zeros,
            };
            if (run.length < LANES / 2)
                update(u, p, a, start, end, c, courant_squared);
            else
                update_long(u, p, a, start, end, c, courant_squared);
        }
    }
}

/* PHYSICS (3) as p⁺ = q + a/(1+a) (p⁻ - q), which does not drift. The wall takes a (p⁺ - p⁻)²/2 of energy in a step,
 * and since a (p⁺ - p⁻) = q - p⁺ that is half the product of the two changes: no division. */
void NAME(leapfrog_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed)
{
    const struct rows *rows = &f->rows;
    const REAL *keep = saved, *weights = rows->wall_weight;
    for (size_t row = row0; row < row1; row++) {
        REAL *u = (REAL *)f->next + row * rows->stride;
        const uint64_t first = rows->wall_start[row], end = rows->wall_start[row + 1];
        double taken = 0.0;
        for (uint64_t w = first; w < end; w++) {
            const REAL before = *keep++, rigid = u[rows->wall_x[w]];
            const REAL after = rigid + weights[w] * (before - rigid);
            u[rows->wall_x[w]] = after;
            taken += ((double)rigid - (double)after) * ((double)after - (double)before);
        }
        if (end > first)
            absorbed[row] += 0.5 * taken;
    }
}

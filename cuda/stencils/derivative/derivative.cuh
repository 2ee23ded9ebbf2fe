/* SPDX-License-Identifier: MIT */
/* The derivative scheme on the device, eighth order on a periodic grid: arguments and the arithmetic of one point.
 *
 * The methods are those of the posts "Finite difference methods in CUDA" (pencils in shared memory, wide pencils for y
 * and z, coefficients in constant memory), the code is not: any grid size, both precisions, 64-bit indices; and a
 * kernel without shared memory that is as fast as copying.
 *
 * Coefficients differ between solvers that are open at once, and steps are replayed from graphs: one __constant__
 * variable for all would be overwritten by the next solver. They are part of the kernel's __grid_constant__
 * parameter instead, which is constant memory too, read through the same cache, and belongs to one launch. The sum
 * has the order of the CPU's: the same bits. */
#ifndef AULA_CUDA_DERIVATIVE_CUH
#define AULA_CUDA_DERIVATIVE_CUH

#include "cuda/stencils/arrays.cuh"

extern "C" {
#include "solver/schemes/derivative/derivative.h"
}

enum { HALO = DERIVATIVE_RADIUS };

/* Arguments of a step, passed by value. */
template <typename REAL> struct derivative {
    const REAL *f;
    REAL *df;
    int64_t n[3], stride[3];
    REAL coefficient[DERIVATIVE_RADIUS]; /* divided by the spacing */
    int length; /* points along the axis of a tile, or that a thread streams through; along x: rows of a thread */
};

/* From the differences across a point, the nearest first. */
template <typename REAL>
__device__ __forceinline__ REAL weighted(const REAL (&c)[HALO], REAL d1, REAL d2, REAL d3, REAL d4)
{
    return ((c[0] * d1 + c[1] * d2) + c[2] * d3) + c[3] * d4;
}

/* The grid is periodic; i lies less than one period outside it. */
template <typename INDEX> __device__ __forceinline__ INDEX wrapped(INDEX i, INDEX n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

template <typename REAL> derivative<REAL> derivative_arguments(const struct cuda_array_grid *g, int length)
{
    const struct derivative_problem *p = derivative_of(g->problem);
    derivative<REAL> d = {
        (const REAL *)g->now[0], (REAL *)g->now[1], {g->n[0], g->n[1], g->n[2]}, {1, g->pitch, g->plane}, {}, length};
    for (int k = 0; k < DERIVATIVE_RADIUS; k++)
        d.coefficient[k] = (REAL)(derivative_coefficients[k] / p->spacing);
    return d;
}

#endif

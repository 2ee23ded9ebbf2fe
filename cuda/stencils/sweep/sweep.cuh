/* SPDX-License-Identifier: MIT */
/* The sweep scheme on the device, a weighted cross of neighbours: arguments, the 7-point stencil,
 * and the launch of a method.
 *
 * The methods, not the code, are those of the stencil chapter (basic, a tile in shared memory,
 * thread coarsening along z, register tiling). Here they support both precisions, 64-bit indices
 * and blocks that are not cubes, with one kernel for the stencils of every dimension and radius.
 * Deviations from errors in the listings of the chapter:
 *    - the tile of the second lacks __shared__, so that each thread would have a private one: here
 *      it is shared;
 *    - the last copies from `inNext_s`, which does not exist: here the next plane moves from a
 *      register to shared memory;
 *    - signed indices are compared with an unsigned size: here all are signed;
 *    - the coarsened kernels assign c3 to y + 1 and c4 to y - 1, the others the reverse: here c3
 *      always belongs to the lower neighbour.
 *
 * Points nearer to an edge than the radius keep their values: both copies contain them from put,
 * and no kernel changes them. Sums follow the order of the CPU engine, and give the same bits. */
#ifndef AULA_CUDA_SWEEP_CUH
#define AULA_CUDA_SWEEP_CUH

extern "C" {
#include "solver/schemes/sweep/sweep.h"
}
#include "cuda/ptx.cuh"
#include "cuda/stencils/arrays.cuh"

/* Arguments of a step, passed by value. */
template <typename REAL> struct sweep {
    const REAL *u;
    REAL *next;
    int64_t n[3], stride[3];
    REAL c[SWEEP_COEFFICIENTS_MAX]; /* in the order of sweep_problem */
    int chunk;                      /* planes per streaming block */
    bool reversed;                  /* begins with the last planes, which the previous step left in the cache */
};

/* The 7-point stencil. */
template <typename REAL>
__device__ __forceinline__ REAL seven(const sweep<REAL> &s, REAL u, REAL x_min, REAL x_max, REAL y_min, REAL y_max,
                                      REAL z_min, REAL z_max)
{
    REAL sum = s.c[0] * u;
    sum += s.c[1] * x_min;
    sum += s.c[2] * x_max;
    sum += s.c[3] * y_min;
    sum += s.c[4] * y_max;
    sum += s.c[5] * z_min;
    sum += s.c[6] * z_max;
    return sum;
}

template <typename REAL> using sweep_kernel = void (*)(sweep<REAL>);

struct sweep_launch {
    dim3 blocks, threads;
    size_t shared_bytes;
};

/* sweep.cu */
template <typename REAL> sweep<REAL> sweep_arguments(const struct cuda_array_grid *g);

/* NULL, or the reason why a method cannot run: a stencil other than the 3D 7-point one; too many
 * threads in a block, or in one with a thread for each of its points; more blocks or shared
 * memory than a launch allows. */
const char *sweep_refuse_stencil(const struct problem *p);
const char *sweep_refuse_threads(struct block_shape b, int64_t threads, int64_t threads_max);
const char *sweep_refuse_block(struct block_shape b);
const char *sweep_refuse_launch(const sweep_launch &launch);

/* A METHOD has
 *     static sweep_launch launch(const struct problem *p, struct block_shape block); template
 *     <typename REAL> static sweep_kernel<REAL> kernel(const struct problem *p); static
 *     constexpr bool overlaps;   its kernel waits for the step before, so that its blocks may
 *     start early */
template <typename METHOD, typename REAL> void sweep_enqueue(const struct cuda_array_grid *g)
{
    const sweep_launch how = METHOD::launch(g->problem, g->block);
    const sweep_kernel<REAL> kernel = METHOD::template kernel<REAL>(g->problem);
    if (METHOD::overlaps)
        launch_overlapping(kernel, {how.blocks, how.threads, g->stream}, sweep_arguments<REAL>(g));
    else
        kernel<<<how.blocks, how.threads, how.shared_bytes, g->stream>>>(sweep_arguments<REAL>(g));
}

template <typename METHOD> void sweep_step(const struct cuda_array_grid *g)
{
    if (g->problem->precision == PRECISION_DOUBLE)
        sweep_enqueue<METHOD, double>(g);
    else
        sweep_enqueue<METHOD, float>(g);
}

template <typename METHOD>
void sweep_figures(struct kernel_figures *f, const struct problem *p, struct block_shape block)
{
    const sweep_launch how = METHOD::launch(p, block);
    const int threads = (int)(how.threads.x * how.threads.y * how.threads.z);
    if (p->precision == PRECISION_DOUBLE)
        figures_of(f, METHOD::template kernel<double>(p), threads, how.shared_bytes);
    else
        figures_of(f, METHOD::template kernel<float>(p), threads, how.shared_bytes);
}

static inline unsigned sweep_parts(size_t whole, int part)
{
    return (unsigned)parts((int64_t)whole, part);
}

#endif

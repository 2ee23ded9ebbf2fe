/* SPDX-License-Identifier: MIT */
/* The sediment scheme on the device: its arguments, ghosts, and the arithmetic of one point, in the
 * order of solver/schemes/sediment/sediment.h, so that every kernel gives the same bits.
 *
 * A thread that computes a boundary point also writes the adjacent ghosts, so that a step needs no
 * further launch. */
#ifndef AULA_CUDA_SEDIMENT_CUH
#define AULA_CUDA_SEDIMENT_CUH

#include "cuda/stencils/arrays.cuh"

extern "C" {
#include "solver/schemes/sediment/sediment.h"
}

/* Arguments of a step. Point (x, y) of an array is at y * pitch + x; ghosts are at -1 and at nx or ny. */
struct basin {
    const double *h, *s, *alpha, *beta;
    double *h_next, *s_next;
    int nx, ny;
    int64_t pitch;
    sediment_factors f;
    const sediment_edge *edges[4]; /* along each side: x_min x_max y_min y_max */
    int rows;                      /* rows along y per streaming warp */
};

typedef void (*sediment_kernel)(basin);

/* The kernels of a method: h only; s only, or h and s if `h` is NULL, by variant (published,
 * conservative). */
struct sediment_kernels {
    sediment_kernel h, s[2];
};

/* cross.cu: from global memory, and from tiles in shared memory. streaming.cu: rows in registers. */
sediment_kernels sediment_direct(bool read_only_cache);
sediment_kernels sediment_tiled(bool halo_threads);
sediment_kernels sediment_streaming(bool fused);

enum {
    SEDIMENT_STREAMING_COLUMNS = 60,  /* written by a warp */
    SEDIMENT_STREAMING_THREADS = 256, /* per block, at most */
};

/* sediment.cu: the ghosts' coefficients, [2 (nx + ny)], side by side in the order of
 * basin.edges; and open, close and prepare of struct cuda_array_kernel. */
const sediment_edge *sediment_edges(const struct cuda_array_grid *g);
int sediment_open_edges(void **extra, const struct cuda_array_grid *g, struct error *e);
void sediment_close_edges(void *extra);
void sediment_fill_ghosts(const struct cuda_array_grid *g);

/* --- ghosts --- */

__device__ __forceinline__ double ghost_h(const sediment_edge &edge, double h)
{
    return h + edge.rise;
}

__device__ __forceinline__ double ghost_s(const sediment_edge &edge, double s)
{
    return edge.twice + edge.sign * s;
}

template <bool SAND> __device__ __forceinline__ double ghost(const sediment_edge &edge, double value)
{
    return SAND ? ghost_s(edge, value) : ghost_h(edge, value);
}

/* The ghosts next to a point; most points have none. */
template <bool SAND>
__device__ __forceinline__ void store_ghosts(const basin &b, double *next, int x, int y, double value)
{
    double *at = next + y * b.pitch + x;
    if (x == 0)
        at[-1] = ghost<SAND>(b.edges[0][y], value);
    if (x == b.nx - 1)
        at[1] = ghost<SAND>(b.edges[1][y], value);
    if (y == 0)
        at[-b.pitch] = ghost<SAND>(b.edges[2][x], value);
    if (y == b.ny - 1)
        at[b.pitch] = ghost<SAND>(b.edges[3][x], value);
}

template <bool SAND> __device__ __forceinline__ void store(const basin &b, double *next, int x, int y, double value)
{
    next[y * b.pitch + x] = value;
    store_ghosts<SAND>(b, next, x, y, value);
}

/* --- arithmetic of one point --- */

__device__ __forceinline__ double mobility(const basin &b, double sand, double mud)
{
    return b.f.sand * sand + b.f.mud * mud;
}

__device__ __forceinline__ double flux(double lower, double upper, double h_lower, double h_upper)
{
    return (lower + upper) * (h_upper - h_lower);
}

__device__ __forceinline__ double upwind(double lower, double here, double upper, double rise)
{
    return (rise < 0.0 ? here - lower : upper - here) * rise;
}

__device__ __forceinline__ double next_h(const basin &b, double h, double along_x, double along_y)
{
    return h + (b.f.h[0] * along_x + b.f.h[1] * along_y);
}

__device__ __forceinline__ double next_s(const basin &b, double s, double along_x, double along_y, double gain)
{
    return (b.f.layer * s + (b.f.s[0] * along_x + b.f.s[1] * along_y)) / (b.f.layer + gain);
}

#endif

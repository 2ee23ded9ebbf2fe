/* SPDX-License-Identifier: MIT */
/* Sediment from a point and its four neighbours: the kernels with one thread per point. */
#include "cuda/stencils/sediment/sediment.cuh"

/* A point and its four neighbours. */
struct cross {
    double here, x_min, x_max, y_min, y_max;
};

template <bool READ_ONLY> __device__ __forceinline__ double fetch(const double *p)
{
    return READ_ONLY ? __ldg(p) : *p;
}

template <bool READ_ONLY> __device__ __forceinline__ cross fetch_cross(const double *p, int64_t pitch)
{
    return {fetch<READ_ONLY>(p), fetch<READ_ONLY>(p - 1), fetch<READ_ONLY>(p + 1), fetch<READ_ONLY>(p - pitch),
            fetch<READ_ONLY>(p + pitch)};
}

__device__ __forceinline__ double flux_difference_x(const cross &m, const cross &h)
{
    return flux(m.here, m.x_max, h.here, h.x_max) - flux(m.x_min, m.here, h.x_min, h.here);
}

__device__ __forceinline__ double flux_difference_y(const cross &m, const cross &h)
{
    return flux(m.here, m.y_max, h.here, h.y_max) - flux(m.y_min, m.here, h.y_min, h.here);
}

__device__ __forceinline__ double h_at_cross(const basin &b, const cross &mobility, const cross &h)
{
    return next_h(b, h.here, flux_difference_x(mobility, h), flux_difference_y(mobility, h));
}

/* From the products alpha s and the heights that the variant uses: `h` is h in the conservative
 * variant, else h+. */
template <bool CONSERVATIVE>
__device__ __forceinline__ double s_at_cross(const basin &b, const cross &sand, const cross &h, double s, double gain)
{
    if (CONSERVATIVE)
        return next_s(b, s, flux_difference_x(sand, h), flux_difference_y(sand, h), gain);
    return next_s(b, s, upwind(sand.x_min, sand.here, sand.x_max, h.x_max - h.x_min),
                  upwind(sand.y_min, sand.here, sand.y_max, h.y_max - h.y_min), gain);
}

/* s+ of a point from the products alpha s: the second half of an s kernel. */
template <bool CONSERVATIVE, bool READ_ONLY>
__device__ __forceinline__ void finish_s(const basin &b, int x, int y, const cross &sand, double s)
{
    const int64_t at = y * b.pitch + x;
    if (CONSERVATIVE) {
        const cross h = fetch_cross<READ_ONLY>(b.h + at, b.pitch);
        store<true>(b, b.s_next, x, y, s_at_cross<true>(b, sand, h, s, fetch<READ_ONLY>(b.h_next + at) - h.here));
    } else {
        const cross h = fetch_cross<READ_ONLY>(b.h_next + at, b.pitch);
        store<true>(b, b.s_next, x, y, s_at_cross<false>(b, sand, h, s, h.here - fetch<READ_ONLY>(b.h + at)));
    }
}

/* --- baseline and OPT-1: every operand from global memory; OPT-1 through the read-only cache --- */

namespace
{

template <bool READ_ONLY> __global__ void direct_h(const basin b)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= b.nx || y >= b.ny)
        return;
    const int64_t at = y * b.pitch + x;
    const cross h = fetch_cross<READ_ONLY>(b.h + at, b.pitch), s = fetch_cross<READ_ONLY>(b.s + at, b.pitch);
    const cross alpha = fetch_cross<READ_ONLY>(b.alpha + at, b.pitch),
                beta = fetch_cross<READ_ONLY>(b.beta + at, b.pitch);
    const cross m = {mobility(b, alpha.here * s.here, beta.here * (1.0 - s.here)),
                     mobility(b, alpha.x_min * s.x_min, beta.x_min * (1.0 - s.x_min)),
                     mobility(b, alpha.x_max * s.x_max, beta.x_max * (1.0 - s.x_max)),
                     mobility(b, alpha.y_min * s.y_min, beta.y_min * (1.0 - s.y_min)),
                     mobility(b, alpha.y_max * s.y_max, beta.y_max * (1.0 - s.y_max))};
    store<false>(b, b.h_next, x, y, h_at_cross(b, m, h));
}

template <bool CONSERVATIVE, bool READ_ONLY> __global__ void direct_s(const basin b)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= b.nx || y >= b.ny)
        return;
    const int64_t at = y * b.pitch + x;
    const cross s = fetch_cross<READ_ONLY>(b.s + at, b.pitch), alpha = fetch_cross<READ_ONLY>(b.alpha + at, b.pitch);
    const cross sand = {alpha.here * s.here, alpha.x_min * s.x_min, alpha.x_max * s.x_max, alpha.y_min * s.y_min,
                        alpha.y_max * s.y_max};
    finish_s<CONSERVATIVE, READ_ONLY>(b, x, y, sand, s.here);
}

} // namespace

sediment_kernels sediment_direct(bool read_only_cache)
{
    return read_only_cache ? sediment_kernels{direct_h<true>, {direct_s<false, true>, direct_s<true, true>}}
                           : sediment_kernels{direct_h<false>, {direct_s<false, false>, direct_s<true, false>}};
}

/* --- OPT-2 and OPT-3 --- */

/* alpha s, and for h also beta (1 - s), computed once for each point of a tile with a halo of one
 * point, in shared memory.
 *
 * OPT-2 has a thread for each point, and those at the edges of the block also load the halo. OPT-3
 * has additional threads for the halo; after the barrier its first threads take the points, row by
 * row, so that the computing warps are full. */
namespace
{

struct tile {
    double *sand, *mud; /* mud: NULL in the s kernels */
    int width;
    int x0, y0; /* of its first point, without the halo */
};

template <bool HALO, bool MUD> __device__ __forceinline__ tile make_tile()
{
    extern __shared__ __align__(16) double memory[];
    const int halo = HALO ? 2 : 0, width = (int)blockDim.x - halo + 2, height = (int)blockDim.y - halo + 2;
    return {memory, MUD ? memory + width * height : nullptr, width, (int)blockIdx.x * (width - 2),
            (int)blockIdx.y * (height - 2)};
}

/* Point (x, y) relative to the first point of the tile; the halo is at -1. Nothing beyond the
 * ghosts is loaded. */
template <bool MUD> __device__ __forceinline__ void load_tile(const basin &b, const tile &t, int x, int y)
{
    if (t.x0 + x > b.nx || t.y0 + y > b.ny)
        return;
    const int64_t at = (t.y0 + y) * b.pitch + t.x0 + x;
    const int to = (y + 1) * t.width + x + 1;
    const double s = __ldg(b.s + at);
    t.sand[to] = __ldg(b.alpha + at) * s;
    if (MUD)
        t.mud[to] = __ldg(b.beta + at) * (1.0 - s);
}

/* Fills the tile; returns the point that this thread computes. */
template <bool HALO, bool MUD> __device__ __forceinline__ int2 fill_tile(const basin &b, const tile &t)
{
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, width = (int)blockDim.x, height = (int)blockDim.y;
    if (HALO) {
        const int thread = y * width + x;
        load_tile<MUD>(b, t, x - 1, y - 1);
        __syncthreads();
        return make_int2(thread % (width - 2), thread / (width - 2));
    }
    load_tile<MUD>(b, t, x, y);
    if (x == 0)
        load_tile<MUD>(b, t, -1, y);
    if (x == width - 1)
        load_tile<MUD>(b, t, width, y);
    if (y == 0)
        load_tile<MUD>(b, t, x, -1);
    if (y == height - 1)
        load_tile<MUD>(b, t, x, height);
    __syncthreads();
    return make_int2(x, y);
}

__device__ __forceinline__ cross cross_of(const double *p, int width)
{
    return {p[0], p[-1], p[1], p[-width], p[width]};
}

/* In a partial tile, only points of the grid have all their neighbours loaded. */
template <bool HALO> __device__ __forceinline__ bool computes(const basin &b, const tile &t, int2 point)
{
    return point.y < (int)blockDim.y - (HALO ? 2 : 0) && t.x0 + point.x < b.nx && t.y0 + point.y < b.ny;
}

template <bool HALO> __global__ void shared_h(const basin b)
{
    const tile t = make_tile<HALO, true>();
    const int2 point = fill_tile<HALO, true>(b, t);
    if (!computes<HALO>(b, t, point))
        return;
    const int x = t.x0 + point.x, y = t.y0 + point.y, in_tile = (point.y + 1) * t.width + point.x + 1;
    const cross h = fetch_cross<true>(b.h + y * b.pitch + x, b.pitch);
    const cross sand = cross_of(t.sand + in_tile, t.width), mud = cross_of(t.mud + in_tile, t.width);
    const cross m = {mobility(b, sand.here, mud.here), mobility(b, sand.x_min, mud.x_min),
                     mobility(b, sand.x_max, mud.x_max), mobility(b, sand.y_min, mud.y_min),
                     mobility(b, sand.y_max, mud.y_max)};
    store<false>(b, b.h_next, x, y, h_at_cross(b, m, h));
}

template <bool CONSERVATIVE, bool HALO> __global__ void shared_s(const basin b)
{
    const tile t = make_tile<HALO, false>();
    const int2 point = fill_tile<HALO, false>(b, t);
    if (!computes<HALO>(b, t, point))
        return;
    const int x = t.x0 + point.x, y = t.y0 + point.y, in_tile = (point.y + 1) * t.width + point.x + 1;
    finish_s<CONSERVATIVE, true>(b, x, y, cross_of(t.sand + in_tile, t.width), __ldg(b.s + y * b.pitch + x));
}

} // namespace

sediment_kernels sediment_tiled(bool halo_threads)
{
    return halo_threads ? sediment_kernels{shared_h<true>, {shared_s<false, true>, shared_s<true, true>}}
                        : sediment_kernels{shared_h<false>, {shared_s<false, false>, shared_s<true, false>}};
}

/* SPDX-License-Identifier: MIT */
/* Sediment from a point and its four neighbours: shared by the kernels that have a thread for each point. */
#ifndef AULA_CUDA_SEDIMENT_CROSS_CUH
#define AULA_CUDA_SEDIMENT_CROSS_CUH

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

/* From the products alpha s and the heights that the variant takes: `h` is h when conservative, else h+. */
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

#endif

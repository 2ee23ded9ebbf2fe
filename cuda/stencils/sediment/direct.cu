/* SPDX-License-Identifier: MIT */
/* Sediment, baseline and OPT-1: one thread a point, every operand from global memory; OPT-1 through the read-only
 * cache. */
#include "cuda/stencils/sediment/cross.cuh"

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

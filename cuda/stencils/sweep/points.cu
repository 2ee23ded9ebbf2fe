/* SPDX-License-Identifier: MIT */
/* Sweep, "basic" and "general": one thread a point, straight from global memory; basic is the 3D 7-point stencil
 * alone. */
#include "cuda/stencils/sweep/sweep.cuh"

#include <algorithm>

namespace
{

/* The loops are for grids with more rows or planes than a launch has blocks. Mostly they are taken once, and
 * unrolling would cost registers. */
template <typename REAL, int DIMENSIONS, int RADIUS>
__global__ void __launch_bounds__(BLOCK_THREADS_MAX) sweep_points(const __grid_constant__ sweep<REAL> s)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (x < RADIUS || x >= s.n[0] - RADIUS)
        return;
#pragma unroll 1
    for (int64_t z = (int64_t)blockIdx.z * blockDim.z + threadIdx.z; z < s.n[2]; z += (int64_t)gridDim.z * blockDim.z)
#pragma unroll 1
        for (int64_t y = (int64_t)blockIdx.y * blockDim.y + threadIdx.y; y < s.n[1];
             y += (int64_t)gridDim.y * blockDim.y) {
            if ((DIMENSIONS > 1 && (y < RADIUS || y >= s.n[1] - RADIUS)) ||
                (DIMENSIONS > 2 && (z < RADIUS || z >= s.n[2] - RADIUS)))
                continue;
            const int64_t point = z * s.stride[2] + y * s.stride[1] + x;
            const REAL *u = s.u + point;
            REAL sum = s.c[0] * *u;
#pragma unroll
            for (int distance = 1; distance <= RADIUS; distance++)
#pragma unroll
                for (int axis = 0; axis < DIMENSIONS; axis++) {
                    const int c = 1 + 2 * (axis + DIMENSIONS * (distance - 1));
                    sum += s.c[c] * u[-distance * s.stride[axis]];
                    sum += s.c[c + 1] * u[distance * s.stride[axis]];
                }
            s.next[point] = sum;
        }
}

unsigned launch_blocks(int64_t blocks)
{
    return (unsigned)std::min(blocks, (int64_t)LAUNCH_BLOCKS_MAX);
}

/* A block is of threads, (x, y, z); a launch has as many blocks as it can. */
struct points_method {
    static constexpr bool overlaps = false;

    static sweep_launch launch(const struct problem *p, struct block_shape b)
    {
        const size_t *n = p->points;
        return {dim3(sweep_parts(n[0], b.x), launch_blocks(parts((int64_t)n[1], b.y)),
                     launch_blocks(parts((int64_t)n[2], b.z))),
                dim3((unsigned)b.x, (unsigned)b.y, (unsigned)b.z), 0};
    }

    template <typename REAL> static sweep_kernel<REAL> kernel(const struct problem *p)
    {
        const struct sweep_problem &s = *sweep_of(p);
        switch (s.dimensions) {
        case 1:
            return s.radius == 1   ? sweep_points<REAL, 1, 1>
                   : s.radius == 2 ? sweep_points<REAL, 1, 2>
                                   : sweep_points<REAL, 1, 3>;
        case 2:
            return s.radius == 1 ? sweep_points<REAL, 2, 1> : sweep_points<REAL, 2, 2>;
        default:
            return s.radius == 1 ? sweep_points<REAL, 3, 1> : sweep_points<REAL, 3, 2>;
        }
    }
};

const char *any_stencil(const struct problem *, struct block_shape b)
{
    return sweep_refuse_block(b);
}

const char *can_do_basic(const struct problem *p, struct block_shape b)
{
    const char *reason = sweep_refuse_stencil(p);
    return reason ? reason : sweep_refuse_block(b);
}

} // namespace

extern const struct cuda_array_kernel sweep_basic = {
    "basic",
    &sweep_scheme,
    {8, 8, 8}, /* published */
    {{8, 8, 8}, {32, 4, 2}, {32, 8, 1}, {32, 4, 4}, {32, 2, 4}, {64, 4, 1}, {64, 2, 2}, {128, 2, 1}},
    can_do_basic,
    sweep_step<points_method>,
    sweep_figures<points_method>};

extern const struct cuda_array_kernel sweep_general = {
    "general",
    &sweep_scheme,
    {128, 1, 1},
    {{128, 1, 1}, {256, 1, 1}, {32, 4, 1}, {32, 8, 1}, {32, 4, 2}, {64, 4, 1}, {64, 2, 2}, {8, 8, 8}},
    any_stencil,
    sweep_step<points_method>,
    sweep_figures<points_method>};

/* SPDX-License-Identifier: MIT */
/* The corners of voxels on the device: solver/schemes/leapfrog/corners.h in terms of the data of
 * a thread. */
#ifndef AULA_CUDA_CORNERS_CUH
#define AULA_CUDA_CORNERS_CUH

extern "C" {
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/rows.h"
}
#include "cuda/grid/view.cuh"

/* Pattern of a regular point that touches these missing faces (a state of grid/layout.h). */
__host__ __device__ __forceinline__ unsigned pattern_of_state(unsigned state)
{
    const unsigned x = (state & 1u ? 0xaau : 0xffu) & (state & 2u ? 0x55u : 0xffu);
    const unsigned y = (state & 4u ? 0xccu : 0xffu) & (state & 8u ? 0x33u : 0xffu);
    const unsigned z = (state & 16u ? 0xf0u : 0xffu) & (state & 32u ? 0x0fu : 0xffu);
    return x & y & z;
}

/* Pattern of a kind of points of the 19-point stencil. */
template <typename REAL> __device__ __forceinline__ unsigned pattern_of(const coefficients<REAL> &c)
{
    return (unsigned)c.centre;
}

/* Number of voxels on the sides of a point that also contain its neighbour at dx, dy, dz = -1,
 * 0, 1. */
__host__ __device__ __forceinline__ constexpr unsigned voxels_towards(int dx, int dy, int dz)
{
    return (dx < 0   ? 0x55u
            : dx > 0 ? 0xaau
                     : 0xffu) &
           (dy < 0   ? 0x33u
            : dy > 0 ? 0xccu
                     : 0xffu) &
           (dz < 0   ? 0x0fu
            : dz > 0 ? 0xf0u
                     : 0xffu);
}

/* Whether it is one of the six neighbours along the axes or of the twelve along face diagonals. */
__host__ __device__ __forceinline__ constexpr bool is_neighbour(int dx, int dy, int dz)
{
    return (dx != 0) + (dy != 0) + (dz != 0) == 1 || (dx != 0) + (dy != 0) + (dz != 0) == 2;
}

template <typename REAL> struct isotropic19_factors {
    static constexpr REAL half_w = REAL(0.5 * ISOTROPIC19_W);        /* for 2 S6 + S12 */
    static constexpr REAL centre = REAL(2.0 - 12.0 * ISOTROPIC19_W); /* both are exact */
};

/* 2 a + b: the product is exact. */
__device__ __forceinline__ float twice_plus(float a, float b)
{
    return __fmaf_rn(2.0f, a, b);
}

__device__ __forceinline__ double twice_plus(double a, double b)
{
    return __fma_rn(2.0, a, b);
}

/* h S + C p - p⁻, S = 2 S6 + S12. */
template <typename REAL> __device__ __forceinline__ REAL mirrored_value(REAL sum, REAL p, REAL before)
{
    return (isotropic19_factors<REAL>::half_w * sum + isotropic19_factors<REAL>::centre * p) - before;
}

/* Within a plane: the sum of the four neighbours along the axes, and of the four along the
 * diagonals. */
template <typename REAL> struct plane_sums {
    REAL axes, diagonals;
};

/* Offsets of the lower and the upper neighbour along an axis; a missing side is replaced by the
 * other one. */
template <typename OFFSET> struct mirrored_offsets {
    OFFSET lower, upper;
};

/* lower_voxels: voxels on the lower side along the axis. */
template <typename OFFSET>
__device__ __forceinline__ mirrored_offsets<OFFSET> mirrored(unsigned pattern, unsigned lower_voxels, OFFSET stride)
{
    return {pattern & lower_voxels ? -stride : stride, pattern & ~lower_voxels ? stride : -stride};
}

template <typename REAL, typename OFFSET>
__device__ __forceinline__ plane_sums<REAL> sum_plane(const REAL *p, mirrored_offsets<OFFSET> x,
                                                      mirrored_offsets<OFFSET> y)
{
    const REAL *below = p + y.lower, *above = p + y.upper;
    return {(p[x.lower] + p[x.upper]) + (*below + *above),
            (below[x.lower] + below[x.upper]) + (above[x.lower] + above[x.upper])};
}

/* p⁺ without its wall of a point whose air voxels fill whole sides, point by point. OFFSET must
 * be large enough for three planes: as wide as an address, or 32 bits in shared memory. */
template <typename REAL, typename OFFSET>
__device__ __forceinline__ REAL mirrored_update(const REAL *p, REAL before, unsigned pattern, int pitch, OFFSET plane)
{
    const mirrored_offsets<OFFSET> x = mirrored(pattern, 0x55u, OFFSET(1)), y = mirrored(pattern, 0x33u, OFFSET(pitch)),
                                   z = mirrored(pattern, 0x0fu, plane);
    const plane_sums<REAL> here = sum_plane(p, x, y);
    const REAL below = twice_plus(p[z.lower], sum_plane(p + z.lower, x, y).axes);
    const REAL above = twice_plus(p[z.upper], sum_plane(p + z.upper, x, y).axes);
    return mirrored_value((below + above) + twice_plus(here.axes, here.diagonals), *p, before);
}

/* g = 2 W/M of a pattern that does not mirror, which has M = 2 .. 7 air voxels. */
template <typename REAL> __device__ __forceinline__ REAL link_factor(unsigned pattern)
{
    const int voxels = __popc(pattern);
    REAL g = REAL(2.0 * ISOTROPIC19_W / 2);
    g = voxels == 3 ? REAL(2.0 * ISOTROPIC19_W / 3) : g;
    g = voxels == 4 ? REAL(2.0 * ISOTROPIC19_W / 4) : g;
    g = voxels == 5 ? REAL(2.0 * ISOTROPIC19_W / 5) : g;
    g = voxels == 6 ? REAL(2.0 * ISOTROPIC19_W / 6) : g;
    return voxels == 7 ? REAL(2.0 * ISOTROPIC19_W / 7) : g;
}

/* The same for any other pattern: p + ((p - p⁻) + g Σ n (p_j - p)), neighbours in canonical
 * order. */
template <typename REAL, typename OFFSET>
__device__ __forceinline__ REAL assembled_update(const REAL *p, REAL before, unsigned pattern, int pitch, OFFSET plane)
{
    const REAL here = *p;
    REAL sum = 0;
#pragma unroll
    for (int dz = -1; dz <= 1; dz++)
#pragma unroll
        for (int dy = -1; dy <= 1; dy++)
#pragma unroll
            for (int dx = -1; dx <= 1; dx++) {
                const int links = is_neighbour(dx, dy, dz) ? __popc(pattern & voxels_towards(dx, dy, dz)) : 0;
                if (links)
                    sum += (REAL)links * (p[dx + dy * OFFSET(pitch) + dz * plane] - here);
            }
    return here + ((here - before) + link_factor<REAL>(pattern) * sum);
}

/* Whether the air voxels fill whole sides of the point. */
__device__ __forceinline__ bool pattern_mirrors(unsigned pattern)
{
    const int x = (pattern & 0x55u ? 1 : 0) + (pattern & 0xaau ? 1 : 0);
    const int y = (pattern & 0x33u ? 1 : 0) + (pattern & 0xccu ? 1 : 0);
    const int z = (pattern & 0x0fu ? 1 : 0) + (pattern & 0xf0u ? 1 : 0);
    return __popc(pattern) == x * y * z;
}

#endif

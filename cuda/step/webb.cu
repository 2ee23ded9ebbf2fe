/* SPDX-License-Identifier: MIT */
/* The six kernels of C. J. Webb, "Computing virtual acoustics using the 3D finite difference time
 * domain method and Kepler architecture GPUs" (2013), for a box whose outermost layer is fixed (p =
 * 0).
 *
 * The methods, not the code, are those of the paper: here with coefficients for any Courant number,
 * 64-bit indices, and tiles that need not divide the grid. The paper's slicing kernels call
 * __syncthreads() inside the branch that only inner threads take, which is undefined when a block
 * straddles the halo; here every thread of a block reaches every barrier. */
#include "cuda/step/one_step.cuh"
#include "solver/schemes/leapfrog/leapfrog.h"

namespace
{

template <bool READ_ONLY, typename REAL> __device__ __forceinline__ REAL fetch(const REAL *p)
{
    return READ_ONLY ? __ldg(p) : *p;
}

template <typename REAL> struct place {
    int x, y;
    bool in_grid, inner; /* has a point; the point is not in the fixed layer along x and y */
    int64_t column;      /* index of the point in plane 0 */
};

template <typename REAL> __device__ __forceinline__ place<REAL> find_place(const step<REAL> &s)
{
    place<REAL> p;
    p.x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    p.y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    p.in_grid = p.x < s.nx && p.y < s.ny;
    p.inner = p.x > 0 && p.x < s.nx - 1 && p.y > 0 && p.y < s.ny - 1;
    p.column = (int64_t)p.y * s.pitch + p.x;
    return p;
}

/* (2 - 6λ²) p + λ² S - p⁻, in the same order as all other kernels. */
template <typename REAL>
__device__ __forceinline__ REAL update(const step<REAL> &s, REAL p, REAL x_min, REAL x_max, REAL y_min, REAL y_max,
                                       REAL z_min, REAL z_max, REAL old)
{
    const REAL centre = REAL(2) - REAL(6) * s.side;
    return (centre * p + s.side * (((x_min + x_max) + (y_min + y_max)) + (z_min + z_max))) - old;
}

/* One thread per point, all values from global memory. */
template <typename REAL, bool RO> __global__ void tiling_3d(const step<REAL> s)
{
    const place<REAL> at = find_place(s);
    const int z = (int)(blockIdx.z * blockDim.z + threadIdx.z) + 1;
    if (!at.inner || z >= s.nz - 1)
        return;
    const REAL *p = s.now + at.column + z * s.plane;
    REAL *u = s.next + at.column + z * s.plane;
    *u = update(s, fetch<RO>(p), fetch<RO>(p - 1), fetch<RO>(p + 1), fetch<RO>(p - s.pitch), fetch<RO>(p + s.pitch),
                fetch<RO>(p - s.plane), fetch<RO>(p + s.plane), *u);
}

/* The tile of the block in shared memory; neighbours beyond its edges are read from global
 * memory. */
template <typename REAL> struct tile {
    REAL *values;
    int width;
    __device__ __forceinline__ REAL &operator()(int x, int y) const
    {
        return values[y * width + x];
    }
};

template <typename REAL> __device__ __forceinline__ tile<REAL> shared_tile(int border)
{
    extern __shared__ __align__(16) unsigned char raw[];
    return {reinterpret_cast<REAL *>(raw), (int)blockDim.x + 2 * border};
}

template <typename REAL, bool RO>
__device__ __forceinline__ REAL from_tile(const step<REAL> &s, const tile<REAL> &t, const REAL *p, REAL z_min,
                                          REAL z_max, REAL old)
{
    const int x = (int)threadIdx.x, y = (int)threadIdx.y;
    const REAL x_min = x > 0 ? t(x - 1, y) : fetch<RO>(p - 1);
    const REAL x_max = x + 1 < (int)blockDim.x ? t(x + 1, y) : fetch<RO>(p + 1);
    const REAL y_min = y > 0 ? t(x, y - 1) : fetch<RO>(p - s.pitch);
    const REAL y_max = y + 1 < (int)blockDim.y ? t(x, y + 1) : fetch<RO>(p + s.pitch);
    return update(s, t(x, y), x_min, x_max, y_min, y_max, z_min, z_max, old);
}

/* The extended tile includes the neighbours beyond its edges. */
template <typename REAL, bool RO>
__device__ __forceinline__ void fill_extended(const step<REAL> &s, const tile<REAL> &t, const place<REAL> &at,
                                              const REAL *p, REAL value)
{
    const int x = (int)threadIdx.x + 1, y = (int)threadIdx.y + 1;
    if (!at.in_grid)
        return;
    t(x, y) = value;
    if (y == 1 && at.y > 0)
        t(x, 0) = fetch<RO>(p - s.pitch);
    if (y == (int)blockDim.y && at.y < s.ny - 1)
        t(x, y + 1) = fetch<RO>(p + s.pitch);
    if (x == 1 && at.x > 0)
        t(0, y) = fetch<RO>(p - 1);
    if (x == (int)blockDim.x && at.x < s.nx - 1)
        t(x + 1, y) = fetch<RO>(p + 1);
}

template <typename REAL>
__device__ __forceinline__ REAL from_extended(const step<REAL> &s, const tile<REAL> &t, REAL z_min, REAL z_max,
                                              REAL old)
{
    const int x = (int)threadIdx.x + 1, y = (int)threadIdx.y + 1;
    return update(s, t(x, y), t(x - 1, y), t(x + 1, y), t(x, y - 1), t(x, y + 1), z_min, z_max, old);
}

template <typename REAL, bool RO> __global__ void tiling_3d_shared(const step<REAL> s)
{
    const place<REAL> at = find_place(s);
    const int64_t index = at.column + (int64_t)(blockIdx.z + 1) * s.plane;
    const tile<REAL> t = shared_tile<REAL>(0);
    if (at.in_grid)
        t((int)threadIdx.x, (int)threadIdx.y) = fetch<RO>(s.now + index);
    __syncthreads();
    if (!at.inner || (int)blockIdx.z + 1 >= s.nz - 1)
        return;
    const REAL *p = s.now + index;
    s.next[index] = from_tile<REAL, RO>(s, t, p, fetch<RO>(p - s.plane), fetch<RO>(p + s.plane), s.next[index]);
}

template <typename REAL, bool RO> __global__ void tiling_3d_extended(const step<REAL> s)
{
    const place<REAL> at = find_place(s);
    const int64_t index = at.column + (int64_t)(blockIdx.z + 1) * s.plane;
    const tile<REAL> t = shared_tile<REAL>(1);
    const REAL *p = s.now + index;
    fill_extended<REAL, RO>(s, t, at, p, at.in_grid ? fetch<RO>(p) : REAL(0));
    __syncthreads();
    if (!at.inner || (int)blockIdx.z + 1 >= s.nz - 1)
        return;
    s.next[index] = from_extended<REAL>(s, t, fetch<RO>(p - s.plane), fetch<RO>(p + s.plane), s.next[index]);
}

/* The planes that a block streams through: 1 .. nz - 2, divided into parts of s.chunk unless
 * that is 0. */
template <typename REAL> __device__ __forceinline__ int2 planes(const step<REAL> &s)
{
    if (s.chunk == 0)
        return make_int2(1, s.nz - 1);
    const int first = 1 + (int)blockIdx.z * s.chunk;
    return make_int2(first, min(first + s.chunk, s.nz - 1));
}

template <typename REAL, bool RO> __global__ void slicing_2d(const step<REAL> s)
{
    const place<REAL> at = find_place(s);
    const int2 range = planes(s);
    if (!at.inner)
        return;
    for (int z = range.x; z < range.y; z++) {
        const REAL *p = s.now + at.column + z * s.plane;
        REAL *u = s.next + at.column + z * s.plane;
        *u = update(s, fetch<RO>(p), fetch<RO>(p - 1), fetch<RO>(p + 1), fetch<RO>(p - s.pitch), fetch<RO>(p + s.pitch),
                    fetch<RO>(p - s.plane), fetch<RO>(p + s.plane), *u);
    }
}

/* EXTENDED: the tile includes the neighbours beyond its edges. Two planes are kept in registers,
 * so that each value of p is read once. */
template <typename REAL, bool RO, bool EXTENDED> __global__ void slicing_2d_shared(const step<REAL> s)
{
    const place<REAL> at = find_place(s);
    const int2 range = planes(s);
    const tile<REAL> t = shared_tile<REAL>(EXTENDED ? 1 : 0);
    REAL below = REAL(0), here = REAL(0), above = REAL(0);
    if (at.in_grid && range.x < range.y) {
        below = fetch<RO>(s.now + at.column + (range.x - 1) * s.plane);
        here = fetch<RO>(s.now + at.column + range.x * s.plane);
    }
    for (int z = range.x; z < range.y; z++) {
        const REAL *p = s.now + at.column + z * s.plane;
        REAL *u = s.next + at.column + z * s.plane;
        if (at.in_grid)
            above = fetch<RO>(p + s.plane);
        if (EXTENDED)
            fill_extended<REAL, RO>(s, t, at, p, here);
        else if (at.in_grid)
            t((int)threadIdx.x, (int)threadIdx.y) = here;
        __syncthreads();
        if (at.inner)
            *u =
                EXTENDED ? from_extended<REAL>(s, t, below, above, *u) : from_tile<REAL, RO>(s, t, p, below, above, *u);
        below = here;
        here = above;
        __syncthreads(); /* all reads of the tile precede its next write; every thread reaches this barrier */
    }
}

const char *fixed_box(const struct problem *p, const struct layout *l)
{
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] < 3 || l->from[axis] != 1 || l->to[axis] + 1 != p->points[axis])
            return "Webb's kernels support only a box with fixed walls (pressure zero in the outermost layer)";
    if (leapfrog_of(p)->viscosity > 0.0)
        return "Webb's kernels support lossless air only";
    return l->irregular_count ? "Webb's kernels support an empty box only, and this room has objects" : nullptr;
}

enum method { TILING, TILING_SHARED, TILING_EXTENDED, SLICING, SLICING_SHARED, SLICING_EXTENDED };

template <typename REAL, enum method METHOD, int VARIANT>
void launch(const struct step<REAL> *given, struct block_shape block, cudaStream_t stream)
{
    step<REAL> s = *given;
    constexpr bool RO = (VARIANT & WEBB_READ_ONLY) != 0, prefer_l1 = (VARIANT & WEBB_PREFER_L1) != 0;
    const bool slices = METHOD >= SLICING;
    const bool extended = METHOD == TILING_EXTENDED || METHOD == SLICING_EXTENDED;
    const bool shared = extended || METHOD == TILING_SHARED || METHOD == SLICING_SHARED;
    const int border = extended ? 2 : 0;
    s.chunk = slices ? block.z : 0;
    dim3 threads((unsigned)block.x, (unsigned)block.y, METHOD == TILING ? (unsigned)block.z : 1u);
    dim3 blocks((unsigned)((s.nx + block.x - 1) / block.x), (unsigned)((s.ny + block.y - 1) / block.y), 1u);
    if (METHOD == TILING)
        blocks.z = (unsigned)((s.nz - 2 + block.z - 1) / block.z);
    else if (!slices)
        blocks.z = (unsigned)(s.nz - 2);
    else if (block.z > 0)
        blocks.z = (unsigned)((s.nz - 2 + block.z - 1) / block.z);
    const size_t bytes = shared ? sizeof(REAL) * (size_t)(block.x + border) * (size_t)(block.y + border) : 0;
    void (*kernel)(step<REAL>) = METHOD == TILING            ? tiling_3d<REAL, RO>
                                 : METHOD == TILING_SHARED   ? tiling_3d_shared<REAL, RO>
                                 : METHOD == TILING_EXTENDED ? tiling_3d_extended<REAL, RO>
                                 : METHOD == SLICING         ? slicing_2d<REAL, RO>
                                 : METHOD == SLICING_SHARED  ? slicing_2d_shared<REAL, RO, false>
                                                             : slicing_2d_shared<REAL, RO, true>;
    /* errors remain for the engine's cudaGetLastError after the launch */
    cudaFuncSetCacheConfig(kernel, prefer_l1 ? cudaFuncCachePreferL1 : cudaFuncCachePreferNone);
    kernel<<<blocks, threads, bytes, stream>>>(s);
}

} // namespace

#define WEBB_VARIANT(identifier, name, method, x, y, z, streams, variant)                                              \
    extern const struct step_kernel identifier = {SINGLE_STEPS(name, ONLY_7_POINT),                                    \
                                                  {x, y, z},                                                           \
                                                  streams,                                                             \
                                                  false,                                                               \
                                                  {1, 1},                                                              \
                                                  fixed_box,                                                           \
                                                  launch<float, method, variant>,                                      \
                                                  launch<double, method, variant>};
#define WEBB(identifier, name, method, x, y, z, streams)                                                               \
    WEBB_VARIANT(identifier, name, method, x, y, z, streams, 0)                                                        \
    WEBB_VARIANT(identifier##_read_only, name WEBB_READ_ONLY_SUFFIX, method, x, y, z, streams, WEBB_READ_ONLY)         \
    WEBB_VARIANT(identifier##_prefer_l1, name WEBB_PREFER_L1_SUFFIX, method, x, y, z, streams, WEBB_PREFER_L1)         \
    WEBB_VARIANT(identifier##_both, name WEBB_READ_ONLY_SUFFIX WEBB_PREFER_L1_SUFFIX, method, x, y, z, streams,        \
                 WEBB_READ_ONLY | WEBB_PREFER_L1)

/* The published block sizes; slicing streams through all planes (z = 0). */
WEBB(webb_tiling, "tiling-3d", TILING, 32, 4, 2, false)
WEBB(webb_tiling_shared, "tiling-3d-shared", TILING_SHARED, 32, 8, 1, false)
WEBB(webb_tiling_extended, "tiling-3d-extended", TILING_EXTENDED, 32, 8, 1, false)
WEBB(webb_slicing, "slicing-2d", SLICING, 64, 8, 0, true)
WEBB(webb_slicing_shared, "slicing-2d-shared", SLICING_SHARED, 64, 8, 0, true)
WEBB(webb_slicing_extended, "slicing-2d-extended", SLICING_EXTENDED, 64, 8, 0, true)

/* SPDX-License-Identifier: MIT */
/* The sweep scheme: code shared by its methods, and the methods with one thread per point or
 * tile. */
#include "cuda/stencils/sweep/sweep.cuh"

#include <algorithm>

template <typename REAL> sweep<REAL> sweep_arguments(const struct cuda_array_grid *g)
{
    const struct sweep_problem *p = sweep_of(g->problem);
    sweep<REAL> s = {(const REAL *)g->now[0],
                     (REAL *)g->next[0],
                     {g->n[0], g->n[1], g->n[2]},
                     {1, g->pitch, g->plane},
                     {},
                     g->block.z,
                     false};
    for (int i = 0; i < SWEEP_COEFFICIENTS_MAX; i++)
        s.c[i] = (REAL)p->coefficients[i];
    s.reversed = g->now[0] < g->next[0]; /* the copies are exchanged with every step */
    return s;
}

template sweep<float> sweep_arguments<float>(const struct cuda_array_grid *);
template sweep<double> sweep_arguments<double>(const struct cuda_array_grid *);

const char *sweep_refuse_stencil(const struct problem *p)
{
    return sweep_of(p)->dimensions == 3 && sweep_of(p)->radius == 1
               ? nullptr
               : "stencils other than the 3D 7-point one are supported by the general kernel only";
}

const char *sweep_refuse_threads(struct block_shape b, int64_t threads, int64_t threads_max)
{
    const char *reason = refuse_block(b);
    if (reason || threads <= threads_max)
        return reason;
    return threads_max == BLOCK_THREADS_MAX ? "a block must have at most 1024 threads"
                                            : "a block of the registers kernel must have at most 256 threads";
}

const char *sweep_refuse_block(struct block_shape b)
{
    const char *reason = sweep_refuse_threads(b, (int64_t)b.x * b.y * b.z, BLOCK_THREADS_MAX);
    return reason || b.z <= 64 ? reason : "a block must have at most 64 threads along z";
}

const char *sweep_refuse_launch(const sweep_launch &how)
{
    if (how.blocks.y > LAUNCH_BLOCKS_MAX || how.blocks.z > LAUNCH_BLOCKS_MAX)
        return "the grid needs more blocks of this shape than one launch allows";
    return how.shared_bytes > SHARED_BYTES_MAX ? "the tile and its halo need more than 48 KiB of shared memory"
                                               : nullptr;
}

/* --- basic and general --- */

/* One thread per point, straight from global memory; basic supports only the 3D 7-point stencil. */

namespace
{

/* The loops serve grids with more rows or planes than a launch has blocks. They usually run
 * once, and unrolling would cost registers. */
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

/* A block consists of threads, (x, y, z); a launch has as many blocks as possible. */
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

/* --- shared and coarsened --- */

/* The block's input in shared memory with a halo of one point; "coarsened" streams along z with
 * three planes at a time. */

namespace
{

template <typename REAL> __device__ __forceinline__ REAL *shared_values()
{
    extern __shared__ __align__(16) unsigned char raw[];
    return reinterpret_cast<REAL *>(raw);
}

/* A thread's point along an axis. Output tiles are adjacent; input tiles overlap by the halo. */
struct tile_place {
    int64_t at;
    bool in_grid;  /* such a point exists */
    bool computes; /* it is neither at the grid's edge nor in the tile's halo */
};

__device__ __forceinline__ tile_place find_place(unsigned block, unsigned thread, unsigned threads, int64_t n)
{
    tile_place p;
    p.at = (int64_t)block * (threads - 2) + thread - 1;
    p.in_grid = p.at >= 0 && p.at < n;
    p.computes = thread > 0 && thread + 1 < threads && p.at > 0 && p.at < n - 1;
    return p;
}

/* A thread for each point of the tile with its halo; the outermost threads only load. */
template <typename REAL>
__global__ void __launch_bounds__(BLOCK_THREADS_MAX) sweep_tile(const __grid_constant__ sweep<REAL> s)
{
    REAL *tile = shared_values<REAL>();
    const tile_place x = find_place(blockIdx.x, threadIdx.x, blockDim.x, s.n[0]),
                     y = find_place(blockIdx.y, threadIdx.y, blockDim.y, s.n[1]),
                     z = find_place(blockIdx.z, threadIdx.z, blockDim.z, s.n[2]);
    const int64_t point = z.at * s.stride[2] + y.at * s.stride[1] + x.at;
    const int row = (int)blockDim.x, plane = row * (int)blockDim.y;
    REAL *mine = tile + (int)threadIdx.z * plane + (int)threadIdx.y * row + (int)threadIdx.x;
    if (x.in_grid && y.in_grid && z.in_grid)
        *mine = s.u[point];
    __syncthreads();
    if (x.computes && y.computes && z.computes)
        s.next[point] = seven(s, *mine, mine[-1], mine[1], mine[-row], mine[row], mine[-plane], mine[plane]);
}

/* A block streams through s.chunk planes along z with three of them in shared memory. */
template <typename REAL>
__global__ void __launch_bounds__(BLOCK_THREADS_MAX) sweep_planes(const __grid_constant__ sweep<REAL> s)
{
    REAL *tile = shared_values<REAL>();
    const tile_place x = find_place(blockIdx.x, threadIdx.x, blockDim.x, s.n[0]),
                     y = find_place(blockIdx.y, threadIdx.y, blockDim.y, s.n[1]);
    const int row = (int)blockDim.x, plane = row * (int)blockDim.y, mine = (int)threadIdx.y * row + (int)threadIdx.x;
    const int64_t z0 = 1 + (int64_t)blockIdx.z * s.chunk, z1 = min(z0 + s.chunk, s.n[2] - 1);
    const bool reads = x.in_grid && y.in_grid && z0 < z1, computes = x.computes && y.computes;
    int64_t point = z0 * s.stride[2] + y.at * s.stride[1] + x.at;
    REAL *previous = tile + mine, *current = previous + plane, *next = current + plane;
    if (reads) {
        *previous = s.u[point - s.stride[2]];
        *current = s.u[point];
    }
    for (int64_t z = z0; z < z1; z++, point += s.stride[2]) { /* the same planes for all threads of the block */
        if (reads)
            *next = s.u[point + s.stride[2]];
        __syncthreads();
        if (computes)
            s.next[point] = seven(s, *current, current[-1], current[1], current[-row], current[row], *previous, *next);
        /* The planes change roles instead of being copied. One barrier is enough: of the
         * previous plane, which is filled again before the next barrier, each thread reads only
         * the value that it wrote. */
        REAL *const filled_again = previous;
        previous = current;
        current = next;
        next = filled_again;
    }
}

/* A block covers the points of the tile with its halo, (x, y, z). */
struct tile_method {
    static constexpr bool overlaps = false;

    static sweep_launch launch(const struct problem *p, struct block_shape b)
    {
        const size_t *n = p->points;
        return {dim3(sweep_parts(n[0], b.x - 2), sweep_parts(n[1], b.y - 2), sweep_parts(n[2], b.z - 2)),
                dim3((unsigned)b.x, (unsigned)b.y, (unsigned)b.z),
                value_bytes(p) * (size_t)b.x * (size_t)b.y * (size_t)b.z};
    }

    template <typename REAL> static sweep_kernel<REAL> kernel(const struct problem *)
    {
        return sweep_tile<REAL>;
    }
};

/* A block covers the points of a plane of the tile with its halo, (x, y), and the planes to
 * stream through. */
struct planes_method {
    static constexpr bool overlaps = false;

    static sweep_launch launch(const struct problem *p, struct block_shape b)
    {
        const size_t *n = p->points;
        return {dim3(sweep_parts(n[0], b.x - 2), sweep_parts(n[1], b.y - 2), sweep_parts(n[2], b.z)),
                dim3((unsigned)b.x, (unsigned)b.y), 3 * value_bytes(p) * (size_t)b.x * (size_t)b.y};
    }

    template <typename REAL> static sweep_kernel<REAL> kernel(const struct problem *)
    {
        return sweep_planes<REAL>;
    }
};

const char *can_do_tile(const struct problem *p, struct block_shape b)
{
    const char *reason = sweep_refuse_stencil(p);
    if (!reason)
        reason = sweep_refuse_block(b);
    if (!reason && (b.x < 3 || b.y < 3 || b.z < 3))
        reason = "a tile must have at least three points along each axis, as its outermost threads only load";
    return reason ? reason : sweep_refuse_launch(tile_method::launch(p, b));
}

const char *can_do_planes(const struct problem *p, struct block_shape b)
{
    const char *reason = sweep_refuse_stencil(p);
    if (!reason)
        reason = sweep_refuse_threads(b, (int64_t)b.x * b.y, BLOCK_THREADS_MAX);
    if (!reason && (b.x < 3 || b.y < 3))
        reason = "a tile must have at least three points along x and y, as its outermost threads only load";
    return reason ? reason : sweep_refuse_launch(planes_method::launch(p, b));
}

} // namespace

extern const struct cuda_array_kernel sweep_shared = {
    "shared",
    &sweep_scheme,
    {8, 8, 8}, /* published */
    {{8, 8, 8}, {10, 10, 10}, {32, 8, 4}, {16, 8, 8}, {32, 4, 8}, {32, 6, 5}},
    can_do_tile,
    sweep_step<tile_method>,
    sweep_figures<tile_method>};

/* Published: tiles of 32 x 32 with the halo, and as many planes as output rows of the tile. */
extern const struct cuda_array_kernel sweep_coarsened = {
    "coarsened",
    &sweep_scheme,
    {32, 32, 30},
    {{32, 32, 30}, {32, 16, 32}, {64, 16, 32}, {32, 8, 32}, {64, 8, 32}, {128, 8, 32}, {32, 32, 64}, {32, 16, 16}},
    can_do_planes,
    sweep_step<planes_method>,
    sweep_figures<planes_method>};

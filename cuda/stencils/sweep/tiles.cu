/* SPDX-License-Identifier: MIT */
/* Sweep, "shared" and "coarsened": the block's input in shared memory with a halo of one point; coarsened streams
 * along z with three planes at a time. */
#include "cuda/stencils/sweep/sweep.cuh"

namespace
{

template <typename REAL> __device__ __forceinline__ REAL *shared_values()
{
    extern __shared__ __align__(16) unsigned char raw[];
    return reinterpret_cast<REAL *>(raw);
}

/* A thread's point along an axis. Tiles of the output touch each other; those of the input overlap by the halo. */
struct tile_place {
    int64_t at;
    bool in_grid;  /* there is such a point */
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

/* A thread for each point of the tile with its halo; the outermost threads only read. */
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
        /* The planes change roles instead of being copied. One barrier is enough: of the previous plane, which is
         * filled again before the next barrier, each thread reads only the value that it wrote. */
        REAL *const filled_again = previous;
        previous = current;
        current = next;
        next = filled_again;
    }
}

/* A block is of points of the tile with its halo, (x, y, z). */
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

/* A block is of points of a plane of the tile with its halo, (x, y), and planes to stream through. */
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
        reason = "a tile has at least three points along each axis: its outermost threads only read";
    return reason ? reason : sweep_refuse_launch(tile_method::launch(p, b));
}

const char *can_do_planes(const struct problem *p, struct block_shape b)
{
    const char *reason = sweep_refuse_stencil(p);
    if (!reason)
        reason = sweep_refuse_threads(b, (int64_t)b.x * b.y, BLOCK_THREADS_MAX);
    if (!reason && (b.x < 3 || b.y < 3))
        reason = "a tile has at least three points along x and y: its outermost threads only read";
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

/* Published: tiles of 32 x 32 with the halo, and as many planes as the tile has output rows. */
extern const struct cuda_array_kernel sweep_coarsened = {
    "coarsened",
    &sweep_scheme,
    {32, 32, 30},
    {{32, 32, 30}, {32, 16, 32}, {64, 16, 32}, {32, 8, 32}, {64, 8, 32}, {128, 8, 32}, {32, 32, 64}, {32, 16, 16}},
    can_do_planes,
    sweep_step<planes_method>,
    sweep_figures<planes_method>};

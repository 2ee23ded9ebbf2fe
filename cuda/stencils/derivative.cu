/* SPDX-License-Identifier: MIT */
/* The derivative scheme on the device, eighth order on a periodic grid: arguments and the
 * arithmetic of one point.
 *
 * The methods, not the code, are those of the posts "Finite difference methods in CUDA" (pencils in
 * shared memory, wide pencils for y and z, coefficients in constant memory). Here they support any
 * grid size, both precisions and 64-bit indices, and there is a kernel without shared memory that
 * is as fast as copying.
 *
 * Coefficients differ between open solvers, and steps are replayed from graphs, so that the next
 * solver would overwrite a single __constant__ variable. They are part of the kernel's
 * __grid_constant__ parameter instead, which is constant memory as well, read through the same
 * cache, and belongs to one launch. Sums follow the order of the CPU engine, and give the same
 * bits. */
#include <algorithm>

extern "C" {
#include "solver/schemes/derivative/derivative.h"
}
#include "cuda/ptx.cuh"
#include "cuda/stencils/arrays.cuh"

enum { HALO = DERIVATIVE_RADIUS };

/* Arguments of a step, passed by value. */
template <typename REAL> struct derivative {
    const REAL *f;
    REAL *df;
    int64_t n[3], stride[3];
    REAL coefficient[DERIVATIVE_RADIUS]; /* divided by the spacing */
    int length; /* points along the axis per tile or per streaming thread; along x: rows per thread */
};

/* The derivative from the differences across a point, the nearest first. */
template <typename REAL>
__device__ __forceinline__ REAL weighted(const REAL (&c)[HALO], REAL d1, REAL d2, REAL d3, REAL d4)
{
    return ((c[0] * d1 + c[1] * d2) + c[2] * d3) + c[3] * d4;
}

/* The grid is periodic; i lies less than one period outside it. */
template <typename INDEX> __device__ __forceinline__ INDEX wrapped(INDEX i, INDEX n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

template <typename REAL> derivative<REAL> derivative_arguments(const struct cuda_array_grid *g, int length)
{
    const struct derivative_problem *p = derivative_of(g->problem);
    derivative<REAL> d = {
        (const REAL *)g->now[0], (REAL *)g->now[1], {g->n[0], g->n[1], g->n[2]}, {1, g->pitch, g->plane}, {}, length};
    for (int k = 0; k < DERIVATIVE_RADIUS; k++)
        d.coefficient[k] = (REAL)(derivative_coefficients[k] / p->spacing);
    return d;
}

/* --- pencils and wide --- */

/* A tile of `length` points along the axis times a number of adjacent pencils, in shared memory,
 * with the halo at both ends: neighbouring tiles, or the periodic images.
 *
 * Pencils of the x derivative are adjacent in y, those of y and z in x, as are the threads.
 * "pencils" and "wide" differ in the number of pencils and in the number of points of a pencil per
 * thread. */

namespace
{

/* Phases, for each tile of a block: fill the tile with its halo, then differentiate its points. */
template <typename REAL, int AXIS>
__global__ void __launch_bounds__(BLOCK_THREADS_MAX) tile_of_pencils(const __grid_constant__ derivative<REAL> d)
{
    constexpr int ACROSS = AXIS == 0 ? 1 : 0, THIRD = AXIS == 2 ? 1 : 2;
    extern __shared__ __align__(16) unsigned char raw[];
    REAL *tile = reinterpret_cast<REAL *>(raw);
    const int pencils = (int)(AXIS == 0 ? blockDim.y : blockDim.x),
              threads = (int)(AXIS == 0 ? blockDim.x : blockDim.y);
    const int pencil = (int)(AXIS == 0 ? threadIdx.y : threadIdx.x),
              thread = (int)(AXIS == 0 ? threadIdx.x : threadIdx.y);
    const int step = AXIS == 0 ? 1 : pencils; /* distance between points of a pencil in the tile */
    REAL *mine = tile + (AXIS == 0 ? pencil * (d.length + 2 * HALO) : pencil);
    const int64_t rows = AXIS == 0 ? (d.n[ACROSS] + pencils - 1) / pencils : (d.n[AXIS] + d.length - 1) / d.length;
    /* A grid may have more rows and planes of tiles than a launch has blocks; the bounds are the
     * same for all threads of a block. */
    for (int64_t third = blockIdx.z; third < d.n[THIRD]; third += gridDim.z)
        for (int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
            const int64_t first = (AXIS == 0 ? (int64_t)blockIdx.x : row) * d.length;
            const int64_t across = (AXIS == 0 ? row : (int64_t)blockIdx.x) * pencils + pencil;
            const int64_t line = third * d.stride[THIRD] + across * d.stride[ACROSS];
            const int count = across < d.n[ACROSS] ? (int)min((int64_t)d.length, d.n[AXIS] - first) : -2 * HALO;
#pragma unroll 4
            for (int i = thread; i < count + 2 * HALO; i += threads)
                mine[i * step] = d.f[line + wrapped(first + i - HALO, d.n[AXIS]) * d.stride[AXIS]];
            __syncthreads();
#pragma unroll 2
            for (int i = thread; i < count; i += threads) {
                const REAL *p = mine + (i + HALO) * step;
                d.df[line + (first + i) * d.stride[AXIS]] =
                    weighted(d.coefficient, p[step] - p[-step], p[2 * step] - p[-2 * step], p[3 * step] - p[-3 * step],
                             p[4 * step] - p[-4 * step]);
            }
            __syncthreads(); /* all reads precede the next fill of the tile */
        }
}

/* A block of pencils. */
struct pencil_shape {
    int pencils, length, threads; /* threads along the axis */
};

/* "pencils": a block is (points of the tile, pencils, 1). */
pencil_shape narrow_shape(struct block_shape block)
{
    return {block.y, block.x, block.x};
}

/* "wide": a block is (pencils, points of the tile, threads along the axis). */
pencil_shape wide_shape(struct block_shape block)
{
    return {block.x, block.y, block.z};
}

size_t tile_bytes(const struct problem *p, pencil_shape s)
{
    return value_bytes(p) * (size_t)s.pencils * ((size_t)s.length + 2 * HALO);
}

template <typename REAL> void (*pencils_of(int axis))(derivative<REAL>)
{
    return axis == 0 ? tile_of_pencils<REAL, 0> : axis == 1 ? tile_of_pencils<REAL, 1> : tile_of_pencils<REAL, 2>;
}

template <typename REAL> void launch_pencils(const struct cuda_array_grid *g, pencil_shape s)
{
    const int axis = derivative_of(g->problem)->axis, across = axis == 0 ? 1 : 0, third = axis == 2 ? 1 : 2;
    const int64_t along = parts(g->n[axis], s.length), aside = parts(g->n[across], s.pencils),
                  blocks_max = LAUNCH_BLOCKS_MAX;
    const dim3 threads((unsigned)(axis == 0 ? s.threads : s.pencils), (unsigned)(axis == 0 ? s.pencils : s.threads));
    const dim3 blocks((unsigned)(axis == 0 ? along : aside), (unsigned)std::min(axis == 0 ? aside : along, blocks_max),
                      (unsigned)std::min(g->n[third], blocks_max));
    pencils_of<REAL>(axis)<<<blocks, threads, tile_bytes(g->problem, s), g->stream>>>(
        derivative_arguments<REAL>(g, s.length));
}

template <pencil_shape (*SHAPE)(struct block_shape)> void step_pencils(const struct cuda_array_grid *g)
{
    if (g->problem->precision == PRECISION_DOUBLE)
        launch_pencils<double>(g, SHAPE(g->block));
    else
        launch_pencils<float>(g, SHAPE(g->block));
}

template <pencil_shape (*SHAPE)(struct block_shape)>
void figures_pencils(struct kernel_figures *f, const struct problem *p, struct block_shape block)
{
    const pencil_shape s = SHAPE(block);
    const int axis = derivative_of(p)->axis;
    if (p->precision == PRECISION_DOUBLE)
        figures_of(f, pencils_of<double>(axis), s.pencils * s.threads, tile_bytes(p, s));
    else
        figures_of(f, pencils_of<float>(axis), s.pencils * s.threads, tile_bytes(p, s));
}

const char *pencils_fit(const struct problem *p, pencil_shape s)
{
    if ((int64_t)s.pencils * s.threads > BLOCK_THREADS_MAX)
        return "a block must have at most 1024 threads";
    return tile_bytes(p, s) > SHARED_BYTES_MAX ? "the tile and its halo need more than 48 KiB of shared memory"
                                               : nullptr;
}

const char *any_axis(const struct problem *p, struct block_shape block)
{
    if (const char *reason = refuse_block(block))
        return reason;
    return block.z != 1 ? "the third number of a block of pencils must be 1 (threads along the axis x pencils x 1)"
                        : pencils_fit(p, narrow_shape(block));
}

const char *not_along_x(const struct problem *p, struct block_shape block)
{
    if (derivative_of(p)->axis == 0)
        return "wide pencils are available along y and z only";
    const char *reason = refuse_block(block);
    return reason ? reason : pencils_fit(p, wide_shape(block));
}

} // namespace

extern const struct cuda_array_kernel derivative_wide = {
    "wide",
    &derivative_scheme,
    {32, 64, 8},
    {{32, 64, 8}, {32, 64, 16}, {32, 128, 8}, {64, 64, 4}, {64, 64, 8}, {32, 32, 8}, {32, 256, 16}, {64, 32, 4}},
    not_along_x,
    step_pencils<wide_shape>,
    figures_pencils<wide_shape>};

extern const struct cuda_array_kernel derivative_pencils = {"pencils",
                                                            &derivative_scheme,
                                                            {64, 4, 1}, /* published */
                                                            {{64, 4, 1}, {64, 1, 1}, {64, 2, 1}, {64, 8, 1}},
                                                            any_axis,
                                                            step_pencils<narrow_shape>,
                                                            figures_pencils<narrow_shape>};

/* --- registers --- */

/* Vectors in registers, without shared memory. Along y and z a thread streams along the axis;
 * along x it takes whole rows. */
namespace
{

/* The derivative is not read again: its cache lines are evicted first, so that those of f stay
 * for neighbouring threads. */
__device__ __forceinline__ void store_streaming(float *p, const packed<float, 4> &value)
{
    __stcs(reinterpret_cast<float4 *>(p), make_float4(value.v[0], value.v[1], value.v[2], value.v[3]));
}

__device__ __forceinline__ void store_streaming(double *p, const packed<double, 2> &value)
{
    __stcs(reinterpret_cast<double2 *>(p), make_double2(value.v[0], value.v[1]));
}

/* Along y and z: a thread streams along the axis with a window of planes in registers. Phases:
 * the 2 HALO planes before the first group; then for each group its GROUP loads, all outstanding
 * together, and the GROUP derivatives, after which the window advances. A vector that extends
 * beyond the last point of a row writes into the padding of the row, which is never read. */
template <typename REAL, int V, int AXIS>
__global__ void __launch_bounds__(STREAMING_THREADS_MAX) derivative_stream(const __grid_constant__ derivative<REAL> d)
{
    constexpr int GROUP = 4, WINDOW = 2 * HALO + GROUP, ACROSS = 3 - AXIS;
    /* Adjacent parts of a line, which share planes, are blocks that start one after the other,
     * while the planes are still in the cache. */
    const int part = (int)(AXIS == 1 ? blockIdx.y : blockIdx.z), layer = (int)(AXIS == 1 ? blockIdx.z : blockIdx.y);
    const int64_t x = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * V,
                  across = (int64_t)layer * blockDim.y + threadIdx.y;
    wait_for_last_step();
    if (x >= d.n[0] || across >= d.n[ACROSS])
        return;
    const int n = (int)d.n[AXIS], first = part * d.length, end = min(first + d.length, n);
    const int64_t stride = d.stride[AXIS], line = across * d.stride[ACROSS] + x;
    const REAL *f = d.f + line;
    REAL *df = d.df + line + first * stride;
    packed<REAL, V> w[WINDOW];
#pragma unroll
    for (int i = 0; i < 2 * HALO; i++)
        w[i] = load<REAL, V>(f + wrapped(first + i - HALO, n) * stride);
    for (int at = first; at < end; at += GROUP) {
        /* at least nine points: beyond a partial group, the index is still less than one period
         * away */
#pragma unroll
        for (int i = 0; i < GROUP; i++)
            w[2 * HALO + i] = load<REAL, V>(f + wrapped(at + HALO + i, n) * stride);
#pragma unroll
        for (int i = 0; i < GROUP; i++) {
            packed<REAL, V> out;
#pragma unroll
            for (int j = 0; j < V; j++)
                out.v[j] =
                    weighted(d.coefficient, w[HALO + i + 1].v[j] - w[HALO + i - 1].v[j],
                             w[HALO + i + 2].v[j] - w[HALO + i - 2].v[j], w[HALO + i + 3].v[j] - w[HALO + i - 3].v[j],
                             w[HALO + i + 4].v[j] - w[HALO + i - 4].v[j]);
            if (at + i < end)
                store_streaming(df, out);
            df += stride;
        }
#pragma unroll
        for (int i = 0; i < 2 * HALO; i++)
            w[i] = w[i + GROUP];
    }
}

/* V points of a row from x, -HALO <= x < n + HALO. The row is periodic: a vector across its end
 * is loaded value by value. */
template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> load_periodic(const REAL *row, int x, int n)
{
    const int at = wrapped(x, n);
    if (at % V == 0 && at + V <= n)
        return load<REAL, V>(row + at);
    packed<REAL, V> p;
#pragma unroll
    for (int i = 0; i < V; i++)
        p.v[i] = row[wrapped(at + i, n)];
    return p;
}

/* Along x: a thread loads its vector of a row and those within reach of the stencil. All but one
 * of these are in the first-level cache, loaded by neighbouring threads; shuffles would take
 * more instructions than these loads. A thread takes `length` rows, GROUP at a time: first their
 * loads, then their derivatives. */
template <typename REAL, int V>
__global__ void __launch_bounds__(STREAMING_THREADS_MAX) derivative_rows(const __grid_constant__ derivative<REAL> d)
{
    constexpr int REACH = HALO / V /* in vectors */, VECTORS = 2 * REACH + 1, GROUP = 2;
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * V, n = (int)d.n[0];
    const int apart = (int)blockDim.y, first = (int)(blockIdx.y * blockDim.y) * d.length + (int)threadIdx.y;
    const int64_t plane = (int64_t)blockIdx.z * d.stride[2];
    wait_for_last_step();
    if (x >= n)
        return;
    for (int r = 0; r < d.length; r += GROUP) {
        packed<REAL, V> w[GROUP][VECTORS];
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            const int y = first + (r + g) * apart;
            const REAL *row = d.f + plane + y * d.stride[1];
            if (r + g >= d.length || y >= d.n[1])
                continue;
#pragma unroll
            for (int k = 0; k < VECTORS; k++)
                w[g][k] = load_periodic<REAL, V>(row, x + (k - REACH) * V, n);
        }
#pragma unroll
        for (int g = 0; g < GROUP; g++) {
            const int y = first + (r + g) * apart;
            const REAL *p = &w[g][0].v[0] + HALO; /* the vectors form one array of values */
            packed<REAL, V> out;
#pragma unroll
            for (int i = 0; i < V; i++)
                out.v[i] = weighted(d.coefficient, p[i + 1] - p[i - 1], p[i + 2] - p[i - 2], p[i + 3] - p[i - 3],
                                    p[i + 4] - p[i - 4]);
            if (r + g < d.length && y < d.n[1])
                store_streaming(d.df + plane + y * d.stride[1] + x, out);
        }
    }
}

/* Blocks of a launch. A block is (threads along x, threads across, points that a thread streams
 * through); for the derivative along x, (threads along x, threads along y, rows per thread). */
struct blocks_needed {
    int64_t x, y, z;
};

blocks_needed streaming_blocks(const struct problem *p, struct block_shape block)
{
    const int64_t width = (int64_t)block.x * (VECTOR_BYTES / (int64_t)value_bytes(p)), height = block.y,
                  length = block.z;
    const int64_t nx = (int64_t)p->points[0], ny = (int64_t)p->points[1], nz = (int64_t)p->points[2];
    switch (derivative_of(p)->axis) {
    case 0:
        return {parts(nx, width), parts(ny, height * length), nz};
    case 1:
        return {parts(nx, width), parts(ny, length), parts(nz, height)};
    default:
        return {parts(nx, width), parts(ny, height), parts(nz, length)};
    }
}

const char *can_stream(const struct problem *p, struct block_shape block)
{
    if (const char *reason = refuse_block(block))
        return reason;
    if (block.x % 32 || block.x * block.y > STREAMING_THREADS_MAX)
        return "a block of the registers kernel must be a multiple of 32 threads wide and have at most 256 threads";
    const blocks_needed b = streaming_blocks(p, block);
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] > (1u << 30))
            return "the registers kernel supports at most 2^30 points along an axis";
    return b.y > LAUNCH_BLOCKS_MAX || b.z > LAUNCH_BLOCKS_MAX
               ? "the grid needs more blocks of this shape than one launch allows"
               : nullptr;
}

template <typename REAL> void (*kernel_of(int axis))(derivative<REAL>)
{
    constexpr int V = VECTOR_BYTES / (int)sizeof(REAL);
    return axis == 0   ? derivative_rows<REAL, V>
           : axis == 1 ? derivative_stream<REAL, V, 1>
                       : derivative_stream<REAL, V, 2>;
}

template <typename REAL> void launch_streaming(const struct cuda_array_grid *g)
{
    const blocks_needed b = streaming_blocks(g->problem, g->block);
    launch_overlapping(kernel_of<REAL>(derivative_of(g->problem)->axis),
                       {dim3((unsigned)b.x, (unsigned)b.y, (unsigned)b.z),
                        dim3((unsigned)g->block.x, (unsigned)g->block.y), g->stream},
                       derivative_arguments<REAL>(g, g->block.z));
}

void step_streaming(const struct cuda_array_grid *g)
{
    if (g->problem->precision == PRECISION_DOUBLE)
        launch_streaming<double>(g);
    else
        launch_streaming<float>(g);
}

void figures_streaming(struct kernel_figures *f, const struct problem *p, struct block_shape block)
{
    if (p->precision == PRECISION_DOUBLE)
        figures_of(f, kernel_of<double>(derivative_of(p)->axis), block.x * block.y, 0);
    else
        figures_of(f, kernel_of<float>(derivative_of(p)->axis), block.x * block.y, 0);
}

} // namespace

extern const struct cuda_array_kernel derivative_registers = {"registers",
                                                              &derivative_scheme,
                                                              {32, 4, 32},
                                                              {{32, 4, 64},
                                                               {32, 4, 32},
                                                               {128, 1, 64},
                                                               {64, 2, 32},
                                                               {32, 8, 64},
                                                               {128, 1, 32},
                                                               {32, 4, 16},
                                                               {128, 1, 16},
                                                               {32, 4, 8},
                                                               {128, 1, 8},
                                                               {32, 2, 32},
                                                               {32, 4, 128}},
                                                              can_stream,
                                                              step_streaming,
                                                              figures_streaming};

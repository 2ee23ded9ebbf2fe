/* SPDX-License-Identifier: MIT */
/* Derivative, "registers": vectors in registers and no shared memory. Along y and z a thread streams along the axis;
 * along x it takes whole rows. */
#include "cuda/ptx.cuh"
#include "cuda/stencils/arrays.cuh"
#include "cuda/stencils/derivative/derivative.cuh"

namespace
{

/* The derivative is not read again: its cache lines are evicted first, and those of f stay for the neighbouring
 * threads. */
__device__ __forceinline__ void store_streaming(float *p, const packed<float, 4> &value)
{
    __stcs(reinterpret_cast<float4 *>(p), make_float4(value.v[0], value.v[1], value.v[2], value.v[3]));
}

__device__ __forceinline__ void store_streaming(double *p, const packed<double, 2> &value)
{
    __stcs(reinterpret_cast<double2 *>(p), make_double2(value.v[0], value.v[1]));
}

/* Along y and z: a thread streams along the axis with a window of planes in registers. Phases: the 2 HALO planes
 * before the first group; then for each group its GROUP loads, all in flight at once, the GROUP derivatives, and the
 * window moves on. A vector that is partly beyond the last point of a row writes into the padding of the row, which
 * is never read. */
template <typename REAL, int V, int AXIS>
__global__ void __launch_bounds__(STREAMING_THREADS_MAX) derivative_stream(const __grid_constant__ derivative<REAL> d)
{
    constexpr int GROUP = 4, WINDOW = 2 * HALO + GROUP, ACROSS = 3 - AXIS;
    /* Neighbouring parts of a line, which share planes, are blocks that start one after the other: the planes are
     * still in the cache. */
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
        /* at least nine points: beyond a partial group still less than one period away */
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

/* V points of a row from x on, -HALO <= x < n + HALO. The row is periodic: a vector across its end is loaded value
 * by value. */
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

/* Along x: a thread loads its vector of a row and those that the stencil reaches, all but one of which the
 * first-level cache has from the neighbouring threads; shuffles would take more instructions than these loads. A
 * thread takes `length` rows, GROUP of them at once: first their loads, then their derivatives. */
template <typename REAL, int V>
__global__ void __launch_bounds__(STREAMING_THREADS_MAX) derivative_rows(const __grid_constant__ derivative<REAL> d)
{
    constexpr int REACH = HALO / V /* vectors */, VECTORS = 2 * REACH + 1, GROUP = 2;
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
            const REAL *p = &w[g][0].v[0] + HALO; /* the vectors are one array of values */
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

/* Blocks of a launch. A block is (threads along x, threads across, points that a thread streams through); for the
 * derivative along x, (threads along x, threads along y, rows of a thread). */
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
        return "a block of the registers kernel is a multiple of 32 threads wide and has at most 256";
    const blocks_needed b = streaming_blocks(p, block);
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] > (1u << 30))
            return "the registers kernel counts points along an axis in 32 bits";
    return b.y > LAUNCH_BLOCKS_MAX || b.z > LAUNCH_BLOCKS_MAX ? "the grid has more blocks of this shape than a launch"
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

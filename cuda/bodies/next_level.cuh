/* SPDX-License-Identifier: MIT */
/* Points of bodies at level n + 1, from what `free` and `couple` found, and sums over points: for `finish`
 * and for ports and stretching. Values written by other kernels bypass the first-level cache, which may
 * hold stale ones. */
#ifndef AULA_CUDA_BODIES_NEXT_LEVEL_CUH
#define AULA_CUDA_BODIES_NEXT_LEVEL_CUH

#include "cuda/bodies/bodies.cuh"

/* Row `row` of m times `of`. */
template <typename INDEX, int BATCH>
__device__ __forceinline__ double row_times(const entry_table<INDEX, BATCH> &m, uint32_t row, const double *of)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < m.width; k += BATCH) {
        double value[BATCH], factor[BATCH];
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++) {
            value[i] = __ldg(m.value + (size_t)(k + i) * m.rows + row);
            factor[i] = __ldcg(of + __ldg(m.column + (size_t)(k + i) * m.rows + row));
        }
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++)
            sum += value[i] * factor[i];
    }
    return sum;
}

/* A row times r, in memory written by this block. */
template <typename INDEX, int BATCH>
__device__ __forceinline__ double coupled(const entry_table<INDEX, BATCH> &m, uint32_t row, const double *r)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < m.width; k += BATCH)
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++)
            sum +=
                __ldg(m.value + (size_t)(k + i) * m.rows + row) * r[__ldg(m.column + (size_t)(k + i) * m.rows + row)];
    return sum;
}

/* Σ weight w over the first `count` neighbours of a node, loaded in batches. */
__device__ __forceinline__ double stencil_times(const int32_t *offset, const double *weight, uint32_t count,
                                                const double *w)
{
    enum { BATCH = 5 };
    static_assert(STENCIL_MAX % BATCH == 0, "batches end with the table");
    double sum = 0.0;
    for (uint32_t k = 0; k < count; k += BATCH) {
        double value[BATCH], factor[BATCH];
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++) {
            const bool is = k + i < count;
            value[i] = __ldcg(w + (is ? offset[k + i] : 0));
            factor[i] = is ? weight[k + i] : 0.0;
        }
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++)
            sum += factor[i] * value[i];
    }
    return sum;
}

__device__ __forceinline__ double at_nodes(const struct connection &c, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < CONNECTION_NODES_MAX; i++)
        sum += c.weight[i] * __ldcg(w + c.node[i]);
    return sum;
}

/* w⁺ of a node from r and the forces of lines. */
__device__ __forceinline__ double node_without_ports(const device_body &b, uint32_t node)
{
    double w = (__ldcg(b.free + node) + b.area_ratio * row_times(b.spread, node, b.r)) / b.denominator;
    if (b.answer_start)
        for (uint32_t k = b.answer_start[node]; k < b.answer_start[node + 1]; k++)
            w += b.answer[k] * __ldcg(b.pull + b.answer_line[k]);
    return w;
}

/* What moves the modes of a line in addition to its free step, q⁺ = free - gain shape moved, and its
 * bridge. */
struct line_motion {
    double moved, bridge;
};

/* From the displacement of the connection, the force on it, and that of the bridge in front of a fixed
 * surface: slope = out - out²/stiff, so that the bridge moves to partial + out w/stiff. */
__device__ __forceinline__ line_motion line_motion_from(const device_line &l, double at, double pull, double partial,
                                                        double k2)
{
    if (l.connection.kind == CONNECTION_POINT)
        return {pull, 0.0};
    if (l.connection.kind == CONNECTION_END)
        return {at / k2, 0.0};
    if (l.connection.kind != CONNECTION_BRIDGE)
        return {0.0, 0.0};
    const double bridge = partial + (1.0 - l.slope / l.outward) * at;
    return {bridge / k2, bridge};
}

__device__ __forceinline__ line_motion line_motion_of(const device_body &b, uint32_t line, double k2)
{
    if (b.lines[line].connection.kind == CONNECTION_NONE)
        return {0.0, 0.0};
    return line_motion_from(b.lines[line], __ldcg(b.at + line), __ldcg(b.pull + line), __ldcg(b.partial + line), k2);
}

/* q⁺ of a mode, or the bridge. */
__device__ __forceinline__ double point_without_ports(const device_line &l, const line_motion &motion, uint32_t m)
{
    if (m == l.modes)
        return motion.bridge;
    const double shape = l.connection.kind == CONNECTION_NONE ? 0.0 : l.connection.shape[m];
    return __ldcg(l.free + m) - l.gain[m] * shape * motion.moved;
}

/* The sum over the lanes of a warp, in lane 0. */
__device__ __forceinline__ double warp_sum(double value)
{
    for (int half = 16; half > 0; half /= 2)
        value += __shfl_down_sync(0xffffffffu, value, half);
    return value;
}

/* The sum over a block of at most 1024 threads, a multiple of 32, in every thread and in a fixed order.
 * Called by all threads. */
__device__ __forceinline__ double block_sum(double value)
{
    __shared__ double sums[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    double sum = 0.0;
    for (unsigned i = 0; i < blockDim.x / 32; i++)
        sum += sums[i];
    __syncthreads();
    return sum;
}

#endif

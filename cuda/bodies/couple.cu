/* SPDX-License-Identifier: MIT */
/* Couples surfaces with the new air, after the field's kernels: see bodies.cuh.
 *
 * r is found by Jacobi steps, each of which needs all values of the previous r. A thread has one
 * cell and keeps its row of the coupling in registers, loaded before the new air is available; r is
 * in shared memory. A surface too large for one multiprocessor is divided among the blocks of a
 * cluster, each with a copy of r. */
#include "cuda/bodies/bodies.cuh"
#include "cuda/bodies/next_level.cuh"
#include "cuda/engine/device.cuh"
#include "cuda/ptx.cuh"

extern "C" {
#include "cuda/engine/check.h"
}

namespace
{

template <typename REAL> struct couple_arguments {
    const device_body *body;
    const uint32_t *surfaces;
    unsigned surface_count;
    REAL *next;
    unsigned now, parity;
    bool shared;      /* r fits into shared memory */
    unsigned cluster; /* number of blocks per surface */
    uint32_t *settled;
    const device_cut *cuts;
    const double *cut_flux;
    unsigned other_cut_count;
    const body_tap *body_taps;
    const uint32_t *tap_first;
    unsigned channels;
    double *taps;
    unsigned long long tap_stride;
    const unsigned long long *base;
    int offset;
};

/* Constants of a cell. */
struct cell {
    uint64_t below, above;
    double inverse, own, other;
    unsigned readers;
};

__device__ __forceinline__ cell cell_of(const device_body &b, uint32_t i)
{
    return {__ldg(b.below + i), __ldg(b.above + i), __ldg(b.inverse + i),
            __ldg(b.own + i),   __ldg(b.other + i), __ldg(b.readers + i)};
}

/* Forces of the lines on the surface, solved together with it. Phases: w⁺ without lines at each
 * connection, one warp each; then the displacements with lines and the forces, one thread each. */
__device__ void couple_lines(const device_body &b, const double *r)
{
    const uint32_t n = b.line_count, lane = threadIdx.x % 32;
    for (uint32_t i = threadIdx.x / 32; i < n; i += blockDim.x / 32) {
        const struct connection &c = b.lines[i].connection;
        double w = 0.0;
        if (lane < CONNECTION_NODES_MAX) {
            const uint32_t node = c.node[lane];
            const double sum = b.area_ratio * coupled(b.spread, node, r);
            w = c.weight[lane] * ((__ldcg(b.free + node) + sum) / b.denominator);
        }
        for (int half = CONNECTION_NODES_MAX / 2; half > 0; half /= 2)
            w += __shfl_down_sync(0xffffffffu, w, half);
        if (lane == 0)
            b.at_free[i] = w;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        double at = 0.0;
        for (uint32_t k = 0; k < n; k++)
            at += b.coupled_free[(size_t)i * n + k] * b.at_free[k] +
                  b.coupled_forced[(size_t)i * n + k] * __ldcg(b.reaction + k);
        b.at[i] = at;
        b.pull[i] = __ldcg(b.reaction + i) - b.lines[i].slope * at;
    }
    __syncthreads();
}

/* The air below and above a cell after its own step, without the flux across cut links. Returns
 * the right side of r's equation. */
template <typename REAL>
__device__ __forceinline__ double gather(const couple_arguments<REAL> &s, const device_body &b, const cell &c,
                                         uint32_t i, double &below, double &above)
{
    below = (double)(REAL)((double)s.next[c.below] - __ldcg(b.flux + i));
    above = (double)(REAL)((double)s.next[c.above] - __ldcg(b.flux + b.cells + i));
    return b.pressure_gain * (below - above) + __ldcg(b.known + i);
}

/* Moves the air at a cell. `coupled`: its row of the coupling times r. */
template <typename REAL>
__device__ __forceinline__ void move_air(const couple_arguments<REAL> &s, const device_body &b, const cell &c,
                                         uint32_t i, double r, double coupled, double below, double above)
{
    double displacement = __ldcg(b.displacement_free + i) + (c.own * r + c.other * coupled);
    for (uint32_t line = 0; line < b.line_count; line++)
        displacement += b.displacement_answer[(size_t)line * b.cells + i] * b.pull[line];
    double *stored = b.displacement + (size_t)(!s.parity) * b.cells + i; /* level n - 1, overwritten by n + 1 */
    const double flow = b.flow_gain * (displacement - __ldcg(stored));
    s.next[c.below] = (REAL)(below - flow);
    s.next[c.above] = (REAL)(above + flow);
    *stored = displacement;
    b.r[i] = r;
}

/* One thread per cell, divided among the blocks of the cluster. Phases: load the row of the
 * coupling into registers; wait for the air, and take the first Jacobi step; further Jacobi
 * steps, alternating between r and `other`; the lines; move the air. */
template <typename REAL, int ENTRIES>
__device__ __forceinline__ void couple_in_registers(const couple_arguments<REAL> &s, const device_body &b)
{
    extern __shared__ double memory[]; /* two copies of r, used alternately: [cells] each */
    const uint32_t cells = b.cells, width = b.coupling.width, part = cells_of_block(cells, s.cluster);
    const uint32_t i = blockIdx.x % s.cluster * part + threadIdx.x;
    const bool mine = threadIdx.x < part && i < cells;
    const cell c = mine ? cell_of(b, i) : cell{};
    double value[ENTRIES];
    uint32_t columns[ENTRIES / 2]; /* two in each */
#pragma unroll
    for (uint32_t k = 0; k < ENTRIES; k++) {
        const bool is = mine && k < width;
        value[k] = is ? __ldg(b.coupling.value + k * cells + i) : 0.0;
        const uint32_t column = is ? __ldg(b.coupling.column + k * cells + i) : i; /* r there belongs to this block */
        columns[k / 2] = k % 2 ? columns[k / 2] | column << 16 : column;
    }
    double *r = memory, *other = memory + cells;
    auto sum_of = [&]() {
        double sum[4] = {};
#pragma unroll
        for (uint32_t k = 0; k < ENTRIES; k++)
            sum[k % 4] += value[k] * r[k % 2 ? columns[k / 2] >> 16 : columns[k / 2] & 0xffffu];
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    };
    if (s.cluster > 1)
        wait_for_cluster(); /* shared memory of other blocks exists only once they run */
    wait_for_previous_kernel();
    double below = 0.0, above = 0.0, base = 0.0;
    if (mine) {
        base = c.inverse * gather(s, b, c, i, below, above);
        write_to_cluster(r + i, base, c.readers);
    }
    wait_for_others(s.cluster);
    for (unsigned step = 1; step < b.iterations; step++) {
        if (mine)
            write_to_cluster(other + i, base - sum_of(), c.readers);
        double *const last = r;
        r = other;
        other = last;
        wait_for_others(s.cluster);
    }
    if (b.line_count)
        couple_lines(b, r);
    if (mine)
        move_air(s, b, c, i, r[i], sum_of(), below, above);
}

/* Any surface, by one block. Phases: first Jacobi step; further steps; the lines; move the air. */
template <typename REAL>
__device__ __forceinline__ void couple_any_size(const couple_arguments<REAL> &s, const device_body &b, double *memory)
{
    const uint32_t cells = b.cells;
    double *base = s.shared ? memory : b.scratch, *r = base + cells, *other = r + cells;
    wait_for_previous_kernel();
    for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x) {
        const cell here = cell_of(b, i);
        double below, above;
        base[i] = r[i] = here.inverse * gather(s, b, here, i, below, above);
    }
    __syncthreads();
    for (unsigned step = 1; step < b.iterations; step++) {
        for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x)
            other[i] = base[i] - coupled(b.coupling, i, r);
        double *const last = r;
        r = other;
        other = last;
        __syncthreads();
    }
    if (b.line_count)
        couple_lines(b, r);
    for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x) {
        const cell here = cell_of(b, i);
        double below, above;
        gather(s, b, here, i, below, above);
        move_air(s, b, here, i, r[i], coupled(b.coupling, i, r), below, above);
    }
}

/* Adds level n to the taps of the previous sample, one warp per channel. */
__device__ void add_taps(const body_tap *taps, const uint32_t *first, unsigned channels, unsigned level, double *out,
                         unsigned long long stride, unsigned long long n, unsigned thread, unsigned threads)
{
    for (unsigned channel = thread / 32; channel < channels && n > 0; channel += threads / 32) {
        double sum = 0.0;
        for (uint32_t k = first[channel] + thread % 32; k < first[channel + 1]; k += 32)
            sum += taps[k].weight * __ldcg(taps[k].values + (size_t)level * taps[k].stride);
        for (int half = 16; half > 0; half /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, half);
        if (thread % 32 == 0)
            out[channel * stride + n - 1] += sum;
    }
}

/* Blocks of surfaces first, then blocks for the other cuts and the taps. */
template <typename REAL, int ENTRIES>
__global__ void __launch_bounds__(COUPLE_THREADS_OF(ENTRIES)) couple(const __grid_constant__ couple_arguments<REAL> s)
{
    extern __shared__ double memory[];
    __shared__ device_body body;
    const unsigned place = blockIdx.x / s.cluster;
    if (place < s.surface_count) {
        const uint32_t *const from = (const uint32_t *)(s.body + s.surfaces[place]);
        for (uint32_t i = threadIdx.x; i < sizeof body / sizeof *from; i += blockDim.x)
            ((uint32_t *)&body)[i] = from[i];
        __syncthreads();
        if (s.shared && cells_of_block(body.cells, s.cluster) <= blockDim.x && body.coupling.width <= ENTRIES)
            couple_in_registers<REAL, ENTRIES>(s, body);
        else if (blockIdx.x % s.cluster == 0)
            couple_any_size(s, body, memory);
        return;
    }
    const unsigned first = s.surface_count * s.cluster, thread = (blockIdx.x - first) * blockDim.x + threadIdx.x;
    wait_for_previous_kernel();
    if (thread == 0)
        *s.settled = 0; /* level n + 1 is not settled */
    if (thread < s.other_cut_count) {
        REAL *at = s.next + s.cuts[thread].at;
        *at = (REAL)((double)*at - __ldcg(s.cut_flux + thread));
    }
    add_taps(s.body_taps, s.tap_first, s.channels, s.now, s.taps, s.tap_stride,
             __ldcg(s.base) + (unsigned long long)s.offset, thread, (gridDim.x - first) * blockDim.x);
}

__global__ void add_last_taps(const body_tap *taps, const uint32_t *first, unsigned channels, unsigned level,
                              double *out, unsigned long long stride, const unsigned long long *base)
{
    add_taps(taps, first, channels, level, out, stride, *base, threadIdx.x, blockDim.x);
}

template <typename REAL>
void launch_couple(const device_bodies *b, const couple_arguments<REAL> &m, cudaStream_t stream)
{
    const unsigned others = b->other_cut_count ? (b->other_cut_count + b->couple_threads - 1) / b->couple_threads : 1;
    const unsigned blocks = b->surface_count * b->cluster + (others + b->cluster - 1) / b->cluster * b->cluster;
    launch_overlapping(
        b->many_entries ? couple<REAL, COUPLE_MANY_ENTRIES> : couple<REAL, COUPLE_ENTRIES>,
        {dim3(blocks), dim3(b->couple_threads), stream, b->shared_bytes, b->cluster > 1 ? b->cluster : 0}, m);
}

} // namespace

template <typename REAL>
void bodies_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (!b)
        return;
    couple_arguments<REAL> m = {};
    m.body = b->body;
    m.surfaces = b->surfaces;
    m.surface_count = b->surface_count;
    m.next = s.next;
    m.now = (unsigned)(phase % 3);
    m.parity = (unsigned)(phase & 1);
    m.shared = b->shared_bytes > 0;
    m.cluster = b->cluster;
    m.settled = b->settled;
    m.cuts = b->cuts;
    m.cut_flux = b->cut_flux;
    m.other_cut_count = b->other_cut_count;
    m.body_taps = b->taps;
    m.tap_first = b->tap_first;
    m.channels = b->tapped ? b->tap_channels : 0;
    m.taps = s.taps;
    m.tap_stride = s.tap_stride;
    m.base = s.base;
    m.offset = s.offset;
    cudaStreamWaitEvent(stream, b->ready, 0);
    launch_couple(b, m, stream);
    ports_end(b, s, phase, stream);
    winds_end(b, s, phase, stream);
}

template <typename REAL>
void bodies_read_taps(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (b && b->tapped)
        add_last_taps<<<1, BODY_THREADS, 0, stream>>>(b->taps, b->tap_first, b->tap_channels, (unsigned)(phase % 3),
                                                      s.taps, s.tap_stride, s.base);
}

int bodies_shape(struct device_bodies *b, unsigned cells, unsigned width, struct error *e)
{
    int device = 0, shared_max = 0;
    b->cells_max = cells;
    b->many_entries = width > (unsigned)COUPLE_ENTRIES;
    const unsigned threads = b->many_entries ? COUPLE_MANY_THREADS : COUPLE_THREADS, good = b->many_entries ? 192 : 512;
    b->cluster = 1;
    while (b->cells_max > b->cluster * good && b->cluster < (unsigned)CLUSTER_MAX &&
           can_overlap(couple<double, COUPLE_ENTRIES>))
        b->cluster *= 2;
    const unsigned part = cells_of_block(b->cells_max, b->cluster), wanted = part < 128 ? 128 : (part + 31) / 32 * 32;
    b->couple_threads = wanted < threads ? wanted : threads;
    if (cuda_check(cudaGetDevice(&device), "instruments", e) ||
        cuda_check(cudaDeviceGetAttribute(&shared_max, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "instruments",
                   e))
        return -1;
    const size_t bytes = COUPLE_ARRAYS * (size_t)b->cells_max * sizeof(double);
    b->shared_bytes = bytes + 2048 <= (size_t)shared_max ? bytes : 0; /* 2048 bytes: static shared memory */
    const void *const kernels[] = {
        (const void *)couple<float, COUPLE_ENTRIES>, (const void *)couple<float, COUPLE_MANY_ENTRIES>,
        (const void *)couple<double, COUPLE_ENTRIES>, (const void *)couple<double, COUPLE_MANY_ENTRIES>};
    for (const void *kernel : kernels)
        if (allow_shared_memory(kernel, b->shared_bytes, "instruments", e))
            return -1;
    return 0;
}

template void bodies_end<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_end<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);
template void bodies_read_taps<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_read_taps<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);

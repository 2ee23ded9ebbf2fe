/* SPDX-License-Identifier: MIT */
/* Stretching of strings, heads and plates (solver/schemes/bodies/stretching.h): what does not depend on the new air,
 * concurrent with the field's kernels. g follows from level n; the response of the step to a force along g is
 * that of body_response.h, kept as displacements at the connections and forces of lines, from which `finish`
 * derives the points. */
#include "cuda/bodies/bodies.cuh"
#include "cuda/bodies/next_level.cuh"
#include "cuda/bodies/plate_stretching.cuh"
#include "cuda/engine/device.cuh"
#include "cuda/ptx.cuh"

extern "C" {
#include "solver/schemes/bodies/ports_solve.h"
}

namespace
{

enum { RESPONSE_THREADS = 512 };

struct stretching_arguments {
    const device_body *body;
    const body_job *jobs;
    const uint32_t *stretching; /* bodies */
    unsigned now, before;
    double k2;
    size_t shared_cells; /* 0: r is in global memory */
};

/* --- g --- */

/* g of a node: 2 C times k²K w, with the terms of surface_stiffness. Of a plate ∇V, which
 * find_responses turns into g. */
__device__ double slope_of_node(const device_body &b, const device_stretching &t, uint32_t node, const double *w)
{
    if (t.plate)
        return plate_gradient(*t.plate, node, w);
    const uint16_t kind = b.kind[node];
    const struct stencil &s = b.stencils[kind];
    const double lossy =
        (2.0 - b.denominator) * __ldcg(w + node) + stencil_times(s.offset, s.before, s.lossy, w + node);
    const double stiff = 2.0 * __ldcg(w + node) - lossy - stencil_times(s.offset, s.now, s.count, w + node);
    return kind ? t.factor * stiff : 0.0;
}

/* g of a line, and its sums. */
__device__ void slope_of_line(const device_stretching &t, const device_line &l, unsigned now, unsigned before)
{
    const double *q = l.q + (size_t)now * l.points, *old = l.q + (size_t)before * l.points;
    double sum[STRETCH_SUMS] = {};
    for (uint32_t m = threadIdx.x; m < l.modes; m += blockDim.x) {
        const double g = t.factor * t.slope[m] * __ldcg(q + m), moved = l.gain[m] * g;
        t.g[m] = g;
        sum[SUM_OLD] += g * __ldcg(old + m);
        sum[SUM_FREE] += g * __ldcg(l.free + m);
        sum[SUM_REACH] += l.connection.kind == CONNECTION_NONE ? 0.0 : l.connection.shape[m] * moved;
        sum[SUM_GAIN] += g * moved;
    }
    for (int i = 0; i < STRETCH_SUMS; i++) {
        const double total = block_sum(sum[i]);
        if (threadIdx.x == 0)
            t.sums[i] = total;
    }
}

__global__ void __launch_bounds__(BODY_THREADS) find_slopes(const __grid_constant__ stretching_arguments s)
{
    const body_job job = s.jobs[blockIdx.x];
    const device_body &b = s.body[job.body];
    const device_stretching &t = b.ports->stretching[job.work == WORK_LINE ? job.first : b.ports->surface_stretching];
    wait_for_last_step();
    if (job.work == WORK_LINE)
        slope_of_line(t, b.lines[t.line], s.now, s.before);
    else if (job.first + threadIdx.x < b.nodes)
        t.g[job.first + threadIdx.x] = slope_of_node(b, t, job.first + threadIdx.x, b.w + (size_t)s.now * b.nodes);
}

/* --- the response --- */

/* r of the air for a force along g from rest, by Jacobi steps as in couple.cu. Returns the array of the last. */
__device__ double *air_response(const device_body &b, const device_stretching &t, double *base)
{
    double *r = base + b.cells, *other = r + b.cells;
    for (uint32_t i = threadIdx.x; i < b.cells; i += blockDim.x) {
        const double displacement = row_times(b.map, i, t.g);
        t.at_cells[i] = displacement;
        base[i] = r[i] = -b.inverse[i] * b.load * b.force_gain / b.denominator * displacement;
    }
    __syncthreads();
    for (unsigned step = 1; step < b.iterations; step++) {
        for (uint32_t i = threadIdx.x; i < b.cells; i += blockDim.x)
            other[i] = base[i] - coupled(b.coupling, i, r);
        double *const last = r;
        r = other;
        other = last;
        __syncthreads();
    }
    return r;
}

/* Its own response to g, without lines, at nodes, cells and connections, and its sums. */
__device__ void respond_surface(const device_body &b, const device_stretching &t, const double *old, double *base)
{
    const double *const r = air_response(b, t, base);
    double sum[3] = {};
    for (uint32_t i = threadIdx.x; i < b.nodes; i += blockDim.x) {
        const double g = __ldcg(t.g + i);
        const double answer = (b.force_gain * g + b.area_ratio * coupled(b.spread, i, r)) / b.denominator;
        t.answer[i] = b.kind[i] ? answer : 0.0;
        sum[SUM_OLD] += g * __ldcg(old + i);
        sum[SUM_FREE] += g * __ldcg(b.free + i);
        sum[SUM_REACH] += g * answer;
    }
    for (uint32_t i = threadIdx.x; i < b.cells; i += blockDim.x)
        t.at_cells[b.cells + i] =
            b.force_gain / b.denominator * t.at_cells[i] + b.own[i] * r[i] + b.other[i] * coupled(b.coupling, i, r);
    for (int i = 0; i <= SUM_REACH; i++) {
        const double total = block_sum(sum[i]);
        if (threadIdx.x == 0)
            t.sums[i] = total;
    }
    for (uint32_t i = threadIdx.x; i < b.line_count; i += blockDim.x)
        t.at_connected[i] = at_nodes(b.lines[i].connection, t.answer);
}

/* Force of a stretched line on a surface at rest, for a force along g. */
__device__ double reaction_of(const device_line &l, double reach, double k2, double *bridge)
{
    *bridge = 0.0;
    if (l.connection.kind == CONNECTION_END)
        return -reach / k2;
    if (l.connection.kind == CONNECTION_BRIDGE) {
        *bridge = -reach / k2 / l.stiff;
        return l.outward * *bridge;
    }
    return isinf(l.connection.stiffness) ? reach / l.shape_gain : l.outward * reach / (1.0 + l.outward * l.shape_gain);
}

/* theory (73) from rest. */
__device__ void respond_lines(const device_body &b, const device_stretching &t, double k2)
{
    const bool of_surface = t.line == UINT32_MAX;
    double bridge = 0.0;
    const double reaction = of_surface ? 0.0 : reaction_of(b.lines[t.line], __ldcg(t.sums + SUM_REACH), k2, &bridge);
    if (threadIdx.x == 0)
        *t.bridge = bridge;
    for (uint32_t i = threadIdx.x; i < b.line_count; i += blockDim.x) {
        double at = of_surface ? 0.0 : b.coupled_forced[(size_t)i * b.line_count + t.line] * reaction;
        for (uint32_t k = 0; k < b.line_count && of_surface; k++)
            at += b.coupled_free[(size_t)i * b.line_count + k] * t.at_connected[k];
        t.at[i] = at;
        t.pull[i] = (i == t.line ? reaction : 0.0) - b.lines[i].slope * at;
    }
}

/* g·A⁻¹g' of two stretchings; `row` is of a line unless both are the surface's. */
__device__ double gain_of(const device_body &b, const device_stretching &row, const device_stretching &column,
                          double k2)
{
    if (row.line == UINT32_MAX) {
        double sum = row.sums[SUM_REACH];
        for (uint32_t i = 0; i < b.line_count; i++)
            sum += row.pull[i] * row.at_connected[i];
        return sum;
    }
    const double own = row.line == column.line ? __ldcg(row.sums + SUM_GAIN) : 0.0;
    if (!row.pull)
        return own;
    const double partial = row.line == column.line ? *column.bridge : 0.0;
    const line_motion motion =
        line_motion_from(b.lines[row.line], column.at[row.line], column.pull[row.line], partial, k2);
    return own - __ldcg(row.sums + SUM_REACH) * motion.moved;
}

/* The motion of a place for a force of 1 along g, as g times the response to a force there; by a warp. */
__device__ void reach_place(const device_body &b, const device_ports &p, uint32_t number, uint32_t row)
{
    const device_stretching &t = p.stretching[number];
    const uint32_t offset = t.line == UINT32_MAX ? 0 : b.lines[t.line].offset;
    const uint32_t count = t.line == UINT32_MAX ? b.nodes : b.lines[t.line].modes;
    const double *const response = p.response + (size_t)row * p.points + offset;
    double sum = 0.0;
    for (uint32_t m = threadIdx.x % 32; m < count; m += 32)
        sum += __ldcg(t.g + m) * __ldg(response + m);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        p.stretch_reach[(size_t)number * p.place_count + row] = sum;
}

/* Of the places that something touches, which are few of many. Their order in the list differs between runs;
 * results do not depend on it. */
__device__ void reach_places(const device_body &b, const device_ports &p)
{
    __shared__ uint32_t rows[RESPONSE_THREADS];
    __shared__ unsigned count;
    for (unsigned base = 0; base < 2 * p.port_count; base += blockDim.x) {
        const unsigned port = (base + threadIdx.x) / 2;
        if (threadIdx.x == 0)
            count = 0;
        __syncthreads();
        if (port < p.port_count) {
            uint32_t first, end;
            rows_needed(p.ports + port, p.state + port, p.inputs + PORT_INPUTS * port, &first, &end);
            if (first + threadIdx.x % 2 < end)
                rows[atomicAdd(&count, 1u)] = first + threadIdx.x % 2;
        }
        __syncthreads();
        for (unsigned job = threadIdx.x / 32; job < count * p.stretching_count; job += blockDim.x / 32)
            reach_place(b, p, job / count, rows[job % count]);
        __syncthreads();
    }
}

/* A block for each body that stretches. */
__global__ void __launch_bounds__(RESPONSE_THREADS) find_responses(const __grid_constant__ stretching_arguments s)
{
    extern __shared__ double memory[];
    const device_body &b = s.body[s.stretching[blockIdx.x]];
    const device_ports &p = *b.ports;
    wait_for_last_step();
    invalidate_first_level_cache(); /* for rows_needed */
    __syncthreads();
    for (uint32_t i = 0; i < p.stretching_count; i++) {
        const device_stretching &t = p.stretching[i];
        if (t.plate)
            control_plate_drift(b, t, __ldcg(p.stretched + i), b.w + (size_t)s.now * b.nodes,
                                b.w + (size_t)s.before * b.nodes);
        if (t.line == UINT32_MAX)
            respond_surface(b, t, b.w + (size_t)s.before * b.nodes, b.cells <= s.shared_cells ? memory : b.scratch);
        __syncthreads();
        if (t.pull)
            respond_lines(b, t, s.k2);
    }
    __syncthreads();
    const uint32_t n = p.stretching_count;
    for (uint32_t k = threadIdx.x; k < n * n; k += blockDim.x) {
        const uint32_t low = min(k / n, k % n), high = max(k / n, k % n);
        const bool swap = p.stretching[high].line == UINT32_MAX; /* A is symmetric */
        p.stretch_gain[k] = gain_of(b, p.stretching[swap ? low : high], p.stretching[swap ? high : low], s.k2);
    }
    reach_places(b, p);
}

} // namespace

int stretching_shape(struct device_bodies *b, struct error *e)
{
    const size_t bytes = COUPLE_ARRAYS * (size_t)b->cells_max * sizeof(double);
    b->stretch_shared_bytes = bytes + 4096 <= shared_memory_max() ? bytes : 0; /* 4096 bytes: static shared memory */
    return allow_shared_memory((const void *)find_responses, b->stretch_shared_bytes, "instruments", e);
}

void stretching_begin(const struct device_bodies *b, int phase)
{
    if (!b->stretching_count)
        return;
    stretching_arguments s = {};
    s.body = b->body;
    s.jobs = b->slope_jobs;
    s.stretching = b->stretching;
    s.now = (unsigned)(phase % 3);
    s.before = (unsigned)((phase + 2) % 3);
    s.k2 = b->bodies->time_step * b->bodies->time_step;
    s.shared_cells = b->stretch_shared_bytes / (COUPLE_ARRAYS * sizeof(double));
    plates_begin(b, s.now);
    launch_overlapping(find_slopes, {dim3(b->slope_job_count), dim3(BODY_THREADS), b->stream}, s);
    launch_overlapping(find_responses,
                       {dim3(b->stretching_count), dim3(RESPONSE_THREADS), b->stream, b->stretch_shared_bytes}, s);
}

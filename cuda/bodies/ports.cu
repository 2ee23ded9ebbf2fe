/* SPDX-License-Identifier: MIT */
/* Solves for the forces of ports and stretching (solver/schemes/bodies/ports.h) after `couple`, and moves the
 * air by what they add, which is linear in them. Until `finish` of the next step adds the rest, the forces
 * are kept: those of places by active_row and active_force, those of stretching by stretch_force and by the
 * displacements and forces at the connections of lines.
 *
 * A block solves for a body: the forces act on each other within the step, and are few. */
#include "cuda/bodies/bodies.cuh"
#include "cuda/bodies/next_level.cuh"
#include "cuda/bodies/ports_memory.cuh"
#include "cuda/ptx.cuh"

extern "C" {
#include "solver/schemes/bodies/ports_solve.h"
}

namespace
{

enum { PORTS_THREADS = 256 };

template <typename REAL> struct ports_arguments {
    const device_body *body;
    const uint32_t *ported;
    REAL *next;
    unsigned after, now, before; /* levels n + 1, n and n - 1 among the three */
    unsigned parity;             /* of n */
    double time_step;
};

/* Levels n - 1, n and n + 1 of a point, the last without ports. */
struct point_levels {
    double old, now, next;
};

__device__ point_levels levels_of(const device_body &b, const place_entry &at, const line_motion *motions, unsigned now,
                                  unsigned before)
{
    if (at.part == 0)
        return {__ldcg(b.w + (size_t)before * b.nodes + at.point), __ldcg(b.w + (size_t)now * b.nodes + at.point),
                node_without_ports(b, at.point)};
    const device_line &l = b.lines[at.part - 1];
    return {__ldcg(l.q + (size_t)before * l.points + at.point), __ldcg(l.q + (size_t)now * l.points + at.point),
            point_without_ports(l, motions[at.part - 1], at.point)};
}

/* Of the places that something touches; a warp each. */
template <typename REAL>
__device__ void move_places(const ports_arguments<REAL> &s, const device_body &b, const device_ports &p,
                            const ports_memory &m)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned job = threadIdx.x / 32; job < 2 * p.port_count; job += blockDim.x / 32) {
        const unsigned port = job / 2;
        uint32_t first, end;
        rows_needed(p.ports + port, p.state + port, p.inputs + PORT_INPUTS * port, &first, &end);
        const uint32_t row = first + job % 2;
        if (row >= end)
            continue;
        point_levels sum = {0.0, 0.0, 0.0};
        for (uint32_t k = p.row_start[row] + lane; k < p.row_start[row + 1]; k += 32) {
            const place_entry at = p.row[k];
            const point_levels levels = levels_of(b, at, m.motions, s.now, s.before);
            sum.old += at.value * levels.old;
            sum.now += at.value * levels.now;
            sum.next += at.value * levels.next;
        }
        sum.old = warp_sum(sum.old);
        sum.now = warp_sum(sum.now);
        sum.next = warp_sum(sum.next);
        if (lane == 0) {
            m.old[row] = sum.old;
            m.now[row] = sum.now;
            m.next[row] = sum.next;
        }
    }
}

/* g·ŵ of what stretches, from g·free. */
__device__ void move_stretching(const device_body &b, const device_ports &p, const ports_memory &m)
{
    for (uint32_t i = 0; i < p.stretching_count; i++) {
        const device_stretching &t = p.stretching[i];
        if (t.line != UINT32_MAX) {
            if (threadIdx.x == 0)
                m.stretch_next[i] = t.sums[SUM_FREE] - t.sums[SUM_REACH] * m.motions[t.line].moved;
            if (threadIdx.x == 0)
                m.stretch_old[i] = t.sums[SUM_OLD];
            continue;
        }
        double sum = 0.0;
        for (uint32_t k = threadIdx.x; k < b.cells; k += blockDim.x)
            sum += t.at_cells[k] * b.r[k];
        sum *= b.area_ratio / b.denominator;
        for (uint32_t k = threadIdx.x; k < b.line_count; k += blockDim.x)
            sum += t.at_connected[k] * b.pull[k];
        const double total = block_sum(sum);
        if (threadIdx.x == 0) {
            m.stretch_next[i] = t.sums[SUM_FREE] / b.denominator + total;
            m.stretch_old[i] = t.sums[SUM_OLD];
        }
    }
}

/* Lists the places with a force, in their order; by one warp. */
__device__ void list_forces(const device_ports &p, const double *force)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < p.place_count; first += 32) {
        const uint32_t row = first + threadIdx.x;
        const bool acts = row < p.place_count && force[row] != 0.0;
        const unsigned acting = __ballot_sync(0xffffffffu, acts);
        if (acts) {
            const uint32_t at = count + (uint32_t)__popc(acting & ((1u << threadIdx.x) - 1));
            p.active_row[at] = row;
            p.active_force[at] = force[row];
        }
        count += (uint32_t)__popc(acting);
    }
    if (threadIdx.x == 0)
        *p.active_count = count;
}

/* What stretching adds at the connections of lines, to the surface and from it. */
__device__ void add_to_connections(const device_body &b, const device_ports &p, const ports_memory &m)
{
    for (uint32_t line = threadIdx.x; line < b.line_count; line += blockDim.x) {
        double at = 0.0, pull = 0.0;
        for (uint32_t i = 0; i < p.stretching_count; i++) {
            const device_stretching &t = p.stretching[i];
            at += t.at[line] * p.stretch_force[i];
            pull += t.pull[line] * p.stretch_force[i];
            if (t.line == line)
                b.partial[line] += *t.bridge * p.stretch_force[i];
        }
        b.at[line] += at;
        b.pull[line] += pull;
        m.added_pull[line] = pull;
    }
}

template <typename REAL>
__device__ void move_air(const ports_arguments<REAL> &s, const device_body &b, const device_ports &p,
                         const ports_memory &m)
{
    const uint32_t cells = b.cells, count = *p.active_count;
    double *const stored = b.displacement + (size_t)(!s.parity) * cells;
    for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x) {
        double moved = 0.0;
        for (uint32_t k = 0; k < count; k++)
            moved += __ldg(p.displacement_response + (size_t)p.active_row[k] * cells + i) * p.active_force[k];
        for (uint32_t line = 0; line < b.line_count && p.stretching_count; line++)
            moved += __ldg(b.displacement_answer + (size_t)line * cells + i) * m.added_pull[line];
        if (b.stretch_answer)
            moved += p.stretching[p.surface_stretching].at_cells[cells + i] * p.stretch_force[p.surface_stretching];
        const double flow = b.flow_gain * moved;
        s.next[b.below[i]] = (REAL)((double)s.next[b.below[i]] - flow);
        s.next[b.above[i]] = (REAL)((double)s.next[b.above[i]] + flow);
        stored[i] += moved;
    }
}

/* A block for each body with ports or stretching. */
template <typename REAL>
__global__ void __launch_bounds__(PORTS_THREADS) solve_ports(const __grid_constant__ ports_arguments<REAL> s)
{
    extern __shared__ double memory[];
    __shared__ struct ports_solve solve;
    const device_body &b = s.body[s.ported[blockIdx.x]];
    const device_ports &p = *b.ports;
    wait_for_previous_kernel();
    invalidate_first_level_cache(); /* ports_solve reads through it */
    __syncthreads();
    const ports_memory m(p.scratch ? p.scratch : memory, p.port_count, p.place_count, p.stretching_count, b.line_count);
    if (threadIdx.x == 0)
        m.fill(solve, p, s.time_step, s.after);
    for (uint32_t i = threadIdx.x; i < b.line_count; i += blockDim.x)
        m.motions[i] = line_motion_of(b, i, s.time_step * s.time_step);
    __syncthreads();
    move_places(s, b, p, m);
    move_stretching(b, p, m);
    __syncthreads();
    ports_solve(&solve, {threadIdx.x, blockDim.x});
    if (threadIdx.x < 32)
        list_forces(p, m.place_force);
    if (b.nodes && b.line_count && p.stretching_count)
        add_to_connections(b, p, m);
    __syncthreads();
    if (*p.active_count || p.stretching_count)
        move_air(s, b, p, m);
}

} // namespace

template <typename REAL>
void ports_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (!b->ported_count)
        return;
    const ports_arguments<REAL> m = {b->body,
                                     b->ported,
                                     s.next,
                                     (unsigned)((phase + 1) % 3),
                                     (unsigned)(phase % 3),
                                     (unsigned)((phase + 2) % 3),
                                     (unsigned)(phase & 1),
                                     b->bodies->time_step};
    launch_overlapping(solve_ports<REAL>, {dim3(b->ported_count), dim3(PORTS_THREADS), stream, b->ports_shared_bytes},
                       m);
}

template void ports_end<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void ports_end<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);

/* The kernels that step bodies: see bodies.cuh. */
#include "bodies.cuh"
extern "C" {
#include "check.h"
}
#include "overlap.cuh"

namespace {

/* What every kernel of a step needs, passed by value. */
struct frame {
    const device_body *body;
    const body_job *jobs;
    unsigned now, before; /* levels n, n - 1 among the three */
    unsigned parity;      /* of n */
    double k2;            /* k² */
    const device_cut *cuts;
    double *cut_flux;
    unsigned stray_count;
    /* drives */
    const body_drive *drives;
    const body_term *terms;
    uint32_t drive_count;
    const double *drive;
    unsigned long long drive_stride;
    const unsigned long long *base;
    int offset;
};

template <typename REAL> struct air {
    REAL *next;
    const REAL *now, *before;
    int64_t step_of[6]; /* to the neighbour across a face */
    REAL side, old_side;
};

template <typename REAL> struct preparation {
    frame f;
    air<REAL> a;
};

/* What other kernels write is read past the first-level cache (overlap.cuh). */
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

/* D w⁺ at a node once r is known, but for the lines. */
__device__ __forceinline__ double with_air(const device_body &b, uint32_t node)
{
    return __ldcg(b.free + node) + b.area_ratio * row_times(b.spread, node, b.r);
}

/* --- finish: level n, and the forces of the step from it --- */

__device__ void finish_node(const device_body &b, uint32_t node, unsigned now)
{
    double w = with_air(b, node) / b.denominator;
    if (b.answer_start)
        for (uint32_t k = b.answer_start[node]; k < b.answer_start[node + 1]; k++)
            w += b.answer[k] * __ldcg(b.pull + b.answer_line[k]);
    b.w[(size_t)now * b.nodes + node] = w;
}

/* Modes answer the surface's displacement and the force on it. */
__device__ void finish_line(const device_body &b, uint32_t line, unsigned now, double k2)
{
    const device_line &l = b.lines[line];
    double *q = l.q + (size_t)now * l.points, moved = 0.0;
    if (l.connection.kind == CONNECTION_POINT)
        moved = __ldcg(b.pull + line);
    if (l.connection.kind == CONNECTION_END)
        moved = __ldcg(b.at + line) / k2;
    if (l.connection.kind == CONNECTION_BRIDGE) { /* slope = out - out²/stiff, and it goes to partial + out w/stiff */
        const double bridge = __ldcg(b.partial + line) + (1.0 - l.slope / l.outward) * __ldcg(b.at + line);
        moved = bridge / k2;
        if (threadIdx.x == 0)
            q[l.modes] = bridge;
    }
    for (uint32_t m = threadIdx.x; m < l.modes; m += blockDim.x) {
        const double shape = l.connection.kind == CONNECTION_NONE ? 0.0 : l.connection.shape[m];
        q[m] = __ldcg(l.free + m) - l.gain[m] * shape * moved;
    }
}

__device__ void sum_drive(const frame &f, uint32_t i)
{
    const body_drive d = f.drives[i];
    const unsigned long long n = __ldcg(f.base) + (unsigned long long)f.offset;
    double sum = 0.0;
    for (uint32_t k = d.first; k < d.end; k++)
        sum += f.terms[k].weight * __ldcg(f.drive + f.terms[k].channel * f.drive_stride + n);
    *d.force = sum;
}

__global__ void __launch_bounds__(BODY_THREADS) finish(const __grid_constant__ frame f)
{
    const body_job job = f.jobs[blockIdx.x];
    const uint32_t i = job.first + threadIdx.x;
    wait_for_last_step();
    if (job.work == WORK_NODES && i < f.body[job.body].nodes)
        finish_node(f.body[job.body], i, f.now);
    if (job.work == WORK_LINE)
        finish_line(f.body[job.body], job.first, f.now, f.k2);
    if (job.work == WORK_DRIVES && i < f.drive_count)
        sum_drive(f, i);
}

/* --- free: level n + 1 without air and joints --- */

__device__ void free_node(const device_body &b, uint32_t node, unsigned now, unsigned before)
{
    const uint16_t kind = b.kind[node];
    const struct stencil &s = b.stencils[kind];
    const double *w = b.w + (size_t)now * b.nodes + node, *old = b.w + (size_t)before * b.nodes + node;
    double sum = b.force_gain * __ldcg(b.force + node);
    for (uint32_t k = 0; k < s.lossy; k++)
        sum += s.before[k] * __ldcg(old + s.offset[k]);
    for (uint32_t k = 0; k < s.count; k++)
        sum += s.now[k] * __ldcg(w + s.offset[k]);
    b.free[node] = kind ? sum : 0.0;
}

__device__ __forceinline__ double at_nodes(const struct connection &c, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < CONNECTION_NODES_MOST; i++)
        sum += c.weight[i] * __ldcg(w + c.node[i]);
    return sum;
}

/* Sums over the block, for every thread. */
__device__ void add_up(double &first, double &second)
{
    __shared__ double sums[2][BODY_THREADS / 32];
    for (int half = 16; half > 0; half /= 2) {
        first += __shfl_down_sync(0xffffffffu, first, half);
        second += __shfl_down_sync(0xffffffffu, second, half);
    }
    if (threadIdx.x % 32 == 0) {
        sums[0][threadIdx.x / 32] = first;
        sums[1][threadIdx.x / 32] = second;
    }
    __syncthreads();
    first = second = 0.0;
    for (int i = 0; i < BODY_THREADS / 32; i++) {
        first += sums[0][i];
        second += sums[1][i];
    }
}

/* The modes of a line whose held end is at (now, old) and comes to 0; the force of the line on that end, but for what its
 * next displacement adds. */
__device__ double step_held(const device_line &l, const double *q, const double *old, double end, double old_end, double k2)
{
    const struct connection &c = l.connection;
    const double push = (2.0 * end - old_end) / k2;
    double sum = 0.0, none = 0.0;
    for (uint32_t m = threadIdx.x; m < l.modes; m += blockDim.x) {
        double next = l.now[m] * __ldcg(q + m) - l.before[m] * __ldcg(old + m) + l.gain[m] * __ldcg(l.force + m);
        next += l.gain[m] * c.shape[m] * push;
        sum += c.shape[m] * (next - 2.0 * __ldcg(q + m) + __ldcg(old + m));
        l.free[m] = next;
    }
    add_up(sum, none);
    return (c.end_mass * (2.0 * end - old_end) - sum) / k2 - c.end_stiffness * end;
}

__device__ void free_line(const device_body &b, uint32_t line, unsigned now, unsigned before, double k2)
{
    const device_line &l = b.lines[line];
    const struct connection &c = l.connection;
    const double *q = l.q + (size_t)now * l.points, *old = l.q + (size_t)before * l.points;
    if (c.kind == CONNECTION_NONE || c.kind == CONNECTION_POINT) {
        double free = 0.0, last = 0.0;
        for (uint32_t m = threadIdx.x; m < l.modes; m += blockDim.x) {
            const double next = l.now[m] * __ldcg(q + m) - l.before[m] * __ldcg(old + m) + l.gain[m] * __ldcg(l.force + m);
            l.free[m] = next;
            free += c.kind == CONNECTION_POINT ? c.shape[m] * next : 0.0;
            last += c.kind == CONNECTION_POINT ? c.shape[m] * __ldcg(old + m) : 0.0;
        }
        if (c.kind == CONNECTION_NONE)
            return;
        add_up(free, last);
        if (threadIdx.x == 0)
            b.reaction[line] = isinf(c.stiffness) ? free / l.shape_gain
                                                  : (l.outward * free + l.inward * (last - at_nodes(c, b.w + (size_t)before * b.nodes))) /
                                                        (1.0 + l.outward * l.shape_gain);
        return;
    }
    const double w = at_nodes(c, b.w + (size_t)now * b.nodes), old_w = at_nodes(c, b.w + (size_t)before * b.nodes);
    if (c.kind == CONNECTION_END) {
        const double reaction = step_held(l, q, old, w, old_w, k2);
        if (threadIdx.x == 0)
            b.reaction[line] = reaction;
        return;
    }
    const double bridge = __ldcg(q + l.modes), old_bridge = __ldcg(old + l.modes), spring = l.inward * (old_bridge - old_w);
    const double string = step_held(l, q, old, bridge, old_bridge, k2) + __ldcg(l.force + l.modes);
    if (threadIdx.x == 0) {
        const double partial = (c.bridge_mass * (2.0 * bridge - old_bridge) / k2 + string - spring) / l.stiff;
        b.partial[line] = partial;
        b.reaction[line] = l.outward * partial + spring;
    }
}

template <typename REAL> __device__ double across(const REAL *grid, const air<REAL> &a, uint64_t at, unsigned faces)
{
    const double here = (double)__ldcg(grid + at);
    double sum = 0.0;
    for (int face = 0; face < 6; face++)
        if (faces >> face & 1u)
            sum += (double)__ldcg(grid + (int64_t)at + a.step_of[face]) - here;
    return sum;
}

/* What the air's step takes across cut links. */
template <typename REAL> __device__ double flux_of(const air<REAL> &a, uint64_t at, unsigned faces)
{
    double flux = (double)a.side * across(a.now, a, at, faces);
    if (a.old_side > REAL(0))
        flux -= (double)a.old_side * across(a.before, a, at, faces);
    return flux;
}

template <typename REAL>
__global__ void __launch_bounds__(BODY_THREADS) step_free(const __grid_constant__ preparation<REAL> p)
{
    const frame &f = p.f;
    const air<REAL> &a = p.a;
    const body_job job = f.jobs[blockIdx.x];
    const uint32_t i = job.first + threadIdx.x;
    wait_for_last_step();
    if (job.work == WORK_NODES && i < f.body[job.body].nodes)
        free_node(f.body[job.body], i, f.now, f.before);
    if (job.work == WORK_LINE)
        free_line(f.body[job.body], job.first, f.now, f.before, f.k2);
    if (job.work == WORK_CUTS && i < f.stray_count)
        f.cut_flux[i] = flux_of(a, f.cuts[i].at, f.cuts[i].faces);
}

/* --- lean: everything at the air cells of a surface but the new air --- */

template <typename REAL>
__global__ void __launch_bounds__(BODY_THREADS) prepare_cells(const __grid_constant__ preparation<REAL> p)
{
    const frame &f = p.f;
    const air<REAL> &a = p.a;
    const body_job job = f.jobs[blockIdx.x];
    const device_body &b = f.body[job.body];
    const uint32_t i = job.first + threadIdx.x, cells = b.cells;
    wait_for_last_step();
    if (i >= cells)
        return;
    const uint64_t below = b.below[i], above = b.above[i];
    const double lean = row_times(b.map, i, b.free) / b.denominator;
    const double lean_before = __ldcg(b.lean + (size_t)(!f.parity) * cells + i);
    const double before = __ldcg(b.difference + (size_t)(!f.parity) * cells + i);
    b.lean_free[i] = lean;
    b.known[i] = b.load * (lean_before - lean) - b.pressure_gain * before;
    b.flux[i] = flux_of(a, below, b.faces[i]);
    b.flux[cells + i] = flux_of(a, above, b.faces[cells + i]);
    b.difference[(size_t)f.parity * cells + i] = (double)__ldcg(a.now + below) - (double)__ldcg(a.now + above);
}

template <typename REAL>
__global__ void __launch_bounds__(BODY_THREADS) read_differences(const __grid_constant__ preparation<REAL> p)
{
    const frame &f = p.f;
    const air<REAL> &a = p.a;
    const body_job job = f.jobs[blockIdx.x];
    const device_body &b = f.body[job.body];
    const uint32_t i = job.first + threadIdx.x;
    if (i < b.cells)
        b.difference[(size_t)(!f.parity) * b.cells + i] = (double)a.before[b.below[i]] - (double)a.before[b.above[i]];
}

/* --- meet: the surface and the new air --- */

template <typename REAL> struct meeting {
    const device_body *body;
    const uint32_t *surfaces;
    unsigned surface_count, cut_blocks;
    REAL *next;
    unsigned now, parity;
    bool shared; /* memory for r is there */
    const device_cut *cuts;
    const double *cut_flux;
    unsigned stray_count;
    const body_tap *heard;
    const uint32_t *tap_first;
    unsigned channels;
    double *taps;
    unsigned long long tap_stride;
    const unsigned long long *base;
    int offset;
};

/* What never changes of a cell. */
struct cell {
    uint64_t below, above;
    double inverse, own, other;
};

__device__ __forceinline__ cell cell_of(const device_body &b, uint32_t i)
{
    return {__ldg(b.below + i), __ldg(b.above + i), __ldg(b.inverse + i), __ldg(b.own + i), __ldg(b.other + i)};
}

/* A row times r, which this block has written. */
template <typename INDEX, int BATCH>
__device__ __forceinline__ double coupled(const entry_table<INDEX, BATCH> &m, uint32_t row, const double *r)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < m.width; k += BATCH)
#pragma unroll
        for (uint32_t i = 0; i < BATCH; i++)
            sum += __ldg(m.value + (size_t)(k + i) * m.rows + row) * r[__ldg(m.column + (size_t)(k + i) * m.rows + row)];
    return sum;
}

/* The lines on the surface, solved together with it: a warp a joint, then a thread. */
__device__ void join_lines(const device_body &b, const double *r)
{
    const uint32_t n = b.line_count, lane = threadIdx.x % 32;
    for (uint32_t i = threadIdx.x / 32; i < n; i += blockDim.x / 32) {
        const struct connection &c = b.lines[i].connection;
        double w = 0.0;
        if (lane < CONNECTION_NODES_MOST) {
            const uint32_t node = c.node[lane];
            const double sum = b.area_ratio * coupled(b.spread, node, r);
            w = c.weight[lane] * ((__ldcg(b.free + node) + sum) / b.denominator);
        }
        for (int half = CONNECTION_NODES_MOST / 2; half > 0; half /= 2)
            w += __shfl_down_sync(0xffffffffu, w, half);
        if (lane == 0)
            b.at_free[i] = w;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
        double at = 0.0;
        for (uint32_t k = 0; k < n; k++)
            at += b.joint_free[(size_t)i * n + k] * b.at_free[k] + b.joint_forced[(size_t)i * n + k] * __ldcg(b.reaction + k);
        b.at[i] = at;
        b.pull[i] = __ldcg(b.reaction + i) - b.lines[i].slope * at;
    }
    __syncthreads();
}

/* The air at a cell after its own step, cut links mended, below and above; returns the right side of r's equation. */
template <typename REAL> __device__ __forceinline__ double gather(const meeting<REAL> &s, const device_body &b, const cell &c, uint32_t i, double &below, double &above)
{
    below = (double)(REAL)((double)s.next[c.below] - __ldcg(b.flux + i));
    above = (double)(REAL)((double)s.next[c.above] - __ldcg(b.flux + b.cells + i));
    return b.pressure_gain * (below - above) + __ldcg(b.known + i);
}

/* Moves the air at a cell, r being known and `coupled` its row of the coupling times r. */
template <typename REAL>
__device__ __forceinline__ void move_air(const meeting<REAL> &s, const device_body &b, const cell &c, uint32_t i, double r, double coupled,
                                         double below, double above)
{
    double lean = __ldcg(b.lean_free + i) + (c.own * r + c.other * coupled);
    for (uint32_t line = 0; line < b.line_count; line++)
        lean += b.lean_answer[(size_t)line * b.cells + i] * b.pull[line];
    double *kept = b.lean + (size_t)(!s.parity) * b.cells + i; /* of n - 1, and from now on of n + 1 */
    const double flow = b.flow_gain * (lean - __ldcg(kept));
    s.next[c.below] = (REAL)(below - flow);
    s.next[c.above] = (REAL)(above + flow);
    *kept = lean;
    b.r[i] = r;
}

/* With the coupling at hand since before the air came: CELLS cells a thread. */
template <typename REAL, int CELLS> __device__ __forceinline__ void meet_quickly(const meeting<REAL> &s, const device_body &b)
{
    extern __shared__ double memory[]; /* r twice by turns, the air below and above: [cells] each */
    const uint32_t cells = b.cells, width = b.coupling.width;
    double value[CELLS][MEET_ENTRIES], base[CELLS];
    uint32_t columns[CELLS][MEET_ENTRIES / 2]; /* two in each */
    cell c = {};
#pragma unroll
    for (int n = 0; n < CELLS; n++) {
        const uint32_t i = threadIdx.x + n * blockDim.x;
        if (CELLS == 1 && i < cells)
            c = cell_of(b, i);
#pragma unroll
        for (uint32_t k = 0; k < MEET_ENTRIES; k++) {
            const bool is = i < cells && k < width;
            value[n][k] = is ? __ldg(b.coupling.value + k * cells + i) : 0.0;
            const uint32_t column = is ? __ldg(b.coupling.column + k * cells + i) : 0u;
            columns[n][k / 2] = k % 2 ? columns[n][k / 2] | column << 16 : column;
        }
    }
    double *r = memory, *other = memory + cells, *const below = memory + 2 * cells, *const above = memory + 3 * cells;
    auto sum_of = [&](int n) {
        double part[MEET_ENTRIES];
#pragma unroll
        for (uint32_t k = 0; k < MEET_ENTRIES; k++)
            part[k] = value[n][k] * r[k % 2 ? columns[n][k / 2] >> 16 : columns[n][k / 2] & 0xffffu];
#pragma unroll
        for (uint32_t half = MEET_ENTRIES / 2; half > 0; half /= 2)
#pragma unroll
            for (uint32_t k = 0; k < half; k++)
                part[k] += part[k + half];
        return part[0];
    };
    wait_alone();
#pragma unroll
    for (int n = 0; n < CELLS; n++) {
        const uint32_t i = threadIdx.x + n * blockDim.x;
        if (i < cells) {
            const cell here = CELLS == 1 ? c : cell_of(b, i);
            double air[2];
            base[n] = r[i] = here.inverse * gather(s, b, here, i, air[0], air[1]);
            below[i] = air[0];
            above[i] = air[1];
        }
    }
    __syncthreads();
    for (unsigned step = 1; step < b.iterations; step++) {
#pragma unroll
        for (int n = 0; n < CELLS; n++) {
            const uint32_t i = threadIdx.x + n * blockDim.x;
            if (i < cells)
                other[i] = base[n] - sum_of(n);
        }
        double *const last = r;
        r = other;
        other = last;
        __syncthreads();
    }
    if (b.line_count)
        join_lines(b, r);
#pragma unroll
    for (int n = 0; n < CELLS; n++) {
        const uint32_t i = threadIdx.x + n * blockDim.x;
        if (i < cells)
            move_air(s, b, CELLS == 1 ? c : cell_of(b, i), i, r[i], sum_of(n), below[i], above[i]);
    }
}

/* Any surface. */
template <typename REAL> __device__ __forceinline__ void meet_anyhow(const meeting<REAL> &s, const device_body &b, double *memory)
{
    const uint32_t cells = b.cells;
    double *base = s.shared ? memory : b.scratch, *r = base + cells, *other = r + cells;
    wait_alone();
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
        join_lines(b, r);
    for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x) {
        const cell here = cell_of(b, i);
        double below, above;
        gather(s, b, here, i, below, above);
        move_air(s, b, here, i, r[i], coupled(b.coupling, i, r), below, above);
    }
}

/* Taps hear level n, which belongs to the sample before: a warp a channel. */
__device__ void hear(const body_tap *taps, const uint32_t *first, unsigned channels, unsigned level, double *out, unsigned long long stride,
                     unsigned long long n, unsigned thread, unsigned threads)
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

template <typename REAL, int CELLS>
__global__ void __launch_bounds__(CELLS == 1 ? MEET_THREADS : MEET_MANY_THREADS) meet(const __grid_constant__ meeting<REAL> s)
{
    extern __shared__ double memory[];
    __shared__ device_body body;
    if (blockIdx.x < s.surface_count) {
        const uint32_t *const from = (const uint32_t *)(s.body + s.surfaces[blockIdx.x]);
        for (uint32_t i = threadIdx.x; i < sizeof body / sizeof *from; i += blockDim.x)
            ((uint32_t *)&body)[i] = from[i];
        __syncthreads();
        if (s.shared && body.cells <= CELLS * blockDim.x && body.coupling.width <= MEET_ENTRIES)
            meet_quickly<REAL, CELLS>(s, body);
        else
            meet_anyhow(s, body, memory);
        return;
    }
    const unsigned thread = (blockIdx.x - s.surface_count) * blockDim.x + threadIdx.x;
    wait_alone();
    if (thread < s.stray_count) {
        REAL *at = s.next + s.cuts[thread].at;
        *at = (REAL)((double)*at - __ldcg(s.cut_flux + thread));
    }
    hear(s.heard, s.tap_first, s.channels, s.now, s.taps, s.tap_stride, __ldcg(s.base) + (unsigned long long)s.offset, thread,
         (gridDim.x - s.surface_count) * blockDim.x);
}

__global__ void hear_last(const body_tap *taps, const uint32_t *first, unsigned channels, unsigned level, double *out,
                          unsigned long long stride, const unsigned long long *base)
{
    hear(taps, first, channels, level, out, stride, *base, threadIdx.x, blockDim.x);
}

frame make_frame(const device_bodies *b, int phase)
{
    frame f = {};
    f.body = b->body;
    f.now = (unsigned)(phase % 3);
    f.before = (unsigned)((phase + 2) % 3);
    f.parity = (unsigned)(phase & 1);
    f.k2 = b->bodies->time_step * b->bodies->time_step;
    f.cuts = b->cuts;
    f.cut_flux = b->cut_flux;
    f.stray_count = b->stray_count;
    f.drives = b->drives;
    f.terms = b->terms;
    f.drive_count = b->drive_count;
    return f;
}

template <typename REAL> air<REAL> make_air(const step<REAL> &s)
{
    return {s.next, s.now, s.before, {-1, 1, -(int64_t)s.pitch, (int64_t)s.pitch, -s.plane, s.plane}, s.side, s.old_side};
}

/* Threads of a block of `meet`: as many as the widest surface can use. */
bool takes_many(const device_bodies *b)
{
    return b->cells_most > (unsigned)MEET_THREADS && b->cells_most <= (unsigned)(MEET_MANY_CELLS * MEET_MANY_THREADS);
}

unsigned meet_threads(const device_bodies *b)
{
    if (takes_many(b))
        return MEET_MANY_THREADS;
    const unsigned most = b->cells_most < (unsigned)MEET_THREADS ? b->cells_most : (unsigned)MEET_THREADS;
    return most < (unsigned)BODY_THREADS ? (unsigned)BODY_THREADS : (most + 31) / 32 * 32;
}

} // namespace

template <typename REAL> void bodies_begin(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (!b)
        return;
    const air<REAL> a = make_air(s);
    frame f = make_frame(b, phase);
    f.drive = s.drive;
    f.drive_stride = s.drive_stride;
    f.base = s.base;
    f.offset = s.offset;
    cudaEventRecord(b->begun, stream); /* errors stay for the check after the step */
    cudaStreamWaitEvent(b->stream, b->begun, 0);
    f.jobs = b->finish_jobs;
    if (b->finish_count)
        finish<<<b->finish_count, BODY_THREADS, 0, b->stream>>>(f);
    f.jobs = b->free_jobs;
    if (b->free_count)
        launch_overlapping(step_free<REAL>, dim3(b->free_count), dim3(BODY_THREADS), b->stream, preparation<REAL>{f, a});
    f.jobs = b->lean_jobs;
    if (b->lean_count)
        launch_overlapping(prepare_cells<REAL>, dim3(b->lean_count), dim3(BODY_THREADS), b->stream, preparation<REAL>{f, a});
    cudaEventRecord(b->ready, b->stream);
}

template <typename REAL> void bodies_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (!b)
        return;
    meeting<REAL> m = {};
    const unsigned threads = meet_threads(b);
    m.body = b->body;
    m.surfaces = b->surfaces;
    m.surface_count = b->surface_count;
    m.next = s.next;
    m.now = (unsigned)(phase % 3);
    m.parity = (unsigned)(phase & 1);
    m.shared = b->shared_bytes > 0;
    m.cuts = b->cuts;
    m.cut_flux = b->cut_flux;
    m.stray_count = b->stray_count;
    m.heard = b->taps;
    m.tap_first = b->tap_first;
    m.channels = b->heard ? b->tap_channels : 0;
    m.taps = s.taps;
    m.tap_stride = s.tap_stride;
    m.base = s.base;
    m.offset = s.offset;
    const unsigned others = b->stray_count ? (b->stray_count + threads - 1) / threads : 1;
    cudaStreamWaitEvent(stream, b->ready, 0);
    launch_overlapping(takes_many(b) ? meet<REAL, MEET_MANY_CELLS> : meet<REAL, 1>, dim3(b->surface_count + others), dim3(threads), stream, m,
                       b->shared_bytes);
}

void bodies_settle(const struct device_bodies *b, int phase, cudaStream_t stream)
{
    if (!b || !b->settle_count)
        return;
    frame f = make_frame(b, phase);
    f.jobs = b->finish_jobs;
    finish<<<b->settle_count, BODY_THREADS, 0, stream>>>(f);
}

template <typename REAL> void bodies_listen(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (b && b->heard)
        hear_last<<<1, BODY_THREADS, 0, stream>>>(b->taps, b->tap_first, b->tap_channels, (unsigned)(phase % 3), s.taps, s.tap_stride, s.base);
}

template <typename REAL> void bodies_read_history(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (!b || !b->lean_count)
        return;
    frame f = make_frame(b, phase);
    f.jobs = b->lean_jobs;
    read_differences<REAL><<<b->lean_count, BODY_THREADS, 0, stream>>>({f, make_air(s)});
}

int bodies_share_memory(size_t bytes, struct error *e)
{
    void (*const singles[])(meeting<float>) = {meet<float, 1>, meet<float, MEET_MANY_CELLS>};
    void (*const doubles[])(meeting<double>) = {meet<double, 1>, meet<double, MEET_MANY_CELLS>};
    for (int i = 0; i < 2; i++)
        if (cuda_check(cudaFuncSetAttribute(singles[i], cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes), "instruments", e) ||
            cuda_check(cudaFuncSetAttribute(doubles[i], cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes), "instruments", e))
            return -1;
    return 0;
}

template void bodies_begin<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_begin<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);
template void bodies_end<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_end<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);
template void bodies_listen<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_listen<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);
template void bodies_read_history<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_read_history<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);

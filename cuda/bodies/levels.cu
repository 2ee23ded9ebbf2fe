/* SPDX-License-Identifier: MIT */
/* Work of bodies that is concurrent with the field's kernel, see bodies.cuh: completes level n;
 * computes level n + 1 without air and connections, and the terms at air cells that do not
 * depend on the new air. */
#include "cuda/bodies/bodies.cuh"
#include "cuda/bodies/next_level.cuh"
#include "cuda/ptx.cuh"

/* --- arguments, passed by value --- */

namespace
{

struct body_arguments {
    const device_body *body;
    const body_job *jobs;
    unsigned now, before; /* levels n, n - 1 among the three */
    unsigned parity;      /* of n */
    double k2;            /* k² */
    const uint32_t *settled;
    const device_cut *cuts;
    double *cut_flux;
    unsigned other_cut_count;
    /* drives */
    const body_drive *drives;
    const body_term *terms;
    uint32_t drive_count;
    const double *drive;
    unsigned long long drive_stride;
    const unsigned long long *base;
    int offset;
};

body_arguments make_body_arguments(const device_bodies *b, int phase)
{
    body_arguments f = {};
    f.body = b->body;
    f.now = (unsigned)(phase % 3);
    f.before = (unsigned)((phase + 2) % 3);
    f.parity = (unsigned)(phase & 1);
    f.k2 = b->bodies->time_step * b->bodies->time_step;
    f.settled = b->settled;
    f.cuts = b->cuts;
    f.cut_flux = b->cut_flux;
    f.other_cut_count = b->other_cut_count;
    f.drives = b->drives;
    f.terms = b->terms;
    f.drive_count = b->drive_count;
    return f;
}

/* --- finish: level n, and the forces of the step from it --- */

/* What the forces of places add to a point. */
__device__ __forceinline__ double of_ports(const device_ports &p, uint32_t point)
{
    const uint32_t count = __ldcg(p.active_count);
    double sum = 0.0;
    for (uint32_t k = 0; k < count; k++)
        sum += __ldg(p.response + (size_t)__ldcg(p.active_row + k) * p.points + point) * __ldcg(p.active_force + k);
    return sum;
}

__device__ void finish_node(const device_body &b, uint32_t node, unsigned now)
{
    double w = node_without_ports(b, node);
    if (b.ports)
        w += of_ports(*b.ports, node);
    if (b.stretch_answer)
        w += __ldcg(b.stretch_answer + node) * __ldcg(b.stretch_force);
    b.w[(size_t)now * b.nodes + node] = w;
}

__device__ void finish_line(const device_body &b, uint32_t line, unsigned now, double k2)
{
    const device_line &l = b.lines[line];
    const line_motion motion = line_motion_of(b, line, k2);
    double *q = l.q + (size_t)now * l.points;
    for (uint32_t m = threadIdx.x; m < l.points; m += blockDim.x) {
        double next = point_without_ports(l, motion, m);
        if (b.ports)
            next += of_ports(*b.ports, l.offset + m);
        if (l.slope_now && m < l.modes)
            next += l.gain[m] * __ldcg(l.slope_now + m) * __ldcg(l.stretch_force);
        q[m] = next;
    }
}

__device__ void sum_drive(const body_arguments &f, uint32_t i)
{
    const body_drive d = f.drives[i];
    const unsigned long long n = __ldcg(f.base) + (unsigned long long)f.offset;
    double sum = 0.0;
    for (uint32_t k = d.first; k < d.end; k++)
        sum += f.terms[k].weight * __ldcg(f.drive + f.terms[k].channel * f.drive_stride + n);
    *d.force = sum;
}

__global__ void __launch_bounds__(BODY_THREADS) finish(const __grid_constant__ body_arguments f)
{
    const body_job job = f.jobs[blockIdx.x];
    const uint32_t i = job.first + threadIdx.x;
    wait_for_last_step();
    const bool settled = __ldcg(f.settled) != 0;
    if (job.work == WORK_NODES && !settled && i < f.body[job.body].nodes)
        finish_node(f.body[job.body], i, f.now);
    if (job.work == WORK_LINE && !settled)
        finish_line(f.body[job.body], job.first, f.now, f.k2);
    if (job.work == WORK_DRIVES && i < f.drive_count)
        sum_drive(f, i);
}

/* f.jobs: [blocks] */
void enqueue_finish(const body_arguments &f, unsigned blocks, cudaStream_t stream)
{
    finish<<<blocks, BODY_THREADS, 0, stream>>>(f);
}

} // namespace

void bodies_settle(const struct device_bodies *b, int phase, cudaStream_t stream)
{
    if (!b || !b->settle_count)
        return;
    body_arguments f = make_body_arguments(b, phase);
    f.jobs = b->finish_jobs;
    enqueue_finish(f, b->settle_count, stream);
}

namespace
{

template <typename REAL> struct air {
    REAL *next;
    const REAL *now, *before;
    int64_t step_of[6]; /* to the neighbour across a face */
    REAL side, old_side;
};

template <typename REAL> struct prepare_arguments {
    body_arguments f;
    air<REAL> a;
};

/* --- free: level n + 1 without air and connections --- */

__device__ void free_node(const device_body &b, uint32_t node, unsigned now, unsigned before)
{
    const uint16_t kind = b.kind[node];
    const struct stencil &s = b.stencils[kind];
    const double sum = b.force_gain * __ldcg(b.force + node) +
                       stencil_times(s.offset, s.before, s.lossy, b.w + (size_t)before * b.nodes + node) +
                       stencil_times(s.offset, s.now, s.count, b.w + (size_t)now * b.nodes + node);
    b.free[node] = kind ? sum : 0.0;
}

/* Replaces both by their sums over the block, in every thread. */
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

/* Steps the modes of a line whose end moves from old_end through end to 0, into l.free. Returns
 * the force of the line on that end, without the contribution of its next displacement. */
__device__ double step_fixed_end(const device_line &l, const double *q, const double *old, double end, double old_end,
                                 double k2)
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
            const double next =
                l.now[m] * __ldcg(q + m) - l.before[m] * __ldcg(old + m) + l.gain[m] * __ldcg(l.force + m);
            l.free[m] = next;
            free += c.kind == CONNECTION_POINT ? c.shape[m] * next : 0.0;
            last += c.kind == CONNECTION_POINT ? c.shape[m] * __ldcg(old + m) : 0.0;
        }
        if (c.kind == CONNECTION_NONE)
            return;
        add_up(free, last);
        if (threadIdx.x == 0)
            b.reaction[line] =
                isinf(c.stiffness)
                    ? free / l.shape_gain
                    : (l.outward * free + l.inward * (last - at_nodes(c, b.w + (size_t)before * b.nodes))) /
                          (1.0 + l.outward * l.shape_gain);
        return;
    }
    const double w = at_nodes(c, b.w + (size_t)now * b.nodes), old_w = at_nodes(c, b.w + (size_t)before * b.nodes);
    if (c.kind == CONNECTION_END) {
        const double reaction = step_fixed_end(l, q, old, w, old_w, k2);
        if (threadIdx.x == 0)
            b.reaction[line] = reaction;
        return;
    }
    const double bridge = __ldcg(q + l.modes), old_bridge = __ldcg(old + l.modes),
                 spring = l.inward * (old_bridge - old_w);
    const double string = step_fixed_end(l, q, old, bridge, old_bridge, k2) + __ldcg(l.force + l.modes);
    if (threadIdx.x == 0) {
        const double partial = (c.bridge_mass * (2.0 * bridge - old_bridge) / k2 + string - spring) / l.stiff;
        b.partial[line] = partial;
        b.reaction[line] = l.outward * partial + spring;
    }
}

/* Σ (there - here) over the cut faces of a point; all neighbours are loaded together. */
template <typename REAL>
__device__ __forceinline__ double across(const REAL *grid, const air<REAL> &a, uint64_t at, unsigned faces)
{
    const double here = (double)__ldcg(grid + at);
    double there[6], sum = 0.0;
#pragma unroll
    for (int face = 0; face < 6; face++)
        there[face] = (double)__ldcg(grid + (int64_t)at + (faces >> face & 1u ? a.step_of[face] : 0));
#pragma unroll
    for (int face = 0; face < 6; face++)
        sum += there[face] - here;
    return sum;
}

/* Flux of the air's step across cut links. */
template <typename REAL> __device__ double flux_of(const air<REAL> &a, uint64_t at, unsigned faces)
{
    double flux = (double)a.side * across(a.now, a, at, faces);
    if (a.old_side > REAL(0))
        flux -= (double)a.old_side * across(a.before, a, at, faces);
    return flux;
}

template <typename REAL>
__global__ void __launch_bounds__(BODY_THREADS) step_free(const __grid_constant__ prepare_arguments<REAL> p)
{
    const body_arguments &f = p.f;
    const air<REAL> &a = p.a;
    const body_job job = f.jobs[blockIdx.x];
    const uint32_t i = job.first + threadIdx.x;
    wait_for_last_step();
    if (job.work == WORK_NODES && i < f.body[job.body].nodes)
        free_node(f.body[job.body], i, f.now, f.before);
    if (job.work == WORK_LINE)
        free_line(f.body[job.body], job.first, f.now, f.before, f.k2);
    if (job.work == WORK_CUTS && i < f.other_cut_count)
        f.cut_flux[i] = flux_of(a, f.cuts[i].at, f.cuts[i].faces);
}

/* --- cells: the air cells of a surface, without the new air --- */

template <typename REAL>
__global__ void __launch_bounds__(BODY_THREADS) prepare_cells(const __grid_constant__ prepare_arguments<REAL> p)
{
    const body_arguments &f = p.f;
    const air<REAL> &a = p.a;
    const body_job job = f.jobs[blockIdx.x];
    const device_body &b = f.body[job.body];
    const uint32_t i = job.first + threadIdx.x, cells = b.cells;
    wait_for_last_step();
    if (i >= cells)
        return;
    const uint64_t below = b.below[i], above = b.above[i];
    const double displacement = row_times(b.map, i, b.free) / b.denominator;
    const double displacement_before = __ldcg(b.displacement + (size_t)(!f.parity) * cells + i);
    const double before = __ldcg(b.difference + (size_t)(!f.parity) * cells + i);
    b.displacement_free[i] = displacement;
    b.known[i] = b.load * (displacement_before - displacement) - b.pressure_gain * before;
    b.flux[i] = flux_of(a, below, b.faces[i]);
    b.flux[cells + i] = flux_of(a, above, b.faces[cells + i]);
    b.difference[(size_t)f.parity * cells + i] = (double)__ldcg(a.now + below) - (double)__ldcg(a.now + above);
}

/* Δψ of the previous level, from the grid. */
template <typename REAL>
__global__ void __launch_bounds__(BODY_THREADS) read_differences(const __grid_constant__ prepare_arguments<REAL> p)
{
    const body_arguments &f = p.f;
    const air<REAL> &a = p.a;
    const body_job job = f.jobs[blockIdx.x];
    const device_body &b = f.body[job.body];
    const uint32_t i = job.first + threadIdx.x;
    if (i < b.cells)
        b.difference[(size_t)(!f.parity) * b.cells + i] = (double)a.before[b.below[i]] - (double)a.before[b.above[i]];
}

template <typename REAL> air<REAL> make_air(const step<REAL> &s)
{
    return {s.next, s.now,     s.before, {-1, 1, -(int64_t)s.pitch, (int64_t)s.pitch, -s.plane, s.plane},
            s.side, s.old_side};
}

} // namespace

template <typename REAL>
void bodies_begin(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (!b)
        return;
    const air<REAL> a = make_air(s);
    body_arguments f = make_body_arguments(b, phase);
    f.drive = s.drive;
    f.drive_stride = s.drive_stride;
    f.base = s.base;
    f.offset = s.offset;
    cudaEventRecord(b->begun, stream); /* the check after the step reports errors */
    cudaStreamWaitEvent(b->stream, b->begun, 0);
    f.jobs = b->finish_jobs;
    if (b->finish_count)
        enqueue_finish(f, b->finish_count, b->stream);
    f.jobs = b->free_jobs;
    if (b->free_count)
        launch_overlapping(step_free<REAL>, {dim3(b->free_count), dim3(BODY_THREADS), b->stream},
                           prepare_arguments<REAL>{f, a});
    f.jobs = b->cell_jobs;
    if (b->cell_job_count)
        launch_overlapping(prepare_cells<REAL>, {dim3(b->cell_job_count), dim3(BODY_THREADS), b->stream},
                           prepare_arguments<REAL>{f, a});
    stretching_begin(b, phase);
    winds_begin(b, s, phase);
    cudaEventRecord(b->ready, b->stream);
}

template <typename REAL>
void bodies_read_history(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (!b)
        return;
    winds_read_history(b, s, phase, stream);
    if (!b->cell_job_count)
        return;
    body_arguments f = make_body_arguments(b, phase);
    f.jobs = b->cell_jobs;
    read_differences<REAL><<<b->cell_job_count, BODY_THREADS, 0, stream>>>({f, make_air(s)});
}

template void bodies_begin<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_begin<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);
template void bodies_read_history<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void bodies_read_history<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);

/* SPDX-License-Identifier: MIT */
/* Level n of bodies, and the forces of the step from it: see bodies.cuh. */
#include "cuda/bodies/arguments.cuh"
#include "cuda/ptx.cuh"

namespace
{

/* D w⁺ at a node from r, without the forces of lines. */
__device__ __forceinline__ double with_air(const device_body &b, uint32_t node)
{
    return __ldcg(b.free + node) + b.area_ratio * row_times(b.spread, node, b.r);
}

__device__ void finish_node(const device_body &b, uint32_t node, unsigned now)
{
    double w = with_air(b, node) / b.denominator;
    if (b.answer_start)
        for (uint32_t k = b.answer_start[node]; k < b.answer_start[node + 1]; k++)
            w += b.answer[k] * __ldcg(b.pull + b.answer_line[k]);
    b.w[(size_t)now * b.nodes + node] = w;
}

/* q⁺ from the displacement of the connection, or the force on it. */
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

} // namespace

void bodies_finish(const body_arguments &f, unsigned blocks, cudaStream_t stream)
{
    finish<<<blocks, BODY_THREADS, 0, stream>>>(f);
}

void bodies_settle(const struct device_bodies *b, int phase, cudaStream_t stream)
{
    if (!b || !b->settle_count)
        return;
    body_arguments f = make_body_arguments(b, phase);
    f.jobs = b->finish_jobs;
    bodies_finish(f, b->settle_count, stream);
}

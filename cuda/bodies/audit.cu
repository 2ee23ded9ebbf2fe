/* SPDX-License-Identifier: MIT */
/* The energy of bodies: losses and supply per step on the device, stored energy from a copy on
 * the host. */
#include "cuda/bodies/bodies.cuh"

extern "C" {
#include "cuda/engine/check.h"
}

namespace
{

enum { FOLLOW_THREADS = 256 };

/* Levels n + 1 and n - 1 of a step. */
struct ends {
    const device_body *body;
    unsigned next, old;
    double time_step;
    double *lost, *given;
};

__device__ double at_nodes(const struct connection &c, const double *w)
{
    double sum = 0.0;
    for (int i = 0; i < CONNECTION_NODES_MAX; i++)
        sum += c.weight[i] * w[c.node[i]];
    return sum;
}

__device__ void follow_nodes(const device_body &b, const ends &s, double &lost, double &given)
{
    const double *next = b.w + (size_t)s.next * b.nodes, *old = b.w + (size_t)s.old * b.nodes;
    double sum = 0.0;
    for (uint32_t i = threadIdx.x; i < b.nodes; i += blockDim.x) {
        const struct stencil &stencil = b.stencils[b.kind[i]];
        const double d = 0.5 * (next[i] - old[i]);
        if (!b.kind[i])
            continue;
        double lossy = (2.0 - b.denominator) * d;
        for (uint32_t k = 0; k < stencil.lossy; k++)
            lossy += stencil.before[k] *
                     (0.5 * (next[(int64_t)i + stencil.offset[k]] - old[(int64_t)i + stencil.offset[k]]));
        sum += d * (2.0 * (b.denominator - 1.0) * d + lossy);
        given += b.force[i] * d;
    }
    lost += b.nodes ? sum / b.force_gain : 0.0;
}

/* Energy lost in the modes and in the dashpot of the connection, and energy supplied to the
 * modes. */
__device__ void follow_line(const device_body &b, const device_line &l, const ends &s, double &lost, double &given)
{
    const struct connection &c = l.connection;
    const double *next = l.q + (size_t)s.next * l.points, *old = l.q + (size_t)s.old * l.points;
    double end = 0.0;
    for (uint32_t m = threadIdx.x; m < l.modes; m += blockDim.x) {
        const double d = 0.5 * (next[m] - old[m]);
        lost += (1.0 - l.before[m]) / l.gain[m] * d * d; /* before = (1 - s)/(1 + s), gain = k²/(m (1 + s)) */
        given += l.force[m] * d;
        end += c.kind == CONNECTION_POINT ? c.shape[m] * d : 0.0;
    }
    for (int half = 16; half > 0; half /= 2)
        end += __shfl_down_sync(0xffffffffu, end, half);
    __shared__ double ends_of[FOLLOW_THREADS / 32];
    if (threadIdx.x % 32 == 0)
        ends_of[threadIdx.x / 32] = end;
    __syncthreads();
    if (threadIdx.x == 0) {
        end = 0.0;
        for (int i = 0; i < FOLLOW_THREADS / 32; i++)
            end += ends_of[i];
        if (c.kind == CONNECTION_BRIDGE) {
            end = 0.5 * (next[l.modes] - old[l.modes]);
            given += l.force[l.modes] * end;
        }
        if ((c.kind == CONNECTION_BRIDGE || c.kind == CONNECTION_POINT) && c.resistance > 0.0) {
            const double d =
                end - 0.5 * (at_nodes(c, b.w + (size_t)s.next * b.nodes) - at_nodes(c, b.w + (size_t)s.old * b.nodes));
            lost += c.resistance * d * d / s.time_step;
        }
    }
    __syncthreads();
}

/* One block per body; the order of summation is fixed. */
__global__ void __launch_bounds__(FOLLOW_THREADS) follow(const __grid_constant__ ends s)
{
    __shared__ double sums[2][FOLLOW_THREADS];
    const device_body &b = s.body[blockIdx.x];
    double lost = 0.0, given = 0.0;
    follow_nodes(b, s, lost, given);
    for (uint32_t i = 0; i < b.line_count; i++)
        follow_line(b, b.lines[i], s, lost, given);
    sums[0][threadIdx.x] = lost;
    sums[1][threadIdx.x] = given;
    __syncthreads();
    for (unsigned half = FOLLOW_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            for (int i = 0; i < 2; i++)
                sums[i][threadIdx.x] += sums[i][threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        double *const of_ports = b.ports ? b.ports->energy : nullptr;
        s.lost[blockIdx.x] += sums[0][0] + (of_ports ? of_ports[0] : 0.0);
        s.given[blockIdx.x] += sums[1][0] + (of_ports ? of_ports[1] : 0.0);
        if (of_ports)
            of_ports[0] = of_ports[1] = 0.0;
    }
}

/* ½ λ² Δp⁺ Δp of cut links, which the field's sum treats as open. Each link is counted from both
 * ends. */
template <typename REAL>
__global__ void cut_links(const __grid_constant__ step<REAL> s, const device_cut *cuts, unsigned count, double *energy)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t step_of[6] = {-1, 1, -(int64_t)s.pitch, (int64_t)s.pitch, -s.plane, s.plane};
    if (i >= count)
        return;
    double sum = 0.0;
    for (int face = 0; face < 6; face++)
        if (cuts[i].faces >> face & 1) {
            const int64_t at = (int64_t)cuts[i].at, other = at + step_of[face];
            sum += 0.25 * ((double)s.now[at] - (double)s.now[other]) * ((double)s.before[at] - (double)s.before[other]);
        }
    energy[i] = ((double)s.side - (double)s.old_side) * sum;
}

/* ---- on the host */

template <typename T> int fetch(std::vector<T> &to, const T *from, size_t count, struct error *e)
{
    to.resize(count);
    return count ? cuda_check(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "audit", e) : 0;
}

int fetch_sum(double *sum, const double *from, size_t count, struct error *e)
{
    std::vector<double> values;
    if (fetch(values, from, count, e))
        return -1;
    for (double value : values)
        *sum += value;
    return 0;
}

int add_stored(const device_bodies *b, size_t body, unsigned now, unsigned old, double *stored, struct error *e)
{
    const struct body *from = &b->bodies->body[body];
    const device_body &d = b->host[body];
    std::vector<double> w, q;
    if (fetch(w, d.w, (size_t)3 * d.nodes, e))
        return -1;
    const double *const levels[2] = {w.data() + (size_t)now * d.nodes, w.data() + (size_t)old * d.nodes};
    if (from->surface)
        *stored += surface_energy(from->surface, levels);
    for (size_t i = 0; i < from->line_count; i++) {
        const device_line &l = b->host_lines[body][i];
        if (fetch(q, l.q, (size_t)3 * l.points, e))
            return -1;
        const double *const modes[2] = {q.data() + (size_t)now * l.points, q.data() + (size_t)old * l.points};
        *stored += modes_energy(&from->lines[i], modes);
        if (from->surface)
            *stored += connection_energy(&from->lines[i], modes, levels, b->bodies->time_step);
    }
    const device_ports &p = b->host_ports[body];
    std::vector<struct port_state> state;
    std::vector<double> stretched;
    if (fetch(state, p.state, p.port_count, e) || fetch(stretched, p.stretched, p.stretching_count, e))
        return -1;
    *stored += ports_energy(from, state.data(), stretched.data(), b->bodies->time_step);
    return 0;
}

} // namespace

void bodies_follow(const struct device_bodies *b, int phase, cudaStream_t stream)
{
    if (!b || !b->lost || b->host.empty())
        return;
    bodies_settle(b, (phase + 1) % 6, stream);
    follow<<<(unsigned)b->host.size(), FOLLOW_THREADS, 0, stream>>>(
        {b->body, (unsigned)((phase + 1) % 3), (unsigned)((phase + 2) % 3), b->bodies->time_step, b->lost, b->given});
}

template <typename REAL>
int bodies_audit(const struct device_bodies *b, const step<REAL> &s, int phase, struct audit *a, cudaStream_t stream,
                 struct error *e)
{
    double stored = 0.0, cut = 0.0, lost = 0.0, given = 0.0;
    if (!b)
        return 0;
    bodies_settle(b, phase, stream);
    if (b->cut_count)
        cut_links<REAL><<<(b->cut_count + 255) / 256, 256, 0, stream>>>(s, b->cuts, b->cut_count, b->cut_energy);
    if (cuda_check(cudaGetLastError(), "audit", e) || cuda_check(cudaStreamSynchronize(stream), "audit", e) ||
        fetch_sum(&cut, b->cut_energy, b->cut_count, e))
        return -1;
    for (size_t i = 0; i < b->host.size(); i++)
        if (add_stored(b, i, (unsigned)(phase % 3), (unsigned)((phase + 2) % 3), &stored, e) ||
            winds_audit(b, i, &stored, &lost, &given, e))
            return -1;
    if (b->lost && (fetch_sum(&lost, b->lost, b->host.size(), e) || fetch_sum(&given, b->given, b->host.size(), e)))
        return -1;
    a->stored += b->bodies->joules_to_field * stored - cut;
    a->absorbed += b->bodies->joules_to_field * lost;
    a->supplied += b->bodies->joules_to_field * given;
    return 0;
}

template int bodies_audit<float>(const struct device_bodies *, const step<float> &, int, struct audit *, cudaStream_t,
                                 struct error *);
template int bodies_audit<double>(const struct device_bodies *, const step<double> &, int, struct audit *, cudaStream_t,
                                  struct error *);

/* SPDX-License-Identifier: MIT */
/* Steps wind instruments. */
#include "cuda/bodies/bodies.cuh"
#include "cuda/ptx.cuh"

extern "C" {
#include "cuda/engine/check.h"
#include "solver/schemes/bodies/wind_solve.h"
}

namespace
{

enum { WIND_THREADS = 128 };

template <typename REAL> struct wind_arguments {
    const device_wind *winds;
    REAL *next;
    const REAL *now, *before;
    unsigned after, parity; /* level n + 1 among the three; of n */
};

__device__ void copy_wind(device_wind &to, const device_wind *from)
{
    static_assert(sizeof to % sizeof(uint32_t) == 0, "copied word by word");
    for (uint32_t i = threadIdx.x; i < sizeof to / sizeof(uint32_t); i += blockDim.x)
        ((uint32_t *)&to)[i] = ((const uint32_t *)from)[i];
    __syncthreads();
}

__device__ struct wind_solve solve_of(const device_wind &d, double *lost)
{
    struct wind_solve s = {};
    s.wind = &d.wind;
    s.state = d.state;
    s.input.blowing = d.inputs[WIND_BLOWING];
    s.input.frequency = d.inputs[WIND_LIPS];
    s.input.conductance = d.inputs + WIND_HOLES;
    s.lost = lost;
    s.output = d.output;
    s.inside = d.inside;
    s.factor = d.factor;
    s.open = d.open;
    s.open_count = d.open_count;
    return s;
}

template <typename REAL> __device__ void gather_air(double *air, const device_wind &d, const REAL *field)
{
    for (uint32_t i = threadIdx.x; i < d.points.count; i += blockDim.x)
        air[i] = (double)__ldcg(field + d.points.at[i]);
}

/* Over the points of an opening, in the order of the CPU; 0 without a room. */
__device__ double mean_of(const double *air, const device_wind &d, size_t opening)
{
    const uint32_t first = d.first[opening], end = d.first[opening + 1];
    double sum = 0.0;
    for (uint32_t i = first; i < end; i++)
        sum += air[d.point[i]];
    return end > first ? sum / (double)(end - first) : 0.0;
}

/* Means of a level of this parity. Phases: gather; sum, an opening each. */
template <typename REAL>
__device__ void keep_means(const device_wind &d, double *air, const REAL *field, unsigned parity)
{
    gather_air(air, d, field);
    __syncthreads();
    for (size_t i = threadIdx.x; i < d.wind.opening_count; i += blockDim.x)
        d.before[parity * d.wind.opening_count + i] = mean_of(air, d, i);
}

template <typename REAL>
__global__ void __launch_bounds__(WIND_THREADS) step_inside(const __grid_constant__ wind_arguments<REAL> s)
{
    extern __shared__ double memory[];
    __shared__ device_wind d;
    __shared__ double lost[WIND_THREADS];
    copy_wind(d, s.winds + blockIdx.x);
    keep_means(d, d.air ? d.air : memory, s.now, s.parity);
    const struct wind_solve solve = solve_of(d, lost);
    wind_solve_inside(&solve, {threadIdx.x, blockDim.x});
}

template <typename REAL>
__global__ void __launch_bounds__(WIND_THREADS) read_means(const __grid_constant__ wind_arguments<REAL> s)
{
    extern __shared__ double memory[];
    __shared__ device_wind d;
    copy_wind(d, s.winds + blockIdx.x);
    keep_means(d, d.air ? d.air : memory, s.before, !s.parity);
}

/* What the flows of the openings move: the air, which `air` holds before that, and the pressures of the bore. A
 * place that several openings touch belongs to one thread. */
template <typename REAL>
__device__ void release(const device_wind &d, REAL *next, const double *air, const double *flow)
{
    const struct wind_parts p = wind_parts_of(&d.wind, d.state);
    for (uint32_t i = threadIdx.x; i < d.points.count; i += blockDim.x) {
        REAL value = (REAL)air[i];
        for (uint32_t k = d.points.first[i]; k < d.points.first[i + 1]; k++)
            value = (REAL)((double)value + d.gain[d.points.opening[k]] * flow[d.points.opening[k]]);
        next[d.points.at[i]] = value;
    }
    for (uint32_t i = threadIdx.x; i < d.cells.count; i += blockDim.x)
        for (uint32_t k = d.cells.first[i]; k < d.cells.first[i + 1]; k++)
            wind_release(&d.wind, &p, &d.wind.openings[d.cells.opening[k]], d.cells.at[i], flow[d.cells.opening[k]]);
}

__device__ void write_outputs(const device_wind &d, double *outputs, const double *flow)
{
    for (size_t i = threadIdx.x; i < d.wind.opening_count; i += blockDim.x)
        outputs[WIND_FLOWS + i] = flow[i];
    if (threadIdx.x == 0) {
        outputs[WIND_MOUTHPIECE] = d.output->mouthpiece;
        outputs[WIND_REED] = d.wind.reed.opening + wind_parts_of(&d.wind, d.state).reed->now;
    }
}

/* Phases: gather the new air; the flows of the openings; move the air. */
template <typename REAL>
__global__ void __launch_bounds__(WIND_THREADS) step_openings(const __grid_constant__ wind_arguments<REAL> s)
{
    extern __shared__ double memory[];
    __shared__ device_wind d;
    __shared__ double lost[WIND_THREADS], factor[OPENINGS_MAX * OPENINGS_MAX], outside[OPENINGS_MAX],
        flow[OPENINGS_MAX];
    copy_wind(d, s.winds + blockIdx.x);
    double *const air = d.air ? d.air : memory;
    const size_t count = d.wind.opening_count;
    const double to_pressure = 0.5 * d.wind.bore.grid.density / d.wind.bore.grid.time_step;
    wait_for_previous_kernel();
    invalidate_first_level_cache(); /* wind_solve reads through it */
    __syncthreads();
    gather_air(air, d, s.next);
    for (uint32_t i = threadIdx.x; i < *d.open_count * *d.open_count; i += blockDim.x)
        factor[i] = d.factor[i];
    __syncthreads();
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        outside[i] = to_pressure * (mean_of(air, d, i) - d.before[!s.parity * count + i]);
    __syncthreads();
    struct wind_solve solve = solve_of(d, lost);
    solve.input.outside = outside;
    solve.factor = factor;
    wind_solve_openings(&solve, flow, {threadIdx.x, blockDim.x});
    release(d, s.next, air, flow);
    write_outputs(d, d.outputs + s.after * (WIND_HOLES + count), flow);
}

template <typename REAL>
wind_arguments<REAL> make_wind_arguments(const device_bodies *b, const step<REAL> &s, int phase)
{
    return {b->winds, s.next, s.now, s.before, (unsigned)((phase + 1) % 3), (unsigned)(phase & 1)};
}

} // namespace

template <typename REAL> void winds_begin(const struct device_bodies *b, const step<REAL> &s, int phase)
{
    if (b->wind_count)
        step_inside<REAL>
            <<<b->wind_count, WIND_THREADS, b->winds_shared_bytes, b->stream>>>(make_wind_arguments(b, s, phase));
}

template <typename REAL>
void winds_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (b->wind_count)
        launch_overlapping(step_openings<REAL>,
                           {dim3(b->wind_count), dim3(WIND_THREADS), stream, b->winds_shared_bytes},
                           make_wind_arguments(b, s, phase));
}

template <typename REAL>
void winds_read_history(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream)
{
    if (b->wind_count)
        read_means<REAL>
            <<<b->wind_count, WIND_THREADS, b->winds_shared_bytes, stream>>>(make_wind_arguments(b, s, phase));
}

int winds_audit(const struct device_bodies *b, size_t body, double *stored, double *lost, double *given,
                struct error *e)
{
    const struct wind *w = b->bodies->body[body].wind;
    if (!w)
        return 0;
    std::vector<double> state(wind_state_bytes(w) / sizeof(double));
    if (cuda_check(cudaMemcpy(state.data(), b->host_winds[body].state, wind_state_bytes(w), cudaMemcpyDeviceToHost),
                   "audit", e))
        return -1;
    *stored += wind_energy(w, state.data());
    *lost += wind_lost(state.data());
    *given += wind_given(state.data());
    return 0;
}

template void winds_begin<float>(const struct device_bodies *, const step<float> &, int);
template void winds_begin<double>(const struct device_bodies *, const step<double> &, int);
template void winds_end<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void winds_end<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);
template void winds_read_history<float>(const struct device_bodies *, const step<float> &, int, cudaStream_t);
template void winds_read_history<double>(const struct device_bodies *, const step<double> &, int, cudaStream_t);

/* SPDX-License-Identifier: MIT */
/* Follows rays, one per warp. All lanes carry the same ray and take the same decisions; they share
 * the work of searches and sums. A ray's splits are followed by its warp, in the order of the CPU. */
#include "cuda/rays/job.cuh"

extern "C" {
#include "render/hybrid/late_path.h"
}

struct late_sink {
    const ray_job *job;
    search_stack *stack;
    size_t index;
    seen_ray seen;
    unsigned polls;
    bool stopped;
};

namespace
{

enum { POLL = 64 };              /* searches between two looks at the host's flag */
enum { SCANNED_EDGES = 131072 }; /* more are searched by their tree, as those of pilots, which count its nodes */

__device__ int lane_index()
{
    return (int)(threadIdx.x & 31);
}

} // namespace

/* Once stopped, rays meet no face and end. */
__device__ static inline bool late_closest(late_sink *sink, const tracer *t, const ray *ray, ray_hit *hit)
{
    if (++sink->polls % POLL == 0)
        sink->stopped = __shfl_sync(all_lanes, *(const volatile int *)sink->job->stop, 0) != 0;
    return !sink->stopped && search_faces(t->room->tree, ray, hit, false, sink->stack->faces);
}

__device__ static inline bool late_blocked(late_sink *sink, const tracer *t, const ray *ray)
{
    ray_hit hit;
    return search_faces(t->room->tree, ray, &hit, true, sink->stack->faces);
}

__device__ static inline void late_first_edge(late_sink *sink, const tracer *t, const ray_flight *flight,
                                              ray_passage *passage)
{
    const ray_edges *edges = t->room->edges;
    if ((t->looking_ahead && !t->guiding) || edges->count > SCANNED_EDGES)
        search_edges(edges, flight, passage, sink->stack->edges);
    else
        scan_edges(edges, flight, passage);
}

/* A lane for each receiver. */
__device__ static inline size_t late_next_sphere(late_sink *sink, const tracer *t, const traveller *a, size_t from,
                                                 double length)
{
    late_chord chord;
    (void)sink;
    for (size_t first = from; first < t->receiver_count; first += 32) {
        const size_t own = first + (size_t)lane_index();
        const bool crossed = own < t->receiver_count && late_crosses(&chord, t, a, own, length);
        const unsigned found = __ballot_sync(all_lanes, crossed);
        if (found)
            return first + (size_t)__ffs((int)found) - 1;
    }
    return t->receiver_count;
}

/* A lane for each band. */
__device__ static inline void late_hear(late_sink *sink, const tracer *t, size_t receiver, size_t bin,
                                        const float *energy, double share, const double towards[3])
{
    const late_tally *tally = sink->job->tally;
    const size_t bands = tally->of->bands.count, moments = tally->directions ? LATE_MOMENTS : 1;
    const size_t from = t->group.first / tally->parts,
                 heard = (t->group.first + t->group.count - 1) / tally->parts + 1 - from;
    const double factor = late_tally_factor(tally, share);
    unsigned long long *sums =
        (unsigned long long *)tally->sums + (receiver * tally->bins + bin) * moments * bands + from;
    for (size_t b = (size_t)lane_index(); b < heard; b += 32) {
        const double mean = (double)late_tally_mean(tally, bin, from + b, t->group.first, t->group.count, energy);
        atomicAdd(&sums[b], (unsigned long long)late_tally_round(factor * mean));
        for (size_t k = 1; k < moments; k++)
            atomicAdd(&sums[k * bands + b], (unsigned long long)late_tally_round(factor * towards[k - 1] * mean));
    }
    __syncwarp();
}

__device__ static inline void late_lose(late_sink *sink, uint64_t amount)
{
    if (lane_index() == 0)
        atomicAdd(sink->job->lost, (unsigned long long)amount);
}

/* The CPU alone audits walls. */
__device__ static inline void late_meet(late_sink *sink, const tracer *t, const float *energy, const late_wall *wall,
                                        bool joined, size_t material, double cosine, double way)
{
    (void)sink, (void)t, (void)energy, (void)wall, (void)joined, (void)material, (void)cosine, (void)way;
}

/* As late_reference_see and ray_guiding_see. */
__device__ static inline void late_see(late_sink *sink, const tracer *t, const traveller *a, double length)
{
    const ray_job *job = sink->job;
    const size_t bands = t->group.count;
    const double end = fmin((a->way + length) / job->step, (double)LATE_REFERENCE_STEPS);
    for (size_t i = (size_t)ceil(a->way / job->step); (double)i < end; i++)
        for (size_t b = (size_t)lane_index(); b < bands; b += 32) {
            unsigned long long *sum = job->energies + 2 * (i * bands + b);
            const double energy = (double)a->energy[b], coarse = floor(energy / coarse_unit);
            atomicAdd(&sum[0], (unsigned long long)coarse);
            atomicAdd(&sum[1], (unsigned long long)((energy - coarse * coarse_unit) / fine_unit));
        }
    const double place = (a->way + 0.5 * length) / t->farthest;
    if (t->guiding && place < 1.0) {
        const double weight = late_reference_weight(t->reference, a->way, a->energy, bands);
        if (lane_index() == 0)
            job->shares[sink->index * RAY_GUIDE_TIMES + (size_t)(place * RAY_GUIDE_TIMES)] += length * weight;
    }
    __syncwarp();
}

__device__ static inline void late_flown(late_sink *sink, uint32_t looked, bool is_hit)
{
    sink->seen.flights++;
    sink->seen.looked += looked;
    sink->seen.hits += is_hit;
}

namespace
{

__global__ void __launch_bounds__(job_threads, 5) follow(const __grid_constant__ ray_job job)
{
    __shared__ search_stack stacks[job_threads / 32];
    const unsigned warp = threadIdx.x / 32;
    traveller *waiting = job.waiting + (size_t)(blockIdx.x * (job_threads / 32) + warp) * LATE_WAITING_MAX;
    late_sink sink = {&job, &stacks[warp], 0, {0, 0, 0}, 0, false};
    while (!sink.stopped) {
        unsigned long long index = 0;
        if (lane_index() == 0)
            index = atomicAdd(job.next, 1ull);
        index = __shfl_sync(all_lanes, index, 0);
        if (index >= job.t.rays)
            return;
        sink.index = (size_t)index;
        sink.seen = {0, 0, 0};
        late_follow(waiting, &sink, &job.t, &job.starts[index], (size_t)index);
        if (job.seen && lane_index() == 0)
            job.seen[index] = sink.seen;
        __syncwarp();
    }
}

} // namespace

int job_blocks()
{
    int device = 0, each = 0, processors = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, follow, job_threads, 0) != cudaSuccess)
        return 0;
    return each * processors;
}

void job_launch(const ray_job *job, int blocks, cudaStream_t stream)
{
    follow<<<(unsigned)blocks, job_threads, 0, stream>>>(*job);
}

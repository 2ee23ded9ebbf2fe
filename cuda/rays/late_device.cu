/* SPDX-License-Identifier: MIT */
/* Rays of the late part on a GPU: memory, launches and results. Every call has a stream of its own,
 * so that groups of bands run at the same time, beside the wave solver. */
#include <new>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/rays/job.cuh"
#include "cuda/rays/memory.cuh"

extern "C" {
#include "base/clock.h"
#include "base/stop.h"
#include "cuda/engine/check.h"
#include "render/hybrid/late_device.h"
}

namespace
{

const char *const what = "rays";

} // namespace

struct late_device {
    late_device(int device, cudaStream_t stream) : device(device), memory(stream)
    {
    }
    ~late_device()
    {
        if (stop)
            cudaFreeHost(stop);
    }
    int device, blocks = 0;
    stream_pool streams;
    arena memory;
    late_room room = {};
    tracer t = {}; /* with pointers of the device, for all groups */
    late_tally *tally = nullptr;
    int64_t *sums = nullptr;
    size_t sum_count = 0;
    unsigned long long *lost = nullptr;
    int *stop = nullptr; /* of the host, mapped */
};

namespace
{

/* Levels of a tree, whose nodes precede their children. */
int depth_of(const ray_tree *tree)
{
    std::vector<int> depth(tree->node_count + 1, 1);
    int most = 1;
    for (size_t i = 0; i < tree->node_count; i++)
        for (uint32_t child : tree->nodes[i].child)
            if (child && !(child & RAY_LINK_FACES)) {
                depth[child >> RAY_LINK_BITS] = depth[i] + 1;
                most = depth[i] + 1 > most ? depth[i] + 1 : most;
            }
    return most;
}

const ray_scene *upload_scene(arena *m, const ray_scene *s)
{
    ray_scene scene = *s;
    scene.faces = m->make(s->faces, s->count);
    return m->make(&scene, 1);
}

const ray_tree *upload_tree(arena *m, const ray_tree *t)
{
    ray_tree tree = *t;
    tree.nodes = m->make(t->nodes, t->node_count);
    tree.leaves = m->make(t->leaves, t->leaf_count);
    return m->make(&tree, 1);
}

const ray_edges *upload_edges(arena *m, const ray_edges *from)
{
    ray_edges edges = *from;
    size_t leaves = (from->count + RAY_EDGE_LANES - 1) / RAY_EDGE_LANES, blocks = 0;
    for (size_t n = leaves, level = 0; level < (size_t)from->level_count; level++)
        blocks += n = (n + RAY_EDGE_LANES - 1) / RAY_EDGE_LANES;
    edges.list = m->make(from->list, from->count);
    edges.lanes = m->make(from->lanes, leaves);
    edges.boxes = m->make(from->boxes, blocks);
    return m->make(&edges, 1);
}

void upload_room(late_device *d, const tracer *t)
{
    late_room room = *t->room;
    room.scene = upload_scene(&d->memory, room.scene);
    room.tree = upload_tree(&d->memory, room.tree);
    room.edges = room.edges ? upload_edges(&d->memory, room.edges) : nullptr;
    room.walls = d->memory.make(room.walls, room.wall_count);
    room.pairs = d->memory.make(room.pairs, room.sheets * room.sheets);
    d->t.room = d->memory.make(&room, 1);
    d->t.settings = d->memory.make(t->settings, 1);
    d->t.source = d->memory.make(t->source, 1);
    d->t.receivers = d->memory.make(t->receivers, t->receiver_count);
    d->t.spheres = d->memory.make(t->spheres, t->receiver_count);
}

void upload_tally(late_device *d, const late_tally *shape, size_t receivers)
{
    late_tally tally = *shape;
    const size_t bands = shape->of->bands.count;
    d->sum_count = receivers * shape->bins * bands * (shape->directions ? LATE_MOMENTS : 1);
    d->sums = d->memory.empty<int64_t>(d->sum_count);
    d->lost = d->memory.empty<unsigned long long>(1);
    tally.of = d->memory.make(shape->of, 1);
    tally.air = shape->air ? d->memory.make(shape->air, shape->bins * bands * shape->parts) : nullptr;
    tally.sums = d->sums;
    d->tally = d->memory.make(&tally, 1);
}

int open(late_device *d, const tracer *t, const late_tally *shape, error *e)
{
    void *stop = nullptr;
    if (cuda_check(cudaHostAlloc(&stop, sizeof *d->stop, cudaHostAllocMapped), what, e))
        return -1;
    d->stop = (int *)stop;
    *d->stop = 0;
    d->blocks = job_blocks();
    if (!d->blocks)
        return fail(e, ERROR_DEVICE, "rays: this GPU cannot run them");
    upload_room(d, t);
    upload_tally(d, shape, t->receiver_count);
    return cuda_check(d->memory.failed, what, e) || cuda_check(cudaStreamSynchronize(d->memory.stream), what, e) ? -1
                                                                                                                 : 0;
}

/* A tracer of the device for a group. */
tracer tracer_of(const late_device *d, arena *m, const tracer *t)
{
    tracer own = *t;
    own.room = d->t.room;
    own.settings = d->t.settings;
    own.source = d->t.source;
    own.receivers = d->t.receivers;
    own.spheres = d->t.spheres;
    own.chances = m->make(t->chances, t->room->wall_count);
    own.reference = t->reference ? m->make(t->reference, 1) : nullptr;
    own.aims = t->aims ? m->make(t->aims, 1) : nullptr;
    return own;
}

ray_job job_of(const late_device *d, arena *m, const std::vector<late_start> &starts, const late_seen *seen,
               const tracer *t, int blocks)
{
    ray_job job = {};
    job.t = tracer_of(d, m, t);
    job.starts = m->make(starts.data(), t->rays);
    job.waiting = m->empty<traveller>((size_t)blocks * (job_threads / 32) * LATE_WAITING_MAX);
    job.next = m->empty<unsigned long long>(1);
    job.stop = d->stop;
    job.tally = d->tally;
    job.lost = t->looking_ahead ? m->empty<unsigned long long>(1) : d->lost;
    if (t->looking_ahead) {
        job.step = seen->energies.step;
        job.energies = m->empty<unsigned long long>(2 * LATE_REFERENCE_STEPS * t->group.count);
        job.shares = t->guiding ? m->empty<double>(t->rays * RAY_GUIDE_TIMES) : nullptr;
        job.seen = m->empty<seen_ray>(t->rays);
    }
    return job;
}

/* Waits, and passes a stop on. */
int wait(const late_device *d, cudaStream_t stream, error *e)
{
    cudaError_t status;
    while ((status = cudaStreamQuery(stream)) == cudaErrorNotReady) {
        if (stop_requested())
            *(volatile int *)d->stop = 1;
        const timespec a_while = {0, 100000};
        nanosleep(&a_while, nullptr);
    }
    return cuda_check(status, what, e) || stop_check(e) ? -1 : 0;
}

template <typename T> int download(std::vector<T> *to, const T *from, size_t count, cudaStream_t stream, error *e)
{
    to->resize(count);
    return cuda_check(cudaMemcpyAsync(to->data(), from, count * sizeof(T), cudaMemcpyDeviceToHost, stream), what, e) ||
                   cuda_check(cudaStreamSynchronize(stream), what, e)
               ? -1
               : 0;
}

void add_shares(late_seen *seen, const std::vector<double> &shares, const std::vector<late_start> &starts)
{
    for (size_t ray = 0; ray < starts.size(); ray++)
        for (size_t i = 0; i < RAY_GUIDE_TIMES; i++)
            seen->shares.energy[i][starts[ray].cell] += shares[ray * RAY_GUIDE_TIMES + i];
}

int read_seen(late_seen *seen, const ray_job *job, const std::vector<late_start> &starts, const tracer *t,
              cudaStream_t stream, error *e)
{
    const size_t bands = t->group.count;
    std::vector<unsigned long long> energies;
    std::vector<seen_ray> rays;
    std::vector<double> shares;
    if (download(&energies, job->energies, 2 * LATE_REFERENCE_STEPS * bands, stream, e) ||
        download(&rays, job->seen, t->rays, stream, e) ||
        (t->guiding && download(&shares, job->shares, t->rays * RAY_GUIDE_TIMES, stream, e)))
        return -1;
    for (size_t i = 0; i < LATE_REFERENCE_STEPS; i++)
        for (size_t b = 0; b < bands; b++) {
            const unsigned long long *sum = &energies[2 * (i * bands + b)];
            seen->energies.energy[i][b] = coarse_unit * (double)sum[0] + fine_unit * (double)sum[1];
        }
    for (const seen_ray &ray : rays) {
        seen->hits += ray.hits;
        seen->work += ray.flights + (double)ray.looked / LATE_LEAVES;
    }
    if (t->guiding)
        add_shares(seen, shares, starts);
    return 0;
}

int trace_on(late_device *d, cudaStream_t stream, late_seen *seen, const tracer *t, error *e)
{
    std::vector<late_start> starts(t->rays);
    for (size_t i = 0; i < t->rays && !stop_requested(); i++)
        starts[i] = late_start_of(t, i);
    arena memory(stream);
    const size_t each = job_threads / 32, wanted = (t->rays + each - 1) / each;
    const int blocks = (size_t)d->blocks < wanted ? d->blocks : (int)wanted;
    const ray_job job = job_of(d, &memory, starts, seen, t, blocks);
    if (cuda_check(memory.failed, what, e))
        return -1;
    job_launch(&job, blocks, stream);
    return cuda_check(cudaGetLastError(), what, e) || wait(d, stream, e) ||
                   (seen && read_seen(seen, &job, starts, t, stream, e))
               ? -1
               : 0;
}

int trace(late_device *d, late_seen *seen, const tracer *t, error *e)
{
    cudaStream_t stream = nullptr;
    if (cuda_check(cudaSetDevice(d->device), what, e) || cuda_check(d->streams.take(&stream), what, e))
        return -1;
    const int status = trace_on(d, stream, seen, t, e);
    d->streams.give_back(stream);
    return status;
}

int begin(late_device **made, const tracer *t, const late_tally *shape, int device, error *e)
{
    *made = nullptr;
    for (size_t i = 0; i < t->receiver_count; i++)
        if (t->receivers[i].pattern)
            return fail(e, ERROR_ENGINE, "rays: receivers with patterns are for the CPU");
    if (depth_of(t->room->tree) > SEARCH_DEPTH)
        return fail(e, ERROR_ENGINE, "rays: the tree of faces is too deep for a GPU");
    cudaStream_t stream = nullptr;
    if (cuda_check(cudaSetDevice(device), what, e) ||
        cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), what, e))
        return -1;
    *made = new (std::nothrow) late_device(device, stream);
    if (!*made)
        cudaStreamDestroy(stream);
    return *made ? open(*made, t, shape, e) : fail(e, ERROR_MEMORY, "out of memory");
}

int read(late_device *d, late_tally *tally, error *e)
{
    unsigned long long lost = 0;
    std::vector<int64_t> sums;
    if (download(&sums, d->sums, d->sum_count, d->memory.stream, e) ||
        cuda_check(cudaMemcpy(&lost, d->lost, sizeof lost, cudaMemcpyDeviceToHost), what, e))
        return -1;
    for (size_t i = 0; i < d->sum_count; i++)
        tally->sums[i] += sums[i];
    tally->lost += lost;
    return 0;
}

} // namespace

int late_device_open(late_device **made, const tracer *t, const late_tally *shape, int device, error *e)
{
    return without_throwing(e, [&] { return begin(made, t, shape, device, e); });
}

int late_device_trace(late_device *d, late_seen *seen, const tracer *t, error *e)
{
    return without_throwing(e, [&] { return trace(d, seen, t, e); });
}

int late_device_read(late_device *d, late_tally *tally, error *e)
{
    return without_throwing(e, [&] { return read(d, tally, e); });
}

void late_device_close(late_device *d)
{
    const cudaStream_t stream = d ? d->memory.stream : nullptr;
    delete d;
    if (stream)
        cudaStreamDestroy(stream);
}

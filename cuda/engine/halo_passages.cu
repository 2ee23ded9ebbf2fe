/* SPDX-License-Identifier: MIT */
/* Transfers halos into the grids, and between processes. Between processes, links copy the
 * neighbour's planes into memory of the received halo, or they come from pinned memory of the
 * host. */
#include <algorithm>
#include <ctime>

extern "C" {
#include "base/stop.h"
#include "cuda/engine/link_library.h"
#include "solver/halos.h"
}
#include "cuda/engine/halo.cuh"
#include "cuda/engine/halos.cuh"
#include "cuda/grid/view.cuh"

/* --- into the grids --- */

/* From memory of the same or another GPU: either runs of air, so that other points stay zero and
 * pages that are not stored stay so, or whole planes. */

namespace
{

enum { ROWS_OF_BLOCK = 8, AHEAD = 8 /* AHEAD: outstanding loads per thread */ };

template <typename WORD> struct level_planes {
    WORD *grid;        /* grid at the first plane received */
    const WORD *given; /* possibly on another device, whose loads take longer; hence more are outstanding */
};

/* One warp for each row of a level. */
template <typename WORD>
__global__ void read_runs(level_planes<WORD> now, level_planes<WORD> before, const struct run *runs,
                          const uint64_t *run_start, size_t rows, size_t pitch)
{
    const level_planes<WORD> level = blockIdx.y ? before : now;
    const size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    for (uint64_t r = run_start[row] - run_start[0]; r < run_start[row + 1] - run_start[0]; r++) {
        const struct run run = runs[r];
        const WORD *from = level.given + row * pitch + run.start;
        WORD *to = level.grid + row * pitch + run.start;
        for (uint32_t i = threadIdx.x; i < run.length; i += 32 * AHEAD) {
            WORD values[AHEAD];
#pragma unroll
            for (uint32_t k = 0; k < AHEAD; k++)
                if (i + 32 * k < run.length)
                    values[k] = from[i + 32 * k];
#pragma unroll
            for (uint32_t k = 0; k < AHEAD; k++)
                if (i + 32 * k < run.length)
                    to[i + 32 * k] = values[k];
        }
    }
}

template <typename WORD>
level_planes<WORD> level_of(const cuda_state *s, const device_halo *h, const struct halo_source *given, int level)
{
    return {(WORD *)halo_planes_at(s, level, h->planes.z0), (const WORD *)given->levels[level]};
}

template <typename WORD> void read_levels(const cuda_state *s, const device_halo *h, const struct halo_source *given)
{
    const size_t rows = h->planes.nz * s->rows.ny;
    read_runs<<<dim3((unsigned)((rows + ROWS_OF_BLOCK - 1) / ROWS_OF_BLOCK), HALO_LEVELS), dim3(32, ROWS_OF_BLOCK), 0,
                s->halo_streams.copies>>>(level_of<WORD>(s, h, given, 0), level_of<WORD>(s, h, given, 1), h->runs,
                                          h->run_start, rows, s->layout.pitch);
}

} // namespace

char *halo_planes_at(const cuda_state *s, int level, size_t z0)
{
    return (char *)s->grids[grid_at(s, s->phase - level)] + z0 * halo_plane_bytes(s);
}

struct halo_source halo_source_in(const device_halo *h, const char *memory)
{
    struct halo_source source = {{}, memory + HALO_LEVELS * h->level_bytes};
    for (int level = 0; level < HALO_LEVELS; level++)
        source.levels[level] = memory + (size_t)level * h->level_bytes;
    return source;
}

void halo_read_states(cuda_state *s, const device_halo *h, const struct halo_source *given)
{
    plane_states_scatter(&h->states, s, given->states, s->halo_streams.copies);
    s->history_is_old = true;
}

void halo_read(cuda_state *s, const device_halo *h, const struct halo_source *given)
{
    if (precision_bytes(s->problem->precision) == sizeof(uint64_t))
        read_levels<uint64_t>(s, h, given);
    else
        read_levels<uint32_t>(s, h, given);
    halo_read_states(s, h, given);
}

int halo_copy(cuda_state *s, const device_halo *h, const struct halo_source *given, int device, struct error *e)
{
    /* a block of T steps reads T planes, those adjacent to the part's own */
    const size_t all = h->planes.nz, depth = (size_t)s->pass_steps,
                 count = s->halo_streams.pass_follows && depth < all ? depth : all;
    const size_t first = h->planes.z0 ? 0 : all - count, plane = halo_plane_bytes(s);
    for (int level = 0; level < HALO_LEVELS; level++)
        if (cuda_check(cudaMemcpyPeerAsync(halo_planes_at(s, level, h->planes.z0 + first), h->device,
                                           given->levels[level] + first * plane, device, count * plane,
                                           s->halo_streams.copies),
                       "halo", e))
            return -1;
    return 0;
}

/* --- between processes --- */

namespace
{

/* Reads the contents of the halos' own memory, and tells the steps. */
int read_brought(cuda_state *s, const device_halo *const *halos, int count, struct error *e)
{
    const cudaStream_t stream = s->halo_streams.copies;
    halo_delay(stream);
    s->halo_streams.taking = true;
    for (int i = 0; i < count; i++) {
        const struct halo_source brought = halo_source_in(halos[i], halos[i]->memory[0]);
        halo_read(s, halos[i], &brought);
    }
    return halo_tell_steps(s, halos, count, e);
}

/* The host runs ahead of messages by at most twice this number: calls block when a stream
 * accepts no more work. */
enum { PASSES_AHEAD = 8 };

/* Messages of the first exchanges are awaited before anything else is enqueued. The driver loads
 * a kernel at its first launch, and may then wait for all work of the device while excluding new
 * work, such as NCCL's own copies, on which that work may depend. */
enum { PASSES_THAT_LOAD = 2 };

const struct timespec nap = {0, 50000};

/* Number of naps for all work in flight: at least five minutes, and four times the duration of
 * its steps if known. */
uint64_t most_naps(const cuda_state *s)
{
    const own_planes own(s->problem);
    const int steps =
        std::max({own.first, own.count - own.end, s->pass_steps}); /* largest number of steps of an exchange */
    return (uint64_t)((300.0 + 4.0 * 2.0 * PASSES_AHEAD * steps * s->step_seconds) / (1e-9 * (double)nap.tv_nsec));
}

/* As cudaEventSynchronize, but returns if another part is lost: on a failure of the links, some
 * time after a stop was requested, or after a time limit. */
int wait_with_links(const cuda_state *s, cudaEvent_t event, struct error *e)
{
    const int patience = 200000; /* in naps, 10 s or more */
    const uint64_t most = most_naps(s);
    uint64_t naps = 0; /* counted rather than timed, as all parts may have been suspended */
    for (int stopped = 0;; stopped += stop_requested() ? 1 : 0) {
        const cudaError_t status = cudaEventQuery(event);
        if (status != cudaErrorNotReady)
            return cuda_check(status, "halo", e);
        cudaGetLastError();
        if (link_library.check(s->halo_streams.links, e))
            return -1;
        if (stopped > patience)
            return fail(e, ERROR_STOPPED, "stopped while waiting for the halos of another part");
        if (++naps > most)
            return fail(e, ERROR_DEVICE,
                        "%s: no halos arrived from another part within %.0f minutes (set NCCL_DEBUG=INFO for details); "
                        "use --through-host",
                        link_library.name, (double)most * 1e-9 * (double)nap.tv_nsec / 60.0);
        nanosleep(&nap, nullptr);
    }
}

int wait_for_former_passes(cuda_state *s, struct error *e)
{
    struct halo_streams *h = &s->halo_streams;
    if (++h->passes % PASSES_AHEAD)
        return 0;
    cudaEvent_t now = h->passed[h->passes / PASSES_AHEAD % 2], before = h->passed[(h->passes / PASSES_AHEAD + 1) % 2];
    return cuda_check(cudaEventRecord(now, h->copies), "halo", e) || wait_with_links(s, before, e) ? -1 : 0;
}

/* Waits until all work enqueued on a stream is complete. */
int wait_for_stream(const cuda_state *s, cudaStream_t stream, struct error *e)
{
    cudaEvent_t event = s->halo_streams.passed[0];
    return cuda_check(cudaEventRecord(event, stream), "halo", e) || wait_with_links(s, event, e) ? -1 : 0;
}

} // namespace

/* Sends the sets filled last to the neighbours and receives theirs, on the stream of copies.
 * Fills use the same stream, so that a set is sent before it is filled again. */
int halo_pass(void *state, void *links, const struct halo_passage *passages, int count, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    const cudaStream_t stream = s->halo_streams.copies;
    struct link_message messages[2];
    const device_halo *taken[2];
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    for (int i = 0; i < count; i++) {
        const device_halo *given = (const device_halo *)passages[i].given;
        taken[i] = (const device_halo *)passages[i].taken;
        messages[i] = {passages[i].neighbour, given->memory[(given->turn - 1) % HALO_SETS], given->bytes,
                       taken[i]->memory[0], taken[i]->bytes};
    }
    halo_delay(stream);
    s->halo_streams.links = links;
    return link_library.pass(links, messages, count, stream, e) ||
                   (s->halo_streams.passes < PASSES_THAT_LOAD && wait_for_stream(s, stream, e)) ||
                   read_brought(s, taken, count, e)
               ? -1
               : wait_for_former_passes(s, e);
}

void *halo_on_host(void *halo)
{
    return ((const device_halo *)halo)->on_host;
}

int halo_send_to_host(void *state, void *halo, struct error *e)
{
    const cuda_state *s = (const cuda_state *)state;
    const device_halo *h = (const device_halo *)halo;
    const cudaStream_t stream = s->halo_streams.copies;
    return cuda_check(cudaSetDevice(s->device), "device", e) ||
                   cuda_check(cudaMemcpyAsync(h->on_host, h->memory[(h->turn - 1) % HALO_SETS], h->bytes,
                                              cudaMemcpyDeviceToHost, stream),
                              "halo", e) ||
                   cuda_check(cudaStreamSynchronize(stream), "halo", e)
               ? -1
               : 0;
}

/* Enqueued on the stream of copies after the halo has arrived there. */
int halo_receive_from_host(void *state, void *halo, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    const device_halo *h = (const device_halo *)halo;
    const cudaStream_t stream = s->halo_streams.copies;
    halo_delay(stream);
    s->halo_streams.staged = true;
    if (cuda_check(cudaSetDevice(s->device), "device", e) ||
        cuda_check(cudaMemcpyAsync(h->memory[0], h->on_host, h->bytes, cudaMemcpyHostToDevice, stream), "halo", e))
        return -1;
    return read_brought(s, &h, 1, e);
}

int halos_wait_until_received(cuda_state *s, struct error *e)
{
    if (halos_wait(s, e))
        return -1;
    return s->halo_streams.links ? wait_for_stream(s, s->stream, e) : 0;
}

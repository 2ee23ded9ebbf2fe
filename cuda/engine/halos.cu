/* SPDX-License-Identifier: MIT */
/* A halo that is given has memory for its planes of both levels of the field, as they are in a grid, and for the states of
 * walls in them. Giving copies them there. Taking reads the runs of air of what another solver has given, from the same or
 * another GPU, into the grids: what is not air stays zero, and pages of the grids that are not stored stay so. A GPU whose
 * memory cannot be read is copied from before.
 *
 * All of it is put on a stream of its own, so that steps that read no halo go on. The host waits for none of it:
 * docs/scale.md says why each read follows the write that it needs. Exchanges are counted alike at both ends of a cut.
 * Those of even and of odd number have memory of their own where they are given.
 *
 * Between processes, links bring what a neighbour has given into memory of the halo that is taken, or it comes from the
 * host's memory, which is pinned. */
#include "cuda/engine/halos.cuh"

#include <atomic>
#include <ctime>

#include "cuda/engine/halo_delays.cuh"

#include "cuda/engine/device.cuh"
#include "cuda/engine/plane_states.cuh"
#include "cuda/grid/own_planes.cuh"
#include "cuda/temporal/halo_gate.cuh"

extern "C" {
#include "base/stop.h"
#include "cuda/engine/link_library.h"
}

namespace
{

enum { LEVELS = 2, ROWS_OF_BLOCK = 8, SETS = 2, AHEAD = 8 /* loads of a thread under way */ };

struct device_halo {
    struct halo_planes planes;
    int device;
    bool taken;         /* else given */
    unsigned turn;      /* exchanges begun */
    char *memory[SETS]; /* each [level][nz][ny][pitch], then the states; taken: the first, where it is copied to */
    size_t level_bytes; /* of one level's planes */
    size_t bytes;       /* of a set */
    void *on_host;      /* as many, of HALOS_STAGED */
    struct state_list states;
    cudaEvent_t filled[SETS]; /* given: the set has what the neighbour is to read */
    cudaEvent_t read[SETS];   /* taken: the neighbour's set is in the grids */
    /* runs of air of the planes, row by row */
    struct run *runs;
    uint64_t *run_start; /* [rows of the planes + 1] */
    bool knows_peer;     /* whether it reads the memory of the device that it took from last */
    int peer;
    bool reads_peer;
};

size_t plane_bytes(const cuda_state *s)
{
    return s->layout.pitch * s->rows.ny * precision_bytes(s->problem->precision);
}

/* The planes of level n or n - 1 in their grid. */
char *planes_at(const cuda_state *s, int level, size_t z0)
{
    return (char *)s->grids[grid_at(s, s->phase - level)] + z0 * plane_bytes(s);
}

template <typename WORD> struct level_planes {
    WORD *grid;        /* of the first plane taken */
    const WORD *given; /* it may lie on another device: its loads take longer, and so more of them are under way */
};

/* A warp for each row of a level. */
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
level_planes<WORD> level_of(const cuda_state *s, const device_halo *h, const char *given, int level)
{
    return {(WORD *)planes_at(s, level, h->planes.z0), (const WORD *)(given + (size_t)level * h->level_bytes)};
}

template <typename WORD> void read_levels(const cuda_state *s, const device_halo *h, const char *given)
{
    const size_t rows = h->planes.nz * s->rows.ny;
    read_runs<<<dim3((unsigned)((rows + ROWS_OF_BLOCK - 1) / ROWS_OF_BLOCK), LEVELS), dim3(32, ROWS_OF_BLOCK), 0,
                s->halo_streams.copies>>>(level_of<WORD>(s, h, given, 0), level_of<WORD>(s, h, given, 1), h->runs,
                                          h->run_start, rows, s->layout.pitch);
}

/* A step may start, and read what the last kernel but one has written, before the last kernel is complete
 * (docs/ordering-gpu.md): this one stands between it and a wait for halos or for what read them. */
__global__ void end_of_halo()
{
}

__global__ void tell_taken(unsigned *taken, unsigned count)
{
    tell_halos_taken(taken, count);
}

/* Parts of this process by GPU. */
std::atomic<int> parts_on[DEVICES_MAX];

std::atomic<int> *parts_beside(const cuda_state *s)
{
    return s->device < DEVICES_MAX ? &parts_on[s->device] : nullptr;
}

void free_halo(device_halo *h)
{
    for (int set = 0; set < SETS; set++) {
        cudaFree(h->memory[set]);
        if (h->filled[set])
            cudaEventDestroy(h->filled[set]);
        if (h->read[set])
            cudaEventDestroy(h->read[set]);
    }
    cudaFreeHost(h->on_host);
    cudaFree(h->runs);
    cudaFree(h->run_start);
    plane_states_free(&h->states);
    delete h;
}

int make_event(cudaEvent_t *event, struct error *e)
{
    return cuda_check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "halo", e);
}

/* Whether a halo may lie on a device that this one cannot read, and is copied first. */
bool may_be_copied(int device)
{
    int count = 0, can = 1;
    if (HALOS_ARE_COPIED_AT_RANDOM || cudaGetDeviceCount(&count) != cudaSuccess)
        return true;
    for (int other = 0; other < count && can; other++)
        if (other != device && cudaDeviceCanAccessPeer(&can, device, other) != cudaSuccess)
            can = 0;
    cudaGetLastError();
    return !can;
}

int make_memory(device_halo *h, enum halo_way way, struct error *e)
{
    const int sets = !h->taken ? SETS : way != HALOS_READ || may_be_copied(h->device) ? 1 : 0;
    if (way == HALOS_STAGED && cuda_check(cudaMallocHost(&h->on_host, h->bytes), "halo", e))
        return -1;
    for (int set = 0; set < SETS; set++)
        if ((set < sets && upload<char>(&h->memory[set], nullptr, h->bytes, "halo", e)) ||
            make_event(h->taken ? &h->read[set] : &h->filled[set], e))
            return -1;
    return 0;
}

int make_receiver(device_halo *h, const cuda_state *s, struct error *e)
{
    const struct rows *rows = &s->rows;
    const size_t row0 = h->planes.z0 * rows->ny, count = h->planes.nz * rows->ny;
    const uint64_t run = rows->run_start[row0];
    return upload(&h->runs, rows->runs + run, rows->run_start[row0 + count] - run, "halo", e) ||
                   upload(&h->run_start, rows->run_start + row0, count + 1, "halo", e)
               ? -1
               : 0;
}

/* Copies have a high priority: they are short, and what the steps' stream has started leaves multiprocessors one by one. */
int open_streams(cuda_state *s, struct error *e)
{
    struct halo_streams *h = &s->halo_streams;
    int least = 0, greatest = 0;
    if (h->copies)
        return 0;
    if (upload<unsigned>(&h->taken_count, nullptr, 1, "halo", e))
        return -1;
    if (parts_beside(s)) {
        ++*parts_beside(s);
        h->counted = true;
    }
    return cuda_check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "halo", e) ||
                   cuda_check(cudaStreamCreateWithPriority(&h->copies, cudaStreamNonBlocking, greatest), "halo", e) ||
                   cuda_check(cudaStreamCreateWithFlags(&h->near, cudaStreamNonBlocking), "halo", e) ||
                   make_event(&h->stepped, e) || make_event(&h->given, e) || make_event(&h->taken, e) ||
                   make_event(&h->done, e) || make_event(&h->passed[0], e) || make_event(&h->passed[1], e)
               ? -1
               : 0;
}

int make_halo(device_halo *h, cuda_state *s, const struct halo_planes *planes, struct error *e)
{
    if (open_streams(s, e))
        return -1;
    h->planes = *planes;
    h->taken = planes->taken;
    h->device = s->device;
    if (plane_states_list(&h->states, s, planes->sz0, planes->snz, false, e))
        return -1;
    h->level_bytes = planes->nz * plane_bytes(s);
    h->bytes = LEVELS * h->level_bytes + h->states.count * precision_bytes(s->problem->precision);
    return make_memory(h, planes->way, e) || (h->taken && make_receiver(h, s, e)) ||
                   cuda_check(cudaStreamSynchronize(cudaStreamLegacy), "halo", e)
               ? -1
               : 0; /* the steps' stream does not wait for the default stream */
}

int open_halo(void *state, void **halo, const struct halo_planes *planes, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    device_halo *h = nullptr; /* out here: it is freed also after an exception */
    const int status = without_throwing(e, [&] {
        h = new device_halo();
        return make_halo(h, s, planes, e);
    });
    if (!status)
        *halo = h;
    else if (h)
        free_halo(h);
    return status;
}

/* What is put on a stream after this comes after what is on the other. */
int follow(cudaStream_t stream, cudaEvent_t event, cudaStream_t other, struct error *e)
{
    return cuda_check(cudaEventRecord(event, other), "halo", e) ||
                   cuda_check(cudaStreamWaitEvent(stream, event, 0), "halo", e)
               ? -1
               : 0;
}

/* The neighbour has told on the host that its reads of the last but one exchange are on its stream of copies. */
int give(void *state, void *halo, const void *reader, struct error *e)
{
    const cuda_state *s = (const cuda_state *)state;
    device_halo *h = (device_halo *)halo;
    const unsigned set = h->turn++ % SETS;
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    const cudaStream_t stream = s->halo_streams.copies;
    halo_delay(s->stream);
    if (follow(stream, s->halo_streams.stepped, s->stream, e) ||
        (reader && cuda_check(cudaStreamWaitEvent(stream, ((const device_halo *)reader)->read[set], 0), "halo", e)))
        return -1;
    halo_delay(stream);
    for (int level = 0; level < LEVELS; level++)
        if (cuda_check(cudaMemcpyAsync(h->memory[set] + (size_t)level * h->level_bytes,
                                       planes_at(s, level, h->planes.z0), h->level_bytes, cudaMemcpyDeviceToDevice,
                                       stream),
                       "halo", e))
            return -1;
    plane_states_gather(&h->states, s, h->memory[set] + LEVELS * h->level_bytes, stream);
    halo_delay(stream);
    return cuda_check(cudaGetLastError(), "halo", e) ||
                   cuda_check(cudaEventRecord(s->halo_streams.given, stream), "halo", e) ||
                   cuda_check(cudaEventRecord(h->filled[set], stream), "halo", e)
               ? -1
               : 0;
}

/* Whether kernels of this device read the memory of that one; copies between them need not pass the host then. */
void learn_peer(device_halo *h, int device)
{
    int can = 0;
    if (h->knows_peer && h->peer == device)
        return;
    h->reads_peer = device == h->device && halo_may_be_read();
    if (!h->reads_peer && cudaDeviceCanAccessPeer(&can, h->device, device) == cudaSuccess && can) {
        const cudaError_t enabled = cudaDeviceEnablePeerAccess(device, 0);
        h->reads_peer = enabled == cudaSuccess || enabled == cudaErrorPeerAccessAlreadyEnabled;
    }
    cudaGetLastError();
    h->knows_peer = true;
    h->peer = device;
}

/* Where this device reads a set that was given; NULL: an error. */
const char *readable(const cuda_state *s, device_halo *h, const device_halo *from, unsigned set, struct error *e)
{
    if (h->reads_peer)
        return from->memory[set];
    if (!h->memory[0] && cuda_check(cudaMalloc(&h->memory[0], h->bytes), "halo", e)) /* it said that it could read it */
        return nullptr;
    const cudaError_t copied =
        cudaMemcpyPeerAsync(h->memory[0], h->device, from->memory[set], from->device, h->bytes, s->halo_streams.copies);
    return cuda_check(copied, "halo", e) ? nullptr : h->memory[0];
}

void read_halo(cuda_state *s, const device_halo *h, const char *given)
{
    if (precision_bytes(s->problem->precision) == sizeof(uint64_t))
        read_levels<uint64_t>(s, h, given);
    else
        read_levels<uint32_t>(s, h, given);
    plane_states_scatter(&h->states, s, given + LEVELS * h->level_bytes, s->halo_streams.copies);
    s->history_is_old = true;
}

/* That halos were taken. */
int tell_steps(cuda_state *s, struct error *e)
{
    const cudaStream_t stream = s->halo_streams.copies;
    halo_delay(stream);
    tell_taken<<<1, 1, 0, stream>>>(s->halo_streams.taken_count, ++s->halo_streams.takes);
    return cuda_check(cudaGetLastError(), "halo", e) ||
                   cuda_check(cudaEventRecord(s->halo_streams.taken, stream), "halo", e)
               ? -1
               : 0;
}

int take(void *state, void *halo, const void *given, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    device_halo *h = (device_halo *)halo;
    const device_halo *from = (const device_halo *)given;
    const unsigned set = h->turn++ % SETS;
    if (from->bytes != h->bytes || from->level_bytes != h->level_bytes)
        return fail(e, ERROR_ENGINE, "the neighbour gave %zu bytes of a halo where %zu were expected", from->bytes,
                    h->bytes);
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    learn_peer(h, from->device);
    const cudaStream_t stream = s->halo_streams.copies; /* it follows the steps: both sides have given before */
    halo_delay(stream);
    if (cuda_check(cudaStreamWaitEvent(stream, from->filled[set], 0), "halo", e))
        return -1;
    const char *readable_set = readable(s, h, from, set, e);
    if (!readable_set)
        return -1;
    s->halo_streams.taking = true;
    read_halo(s, h, readable_set);
    return tell_steps(s, e) || cuda_check(cudaEventRecord(h->read[set], stream), "halo", e) ? -1 : 0;
}

size_t bytes(const void *halo)
{
    return ((const device_halo *)halo)->bytes;
}

/* Reads what has come into the halos' own memory, and tells the steps. */
int read_brought(cuda_state *s, const device_halo *const *halos, int count, struct error *e)
{
    const cudaStream_t stream = s->halo_streams.copies;
    halo_delay(stream);
    s->halo_streams.taking = true;
    for (int i = 0; i < count; i++)
        read_halo(s, halos[i], halos[i]->memory[0]);
    return tell_steps(s, e);
}

/* As cudaEventSynchronize, where another part that is gone would be waited for without end: its failure is seen, and a stop
 * that is asked for, after a while. */
int wait_with_links(const cuda_state *s, cudaEvent_t event, struct error *e)
{
    const struct timespec nap = {0, 50000};
    const int patience = 200000; /* naps, 10 s and more */
    for (int stopped = 0;; stopped += stop_requested() ? 1 : 0) {
        const cudaError_t status = cudaEventQuery(event);
        if (status != cudaErrorNotReady)
            return cuda_check(status, "halo", e);
        cudaGetLastError();
        if (link_library.check(s->halo_streams.links, e))
            return -1;
        if (stopped > patience)
            return fail(e, ERROR_STOPPED, "stopped on request, while halos of another part were waited for");
        nanosleep(&nap, nullptr);
    }
}

/* The host runs ahead of messages by two times so many at most: calls wait without end where a stream takes no more. */
int wait_for_former_passes(cuda_state *s, struct error *e)
{
    enum { PASSES_AHEAD = 32 };
    struct halo_streams *h = &s->halo_streams;
    if (++h->passes % PASSES_AHEAD)
        return 0;
    cudaEvent_t now = h->passed[h->passes / PASSES_AHEAD % 2], before = h->passed[(h->passes / PASSES_AHEAD + 1) % 2];
    return cuda_check(cudaEventRecord(now, h->copies), "halo", e) || wait_with_links(s, before, e) ? -1 : 0;
}

/* What was given last to the neighbours and what they gave, on the stream of copies, where the fills are, too: a set is not
 * filled again before it was sent. */
int pass(void *state, void *links, const struct halo_passage *passages, int count, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    const cudaStream_t stream = s->halo_streams.copies;
    struct link_message messages[2];
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    for (int i = 0; i < count; i++) {
        const device_halo *given = (const device_halo *)passages[i].given;
        const device_halo *taken = (const device_halo *)passages[i].taken;
        messages[i] = {passages[i].neighbour, given->memory[(given->turn - 1) % SETS], given->bytes, taken->memory[0],
                       taken->bytes};
    }
    halo_delay(stream);
    const device_halo *taken[2];
    for (int i = 0; i < count; i++)
        taken[i] = (const device_halo *)passages[i].taken;
    s->halo_streams.links = links;
    return link_library.pass(links, messages, count, stream, e) || read_brought(s, taken, count, e)
               ? -1
               : wait_for_former_passes(s, e);
}

void *on_host(void *halo)
{
    return ((const device_halo *)halo)->on_host;
}

int give_to_host(void *state, void *halo, struct error *e)
{
    const cuda_state *s = (const cuda_state *)state;
    const device_halo *h = (const device_halo *)halo;
    const cudaStream_t stream = s->halo_streams.copies;
    return cuda_check(cudaSetDevice(s->device), "device", e) ||
                   cuda_check(cudaMemcpyAsync(h->on_host, h->memory[(h->turn - 1) % SETS], h->bytes,
                                              cudaMemcpyDeviceToHost, stream),
                              "halo", e) ||
                   cuda_check(cudaStreamSynchronize(stream), "halo", e)
               ? -1
               : 0;
}

/* What is put on the stream of copies after the halo has come there. */
int take_from_host(void *state, void *halo, struct error *e)
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

int settle(void *state, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    return cuda_check(cudaSetDevice(s->device), "device", e) || halos_settle(s, e) ||
                   cuda_check(cudaStreamSynchronize(s->stream), "halo", e)
               ? -1
               : 0;
}

int run_exchanging(void *state, size_t steps, const struct block *b, const struct exchanges *x, struct error *e)
{
    return leapfrog_run((cuda_state *)state, steps, b, x, e);
}

void close_halo(void *state, void *halo)
{
    if (!halo)
        return;
    cudaSetDevice(((const cuda_state *)state)->device);
    free_halo((device_halo *)halo);
}

} // namespace

int halos_settle(cuda_state *s, struct error *e)
{
    const struct halo_streams *h = &s->halo_streams;
    if (halos_wait(s, e))
        return -1;
    return h->links && (cuda_check(cudaEventRecord(h->passed[0], s->stream), "halo", e) ||
                        wait_with_links(s, h->passed[0], e))
               ? -1
               : 0;
}

int halos_wait_until_given(const cuda_state *s, struct error *e)
{
    return cuda_check(cudaStreamWaitEvent(s->stream, s->halo_streams.given, 0), "halo", e);
}

int halos_wait(cuda_state *s, struct error *e)
{
    if (!s->halo_streams.taking)
        return 0;
    s->halo_streams.taking = false;
    if (cuda_check(cudaStreamWaitEvent(s->stream, s->halo_streams.taken, 0), "halo", e))
        return -1;
    halo_delay(s->stream);
    end_of_halo<<<1, 1, 0, s->stream>>>();
    return cuda_check(cudaGetLastError(), "halo", e);
}

bool halos_await(cuda_state *s, const unsigned **taken, unsigned *awaited)
{
    const std::atomic<int> *beside = parts_beside(s);
    if (!beside || *beside != 1 || s->halo_streams.staged)
        return false;
    s->halo_streams.taking = false;
    *taken = s->halo_streams.taken_count;
    *awaited = s->halo_streams.takes;
    return true;
}

int halos_begin_near(const cuda_state *s, cudaStream_t *near, struct error *e)
{
    *near = s->halo_streams.near;
    if (cuda_check(cudaStreamWaitEvent(*near, s->halo_streams.taken, 0), "halo", e))
        return -1;
    halo_delay(*near);
    end_of_halo<<<1, 1, 0, *near>>>();
    return cuda_check(cudaGetLastError(), "halo", e);
}

int halos_end_near(cuda_state *s, struct error *e)
{
    s->halo_streams.taking = false;
    halo_delay(s->halo_streams.near);
    if (follow(s->stream, s->halo_streams.done, s->halo_streams.near, e))
        return -1;
    end_of_halo<<<1, 1, 0, s->stream>>>();
    return cuda_check(cudaGetLastError(), "halo", e);
}

void halos_drop(cuda_state *s)
{
    struct halo_streams *h = &s->halo_streams;
    if (h->counted)
        --*parts_beside(s);
    cudaFree(h->taken_count);
    for (cudaEvent_t event : {h->stepped, h->given, h->taken, h->done, h->passed[0], h->passed[1]})
        if (event)
            cudaEventDestroy(event);
    for (cudaStream_t stream : {h->copies, h->near})
        if (stream)
            cudaStreamDestroy(stream);
    *h = {};
}

uint64_t halos_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows,
                            const struct choice *c)
{
    const size_t real = precision_bytes(p->precision);
    const own_planes own(p);
    const size_t sides[2] = {(size_t)own.first, (size_t)(own.count - own.end)};
    const size_t sets = SETS + (c->halo_way != HALOS_READ || may_be_copied(c->device) ? 1 : 0);
    uint64_t bytes = 0;
    for (size_t side = 0; side < 2; side++) {
        const size_t nz = sides[side], z0 = side ? p->points[2] - 2 * nz : 0;
        if (!nz || 2 * nz > p->points[2])
            continue;
        const size_t given = side ? z0 : z0 + nz, taken = side ? z0 + nz : z0;
        const size_t row0 = taken * rows->ny, row1 = row0 + nz * rows->ny;
        bytes += sets * LEVELS * nz * l->pitch * rows->ny * real +
                 branch_order_count(rows, given, nz) * (SETS * real + sizeof(uint64_t)) +
                 branch_order_count(rows, taken, nz) * ((sets - SETS) * real + sizeof(uint64_t)) +
                 (rows->run_start[row1] - rows->run_start[row0]) * sizeof(struct run) +
                 (row1 - row0 + 1) * sizeof(uint64_t);
    }
    return bytes;
}

extern const struct halo_access cuda_leapfrog_halos = {
    open_halo, give, take, bytes, pass, on_host, give_to_host, take_from_host, run_exchanging, settle, close_halo};

/* SPDX-License-Identifier: MIT */
/* Each halo that is sent owns a buffer for both levels of the field in its planes, in the layout of
 * a grid, and for the states of walls in them. Sending copies them there. If a temporal block
 * follows, which writes to other grids, the planes stay in place instead (docs/design/parallel.md
 * P15). Receiving reads the halo of another solver of this process (halo_passages.cu), from the
 * same or another GPU, after a copy if that GPU's memory is not accessible. If all pages of the
 * grids are stored, the copy engine transfers the planes, which needs no multiprocessor. Between
 * processes: halo_passages.cu.
 *
 * All of this is enqueued on a stream of its own, so that steps that read no halo continue; the
 * host does not wait (halo_streams.cu). Both ends of a cut number exchanges alike. Sent halos have
 * separate memory for exchanges of even and of odd number. */
#include "cuda/engine/halos.cuh"

#include "cuda/engine/device.cuh"
#include "cuda/engine/halo.cuh"
#include "cuda/grid/view.cuh"
#include "solver/halos.h"

namespace
{

void free_halo(cuda_state *s, device_halo *h)
{
    s->halo_streams.open--;
    s->halo_streams.by_kernels -= h->by_kernels;
    for (int set = 0; set < HALO_SETS; set++) {
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

/* Whether a halo may be on a device whose memory this one cannot access, and must be copied
 * first. */
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
    const int sets = !h->taken ? HALO_SETS : way != HALOS_READ || may_be_copied(h->device) ? 1 : 0;
    if (way == HALOS_STAGED && cuda_check(cudaMallocHost(&h->on_host, h->bytes), "halo", e))
        return -1;
    for (int set = 0; set < HALO_SETS; set++)
        if ((set < sets && upload<char>(&h->memory[set], nullptr, h->bytes, "halo", e)) ||
            halo_make_event(h->taken ? &h->read[set] : &h->filled[set], e))
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

int make_halo(device_halo *h, cuda_state *s, const struct halo_planes *planes, struct error *e)
{
    if (halo_open_streams(s, e))
        return -1;
    h->planes = *planes;
    h->taken = planes->taken;
    halo_note_kernels(s, h, true);
    h->device = s->device;
    h->rows = &s->rows;
    if (plane_states_list(&h->states, s, planes->sz0, planes->snz, false, e))
        return -1;
    h->level_bytes = planes->nz * halo_plane_bytes(s);
    h->bytes = HALO_LEVELS * h->level_bytes + h->states.count * precision_bytes(s->problem->precision);
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
    device_halo *h = nullptr; /* declared here, as it must be freed after an exception too */
    const int status = without_throwing(e, [&] {
        h = new device_halo();
        s->halo_streams.open++;
        return make_halo(h, s, planes, e);
    });
    if (!status)
        *halo = h;
    else if (h)
        free_halo(s, h);
    return status;
}

/* Whether all values of the grids are stored in place, and the two pairs of a temporal block are
 * separate. */
bool grids_are_whole(const cuda_state *s)
{
    bool whole = !s->spare;
    for (const struct device_pages &grid : s->memory)
        whole = whole && !grid.reserved;
    return whole;
}

/* Copies both levels into a set. */
int fill_planes(const cuda_state *s, device_halo *h, unsigned set, struct error *e)
{
    for (int level = 0; level < HALO_LEVELS; level++)
        if (cuda_check(cudaMemcpyAsync(h->memory[set] + (size_t)level * h->level_bytes,
                                       halo_planes_at(s, level, h->planes.z0), h->level_bytes, cudaMemcpyDeviceToDevice,
                                       s->halo_streams.copies),
                       "halo", e))
            return -1;
    return 0;
}

/* The neighbour has announced on the host that its reads of the exchange before the last are
 * enqueued on its stream of copies (docs/design/parallel.md P10, P14). */
int give(void *state, void *halo, const void *reader, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    device_halo *h = (device_halo *)halo;
    const unsigned set = h->turn++ % HALO_SETS;
    const bool stays = s->halo_streams.pass_follows && h->planes.way == HALOS_READ && grids_are_whole(s);
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    const cudaStream_t stream = s->halo_streams.copies;
    halo_delay(s->stream);
    if (halo_follow_steps(s, stays, e) ||
        (reader && cuda_check(cudaStreamWaitEvent(stream, ((const device_halo *)reader)->read[set], 0), "halo", e)))
        return -1;
    halo_delay(stream);
    h->source[set] = halo_source_in(h, h->memory[set]);
    for (int level = 0; level < HALO_LEVELS && stays; level++)
        h->source[set].levels[level] = halo_planes_at(s, level, h->planes.z0);
    if (!stays && fill_planes(s, h, set, e))
        return -1;
    plane_states_gather(&h->states, s, h->memory[set] + HALO_LEVELS * h->level_bytes, stream);
    halo_note_kernels(s, h, !stays || h->states.count);
    halo_delay(stream);
    return cuda_check(cudaGetLastError(), "halo", e) ||
                   cuda_check(cudaEventRecord(s->halo_streams.given, stream), "halo", e) ||
                   cuda_check(cudaEventRecord(h->filled[set], stream), "halo", e)
               ? -1
               : 0;
}

/* Whether kernels of this device can read the memory of another; then copies between them do not
 * pass through the host. */
bool can_read(const device_halo *h, int device)
{
    int can = 0;
    bool reads = device == h->device && halo_may_be_read();
    if (!reads && cudaDeviceCanAccessPeer(&can, h->device, device) == cudaSuccess && can) {
        const cudaError_t enabled = cudaDeviceEnablePeerAccess(device, 0);
        reads = enabled == cudaSuccess || enabled == cudaErrorPeerAccessAlreadyEnabled;
    }
    cudaGetLastError();
    return reads;
}

/* In the outermost plane of a halo, the 19-point stencil has fewer points, as the voxels beyond
 * are missing (docs/design/parallel.md P3). Values outside the air must stay zero, as they enter
 * sums over neighbours. */
bool have_same_air(const device_halo *a, const device_halo *b)
{
    const size_t rows = a->planes.nz * a->rows->ny;
    const uint64_t *in_a = a->rows->run_start + a->planes.z0 * a->rows->ny,
                   *in_b = b->rows->run_start + b->planes.z0 * b->rows->ny;
    for (size_t row = 0; row <= rows; row++)
        if (in_a[row] - in_a[0] != in_b[row] - in_b[0])
            return false;
    for (uint64_t run = 0; run < in_a[rows] - in_a[0]; run++) {
        const struct run one = a->rows->runs[in_a[0] + run], other = b->rows->runs[in_b[0] + run];
        if (one.start != other.start || one.length != other.length)
            return false;
    }
    return true;
}

void learn_giver(device_halo *h, const device_halo *from)
{
    if (h->giver == from)
        return;
    h->giver = from;
    h->reads_peer = can_read(h, from->device);
    h->same_air = have_same_air(h, from);
}

/* The location at which this device reads a set of another part. */
int make_readable(struct halo_source *source, const cuda_state *s, device_halo *h, const device_halo *from,
                  unsigned set, struct error *e)
{
    const cudaStream_t stream = s->halo_streams.copies;
    *source = from->source[set];
    if (h->reads_peer)
        return 0;
    if (!h->memory[0] &&
        cuda_check(cudaMalloc(&h->memory[0], h->bytes), "halo", e)) /* it had reported that it could read it */
        return -1;
    const size_t planes = HALO_LEVELS * h->level_bytes;
    const struct halo_source copy = halo_source_in(h, h->memory[0]);
    for (int level = 0; level < HALO_LEVELS; level++)
        if (cuda_check(cudaMemcpyPeerAsync(h->memory[0] + (size_t)level * h->level_bytes, h->device,
                                           source->levels[level], from->device, h->level_bytes, stream),
                       "halo", e))
            return -1;
    if (h->bytes > planes && cuda_check(cudaMemcpyPeerAsync(h->memory[0] + planes, h->device, source->states,
                                                            from->device, h->bytes - planes, stream),
                                        "halo", e))
        return -1;
    *source = copy;
    return 0;
}

/* Transfers a set of another part into the grids. */
int bring(cuda_state *s, device_halo *h, const device_halo *from, unsigned set, struct error *e)
{
    const bool copied = h->same_air && grids_are_whole(s);
    struct halo_source source = from->source[set];
    halo_note_kernels(s, h, !copied || !h->reads_peer || h->states.count);
    if (copied && halo_copy(s, h, &source, from->device, e))
        return -1;
    if ((!copied || h->states.count) && make_readable(&source, s, h, from, set, e))
        return -1;
    if (copied)
        halo_read_states(s, h, &source);
    else
        halo_read(s, h, &source);
    return 0;
}

int take(void *state, void *halo, const void *given, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    device_halo *h = (device_halo *)halo;
    const device_halo *from = (const device_halo *)given;
    const unsigned set = h->turn++ % HALO_SETS;
    if (from->bytes != h->bytes || from->level_bytes != h->level_bytes)
        return fail(e, ERROR_ENGINE, "a neighbouring part sent a halo of %zu bytes; expected %zu", from->bytes,
                    h->bytes);
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    learn_giver(h, from);
    const cudaStream_t stream = s->halo_streams.copies; /* both sides have enqueued their sends on it */
    halo_delay(stream);
    if (cuda_check(cudaStreamWaitEvent(stream, from->filled[set], 0), "halo", e))
        return -1;
    s->halo_streams.taking = true;
    return bring(s, h, from, set, e) || halo_tell_steps(s, &h, 1, e) ||
                   cuda_check(cudaEventRecord(h->read[set], stream), "halo", e)
               ? -1
               : 0;
}

size_t bytes(const void *halo)
{
    return ((const device_halo *)halo)->bytes;
}

int settle(void *state, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    return cuda_check(cudaSetDevice(s->device), "device", e) || halos_wait_until_received(s, e) ||
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
    cuda_state *s = (cuda_state *)state;
    cudaSetDevice(s->device);
    free_halo(s, (device_halo *)halo);
}

} // namespace

uint64_t halos_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows,
                            const struct solver_options *c)
{
    const size_t real = precision_bytes(p->precision);
    const own_planes own(p);
    const size_t sides[2] = {(size_t)own.first, (size_t)(own.count - own.end)};
    const size_t sets = HALO_SETS + (c->parts.way != HALOS_READ || may_be_copied(c->device) ? 1 : 0);
    uint64_t bytes = 0;
    for (size_t side = 0; side < 2; side++) {
        const size_t nz = sides[side], z0 = side ? p->points[2] - 2 * nz : 0;
        if (!nz || 2 * nz > p->points[2])
            continue;
        const size_t given = side ? z0 : z0 + nz, taken = side ? z0 + nz : z0;
        const size_t row0 = taken * rows->ny, row1 = row0 + nz * rows->ny;
        bytes += sets * HALO_LEVELS * nz * l->pitch * rows->ny * real +
                 branch_order_count(rows, given, nz) * (HALO_SETS * real + sizeof(uint64_t)) +
                 branch_order_count(rows, taken, nz) * ((sets - HALO_SETS) * real + sizeof(uint64_t)) +
                 (rows->run_start[row1] - rows->run_start[row0]) * sizeof(struct run) +
                 (row1 - row0 + 1) * sizeof(uint64_t);
    }
    return bytes;
}

extern const struct halo_access cuda_leapfrog_halos = {
    open_halo,      give,   take,      bytes, halo_pass, halo_on_host, halo_send_to_host, halo_receive_from_host,
    run_exchanging, settle, close_halo};

/* SPDX-License-Identifier: MIT */
/* A halo has memory for its planes of both levels of the field, as they are in a grid, and for the states of walls in
 * them. Giving copies them there. Taking copies what another solver has given, from the same or another GPU, and from there
 * the runs of air into the grids: what is not air stays zero, and pages of the grids that are not stored stay so. */
#include "cuda/engine/halos.cuh"

#include "cuda/engine/device.cuh"
#include "cuda/engine/plane_states.cuh"

namespace
{

enum { LEVELS = 2, ROWS_OF_BLOCK = 8 };

struct device_halo {
    struct halo_planes planes;
    int device;
    char *memory;       /* [level][nz][ny][pitch], then the states */
    size_t level_bytes; /* of one level's planes */
    size_t bytes;
    struct state_list states;
    /* runs of air of the planes, row by row */
    struct run *runs;
    uint64_t *run_start; /* [rows of the planes + 1] */
    bool knows_peer;     /* the device that it took from last may be read directly, if it may at all */
    int peer;
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

/* A warp for each row. */
template <typename WORD>
__global__ void put_runs(WORD *grid, const WORD *given, const struct run *runs, const uint64_t *run_start, size_t rows,
                         size_t pitch)
{
    const size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    for (uint64_t r = run_start[row] - run_start[0]; r < run_start[row + 1] - run_start[0]; r++) {
        const struct run run = runs[r];
        for (uint32_t i = threadIdx.x; i < run.length; i += 32)
            grid[row * pitch + run.start + i] = given[row * pitch + run.start + i];
    }
}

template <typename WORD> void put_level(const cuda_state *s, const device_halo *h, int level)
{
    const size_t rows = h->planes.nz * s->rows.ny;
    put_runs<<<(unsigned)((rows + ROWS_OF_BLOCK - 1) / ROWS_OF_BLOCK), dim3(32, ROWS_OF_BLOCK), 0, s->stream>>>(
        (WORD *)planes_at(s, level, h->planes.z0), (const WORD *)(h->memory + (size_t)level * h->level_bytes), h->runs,
        h->run_start, rows, s->layout.pitch);
}

void free_halo(device_halo *h)
{
    cudaFree(h->memory);
    cudaFree(h->runs);
    cudaFree(h->run_start);
    plane_states_free(&h->states);
    delete h;
}

int fill_halo(device_halo *h, cuda_state *s, const struct halo_planes *planes, struct error *e)
{
    const struct rows *rows = &s->rows;
    const size_t row0 = planes->z0 * rows->ny, count = planes->nz * rows->ny;
    const uint64_t run = rows->run_start[row0];
    h->planes = *planes;
    h->device = s->device;
    if (plane_states_list(&h->states, s, planes->sz0, planes->snz, false, e))
        return -1;
    h->level_bytes = planes->nz * plane_bytes(s);
    h->bytes = LEVELS * h->level_bytes + h->states.count * precision_bytes(s->problem->precision);
    return upload<char>(&h->memory, nullptr, h->bytes, "halo", e) ||
                   upload(&h->runs, rows->runs + run, rows->run_start[row0 + count] - run, "halo", e) ||
                   upload(&h->run_start, rows->run_start + row0, count + 1, "halo", e) ||
                   cuda_check(cudaStreamSynchronize(cudaStreamLegacy), "halo", e)
               ? -1
               : 0; /* the steps' stream does not wait for the default stream */
}

int open_halo(void *state, void **halo, const struct halo_planes *planes, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    return without_throwing(e, [&] {
        device_halo *h = new device_halo();
        if (fill_halo(h, s, planes, e)) {
            free_halo(h);
            return -1;
        }
        *halo = h;
        return 0;
    });
}

int give(void *state, void *halo, struct error *e)
{
    const cuda_state *s = (const cuda_state *)state;
    device_halo *h = (device_halo *)halo;
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    for (int level = 0; level < LEVELS; level++)
        if (cuda_check(cudaMemcpyAsync(h->memory + (size_t)level * h->level_bytes, planes_at(s, level, h->planes.z0),
                                       h->level_bytes, cudaMemcpyDeviceToDevice, s->stream),
                       "halo", e))
            return -1;
    plane_states_gather(&h->states, s, h->memory + LEVELS * h->level_bytes);
    return cuda_check(cudaGetLastError(), "halo", e) || cuda_check(cudaStreamSynchronize(s->stream), "halo", e) ? -1
                                                                                                                : 0;
}

/* Where the other device's memory can be read directly, copies need not pass the host. */
void learn_peer(device_halo *h, int device)
{
    int can = 0;
    if (device == h->device || (h->knows_peer && h->peer == device))
        return;
    if (cudaDeviceCanAccessPeer(&can, h->device, device) == cudaSuccess && can)
        cudaDeviceEnablePeerAccess(device, 0); /* an error: it is enabled already, or copies pass the host */
    cudaGetLastError();
    h->knows_peer = true;
    h->peer = device;
}

int take(void *state, void *halo, const void *given, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    device_halo *h = (device_halo *)halo;
    const device_halo *from = (const device_halo *)given;
    const size_t real = precision_bytes(s->problem->precision);
    if (from->bytes != h->bytes || from->level_bytes != h->level_bytes)
        return fail(e, ERROR_ENGINE, "the neighbour gave %zu bytes of a halo where %zu were expected", from->bytes,
                    h->bytes);
    if (cuda_check(cudaSetDevice(s->device), "device", e))
        return -1;
    learn_peer(h, from->device);
    if (cuda_check(cudaMemcpyPeerAsync(h->memory, h->device, from->memory, from->device, h->bytes, s->stream), "halo",
                   e))
        return -1;
    s->history_is_old = true;
    for (int level = 0; level < LEVELS; level++)
        if (real == sizeof(uint64_t))
            put_level<uint64_t>(s, h, level);
        else
            put_level<uint32_t>(s, h, level);
    plane_states_scatter(&h->states, s, h->memory + LEVELS * h->level_bytes);
    return cuda_check(cudaGetLastError(), "halo", e) || cuda_check(cudaStreamSynchronize(s->stream), "halo", e) ? -1
                                                                                                                : 0;
}

void close_halo(void *state, void *halo)
{
    if (!halo)
        return;
    cudaSetDevice(((const cuda_state *)state)->device);
    free_halo((device_halo *)halo);
}

} // namespace

uint64_t halos_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows)
{
    const size_t real = precision_bytes(p->precision);
    const size_t sides[2] = {p->counted[0], p->counted[1] ? p->points[2] - p->counted[1] : 0};
    uint64_t bytes = 0;
    for (size_t side = 0; side < 2; side++) {
        const size_t nz = sides[side], z0 = side ? p->points[2] - 2 * nz : 0;
        if (!nz || 2 * nz > p->points[2])
            continue;
        const size_t row0 = z0 * rows->ny, row1 = (z0 + 2 * nz) * rows->ny; /* given and taken */
        bytes += 2 * LEVELS * nz * l->pitch * rows->ny * real +
                 branch_order_count(rows, z0, 2 * nz) * (real + sizeof(uint64_t)) +
                 (rows->run_start[row1] - rows->run_start[row0]) * sizeof(struct run) +
                 (row1 - row0 + 2) * sizeof(uint64_t);
    }
    return bytes;
}

extern const struct halo_access cuda_leapfrog_halos = {open_halo, give, take, close_halo};

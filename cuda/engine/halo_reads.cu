/* SPDX-License-Identifier: MIT */
/* Halos into the grids, from memory of the same or another GPU: runs of air, so that what is not air stays zero and
 * pages of the grids that are not stored stay so; or whole planes. */
#include "cuda/engine/halo.cuh"

namespace
{

enum { ROWS_OF_BLOCK = 8, AHEAD = 8 /* loads of a thread under way */ };

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
    /* a block of T steps reads T planes, those next to the part's own */
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

/* SPDX-License-Identifier: MIT */
/* Halos into the grids: runs of air, from memory of the same or another GPU. What is not air stays zero, and pages of the
 * grids that are not stored stay so. */
#include "cuda/engine/halo.cuh"

#include "cuda/engine/halo_delays.cuh"
#include "cuda/temporal/halo_gate.cuh"

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
level_planes<WORD> level_of(const cuda_state *s, const device_halo *h, const char *given, int level)
{
    return {(WORD *)halo_planes_at(s, level, h->planes.z0), (const WORD *)(given + (size_t)level * h->level_bytes)};
}

template <typename WORD> void read_levels(const cuda_state *s, const device_halo *h, const char *given)
{
    const size_t rows = h->planes.nz * s->rows.ny;
    read_runs<<<dim3((unsigned)((rows + ROWS_OF_BLOCK - 1) / ROWS_OF_BLOCK), HALO_LEVELS), dim3(32, ROWS_OF_BLOCK), 0,
                s->halo_streams.copies>>>(level_of<WORD>(s, h, given, 0), level_of<WORD>(s, h, given, 1), h->runs,
                                          h->run_start, rows, s->layout.pitch);
}

__global__ void tell_taken(unsigned *taken, unsigned count)
{
    tell_halos_taken(taken, count);
}

} // namespace

char *halo_planes_at(const cuda_state *s, int level, size_t z0)
{
    return (char *)s->grids[grid_at(s, s->phase - level)] + z0 * halo_plane_bytes(s);
}

void halo_read(cuda_state *s, const device_halo *h, const char *given)
{
    if (precision_bytes(s->problem->precision) == sizeof(uint64_t))
        read_levels<uint64_t>(s, h, given);
    else
        read_levels<uint32_t>(s, h, given);
    plane_states_scatter(&h->states, s, given + HALO_LEVELS * h->level_bytes, s->halo_streams.copies);
    s->history_is_old = true;
}

int halo_tell_steps(cuda_state *s, struct error *e)
{
    const cudaStream_t stream = s->halo_streams.copies;
    halo_delay(stream);
    tell_taken<<<1, 1, 0, stream>>>(s->halo_streams.taken_count, ++s->halo_streams.takes);
    return cuda_check(cudaGetLastError(), "halo", e) ||
                   cuda_check(cudaEventRecord(s->halo_streams.taken, stream), "halo", e)
               ? -1
               : 0;
}

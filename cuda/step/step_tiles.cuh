/* SPDX-License-Identifier: MIT */
/* Tiles of a step: which one a thread block takes, its position, and its dependences.
 *
 * By default a thread block waits until the kernel of the previous step is complete. The last wave
 * of thread blocks rarely fills the device, and the first of the next cannot load before the
 * slowest of them has ended: on Webb's grid, this takes 3 to 4 of 54 µs. In a box that is stepped
 * by tiles only, a tile waits for less: each tile counts the steps that it has ended, and begins
 * when it and the tiles around it (by faces, edges and corners) have ended the previous step. Then
 * they have written all of p^n that it reads, and read all values that it overwrites. Steps visit
 * the tiles in the same order, so that those around a tile have ended long before.
 *
 * The next kernel's thread blocks start when all of this one's have started. So none waits for one
 * that has no position on a multiprocessor: docs/design/gpu.md (G19). */
#ifndef AULA_CUDA_STEP_TILES_CUH
#define AULA_CUDA_STEP_TILES_CUH

#include "cuda/gate_delays.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/ptx.cuh"

/* The work of a thread block: a tile, or LISTED_BLOCK and a block of boundary points. If steps
 * wait for kernels, every other one takes the reverse order, to begin with the values that the
 * previous one left in the second-level cache. */
template <bool LISTS, typename REAL> __device__ __forceinline__ uint32_t work_of_block(const step<REAL> &s)
{
    const uint32_t own = blockIdx.x - s.tap_blocks, i = s.first_block + (s.reversed ? s.block_count - 1 - own : own);
    return LISTS ? s.order[i] : i;
}

/* Position of a tile, in tiles. */
struct tile_position {
    int x, y, z;
};

template <typename REAL> __device__ __forceinline__ tile_position position_of(const step<REAL> &s, uint32_t tile)
{
    const uint32_t across = (uint32_t)s.tiling[0], row = tile / across, along = (uint32_t)s.tiling[1];
    return {(int)(tile % across), (int)(row % along), (int)(row / along)};
}

/* Index of the word that counts the thread blocks that have read taps, after those of the tiles. */
template <typename REAL> __device__ __forceinline__ unsigned word_of_taps(const step<REAL> &s)
{
    return s.block_count;
}

/* Called by one thread. */
__device__ __forceinline__ void wait_for_count(const unsigned *word, unsigned count)
{
    gate_delay(GATE_FLAG);
    while (*(const volatile unsigned *)word < count)
        ;
    __threadfence();
    gate_delay(GATE_FLAG);
}

/* Called by all threads of a block: one for each tile around, and one for the taps of p^{n-1},
 * which p^{n+1} replaces. */
template <typename REAL>
__device__ __forceinline__ void wait_for_tiles_around(const step<REAL> &s, tile_position tile, unsigned thread)
{
    const unsigned around = 27, across = (unsigned)s.tiling[0], along = (unsigned)s.tiling[1];
    if (thread < around) {
        const int x = tile.x + (int)(thread % 3) - 1, y = tile.y + (int)(thread / 3 % 3) - 1;
        const int z = tile.z + (int)(thread / 9) - 1;
        const uint32_t other = ((unsigned)z * along + (unsigned)y) * across + (unsigned)x;
        if (x >= 0 && x < (int)across && y >= 0 && y < (int)along && z >= 0 && other < s.block_count)
            wait_for_count(s.ended + other, s.turn);
    } else if (thread == around) {
        wait_for_count(s.ended + word_of_taps(s), s.turn * s.tap_blocks);
    }
    __syncthreads();
}

/* Called by all threads before a tile: waits until all values that it reads are written, and
 * those that it overwrites have been read. */
template <typename REAL>
__device__ __forceinline__ void wait_for_last_step_of(const step<REAL> &s, tile_position tile, unsigned thread)
{
    if (!s.turn) {
        wait_for_last_step();
    } else {
        release_next_kernel();
        wait_for_tiles_around(s, tile, thread);
    }
}

/* Called by all threads of a block: one of them changes a word after all have finished. */
template <typename CHANGE> __device__ __forceinline__ void tell(unsigned thread, const CHANGE &change)
{
    __syncthreads();
    if (thread)
        return;
    gate_delay(GATE_FLAG);
    __threadfence();
    change();
    gate_delay(GATE_FLAG);
}

/* Called by all threads after a tile. The last thread block, which has released the next kernel,
 * waits for the previous kernel. */
template <typename REAL>
__device__ __forceinline__ void tell_tile_ended(const step<REAL> &s, uint32_t tile, unsigned thread)
{
    if (!s.ended)
        return;
    tell(thread, [&] { *(volatile unsigned *)(s.ended + tile) = s.turn + 1; });
    if (blockIdx.x + 1 == gridDim.x)
        wait_for_previous_kernel();
}

/* Called by all threads after a thread block's taps. */
template <typename REAL> __device__ __forceinline__ void tell_taps_read(const step<REAL> &s, unsigned thread)
{
    if (s.ended)
        tell(thread, [&] { atomicAdd(s.ended + word_of_taps(s), 1u); });
}

#endif

/* SPDX-License-Identifier: MIT */
/* Thread blocks of a temporal block that read halos wait for them inside the launch, while those that read none are
 * stepped. The stream on which halos are taken, first from below, counts in a word of device memory
 * (engine/halo_streams.cu). They are those that write what the neighbours are given, too: they count in another word,
 * for which that stream waits. */
#ifndef AULA_CUDA_HALO_GATE_CUH
#define AULA_CUDA_HALO_GATE_CUH

#include "cuda/ptx.cuh"

struct halo_gate {
    const unsigned *taken;      /* halos taken so far, which may wrap; nullptr: none are waited for */
    int below_end, above_first; /* planes before and from these on are halos */
    unsigned awaited, all;      /* for so many, where the halo below is read, and for so many, where that above is */
    unsigned *written;          /* thread blocks that have written what is given; nullptr: they are not counted */
};

/* Whether planes first .. end - 1, which a thread block reads, are in part those of a halo. */
__host__ __device__ __forceinline__ bool reads_halo(const halo_gate &g, int first, int end)
{
    return first < g.below_end || end > g.above_first;
}

/* By one thread, after the kernels that have written the halos. */
__device__ __forceinline__ void tell_halos_taken(unsigned *taken, unsigned count)
{
    gate_delay(GATE_FLAG);
    __threadfence();
    *(volatile unsigned *)taken = count;
    gate_delay(GATE_FLAG);
}

/* By the thread that loads planes by the copy engine, which may do so afterwards. */
__device__ __forceinline__ void wait_for_halos_taken(const unsigned *taken, unsigned count)
{
    gate_delay(GATE_FLAG);
    while ((int)(*(const volatile unsigned *)taken - count) < 0)
        __nanosleep(200);
    __threadfence();
    ptx::fence_proxy_async_global();
    gate_delay(GATE_FLAG);
}

/* By all threads of a block that reads planes first .. end - 1, before it lets the next kernel start: that one may read
 * halos, too. */
__device__ __forceinline__ void wait_for_halos(const halo_gate &g, int first, int end)
{
    if (!g.taken || !reads_halo(g, first, end))
        return;
    if (threadIdx.x == 0)
        wait_for_halos_taken(g.taken, end > g.above_first ? g.all : g.awaited);
    __syncthreads();
}

/* By all threads of such a block when it has written all. Another device reads what it has written: hence the fence. */
__device__ __forceinline__ void tell_written(const halo_gate &g, int first, int end)
{
    if (!g.written || !reads_halo(g, first, end))
        return;
    __syncthreads();
    if (threadIdx.x == 0) {
        gate_delay(GATE_FLAG);
        __threadfence_system();
        atomicAdd(g.written, 1u);
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* Thread blocks of a temporal block that read halos wait for them inside the launch: they come last, and what comes before
 * them is stepped meanwhile. The stream on which halos are taken, first from below, counts in a word of device memory
 * (engine/halo_streams.cu). */
#ifndef AULA_CUDA_HALO_GATE_CUH
#define AULA_CUDA_HALO_GATE_CUH

#include "cuda/ptx.cuh"

struct halo_gate {
    const unsigned *taken;      /* halos taken so far, which may wrap; nullptr: none are waited for */
    unsigned first, from_above; /* thread blocks from these on wait */
    unsigned awaited, all;      /* for so many, and those from the second on for so many */
};

/* By one thread, after the kernels that have written the halos. */
__device__ __forceinline__ void tell_halos_taken(unsigned *taken, unsigned count)
{
    gate_delay(GATE_FLAG);
    __threadfence();
    *(volatile unsigned *)taken = count;
    gate_delay(GATE_FLAG);
}

/* By all threads of a block, before it lets the next kernel start: that one may read halos, too. Afterwards the thread that
 * loads planes by the copy engine may do so. */
__device__ __forceinline__ void wait_for_halos(const halo_gate &g)
{
    if (!g.taken || blockIdx.x < g.first)
        return;
    if (threadIdx.x == 0) {
        const unsigned awaited = blockIdx.x < g.from_above ? g.awaited : g.all;
        gate_delay(GATE_FLAG);
        while ((int)(*(const volatile unsigned *)g.taken - awaited) < 0)
            __nanosleep(200);
        __threadfence();
        ptx::fence_proxy_async_global();
        gate_delay(GATE_FLAG);
    }
    __syncthreads();
}

#endif

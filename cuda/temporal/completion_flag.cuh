/* SPDX-License-Identifier: MIT */
/* A completion flag for kernels that start while a temporal block runs, several one after the other: programmatic
 * dependent launch orders only neighbours, so all of them wait for one word in device memory. The temporal block
 * clears it; the kernel launched right after the block sets it once it has waited for the block. */
#ifndef AULA_CUDA_COMPLETION_FLAG_CUH
#define AULA_CUDA_COMPLETION_FLAG_CUH

#include "cuda/gate_delays.cuh"

/* By one thread, before its block lets the next kernel start. */
__device__ __forceinline__ void clear_completion_flag(unsigned *complete)
{
    gate_delay(GATE_FLAG);
    *(volatile unsigned *)complete = 0;
    __threadfence();
    gate_delay(GATE_FLAG);
}

__device__ __forceinline__ void set_completion_flag(unsigned *complete)
{
    gate_delay(GATE_FLAG);
    __threadfence();
    *(volatile unsigned *)complete = 1;
    gate_delay(GATE_FLAG);
}

__device__ __forceinline__ void wait_for_completion(const unsigned *complete)
{
    while (!*(const volatile unsigned *)complete)
        __nanosleep(100);
    __threadfence();
    gate_delay(GATE_FLAG);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Gates: points at which a thread, a warp or a block waits for writes of others, or announces its
 * own. docs/design/gpu.md lists them, and its invariants prove that they suffice.
 *
 * A build with -DAULA_GATE_DELAYS=SEED delays warps before and after every gate, so that `aula
 * validate` finds orders that only usual timing guarantees; results do not change. Other builds
 * contain no code for it. Delays depend on the seed, the gate, the block, the warp and the time, in
 * several alternating patterns: all warps at random, one warp of each block, some blocks, one kind
 * of gate. Lanes of a warp wait together, as the compiler joins them after each wait.
 *
 * Included by ptx.cuh, whose functions are gates. CUDA's own barriers are redefined here, so that
 * none is missed. */
#ifndef AULA_CUDA_GATE_DELAYS_CUH
#define AULA_CUDA_GATE_DELAYS_CUH

#ifndef AULA_GATE_DELAYS
#define AULA_GATE_DELAYS 0 /* none */
#endif

enum gate { GATE_BLOCK, GATE_WARP, GATE_ARRIVE, GATE_WAIT, GATE_LOAD, GATE_SEND, GATE_CLUSTER, GATE_KERNEL, GATE_FLAG };
enum { GATES = GATE_FLAG + 1 };

#if AULA_GATE_DELAYS

#include <stdint.h>

/* Finalizer of SplitMix64 (Steele, Lea and Flood 2014). */
__device__ __forceinline__ uint64_t gate_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Clock cycles to wait at a gate. */
__device__ inline unsigned gate_clocks(enum gate gate)
{
    uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    const uint64_t block = blockIdx.x + ((uint64_t)blockIdx.y << 16) + ((uint64_t)blockIdx.z << 32);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned warp = thread / 32, warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    const uint64_t pattern = gate_mix((uint64_t)AULA_GATE_DELAYS + (time >> 20)); /* constant for a millisecond */
    const uint64_t of_block = gate_mix(pattern + block);
    const uint64_t here = gate_mix(of_block + ((time >> 5) << 16) + warp * GATES + (unsigned)gate);
    const unsigned some = (unsigned)(here >> 32) & 2047u;
    switch (pattern & 3u) {
    case 0: /* all warps */
        return here & 3u ? 0u : some;
    case 1: /* one warp of each block */
        return warp == (of_block >> 8) % warps ? 2048u + some : 0u;
    case 2: /* a quarter of the blocks */
        return (of_block >> 8 & 3u) == 0u ? 1024u + some : 0u;
    default: /* a kind of gate */
        return (unsigned)gate == (pattern >> 8) % GATES && here & 1u ? 8u * some : 0u;
    }
}

__device__ __noinline__ inline void gate_delay(enum gate gate)
{
    const long long end = clock64() + (long long)gate_clocks(gate);
    while (clock64() < end) {
    }
}

/* Called before an instruction that a warp must execute as a whole. */
__device__ __forceinline__ void gate_delay_warp(enum gate gate)
{
    gate_delay(gate);
    __syncwarp();
}

__device__ __forceinline__ void gate_block_barrier()
{
    gate_delay_warp(GATE_BLOCK); /* a warp arrives as one */
    __syncthreads();
    gate_delay(GATE_BLOCK);
}

__device__ __forceinline__ void gate_warp_barrier()
{
    gate_delay(GATE_WARP);
    __syncwarp();
    gate_delay(GATE_WARP);
}

#define __syncthreads() gate_block_barrier()
#define __syncwarp() gate_warp_barrier()

#else

__device__ __forceinline__ void gate_delay(enum gate)
{
}

__device__ __forceinline__ void gate_delay_warp(enum gate)
{
}

#endif

#endif

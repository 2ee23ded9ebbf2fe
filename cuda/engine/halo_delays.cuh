/* SPDX-License-Identifier: MIT */
/* In a build with -DAULA_GATE_DELAYS=SEED (gate_delays.cuh) streams wait for a while around the exchange of halos, so
 * that `aula validate parts/bits` finds an order that only usual timing guarantees, and half of the halos are copied
 * before they are read, as those of devices that cannot read each other are. Every other build has no code for it. */
#ifndef AULA_CUDA_HALO_DELAYS_CUH
#define AULA_CUDA_HALO_DELAYS_CUH

#include "cuda/gate_delays.cuh"

#if AULA_GATE_DELAYS

#include <atomic>

static __global__ void wait_for_a_while(long long clocks)
{
    const long long end = clock64() + clocks;
    while (clock64() < end) {
    }
}

/* One sequence for all files. */
inline uint64_t halo_random()
{
    static std::atomic<uint64_t> calls;
    uint64_t x = (uint64_t)AULA_GATE_DELAYS + 0x9e3779b97f4a7c15u * ++calls;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* One call in two, up to a millisecond or two. */
static inline void halo_delay(cudaStream_t stream)
{
    const uint64_t x = halo_random();
    if (x & 1u)
        wait_for_a_while<<<1, 1, 0, stream>>>((long long)(x >> 32 & 0x1fffffu));
}

enum { HALOS_ARE_COPIED_AT_RANDOM = true, DELAYS_ARE_KERNELS = true };

static inline bool halo_may_be_read()
{
    return halo_random() & 1u;
}

#else

static inline void halo_delay(cudaStream_t)
{
}

enum { HALOS_ARE_COPIED_AT_RANDOM = false, DELAYS_ARE_KERNELS = false };

static inline bool halo_may_be_read()
{
    return true;
}

#endif

#endif

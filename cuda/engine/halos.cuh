/* SPDX-License-Identifier: MIT */
/* Halos of parts that need not pass through the host (struct halo_access of solver.h). */
#ifndef AULA_CUDA_HALOS_CUH
#define AULA_CUDA_HALOS_CUH

#include "cuda/engine/state.cuh"
#include "cuda/ptx.cuh"
#include "solver/halos.h"

extern const struct halo_access cuda_leapfrog_halos;

/* Device memory of the halos of a part of a grid, those that it gives included; 0 for a whole grid. */
uint64_t halos_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows,
                            const struct solver_options *c);

/* Steps that are put on their stream after this read halos as they were taken last, and may overwrite what was given.
 * Nothing where they have waited already. */
int halos_wait(cuda_state *s, struct error *e);

/* As halos_wait; where links pass halos, returns when the steps' stream is done, or with the reason why it never will
 * be. */
int halos_wait_until_received(cuda_state *s, struct error *e);

/* They may overwrite what was given. */
int halos_wait_until_given(const cuda_state *s, struct error *e);

/* As halos_wait, but what is put on the steps' stream is to wait itself, by a gate (below). False: it
 * must not, because it would keep from starting what it waits for: kernels of the exchange, unless it leaves room for
 * them, or those of another part on this GPU. */
bool halos_await(cuda_state *s, bool leaves_room, struct halo_gate *gate);
bool halos_may_be_awaited(const cuda_state *s, bool leaves_room);

/* Thread blocks that read halos count, by the gate, what they have written, and the next exchange of what they give
 * waits for so many rather than for the steps, where this device can. */
void halos_count_written(cuda_state *s, unsigned blocks, struct halo_gate *gate);

/* What is put on *near between these two calls reads halos as they were taken last; later steps follow it. */
int halos_begin_near(const cuda_state *s, cudaStream_t *near, struct error *e);
int halos_end_near(cuda_state *s, struct error *e);

void halos_drop(cuda_state *s); /* the streams, when all halos are closed */

/* --- the gate of temporal blocks --- */

/* Thread blocks of a temporal block that read halos wait for them inside the launch, while those
 * that read none are stepped. The stream on which halos are taken, first from below, counts in a
 * word of device memory (engine/halo_streams.cu). They are those that write what the neighbours are
 * given, too: they count in another word, for which that stream waits: docs/design/parallel.md (P16
 * to P18). */
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

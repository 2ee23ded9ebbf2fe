/* SPDX-License-Identifier: MIT */
/* Halos that need not pass through the host (struct halo_access of solver/halos.h). */
#ifndef AULA_CUDA_HALOS_CUH
#define AULA_CUDA_HALOS_CUH

#include "cuda/engine/state.cuh"
#include "cuda/ptx.cuh"
#include "solver/halos.h"

extern const struct halo_access cuda_leapfrog_halos;

/* Device memory of the halos of a part, including those it sends; 0 for a whole grid. */
uint64_t halos_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows,
                            const struct solver_options *c);

/* Steps enqueued on their stream after this call read the halos received last, and may overwrite
 * the planes sent. No effect if they have waited already. */
int halos_wait(cuda_state *s, struct error *e);

/* As halos_wait. If links pass halos, returns when the steps' stream is complete, or with the
 * reason why it never will be. */
int halos_wait_until_received(cuda_state *s, struct error *e);

/* Steps enqueued after this call may overwrite the planes sent. */
int halos_wait_until_given(const cuda_state *s, struct error *e);

/* As halos_wait, but the work enqueued on the steps' stream waits itself, at a gate (below).
 * False: it must not wait, as it would prevent the work that it waits for from starting: kernels
 * of the exchange, unless it leaves room for them, or those of another part on this GPU. */
bool halos_await(cuda_state *s, bool leaves_room, struct halo_gate *gate);
bool halos_may_be_awaited(const cuda_state *s, bool leaves_room);

/* Thread blocks that read halos count, at the gate, the values they have written. The next
 * exchange of the planes sent waits for that count rather than for the steps, if this device
 * supports it. */
void halos_count_written(cuda_state *s, unsigned blocks, struct halo_gate *gate);

/* Work enqueued on *near between these two calls reads the halos received last; later steps
 * follow it. */
int halos_begin_near(const cuda_state *s, cudaStream_t *near, struct error *e);
int halos_end_near(cuda_state *s, struct error *e);

void halos_drop(cuda_state *s); /* drops the streams after all halos are closed */

/* --- the gate of temporal blocks --- */

/* Thread blocks of a temporal block that read halos wait for them inside the launch, while the
 * other blocks are stepped. The stream that receives halos, first from below, counts in a word
 * of device memory (engine/halo_streams.cu). The same thread blocks write the planes that the
 * neighbours receive. They count in another word, for which that stream waits:
 * docs/design/parallel.md (P16 to P18). */
struct halo_gate {
    const unsigned *taken;      /* number of halos received, which may wrap; nullptr: no waiting */
    int below_end, above_first; /* planes before below_end and from above_first are halos */
    unsigned awaited, all;      /* counts to wait for by readers of the halo below, and of the halo above */
    unsigned *written;          /* number of thread blocks that have written planes to be sent; nullptr: not counted */
};

/* Whether some of the planes first .. end - 1, which a thread block reads, belong to a halo. */
__host__ __device__ __forceinline__ bool reads_halo(const halo_gate &g, int first, int end)
{
    return first < g.below_end || end > g.above_first;
}

/* Called by one thread, after the kernels that have written the halos. */
__device__ __forceinline__ void tell_halos_taken(unsigned *taken, unsigned count)
{
    gate_delay(GATE_FLAG);
    __threadfence();
    *(volatile unsigned *)taken = count;
    gate_delay(GATE_FLAG);
}

/* Called by the thread that loads planes by the copy engine, which may do so afterwards. */
__device__ __forceinline__ void wait_for_halos_taken(const unsigned *taken, unsigned count)
{
    gate_delay(GATE_FLAG);
    while ((int)(*(const volatile unsigned *)taken - count) < 0)
        __nanosleep(200);
    __threadfence();
    ptx::fence_proxy_async_global();
    gate_delay(GATE_FLAG);
}

/* Called by all threads of a block that reads planes first .. end - 1, before it lets the next
 * kernel start, which may read halos too. */
__device__ __forceinline__ void wait_for_halos(const halo_gate &g, int first, int end)
{
    if (!g.taken || !reads_halo(g, first, end))
        return;
    if (threadIdx.x == 0)
        wait_for_halos_taken(g.taken, end > g.above_first ? g.all : g.awaited);
    __syncthreads();
}

/* Called by all threads of such a block after it has written all values. Another device reads
 * them: hence the fence. */
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

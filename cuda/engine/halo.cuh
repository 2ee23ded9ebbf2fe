/* SPDX-License-Identifier: MIT */
/* A halo of a part: the common part of all halo paths (halos.cu, halo_passages.cu). */
#ifndef AULA_CUDA_HALO_CUH
#define AULA_CUDA_HALO_CUH

#include "cuda/engine/plane_states.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/gate_delays.cuh"
#include "solver/halos.h"

enum { HALO_LEVELS = 2, HALO_SETS = 2 };

/* Location of a set that is sent, on the device of the sending part. */
struct halo_source {
    const char *levels[HALO_LEVELS]; /* planes */
    const char *states;
};

struct device_halo {
    struct halo_planes planes;
    int device;
    bool taken;              /* received from a neighbour; otherwise sent */
    unsigned turn;           /* number of exchanges begun */
    char *memory[HALO_SETS]; /* each [level][nz][ny][pitch], then the states; received halos use the first as a copy */
    struct halo_source source[HALO_SETS]; /* sent halos: for exchanges of even and of odd number */
    bool by_kernels;                      /* its exchanges need multiprocessors, as the last one did */
    size_t level_bytes;                   /* size of the planes of one level */
    size_t bytes;                         /* size of a set */
    void *on_host;                        /* the same size, for HALOS_STAGED */
    struct state_list states;
    cudaEvent_t filled[HALO_SETS]; /* sent halos: the set is ready for the neighbour */
    cudaEvent_t read[HALO_SETS];   /* received halos: the neighbour's set is in the grids */
    /* runs of air in the planes, row by row */
    struct run *runs;
    uint64_t *run_start;      /* [rows of the planes + 1] */
    const struct rows *rows;  /* of its solver */
    const device_halo *giver; /* the neighbour's halo read last, and its properties: */
    bool reads_peer;          /* whether kernels of this device can read its memory */
    bool same_air;            /* whether the same points are air in that halo */
};

/* Bytes of a plane of a grid. */
static inline size_t halo_plane_bytes(const cuda_state *s)
{
    return s->layout.pitch * s->rows.ny * precision_bytes(s->problem->precision);
}

/* ---- halo_passages.cu */

/* The planes of level n or n - 1 in their grid. */
char *halo_planes_at(const cuda_state *s, int level, size_t z0);

/* Enqueued on the stream of copies: transfers a set into the grids, by kernels that read it, or
 * by the copy engine for its planes. */
void halo_read(cuda_state *s, const device_halo *h, const struct halo_source *given);
int halo_copy(cuda_state *s, const device_halo *h, const struct halo_source *given, int device, struct error *e);
void halo_read_states(cuda_state *s, const device_halo *h, const struct halo_source *given);

/* A set in memory of the halo's own device. */
struct halo_source halo_source_in(const device_halo *h, const char *memory);

/* ---- halo_streams.cu */

int halo_make_event(cudaEvent_t *event, struct error *e);
int halo_open_streams(cuda_state *s, struct error *e); /* before the first halo; otherwise no effect */

/* Work enqueued on the stream of copies after this call reads the results of the steps.
 * `written`: only the planes of the grids that are sent, which the last temporal block may write
 * before it ends. */
int halo_follow_steps(cuda_state *s, bool written, struct error *e);

/* Enqueues a message on the stream of copies that tells the steps that halos were received. */
int halo_tell_steps(cuda_state *s, const device_halo *const *taken, int count, struct error *e);

/* Records whether an exchange of the halo needs multiprocessors from now on. */
void halo_note_kernels(cuda_state *s, device_halo *h, bool needs);

/* Work enqueued on a stream after this call follows the work on the other stream. */
int halo_follow(cudaStream_t stream, cudaEvent_t event, cudaStream_t other, struct error *e);

/* ---- halo_passages.cu: of struct halo_access */

int halo_pass(void *state, void *links, const struct halo_passage *passages, int count, struct error *e);
void *halo_on_host(void *halo);
int halo_send_to_host(void *state, void *halo, struct error *e);
int halo_receive_from_host(void *state, void *halo, struct error *e);

/* --- delays of a build that tests the order --- */

/* In a build with -DAULA_GATE_DELAYS=SEED (gate_delays.cuh), streams are delayed at random
 * around the exchange of halos, so that `aula validate parts/bits` finds orders that only usual
 * timing guarantees. Half of the halos are copied before they are read, as those of devices
 * without peer access are. Other builds contain no code for it. */

#if AULA_GATE_DELAYS

#include <atomic>

static __global__ void wait_for_a_while(long long clocks)
{
    const long long end = clock64() + clocks;
    while (clock64() < end) {
    }
}

/* One sequence of random numbers for all files. */
inline uint64_t halo_random()
{
    static std::atomic<uint64_t> calls;
    uint64_t x = (uint64_t)AULA_GATE_DELAYS + 0x9e3779b97f4a7c15u * ++calls;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Delays every other call on average, by up to a millisecond or two. */
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

/* SPDX-License-Identifier: MIT */
/* One halo of a part: what the ways by which halos pass have in common (halos.cu, halo_passages.cu). */
#ifndef AULA_CUDA_HALO_CUH
#define AULA_CUDA_HALO_CUH

#include "cuda/engine/plane_states.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/gate_delays.cuh"
#include "solver/halos.h"

enum { HALO_LEVELS = 2, HALO_SETS = 2 };

/* Where a set that is given lies, on the device of the part that gives it. */
struct halo_source {
    const char *levels[HALO_LEVELS]; /* planes */
    const char *states;
};

struct device_halo {
    struct halo_planes planes;
    int device;
    bool taken;              /* else given */
    unsigned turn;           /* exchanges begun */
    char *memory[HALO_SETS]; /* each [level][nz][ny][pitch], then the states; taken: the first, where it is copied to */
    struct halo_source source[HALO_SETS]; /* given: of exchanges of even and of odd number */
    bool by_kernels;                      /* its exchanges need multiprocessors, as the last did */
    size_t level_bytes;                   /* of one level's planes */
    size_t bytes;                         /* of a set */
    void *on_host;                        /* as many, of HALOS_STAGED */
    struct state_list states;
    cudaEvent_t filled[HALO_SETS]; /* given: the set has what the neighbour is to read */
    cudaEvent_t read[HALO_SETS];   /* taken: the neighbour's set is in the grids */
    /* runs of air of the planes, row by row */
    struct run *runs;
    uint64_t *run_start;      /* [rows of the planes + 1] */
    const struct rows *rows;  /* of its solver */
    const device_halo *giver; /* that it took from last, and what it has learnt about it: */
    bool reads_peer;          /* whether kernels of this device read the memory of that one */
    bool same_air;            /* whether the same points are air in what it gives */
};

/* Of a plane of a grid. */
static inline size_t halo_plane_bytes(const cuda_state *s)
{
    return s->layout.pitch * s->rows.ny * precision_bytes(s->problem->precision);
}

/* ---- halo_passages.cu */

/* The planes of level n or n - 1 in their grid. */
char *halo_planes_at(const cuda_state *s, int level, size_t z0);

/* Put on the stream of copies: a set that was given into the grids, by kernels that read it, or its planes by the copy
 * engine. */
void halo_read(cuda_state *s, const device_halo *h, const struct halo_source *given);
int halo_copy(cuda_state *s, const device_halo *h, const struct halo_source *given, int device, struct error *e);
void halo_read_states(cuda_state *s, const device_halo *h, const struct halo_source *given);

/* A set that is in memory of the halo's own device. */
struct halo_source halo_source_in(const device_halo *h, const char *memory);

/* ---- halo_streams.cu */

int halo_make_event(cudaEvent_t *event, struct error *e);
int halo_open_streams(cuda_state *s, struct error *e); /* before the first halo; then nothing */

/* What is put on the stream of copies after this reads what the steps have written; `written`: the planes of the grids
 * that are given alone, which the last pass may have written while it goes on. */
int halo_follow_steps(cuda_state *s, bool written, struct error *e);

/* Puts on the stream of copies: tells the steps that halos were taken. */
int halo_tell_steps(cuda_state *s, const device_halo *const *taken, int count, struct error *e);

/* Whether an exchange of the halo, from now on, needs multiprocessors. */
void halo_note_kernels(cuda_state *s, device_halo *h, bool needs);

/* What is put on a stream after this comes after what is on the other. */
int halo_follow(cudaStream_t stream, cudaEvent_t event, cudaStream_t other, struct error *e);

/* ---- halo_passages.cu: of struct halo_access */

int halo_pass(void *state, void *links, const struct halo_passage *passages, int count, struct error *e);
void *halo_on_host(void *halo);
int halo_send_to_host(void *state, void *halo, struct error *e);
int halo_receive_from_host(void *state, void *halo, struct error *e);

/* --- delays of a build that tests the order --- */

/* In a build with -DAULA_GATE_DELAYS=SEED (gate_delays.cuh) streams wait for a while around the exchange of halos, so
 * that `aula validate parts/bits` finds an order that only usual timing guarantees, and half of the halos are copied
 * before they are read, as those of devices that cannot read each other are. Every other build has no code for it. */

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

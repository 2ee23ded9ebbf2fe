/* SPDX-License-Identifier: MIT */
/* Part 0, which leads the others: the internal interface of the stepper of parts. */
#ifndef AULA_SOLVER_PARTS_LEADER_H
#define AULA_SOLVER_PARTS_LEADER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/transport/thread_transport.h"
#include "solver/parts/part.h"
#include "solver/parts/protocol.h"
#include "solver/parts/voxel_slabs.h"

/* The part and tap that provide a value. */
struct tap_source {
    int part; /* -1: none */
    size_t tap;
};

/* The leader's record of a part. */
struct follower {
    struct slab slab;
    size_t drive_count, tap_count, *drive_of; /* [drive_count] */
    struct order order;                       /* the last order sent */
    double *drive, *taps;                     /* signals of the last ORDER_RUN, [drive_count or tap_count][steps] */
    size_t drive_room, tap_room;              /* capacities in values */
};

struct leader {
    const struct problem *whole;
    int count;
    struct follower *followers; /* [count], including part 0 */
    struct part own;
    struct transport *transport;
    struct thread_hub *hub; /* hub of a transport between threads; NULL: the transport belongs to the caller */
    pthread_t *threads;     /* [count] */
    int started;            /* number of threads started, for parts 1 .. started */
    bool broken;            /* the transport was abandoned */
    size_t between;         /* steps between two exchanges */
    int least_depth,
        depth;  /* depths of the parts' temporal blocks in steps, the least and the largest; 1 or 0: single steps */
    bool stale; /* halos are out of date: values were put since the last exchange */
    bool sums_levels_apart; /* taps are summed by time level, as the engine of the parts does */
    bool opened;            /* parts are open and must be closed */
    /* Sources of the values of taps, by channel. */
    struct tap_source *whole_channel; /* [tap_count]: the part that has all entries of the channel */
    struct tap_source *entries;       /* of all channels consecutively */
    struct layer_span
        *spans; /* [count]: layers of voxels that each part takes from the set that all have made; NULL: none */
    size_t *piece_bytes; /* [planes]: sizes of the pieces of the state; NULL: not queried yet */
};

/* Number of parts that the options request. */
int leader_part_count(const struct solver_options *c);
bool leader_on_devices(const struct solver_options *c);
struct part_options leader_options_of_part(const struct solver_options *c, int part);
size_t leader_halo(const struct problem *p, const struct solver_options *c); /* planes, requested from cut_grid */
/* Work of a branch of a wall, in points of air: docs/design/parallel.md. */
double leader_branch_work(const struct solver_options *c);
int leader_check(const struct problem *p, const struct solver_options *c, struct error *e);
/* Adds the requirements of a part; `shared`: the parts belong to this process. */
void leader_add_plan(struct solver_plan *r, const struct solver_plan *part, bool shared, int index,
                     const struct slab *slab);
int leader_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e);

/* Sends an order with the options and the problem of a part. spans: the layers that each part
 * takes from the voxels that all have made; NULL: the problem contains its voxels. The order
 * must stay valid until a flush. */
int leader_send_problem(struct transport *t, int part, struct order *o, const struct part_options *choice,
                        const struct part_problem *q, const struct layer_span *spans, struct error *e);
/* Returns spans[count] in new memory: the layers of voxels of slabs[count]; NULL when out of
 * memory. */
struct layer_span *leader_spans(const struct problem *p, const struct slab *slabs, int count);

/* Receives the answer of a part to the last order: `count` bytes, or its error. */
int leader_answer(struct transport *t, int part, void *bytes, size_t count, struct error *e);

/* Abandons the transport after a failure that leaves orders or answers in flight. Returns -1. */
int leader_abandon(struct leader *l, const struct error *why);

/* Records the channels to which the taps of a part belong; then computes the sums of a run of
 * `steps` from the followers' taps. */
void leader_place_taps(struct leader *l, int part, const struct part_problem *q);

int leader_run(void *state, size_t steps, const struct block *b, struct error *e);

/* The pieces of the state (struct state_block_access). */
int leader_state_block_bytes(void *state, size_t *bytes, struct error *e);
int leader_get_state_block(void *state, size_t piece, void *to, struct error *e);
int leader_put_state_block(void *state, size_t piece, const void *from, size_t bytes, struct error *e);

#endif

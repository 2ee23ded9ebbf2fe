/* SPDX-License-Identifier: MIT */
/* Part 0, which leads the others: what the files of the stepper of parts share. */
#ifndef AULA_SOLVER_PARTS_LEADER_H
#define AULA_SOLVER_PARTS_LEADER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/transport/thread_transport.h"
#include "solver/parts/part.h"
#include "solver/parts/protocol.h"
#include "solver/parts/voxel_slabs.h"

/* A tap of a part. */
struct tap_source {
    int part; /* -1: none */
    size_t tap;
};

/* What the leader knows of a part. */
struct follower {
    struct slab slab;
    size_t drive_count, tap_count, *drive_of; /* [drive_count] */
    struct order order;                       /* the last */
    double *drive, *taps;                     /* of the last ORDER_RUN, [drive_count or tap_count][steps] */
    size_t drive_room, tap_room;              /* values */
};

struct leader {
    const struct problem *whole;
    int count;
    struct follower *followers; /* [count], itself included */
    struct part own;
    struct transport *transport;
    struct thread_hub *hub; /* of a transport between threads; NULL: the transport is the caller's */
    pthread_t *threads;     /* [count] */
    int started;            /* threads: of parts 1 .. started */
    bool broken;            /* the transport was abandoned */
    size_t between;         /* steps between two exchanges */
    int least_depth, depth; /* of the parts' passes, in steps: the least and the largest; 1 or 0: single steps */
    bool stale;             /* halos: values were put since the last exchange */
    bool sums_levels_apart; /* of taps: the order of sums of the parts' engine */
    bool opened;            /* parts have been opened, and are to be closed */
    /* Where the values of taps come from, channel by channel. */
    struct tap_source *whole_channel; /* [tap_count]: the part that has all of its entries */
    struct tap_source *entries;       /* of all channels in turn */
    struct layer_span *spans;         /* [count]: layers of voxels that parts take of those that all have made; NULL */
    size_t *piece_bytes;              /* [planes]: of the pieces of the state; NULL: not asked for yet */
};

/* Of the parts that a choice asks for. */
int leader_part_count(const struct solver_options *c);
bool leader_on_devices(const struct solver_options *c);
struct part_options leader_options_of_part(const struct solver_options *c, int part);
size_t leader_halo(const struct problem *p, const struct solver_options *c); /* planes, as wanted by cut_grid */
/* Work of a branch of a wall, in points of air: docs/design/parallel.md. */
double leader_branch_work(const struct solver_options *c);
int leader_check(const struct problem *p, const struct solver_options *c, struct error *e);
/* Adds what a part needs; `shared`: the parts are in this process. */
void leader_add_plan(struct solver_plan *r, const struct solver_plan *part, bool shared, int index,
                     const struct slab *slab);
int leader_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e);

/* Sends an order with the choice and the problem of a part, and where all take their voxels when they have made them:
 * spans; NULL: the problem has its own. The order stays until a flush. */
int leader_send_problem(struct transport *t, int part, struct order *o, const struct part_options *choice,
                        const struct part_problem *q, const struct layer_span *spans, struct error *e);
/* spans[count], in fresh memory: the layers of voxels of slabs[count]; NULL: memory is out. */
struct layer_span *leader_spans(const struct problem *p, const struct slab *slabs, int count);

/* The answer of a part to the last order: `count` bytes, or its error. */
int leader_answer(struct transport *t, int part, void *bytes, size_t count, struct error *e);

/* After a failure that leaves orders or answers on their way. Returns -1. */
int leader_abandon(struct leader *l, const struct error *why);

/* Records where the taps of a part belong. */
void leader_place_taps(struct leader *l, int part, const struct part_problem *q);

int leader_run(void *state, size_t steps, const struct block *b, struct error *e);

/* The pieces of the state. */
int leader_state_block_bytes(void *state, size_t *bytes, struct error *e);
int leader_get_state_block(void *state, size_t piece, void *to, struct error *e);
int leader_put_state_block(void *state, size_t piece, const void *from, size_t bytes, struct error *e);

#endif

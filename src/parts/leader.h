/* SPDX-License-Identifier: MIT */
/* Part 0, which leads the others: what the files of the stepper of parts share. */
#ifndef AULA_PARTS_LEADER_H
#define AULA_PARTS_LEADER_H

#include <pthread.h>
#include <stdbool.h>

#include "parts/part.h"
#include "parts/protocol.h"
#include "parts/thread_transport.h"

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
    bool stale;             /* halos: values were put since the last exchange */
    bool sums_levels_apart; /* of taps: the order of sums of the parts' engine */
    bool opened;            /* parts have been opened, and are to be closed */
    /* Where the values of taps come from, channel by channel. */
    struct tap_source *whole_channel; /* [tap_count]: the part that has all of its entries */
    struct tap_source *entries;       /* of all channels in turn */
    size_t *piece_bytes;              /* [planes]: of the pieces of the state; NULL: not asked for yet */
};

/* The answer of a part to the last order: `count` bytes, or its error. */
int leader_answer(struct leader *l, int part, void *bytes, size_t count, struct error *e);

/* After a failure that leaves orders or answers on their way. Returns -1. */
int leader_abandon(struct leader *l, const struct error *why);

/* Records where the taps of a part belong; then the sums of a run of `steps`, from the followers' taps. */
void leader_place_taps(struct leader *l, int part, const struct part_problem *q);
void leader_sum_taps(const struct leader *l, size_t steps, const struct block *b);

int leader_run(void *state, size_t steps, const struct block *b, struct error *e);

/* The pieces of the state. */
int leader_piece_bytes(void *state, size_t *bytes, struct error *e);
int leader_get_piece(void *state, size_t piece, void *to, struct error *e);
int leader_put_piece(void *state, size_t piece, const void *from, size_t bytes, struct error *e);

#endif

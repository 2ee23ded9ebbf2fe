/* SPDX-License-Identifier: MIT */
/* What part 0 tells the others to do, and how they answer. */
#ifndef AULA_SOLVER_PARTS_PROTOCOL_H
#define AULA_SOLVER_PARTS_PROTOCOL_H

#include <stdint.h>

#include "base/transport/transport.h"
#include "solver/links.h"
#include "solver/solver.h"

enum order_kind {
    ORDER_VOXELS,   /* `bytes` of a task follow: all make the voxels of a room, which the part keeps; not answered */
    ORDER_IDENTIFY, /* a choice follows; answered with what tells the part's device from others, where it has links */
    ORDER_LINK,     /* a name follows: all open links; answered */
    ORDER_REQUIRE,  /* as ORDER_OPEN, but nothing is opened */
    ORDER_OPEN,     /* `bytes` of a choice and a problem follow; answered with a requirement */
    ORDER_RUN,      /* with `drives`: they follow, [drives of the part][steps]; answered with `taps` [taps][steps] */
    ORDER_PUT,      /* values follow, of planes that are the part's own */
    ORDER_GET,      /* answered with values */
    ORDER_AUDIT,    /* answered with an audit */
    ORDER_STATE_BLOCK_BYTES, /* answered with the sizes of all pieces of the part's state */
    ORDER_GET_STATE_BLOCK,   /* answered with piece z0 */
    ORDER_PUT_STATE_BLOCK,   /* piece z0 follows */
    ORDER_CLOSE,             /* answered when what was opened is freed */
    ORDER_END                /* the part ends; not answered */
};

struct order {
    enum order_kind kind;
    bool drives, taps; /* of ORDER_RUN */
    bool slabs;   /* of ORDER_OPEN and ORDER_REQUIRE: all take the voxels that they have made; where is in the bytes */
    bool halos;   /* of ORDER_RUN and ORDER_AUDIT: all parts exchange their halos before */
    size_t bytes; /* that follow or are the answer */
    size_t steps; /* of ORDER_RUN */
    size_t between; /* likewise: steps between two exchanges */
    size_t array, z0, nz;
};

/* Before every answer; after an error the message follows, and nothing else. */
struct answer {
    int code; /* enum error_code */
    size_t message_bytes;
};

/* What a part needs of a choice. */
struct part_options {
    int threads, block[3], time_block, device;
    int devices[DEVICES_MAX], device_count; /* of processes: those of a host, which its parts share; 0: `device` */
    bool in_place, no_tune, tune_anew, audit;
    enum halo_way halo_way;
    uint64_t steps;
    char kernel[64]; /* empty: the fastest */
    char engine[16];
};

/* As a part takes it, on its host where there is a transport; points into *p. */
struct solver_options part_options_open(const struct part_options *p, const struct transport *t);

/* Does what part 0 tells, until that is to end: the life of every other part. */
int parts_serve(struct transport *t, struct error *e);

#endif

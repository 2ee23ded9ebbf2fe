/* SPDX-License-Identifier: MIT */
/* The orders of part 0 to the other parts, and their answers. */
#ifndef AULA_SOLVER_PARTS_PROTOCOL_H
#define AULA_SOLVER_PARTS_PROTOCOL_H

#include <stdint.h>

#include "base/transport/transport.h"
#include "solver/links.h"
#include "solver/solver.h"

enum order_kind {
    ORDER_VOXELS,   /* followed by `bytes` of a task: all parts make the voxels of a room, and keep them; no answer */
    ORDER_IDENTIFY, /* followed by options; answer: the identifier of the part's device, if it supports links */
    ORDER_LINK,     /* followed by a name: all parts open links; answered */
    ORDER_REQUIRE,  /* as ORDER_OPEN, but nothing is opened */
    ORDER_OPEN,     /* followed by `bytes` of options and a problem; answer: a requirement */
    ORDER_RUN,      /* with `drives`: followed by [drives of the part][steps]; answer with `taps`: [taps][steps] */
    ORDER_PUT,      /* followed by values of planes that the part owns */
    ORDER_GET,      /* answer: values */
    ORDER_AUDIT,    /* answer: an audit */
    ORDER_STATE_BLOCK_BYTES, /* answer: the sizes of all pieces of the part's state */
    ORDER_GET_STATE_BLOCK,   /* answer: piece z0 */
    ORDER_PUT_STATE_BLOCK,   /* followed by piece z0 */
    ORDER_CLOSE,             /* answered after everything that was opened is freed */
    ORDER_END                /* the part ends; no answer */
};

struct order {
    enum order_kind kind;
    bool drives, taps; /* ORDER_RUN */
    bool slabs;        /* ORDER_OPEN and ORDER_REQUIRE: parts take layers of the voxels that they made */
    bool halos;        /* ORDER_RUN and ORDER_AUDIT: all parts exchange their halos first */
    size_t bytes;      /* number of bytes that follow or are the answer */
    size_t steps;      /* ORDER_RUN */
    size_t between;    /* ORDER_RUN: steps between two exchanges */
    size_t array, z0, nz;
};

/* Precedes every answer. After an error only the message follows. */
struct answer {
    int code; /* enum error_code */
    size_t message_bytes;
};

/* The options that a part needs. */
struct part_options {
    int threads, block[3], time_block, device;
    int devices[DEVICES_MAX], device_count; /* with processes: those of a host; 0: `device` */
    bool in_place, no_tune, tune_anew, audit;
    enum halo_way halo_way;
    uint64_t steps;
    char kernel[64]; /* empty: the fastest */
    char engine[16];
};

/* The options of a part on its host (if there is a transport); they point into *p. */
struct solver_options part_options_open(const struct part_options *p, const struct transport *t);

/* Follows the orders of part 0 until ORDER_END: the main loop of every other part. */
int parts_serve(struct transport *t, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Messages between the parts of a grid, which are threads of one process or separate processes. Parts exchange data in no
 * other way.
 *
 * Messages of one part to another arrive in the order in which they were sent, whole, each as long as the receiver
 * expects it to be. Part 0 leads the others (src/solver/parts/leader.c) and steps a part itself. One thread of a part sends
 * and receives. */
#ifndef AULA_BASE_TRANSPORT_TRANSPORT_H
#define AULA_BASE_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct transport;
struct part_links;

struct transport_functions {
    /* Does not wait for the receiver. The bytes must stay unchanged until `flush`. */
    int (*send)(struct transport *t, int to, const void *bytes, size_t count, struct error *e);
    /* Receives the next message of a part. A different length is an error. */
    int (*receive)(struct transport *t, int from, void *bytes, size_t count, struct error *e);
    /* Waits until the receivers have copied all sent bytes, also after a failure. */
    int (*flush)(struct transport *t, struct error *e);
    /* Declares this part failed: all waits of other parts fail, or all parts end. */
    void (*abandon)(struct transport *t, const struct error *why);
};

struct transport {
    const struct transport_functions *functions;
    int part, count; /* this part; of all parts */
    bool addresses;  /* parts are threads of one process, so addresses in messages are valid at the other end */
    int beside;      /* parts on this host, including this one, which share its processors; 0: each has its own share */
    int beside_place;         /* this part among them, from 0 on */
    struct part_links *links; /* between the devices of all parts (solver/parts/links.h); NULL: nobody has asked */
};

static inline int transport_send(struct transport *t, int to, const void *bytes, size_t count, struct error *e)
{
    return t->functions->send(t, to, bytes, count, e);
}

static inline int transport_receive(struct transport *t, int from, void *bytes, size_t count, struct error *e)
{
    return t->functions->receive(t, from, bytes, count, e);
}

static inline int transport_flush(struct transport *t, struct error *e)
{
    return t->functions->flush(t, e);
}

static inline void transport_abandon(struct transport *t, const struct error *why)
{
    t->functions->abandon(t, why);
}

/* Abandons the transport and waits until no receiver reads sent bytes, which may then be freed. Returns -1. */
static inline int transport_give_up(struct transport *t, const struct error *why)
{
    struct error late;
    transport_abandon(t, why);
    transport_flush(t, &late);
    return -1;
}

#endif

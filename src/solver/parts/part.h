/* SPDX-License-Identifier: MIT */
/* One part of a grid: a solver whose halos are received from its neighbours after each temporal
 * block. */
#ifndef AULA_SOLVER_PARTS_PART_H
#define AULA_SOLVER_PARTS_PART_H

#include "base/transport/transport.h"
#include "solver/parts/part_problem.h"

/* Halos in an engine's memory: the planes that are sent and those received. */
struct halo_pair {
    void *given, *taken;
};

/* The planes sent to a neighbour and received from it, and the states of walls in them. */
struct border {
    int neighbour;           /* neighbouring part; -1: none */
    size_t send_z, halo_z;   /* first of `halo` planes of the arrays */
    size_t send_sz, halo_sz; /* first of halo - 1 planes of states; those of the outermost plane are not needed */
    size_t array_bytes;      /* bytes of the halo of one array */
    size_t send_bytes, halo_bytes;
    size_t given_bytes, taken_bytes;  /* bytes of halos in the engine's memory */
    char *sent, *received;            /* both arrays, then the states; NULL if halos do not pass through the host */
    struct halo_pair own, neighbours; /* `own` never changes while the neighbour may read it; otherwise NULL */
};

struct part {
    struct part_problem made; /* do not move the struct */
    struct kept_rows *rows;
    struct solver *solver;
    struct transport *transport;
    size_t halo;              /* planes, equal to the number of steps between two exchanges */
    struct border borders[2]; /* below, above */
    enum halo_way way;        /* if its solver supports halos */
    void *links;              /* for HALOS_LINKED */
    bool exchanged;           /* neighbours know the halos in the engine's memory */
    bool lent;                /* after a failure neighbours may still use these, so that they are not freed */
};

/* Number of threads of a part: as requested, or (0) its share; 0: OpenMP's default. */
int part_threads(const struct transport *t, int asked);

/* Opens a part with the problem part->made, which it owns, even after a failure. */
int part_open(struct part *part, struct transport *t, const struct solver_options *c, struct error *e);

/* Receives the halos of the neighbours; all parts must call it. */
int part_exchange(struct part *part, struct error *e);

/* Takes steps together with all other parts, `between` of them between two exchanges: at most as
 * many as the halo has planes. */
int part_run(struct part *part, size_t steps, size_t between, const struct block *b, struct error *e);

/* Planes z0 .. z0 + nz - 1 of an array, counted from the lowest plane of the part. */
int part_put(struct part *part, size_t array, size_t z0, size_t nz, const void *values, struct error *e);
int part_get(struct part *part, size_t array, size_t z0, size_t nz, void *values, struct error *e);
void part_close(struct part *part);

#endif

/* SPDX-License-Identifier: MIT */
/* One part of a grid: a solver of its own, whose halos are taken from its neighbours after each temporal block. */
#ifndef AULA_SOLVER_PARTS_PART_H
#define AULA_SOLVER_PARTS_PART_H

#include "base/transport/transport.h"
#include "solver/parts/part_problem.h"

/* Halos in an engine's memory, of the planes that are sent and received. */
struct halo_pair {
    void *given, *taken;
};

/* Planes that are sent to a neighbour and received from it, and the states of walls in them. */
struct border {
    int neighbour;           /* part; -1: none */
    size_t send_z, halo_z;   /* the first of `halo` planes of the arrays */
    size_t send_sz, halo_sz; /* the first of halo - 1 planes of states: those of the outermost plane are not needed */
    size_t array_bytes;      /* of the halo of one array */
    size_t send_bytes, halo_bytes;
    size_t given_bytes, taken_bytes;  /* of halos in the engine's memory */
    char *sent, *received;            /* both arrays, then the states; NULL where halos do not pass through the host */
    struct halo_pair own, neighbours; /* its own never change while the neighbour may read them; else NULL */
};

struct part {
    struct part_problem made; /* do not move the struct */
    struct kept_rows *rows;
    struct solver *solver;
    struct transport *transport;
    size_t halo;              /* planes: steps between two exchanges */
    struct border borders[2]; /* below, above */
    enum halo_way way;        /* where its solver has halos */
    void *links;              /* of HALOS_LINKED */
    bool exchanged;           /* neighbours know of halos in the engine's memory */
    bool lent;                /* a failure: neighbours may still use these, which are not freed */
};

/* Threads of a part: those that are asked for, or (0) its share; 0: OpenMP's choice. */
int part_threads(const struct transport *t, int asked);

/* Opens a part with the problem part->made, which it owns, also after a failure. */
int part_open(struct part *part, struct transport *t, const struct solver_options *c, struct error *e);

/* Takes the halos from the neighbours; all parts do. */
int part_exchange(struct part *part, struct error *e);

/* Takes steps with all other parts, `between` of them between two exchanges: at most as many as the halo has planes. */
int part_run(struct part *part, size_t steps, size_t between, const struct block *b, struct error *e);

/* Planes z0 .. z0 + nz - 1 of an array, counted from the lowest plane of the part. */
int part_put(struct part *part, size_t array, size_t z0, size_t nz, const void *values, struct error *e);
int part_get(struct part *part, size_t array, size_t z0, size_t nz, void *values, struct error *e);
void part_close(struct part *part);

#endif

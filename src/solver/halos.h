/* SPDX-License-Identifier: MIT */
/* Halos: planes that neighbouring parts of a grid send each other between steps, in the memory of their engine. */
#ifndef AULA_SOLVER_HALOS_H
#define AULA_SOLVER_HALOS_H

#include "solver/solver.h"

/* Planes z0 .. z0 + nz - 1 of the arrays, and sz0 .. sz0 + snz - 1 of the states of walls. */
struct halo_planes {
    size_t z0, nz, sz0, snz;
    bool taken; /* from a neighbour; else given to it */
    enum halo_way way;
};

/* Across a cut, by links: both halos are this solver's. */
struct halo_passage {
    int neighbour; /* part */
    void *given, *taken;
};

/* What is done in a run after each `every` steps and after the last: sends and receives halos. */
struct exchanges {
    size_t every;
    int (*exchange)(void *context, struct error *e);
    void *context;
};

/* Access to halos in the engine's own memory, for parts that need not pass them through the host: those of one process,
 * and those that the engine links. */
struct halo_access {
    int (*open)(void *state, void **halo, const struct halo_planes *planes, struct error *e);
    /* Copies the planes into the halo's memory, for others to read. `reader`: the neighbour's halo that is taken from
     * there; NULL: not known yet, before the first. */
    int (*send)(void *state, void *halo, const void *reader, struct error *e);
    /* Sets the planes of a halo of this solver from what another solver has given. */
    int (*receive)(void *state, void *halo, const void *given, struct error *e);
    size_t (*bytes)(const void *halo); /* as many as the neighbour's */
    int (*pass)(void *state, void *links, const struct halo_passage *passages, int count, struct error *e);
    void *(*on_host)(void *halo); /* its memory there, of HALOS_STAGED */
    int (*send_to_host)(void *state, void *halo, struct error *e);
    int (*receive_from_host)(void *state, void *halo, struct error *e);
    int (*run)(void *state, size_t steps, const struct block *b, const struct exchanges *x, struct error *e);
    int (*wait)(void *state, struct error *e); /* returns when everything received is there */
    void (*close)(void *state, void *halo);    /* NULL-safe */
};

/* Halos in the engine's memory (struct halo_access). They are closed before the solver, after everything sent has been
 * received. Sending and receiving may continue after these calls return, in the order in which all solvers made them.
 * The neighbour receives a solver's n-th send before the solver makes its (n + 2)-th. */
bool solver_has_halos(const struct solver *s);
int solver_open_halo(struct solver *s, void **halo, const struct halo_planes *planes, struct error *e);
int solver_send_halo(struct solver *s, void *halo, const void *reader, struct error *e);
int solver_receive_halo(struct solver *s, void *halo, const void *given, struct error *e);
/* Where links pass halos, in place of receiving: sends go to the neighbours, and theirs are received. */
size_t solver_halo_bytes(const struct solver *s, const void *halo);
int solver_pass_halos(struct solver *s, void *links, const struct halo_passage *passages, int count, struct error *e);
/* Through the host's memory of a halo. After solver_send_to_host the last send is there; solver_receive_from_host reads
 * it, and the caller may change it once a later send is there. */
void *solver_halo_on_host(const struct solver *s, void *halo);
int solver_send_to_host(struct solver *s, void *halo, struct error *e);
int solver_receive_from_host(struct solver *s, void *halo, struct error *e);
int solver_run_exchanging(struct solver *s, size_t steps, const struct block *b, const struct exchanges *x,
                          struct error *e);
int solver_wait_for_halos(struct solver *s, struct error *e);
void solver_close_halo(struct solver *s, void *halo);

#endif

/* SPDX-License-Identifier: MIT */
/* Halos: planes that neighbouring parts of a grid send each other between steps, in the memory
 * of their engine. */
#ifndef AULA_SOLVER_HALOS_H
#define AULA_SOLVER_HALOS_H

#include "solver/solver.h"

/* Planes z0 .. z0 + nz - 1 of the arrays, and sz0 .. sz0 + snz - 1 of the states of walls. */
struct halo_planes {
    size_t z0, nz, sz0, snz;
    bool taken; /* received from a neighbour; otherwise sent to it */
    enum halo_way way;
};

/* An exchange across a cut through links; both halos belong to this solver. */
struct halo_passage {
    int neighbour; /* part */
    void *given, *taken;
};

/* An exchange of halos, to be done after each `every` steps of a run and after the last. */
struct exchanges {
    size_t every;
    int (*exchange)(void *context, struct error *e);
    void *context;
};

/* Access to halos in the engine's own memory, for parts that need not pass them through the
 * host: parts of one process, and parts connected by links. */
struct halo_access {
    int (*open)(void *state, void **halo, const struct halo_planes *planes, struct error *e);
    /* Copies the planes into the halo's memory, to be read by others. `reader`: the neighbour's
     * halo that reads them; NULL: not yet known, before the first exchange. */
    int (*send)(void *state, void *halo, const void *reader, struct error *e);
    /* Sets the planes of a halo of this solver from a halo that another solver has sent. */
    int (*receive)(void *state, void *halo, const void *given, struct error *e);
    size_t (*bytes)(const void *halo); /* the same on both sides of a cut */
    int (*pass)(void *state, void *links, const struct halo_passage *passages, int count, struct error *e);
    void *(*on_host)(void *halo); /* its memory on the host, for HALOS_STAGED */
    int (*send_to_host)(void *state, void *halo, struct error *e);
    int (*receive_from_host)(void *state, void *halo, struct error *e);
    int (*run)(void *state, size_t steps, const struct block *b, const struct exchanges *x, struct error *e);
    int (*wait)(void *state, struct error *e); /* returns after everything received is in place */
    void (*close)(void *state, void *halo);    /* NULL-safe */
};

/* Halos in the engine's memory (struct halo_access). They must be closed before the solver,
 * after everything sent has been received. Sends and receives may complete after these calls
 * return, in the order in which all solvers made them. The neighbour receives a solver's n-th
 * send before the solver makes its (n + 2)-th. */
bool solver_has_halos(const struct solver *s);
int solver_open_halo(struct solver *s, void **halo, const struct halo_planes *planes, struct error *e);
int solver_send_halo(struct solver *s, void *halo, const void *reader, struct error *e);
int solver_receive_halo(struct solver *s, void *halo, const void *given, struct error *e);
/* In place of receiving, when links pass halos: sends go to the neighbours, and their sends are
 * received. */
size_t solver_halo_bytes(const struct solver *s, const void *halo);
int solver_pass_halos(struct solver *s, void *links, const struct halo_passage *passages, int count, struct error *e);
/* Through the host's memory of a halo. After solver_send_to_host, that memory contains the last
 * send. solver_receive_from_host reads it, and the caller may change it once a later send has
 * arrived. */
void *solver_halo_on_host(const struct solver *s, void *halo);
int solver_send_to_host(struct solver *s, void *halo, struct error *e);
int solver_receive_from_host(struct solver *s, void *halo, struct error *e);
int solver_run_exchanging(struct solver *s, size_t steps, const struct block *b, const struct exchanges *x,
                          struct error *e);
int solver_wait_for_halos(struct solver *s, struct error *e);
void solver_close_halo(struct solver *s, void *halo);

#endif

/* SPDX-License-Identifier: MIT */
/* The interface that an engine implements, behind solver.h. */
#ifndef AULA_SOLVER_ENGINE_H
#define AULA_SOLVER_ENGINE_H

#include "solver/halos.h"
#include "solver/solver.h"
#include "solver/state.h"

struct link_access; /* solver/links.h */

/* Access to the states of walls in nz planes from z0. */
struct state_access {
    size_t (*bytes)(const void *state, size_t z0, size_t nz);
    int (*get)(void *state, size_t z0, size_t nz, void *states, struct error *e);
    int (*put)(void *state, size_t z0, size_t nz, const void *states, struct error *e);
};

/* Access to the blocks of a state, 0 .. planes. */
struct state_block_access {
    int (*bytes)(void *state, size_t *bytes, struct error *e); /* [planes + 1] */
    int (*get)(void *state, size_t block, void *to, struct error *e);
    int (*put)(void *state, size_t block, const void *from, size_t bytes, struct error *e);
};

/* An engine's implementation of a scheme. */
struct stepper {
    int (*plan)(struct solver_plan *plan, const struct problem *p, const struct solver_options *options,
                struct error *e);
    int (*open)(void **state, struct solver_plan *plan, const struct problem *p, const struct solver_options *options,
                struct error *e);
    int (*run)(void *state, size_t steps, const struct block *b, struct error *e);
    int (*put)(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e);
    int (*get)(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e);
    int (*audit)(void *state, struct audit *a, struct error *e);
    int (*plain_pass)(void *state, size_t passes, struct error *e);
    void (*close)(void *state);
    const struct state_access *states;             /* NULL: cannot step part of a grid or count only some planes */
    const struct state_block_access *state_blocks; /* NULL: the state cannot be saved */
    const struct halo_access *halos;               /* NULL: halos pass through the host */
};

/* An engine; each is a row of the engine table (solver.c). */
struct engine {
    const char *name;
    /* NULL if the engine can run on this machine, else the reason why it cannot. */
    const char *(*unavailable)(void);
    void (*describe)(char *text, size_t size); /* one line: processor, instruction set, device */
    const struct stepper *(*stepper)(const struct scheme *scheme);
    const char *(*kernel_name)(const struct scheme *scheme, size_t index); /* NULL beyond the last */
    /* NULL if kernel `index` can run on this machine, else the reason why it cannot. May be
     * NULL: no reasons are available. */
    const char *(*kernel_fault)(const struct scheme *scheme, size_t index);
    /* Bytes read plus written per second by a large copy. */
    int (*copy_bandwidth)(double *bytes_per_second, const struct solver_options *options, struct error *e);
    /* Bytes per second from the memory of one device to another, on the path of halos. NULL: the
     * engine has no devices. */
    int (*peer_bandwidth)(double *bytes_per_second, int from, int to, struct error *e);
    const struct link_access *links; /* links between devices of several processes; NULL: not supported */
    bool absent;                     /* not part of this build: reported only if requested by name */
};
extern const struct engine *const engines[]; /* NULL-terminated, best first */
extern const struct engine cpu_engine, cuda_engine;
extern const struct stepper parts_stepper; /* for grids in parts */

#endif

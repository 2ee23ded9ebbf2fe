/* SPDX-License-Identifier: MIT */
/* The table of strategies, which step the leapfrog scheme on the CUDA engine.
 *
 * A strategy takes either single steps, any number of them, or whole temporal blocks. The engine
 * asks the rows in order whether they apply (engine/strategies.cu). It opens the first that takes
 * single steps and, if that is faster, the first that takes temporal blocks in addition. Steps are
 * offered to the last one opened first. */
#ifndef AULA_CUDA_STRATEGY_CUH
#define AULA_CUDA_STRATEGY_CUH

extern "C" {
#include "cuda/grid/layout.h"
#include "solver/schemes/leapfrog/problem.h"
#include "solver/solver.h"
}

struct cuda_state;
struct strategy;

enum { ONLY_7_POINT = 1u << STENCIL_7_POINT, ONLY_19_POINT = 1u << STENCIL_19_POINT };

/* A problem with its layout, and the options that select how to step it. */
struct strategy_case {
    const struct problem *problem;
    const struct layout *layout;
    const struct rows *rows;
    const struct solver_options *choice; /* zero if nothing is requested, never NULL */
    const struct strategy *named;        /* selected by --kernel; NULL: none */
};

/* How a strategy would step a case. */
struct strategy_offer {
    const struct strategy *strategy;
    bool wanted;    /* it applies and the options permit it */
    bool insisted;  /* the options require it: failing to run is an error */
    bool tuned;     /* the tuner chooses among its variants */
    bool preferred; /* without comparing them with single steps */
    int time_block; /* steps of a temporal block; 0: any depth */
    size_t spare;   /* additional planes of the grids, as in cuda_state */
};

struct strategy {
    const char *name; /* as in --kernel, aula devices, and the JSON */
    bool single;      /* takes single steps, any number; otherwise whole temporal blocks */
    /* Fills in the zeroed offer. 0, also if the strategy is not wanted, or does not apply and is
     * not required; otherwise -1 with *e filled. Allocates nothing. */
    int (*applicable)(const struct strategy *self, struct strategy_offer *offer, const struct strategy_case *c,
                      struct error *e);
    /* Adds the device memory that it needs to *r: single steps first, then the changes for
     * temporal blocks. */
    void (*plan)(const struct strategy_offer *offer, const struct strategy_case *c, struct solver_plan *r);
    /* Called with a zero field on the device; tunes if the offer says so. *offer is updated to
     * the strategy as opened. Returns 0 with *state NULL if strategies below are faster, or if
     * this one does not fit and is not required. */
    int (*open)(void **state, struct cuda_state *s, struct strategy_offer *offer, const struct solver_options *c,
                struct error *e);
    /* Launches as many of *steps as possible, starting at *base, and leaves the rest in *steps.
     * Asynchronous. */
    int (*enqueue)(void *state, struct cuda_state *s, size_t *steps, struct error *e);
    void (*close)(void *state, struct cuda_state *s); /* NULL-safe */
    unsigned stencils = ONLY_7_POINT;                 /* stencils that it supports: bits 1 << enum air_stencil */
};

static inline bool strategy_steps(const struct strategy *s, enum air_stencil stencil)
{
    return s->stencils >> stencil & 1u;
}

/* Why a strategy does not support a stencil, or NULL. */
const char *strategy_stencil_refusal(const struct strategy *s, enum air_stencil stencil);

/* All rows in order of preference, or the listed rows that support a stencil, in the same order.
 * NULL beyond the last. */
const struct strategy *strategy_at(size_t index);
const struct strategy *strategy_listed(size_t index, enum air_stencil stencil);

/* The row of this name that supports the stencil; if there is none, a row of this name that does
 * not; NULL: unknown name. */
const struct strategy *strategy_named(const char *name, enum air_stencil stencil);

/* The current name of a renamed strategy; any other name, or NULL, is returned unchanged. */
const char *strategy_name(const char *name);

/* The strategies for a problem; temporal blocks may be unwanted. */
struct strategies_chosen {
    struct strategy_offer single, blocks;
};

/* Fills in c->named and asks the rows in order. ERROR_USAGE if --kernel names no strategy;
 * otherwise the status of `applicable`. */
int strategies_choose(struct strategies_chosen *chosen, struct strategy_case *c, struct error *e);

/* The plan of an open solver, except the available memory. */
void strategies_plan(struct solver_plan *r, const struct strategies_chosen *chosen, const struct strategy_case *c);

/* Number of grids of a problem: 2, in lossy air 3. Stored bytes of one grid with additional
 * planes; bytes of the voxel map. */
int grid_count(const struct problem *p);
uint64_t grid_bytes(const struct strategy_case *c, size_t spare);
uint64_t map_bytes(const struct strategy_case *c);

/* Whether a grid is large enough to tune: steps of smaller ones take microseconds with any
 * kernel. */
bool is_worth_tuning(const struct layout *l);

#endif

/* The table of strategies: the ways in which the CUDA engine steps the leapfrog scheme.
 *
 * A strategy takes single steps, any number of them, or whole temporal blocks of several steps. The engine asks the rows in
 * order whether they apply (engine/choose.cu). It opens the first that takes single steps and on top of it, where that pays,
 * the first that takes temporal blocks. Steps are then asked of the last opened first; what it leaves, the one below takes. */
#ifndef AULA_CUDA_STRATEGY_CUH
#define AULA_CUDA_STRATEGY_CUH

extern "C" {
#include "cuda/grid/layout.h"
#include "solver/solver.h"
}

struct cuda_state;
struct strategy;

/* What there is to step, and how somebody wants it stepped. */
struct strategy_case {
    const struct problem *problem;
    const struct layout *layout;
    const struct rows *rows;
    const struct choice *choice;  /* zeroed where nothing was chosen, never NULL */
    const struct strategy *named; /* by --kernel; NULL: none */
};

/* How a strategy would run. */
struct strategy_offer {
    const struct strategy *strategy;
    bool wanted;    /* it can step this, and the choice leaves it a chance */
    bool insisted;  /* somebody asked for it: then it is an error when it cannot run */
    bool tuned;     /* the tuner chooses among its variants */
    int time_block; /* steps of a temporal block; 0: any depth */
    size_t spare;   /* planes that the grids have more, as in cuda_state */
};

struct strategy {
    const char *name; /* for --kernel, aula devices, and the JSON of what ran */
    bool single;      /* takes single steps, any number of them; else whole temporal blocks */
    /* Fills the zeroed offer. 0 where the strategy is not wanted or cannot step this and nobody insists; else -1 with *e
     * filled. Allocates nothing. */
    int (*applicable)(const struct strategy *self, struct strategy_offer *offer, const struct strategy_case *c,
                      struct error *e);
    /* Adds to *r the device memory that it takes: single steps first, and what temporal blocks need in their place. */
    void (*require)(const struct strategy_offer *offer, const struct strategy_case *c, struct requirement *r);
    /* After the field is on the device and silent: tunes where that is offered. *offer becomes what was opened; *state is
     * NULL and 0 is returned where the strategies below are faster or this one does not fit, and nobody insists. */
    int (*open)(void **state, struct cuda_state *s, struct strategy_offer *offer, const struct choice *c,
                struct error *e);
    /* Launches as many of *steps as the strategy takes, from *base on, and leaves the rest in *steps; waits for nothing. */
    int (*enqueue)(void *state, struct cuda_state *s, size_t *steps, struct error *e);
    void (*close)(void *state, struct cuda_state *s); /* NULL-safe */
};
extern const struct strategy *const strategies[]; /* NULL-terminated, in the order that they are asked */

/* The rows, then those that are taken by name only; NULL beyond the last. */
const struct strategy *strategy_at(size_t index);

const struct strategy *strategy_named(const char *name); /* NULL: none */

/* The name now of what had another in the release before; any other, or NULL, is returned as it is. */
const char *strategy_name(const char *name);

/* The strategies for a problem; temporal blocks may be unwanted. */
struct strategies_chosen {
    struct strategy_offer single, blocks;
};

/* Fills c->named and asks the rows in order. ERROR_USAGE where --kernel names none; else what `applicable` returns. */
int strategies_choose(struct strategies_chosen *chosen, struct strategy_case *c, struct error *e);

/* What an open solver would hold, but for the memory that is available. */
void strategies_require(struct requirement *r, const struct strategies_chosen *chosen, const struct strategy_case *c);

/* Grids of values that a problem has: 2, in lossy air 3. Bytes of one; of the voxel map. */
int grid_count(const struct problem *p);
uint64_t grid_bytes(const struct problem *p, const struct layout *l);
uint64_t map_bytes(const struct layout *l);

/* Whether a grid is large enough to tune: a smaller one is stepped in microseconds whatever the kernel. */
bool is_worth_tuning(const struct problem *p, const struct layout *l);

#endif

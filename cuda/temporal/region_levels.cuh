/* SPDX-License-Identifier: MIT */
/* The boundary region of a temporal block, stepped again level by level, each by a launch of its own: points with all
 * neighbours by vectors from a list, boundary points from theirs as in single steps (step/boundary_step.cuh).
 *
 * A temporal block takes every point for a regular one and walls with branches for rigid ones. A block of T steps from
 * p^0 and p^{-1} writes p^T and p^{T-1}. So p^t is wrong within t - 1 links of an irregular point or of a wall with
 * branches: the boundary region. Level t is stepped where a later one needs it:
 *
 *   level      within links  written to
 *   T          T - 1         the block's p^T; p^{T-1} further away is as the block has written it
 *   T - 1      T - 2         the block's p^{T-1}
 *   t < T - 1  2 T - 3 - t   where p^{t-2} was, each by the thread that reads it
 *
 * since level T needs p^{T-1} as far as T links, of which the block has the last right, and every level before needs a
 * link more than the one after it. States of branches stay where they are. The first level clears the points without
 * air that the block has written. Arithmetic order as in the kernels of single steps: the same bits.
 *
 * Of a part of a grid, neighbours may still read what the block has read. There these levels are written to grids of
 * their own, two by turns, and states of branches to the set of the other pair of grids; and at halos levels reach
 * further, since blocks with halos for one pass do not write to these. */
#ifndef AULA_CUDA_REGION_LEVELS_CUH
#define AULA_CUDA_REGION_LEVELS_CUH

#include "cuda/engine/state.cuh"

/* How many links from what is wrong level t = 1 .. steps is stepped: docs/design/gpu.md (G15). */
static inline int level_reach(int t, int steps)
{
    return t == steps ? steps - 1 : t == steps - 1 ? steps - 2 : 2 * steps - 3 - t;
}

/* The same in a halo and so many planes beside it: the block may have written nothing to a halo, so that level T needs
 * all of its p^{T-1} from level T - 1. */
static inline int level_reach_at_halo(int t, int steps)
{
    return t == steps ? steps - 1 : 2 * steps - 1 - t;
}

static inline int level_planes_beside_halo(int t, int steps)
{
    return t < steps - 1 ? steps - 1 - t : 0;
}

struct region_levels;
template <typename REAL> struct temporal_block;

/* Whether a room has an irregular point or a wall with branches, and a grid whose vectors have numbers of 32 bits, which
 * lists of levels hold: 2^34 points in single precision, 2^33 in double. */
bool region_levels_possible(const struct problem *p, const struct layout *l, const struct rows *rows);

/* The same of an open solver. Temporal blocks in place overwrite the grids that levels would be computed from: those
 * read the map instead. */
bool region_levels_needed(const cuda_state *s);

/* Device memory at most, bytes, of a possible region and of blocks of up to so many steps, a second set of states
 * included; but for the map and for grids of its own, of which there are at most so many. */
uint64_t region_levels_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows);
int region_levels_grids(const struct problem *p, int steps);

/* *r for temporal blocks of so many steps of a room that needs one; one for as many steps is kept. NULL where it
 * fails. */
int region_levels_set_up(struct region_levels **r, cuda_state *s, int steps, struct error *e);
void region_levels_drop(struct region_levels *r); /* NULL-safe */

/* Launched after a temporal block from p^n, n = phase, of a pair of grids, and after all that writes what it has
 * written. */
template <typename REAL>
void region_levels_enqueue(const struct region_levels *r, const cuda_state *s, const temporal_block<REAL> &block,
                           int phase, int pair_of_grids);

/* --- the kernel of a level: region_levels_step.cu --- */

/* Values of a vector: 16 bytes. */
template <typename REAL> __host__ __device__ constexpr int level_values()
{
    return 16 / (int)sizeof(REAL);
}

/* What a thread block does. */
enum level_work : uint32_t {
    LEVEL_VECTORS, /* of interior points */
    LEVEL_DRIVEN,  /* the same, some with drives */
    LEVEL_CLEARED, /* vectors without air, of both grids that a temporal block has written */
    LEVEL_PLAIN,   /* boundary points without branches */
    LEVEL_BRANCHED
};

struct alignas(64) level_block {
    branch_block walls; /* of points with branches; of others `points` alone */
    enum level_work work;
};

/* A point or vector of a block, in one word: both are read at once, lest one waits for the other. */
struct alignas(8) level_entry {
    uint64_t at : 40;   /* in the padded grid: its first value */
    uint64_t kind : 24; /* of a point, as in boundary_view; of a vector, bit i: its value i is stepped */
};
static_assert(sizeof(level_entry) == 8 && KIND_DRIVEN < 1u << 24, "kinds of points have 24 bits");

template <typename REAL> struct level_step : step<REAL> {
    const level_block *blocks;
    const level_entry *entries; /* [block][VECTOR_THREADS] */
    REAL *cleared[2];
    branch_state<REAL> *new_states; /* boundary.states, or another set of the same order */
};

/* Where taps of a level are kept. */
template <typename REAL> struct level_taps {
    const REAL *grid;
    const uint64_t *at;      /* in the padded grid */
    const uint32_t *history; /* [tap] its row of the tap history */
    unsigned count;
    double *levels;
    unsigned long long stride;
    const unsigned long long *base;
    int offset;
};

/* Asks for as much first-level cache as there is: on each device, before the first launch. */
int level_step_prepare(enum air_stencil stencil, enum precision precision, struct error *e);
template <typename REAL>
void level_step_launch(const level_step<REAL> &s, enum air_stencil stencil, cudaStream_t stream);
template <typename REAL> void level_taps_launch(const level_taps<REAL> &t, cudaStream_t stream);

#endif

/* SPDX-License-Identifier: MIT */
/* The boundary region of a temporal block, stepped again level by level, each in a launch of its
 * own: points with all neighbours by vectors from a list, boundary points from their list as in
 * single steps (step/boundary_step.cuh).
 *
 * A temporal block treats every point as regular, and walls with branches as rigid. A block of T
 * steps from p^0 and p^{-1} writes p^T and p^{T-1}. So p^t is wrong within t - 1 links of an
 * irregular point or of a wall with branches: the boundary region. Level t is stepped where a later
 * level needs it:
 *
 *     level      within links  written to
 *     T          T - 1         the block's p^T; p^{T-1} further away is as the block has written it
 *     T - 1      T - 2         the block's p^{T-1}
 *     t < T - 1  2 T - 3 - t   where p^{t-2} was, each by the thread that reads it
 *
 * Level T needs p^{T-1} within T links, of which the last is correct in the block, and every
 * earlier level needs one link more than the next. States of branches stay in place. The first
 * level clears the points without air that the block has written. The order of arithmetic is that
 * of single-step kernels: the same bits.
 *
 * In a part of a grid, neighbours may still be reading the values that the block has read. So these
 * levels are written to two additional grids alternately, and states of branches to the set of the
 * other pair of grids. At halos, levels reach further, as blocks whose halos last for a single
 * block do not write to them. */
#ifndef AULA_CUDA_REGION_LEVELS_CUH
#define AULA_CUDA_REGION_LEVELS_CUH

#include "cuda/engine/state.cuh"

/* Distance in links from wrong values within which level t = 1 .. steps is stepped:
 * docs/design/gpu.md (G15). */
static inline int level_reach(int t, int steps)
{
    return t == steps ? steps - 1 : t == steps - 1 ? steps - 2 : 2 * steps - 3 - t;
}

/* The same in a halo and in level_planes_beside_halo planes next to it: the block may have written
 * nothing to a halo, so that level T needs all of its p^{T-1} from level T - 1. */
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

/* Whether a room has an irregular point or a wall with branches, and a grid whose vectors can be
 * numbered in 32 bits, as lists of levels do: up to 2^34 points in single precision, 2^33 in
 * double. */
bool region_levels_possible(const struct problem *p, const struct layout *l, const struct rows *rows);

/* The same for an open solver. Temporal blocks in place overwrite the grids from which levels
 * would be computed, and read the map instead. */
bool region_levels_needed(const cuda_state *s);

/* Upper limit of the device memory in bytes of a possible region for blocks of up to this number
 * of steps, including a second set of states. Excludes the map, and additional grids, whose
 * largest number is given separately. */
uint64_t region_levels_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows);
int region_levels_grids(const struct problem *p, int steps);

/* Sets up *r for temporal blocks of this number of steps in a room that needs a region; a region
 * of the same depth is kept. *r is NULL on failure. */
int region_levels_set_up(struct region_levels **r, cuda_state *s, int steps, struct error *e);
void region_levels_drop(struct region_levels *r); /* NULL-safe */

/* Launched after a temporal block from p^n, n = phase, of a pair of grids, and after all work
 * that writes its results. */
template <typename REAL>
void region_levels_enqueue(const struct region_levels *r, const cuda_state *s, const temporal_block<REAL> &block,
                           int phase, int pair_of_grids);

/* --- the kernel of a level: region_levels_step.cu --- */

/* Values of a vector: 16 bytes. */
template <typename REAL> __host__ __device__ constexpr int level_values()
{
    return 16 / (int)sizeof(REAL);
}

/* Kind of work of a thread block. */
enum level_work : uint32_t {
    LEVEL_VECTORS, /* of interior points */
    LEVEL_DRIVEN,  /* the same, some with drives */
    LEVEL_CLEARED, /* vectors without air, in both grids that a temporal block has written */
    LEVEL_PLAIN,   /* boundary points without branches */
    LEVEL_BRANCHED
};

struct alignas(64) level_block {
    branch_block walls; /* for points with branches; for others only `points` is valid */
    enum level_work work;
};

/* A point or vector of a block in one word, so that both parts are read together. */
struct alignas(8) level_entry {
    uint64_t at : 40;   /* index of its first value in the padded grid */
    uint64_t kind : 24; /* of a point, as in boundary_view; of a vector, bit i: value i is stepped */
};
static_assert(sizeof(level_entry) == 8 && KIND_DRIVEN < 1u << 24, "kinds of points have 24 bits");

template <typename REAL> struct level_step : step<REAL> {
    const level_block *blocks;
    const level_entry *entries; /* [block][VECTOR_THREADS] */
    REAL *cleared[2];
    branch_state<REAL> *new_states; /* boundary.states, or another set in the same order */
};

/* Where the taps of a level are recorded. */
template <typename REAL> struct level_taps {
    const REAL *grid;
    const uint64_t *at;      /* in the padded grid */
    const uint32_t *history; /* [tap] row in the tap history */
    unsigned count;
    double *levels;
    unsigned long long stride;
    const unsigned long long *base;
    int offset;
};

/* Requests the largest first-level cache, on each device before the first launch. */
int level_step_prepare(enum air_stencil stencil, enum precision precision, struct error *e);
template <typename REAL>
void level_step_launch(const level_step<REAL> &s, enum air_stencil stencil, cudaStream_t stream);
template <typename REAL> void level_taps_launch(const level_taps<REAL> &t, cudaStream_t stream);

#endif

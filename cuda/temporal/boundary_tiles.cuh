/* The kernels that step bricks: boxes of points, each with a margin of STEPS, whose fields stay in shared memory and whose states of branches stay in
 * registers for all steps. Neighbours make the margins again. Any geometry. */
#ifndef AULA_CUDA_BRICKS_CUH
#define AULA_CUDA_BRICKS_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/boundary_tiles_plan.cuh"

template <typename REAL> struct brick_pass {
    const REAL *now, *before;
    const unsigned *ended; /* the pass has: not before is anything written */
    int steps, code_count;
    const brick *bricks;
    const brick_wall *walls;
    const brick_event *brick_events;
    const brick_kind *kinds;
    const brick_point *points;
    const branch_factors_device<REAL> *factors;
    const pair<REAL> *states_in;
    pair<REAL> *states_out;
    temporal_block<REAL> field; /* what drives, taps, codes and the grids that are written are found by */
};

/* A kernel, the branches of a point that it can hold, and its threads and shared memory. */
template <typename REAL> struct brick_kernel {
    unsigned branches;
    void (*code)(const brick_pass<REAL>);
    int threads;
    size_t bytes;
};

/* By the branches that a point may have, since a corner has those of all its materials; each in two sizes: most bricks along edges are less than
 * half of what a brick may be, and half the threads leave room for another block on the multiprocessor. */
enum { BRICK_KERNELS = 14, BRICK_BRANCHES = 48 /* the most */ };
template <typename REAL> const brick_kernel<REAL> *brick_kernels(); /* in the order that they should be launched in */
template <typename REAL> int brick_kernel_for(const brick &b);

#endif

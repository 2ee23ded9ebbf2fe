/* Flat walls with branches in passes of several steps: like the bricks (bricks.cuh), strips step again what a pass has made wrong. A warp has a
 * rectangle of the wall, a lane for each point along one axis, and marches along the other. A lane keeps its column of points, 2 STEPS deep, in
 * registers, each level a line behind the one before, so that nothing but the lanes' edges is made twice and no warp waits for another. */
#ifndef AULA_CUDA_STRIPS_CUH
#define AULA_CUDA_STRIPS_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/wall_tiles_plan.cuh"

/* Strips of one kind of wall. */
template <typename REAL> struct strip_pass {
    const REAL *now, *before;
    const unsigned *ended;    /* the pass has: not before is anything written */
    REAL *next, *next_before; /* p^{n + STEPS} and p^{n + STEPS - 1} on return */
    int pitch;
    int64_t plane;
    REAL side, centre, wall_centre; /* of the six neighbours; of a point with six links, and with five */
    const strip *strips;
    unsigned strip_count;
    const uint32_t *pairs;
    const pair<REAL> *states_in;
    pair<REAL> *states_out;
    /* The kind: as arguments, they are operands of the arithmetic without a load. */
    REAL weight;
    bool heavy;
    unsigned branches;
    branch_multipliers<REAL>
        factors[STRIP_BRANCHES]; /* beyond `branches` all 0: those states stay 0, and add nothing */
};

/* The kernel for strips of 3, 4 or 5 steps, as passes have them, and so many branches of a point, STRIP_BRANCHES at most: its shared memory, and the
 * strips of a block, of a warp each. */
template <typename REAL> struct strip_kernel {
    void (*code)(const strip_pass<REAL>);
    size_t bytes;
    int warps;
};
template <typename REAL> strip_kernel<REAL> strip_kernel_for(int steps, unsigned branches);

#endif

/* Kernels of boundary tiles: overlapped temporal blocking with redundant halo computation, for any geometry. A
 * thread block steps a box of points and a halo of STEPS points around it; the field stays in shared memory and the
 * states of branches in registers for all STEPS levels. Neighbouring tiles compute the halos again. */
#ifndef AULA_CUDA_BOUNDARY_TILES_CUH
#define AULA_CUDA_BOUNDARY_TILES_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/boundary_tiles_plan.cuh"

template <typename REAL> struct boundary_tile_arguments {
    const REAL *now, *before;
    const unsigned *complete; /* completion flag of the temporal block: nothing is written before */
    int steps, code_count;
    const boundary_tile *tiles;
    const boundary_wall *walls;
    const boundary_event *events;
    const boundary_kind *kinds;
    const boundary_point *points;
    const branch_factors_device<REAL> *factors;
    const branch_state<REAL> *states_in;
    branch_state<REAL> *states_out;
    temporal_block<REAL> field; /* drives, taps, codes, and the grids that are written */
};

/* A kernel, the branches of a point that it can hold, and its threads and bytes of shared memory. */
template <typename REAL> struct boundary_tile_kernel {
    unsigned branches;
    void (*code)(const boundary_tile_arguments<REAL>);
    int threads;
    size_t bytes;
};

/* By the branches that a point may have: a corner has those of all its materials. Each in two sizes: most tiles
 * along edges are within half of the limits, and half the threads leave room for another block on the
 * multiprocessor. */
enum { BOUNDARY_TILE_KERNELS = 14, BOUNDARY_TILE_BRANCHES_MAX = 48 };
template <typename REAL, enum air_stencil STENCIL>
const boundary_tile_kernel<REAL> *boundary_tile_kernels(); /* in the order of launches; alike for both stencils */
template <typename REAL> int boundary_tile_kernel_for(const boundary_tile &b);

template <typename REAL> const boundary_tile_kernel<REAL> *boundary_tile_kernels(enum air_stencil stencil)
{
    return stencil == STENCIL_19_POINT ? boundary_tile_kernels<REAL, STENCIL_19_POINT>()
                                       : boundary_tile_kernels<REAL, STENCIL_7_POINT>();
}

#endif

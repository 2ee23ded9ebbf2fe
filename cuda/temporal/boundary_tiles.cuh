/* SPDX-License-Identifier: MIT */
/* Kernels of boundary tiles: overlapped temporal blocking with redundant halo computation, for any geometry. A
 * thread block steps a box of points and a halo of STEPS points around it; the field stays in shared memory and the
 * states of branches in shared memory for all STEPS levels. Neighbouring tiles compute the halos again. */
#ifndef AULA_CUDA_BOUNDARY_TILES_CUH
#define AULA_CUDA_BOUNDARY_TILES_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/boundary_kind.cuh"
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

/* A kernel, its threads, and its bytes of shared memory without the states of branches. */
template <typename REAL> struct boundary_tile_kernel {
    void (*code)(const boundary_tile_arguments<REAL>);
    int threads;
    size_t bytes;
};

/* In two sizes: most tiles along edges are within half of the limits, and half the threads leave room for another
 * block on the multiprocessor. */
enum { BOUNDARY_TILE_KERNELS = 2 };
template <typename REAL, enum air_stencil STENCIL>
const boundary_tile_kernel<REAL> *boundary_tile_kernels(); /* in the order of launches */

template <typename REAL> int boundary_tile_kernel_for(const boundary_tile &b)
{
    return boundary_tile_is_half(b, sizeof(REAL)) ? 1 : 0;
}

template <typename REAL> const boundary_tile_kernel<REAL> *boundary_tile_kernels(enum air_stencil stencil)
{
    return stencil == STENCIL_19_POINT ? boundary_tile_kernels<REAL, STENCIL_19_POINT>()
                                       : boundary_tile_kernels<REAL, STENCIL_7_POINT>();
}

#endif

/* SPDX-License-Identifier: MIT */
/* Kernels of wall tiles, which compute flat walls with branches in the boundary region: overlapped temporal blocking
 * in 3.5D (Nguyen et al. 2010). A warp has a rectangle of the wall, a lane for each point along one axis, and
 * streams along the other, line by line. A lane keeps its column of points, 2 STEPS deep, in registers, each level
 * one line behind the level before it: so only the halos of lanes are computed redundantly, and no warp waits for
 * another. */
#ifndef AULA_CUDA_WALL_TILES_CUH
#define AULA_CUDA_WALL_TILES_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/boundary_kind.cuh"
#include "cuda/temporal/wall_tiles_plan.cuh"

/* Tiles of all kinds of walls with about as many branches. */
template <typename REAL> struct wall_tile_arguments {
    const REAL *now, *before;
    const unsigned *complete; /* completion flag of the temporal block: nothing is written before */
    REAL *next, *next_before; /* p^{n + STEPS} and p^{n + STEPS - 1} on return */
    int pitch;
    int64_t plane;
    REAL side, centre, wall_centre; /* 7-point: of the six neighbours; of a point with six links, and with five */
    const wall_tile *tiles;
    unsigned tile_count;
    const uint32_t *first_states;
    const branch_state<REAL> *states_in;
    branch_state<REAL> *states_out;
    const boundary_kind *kinds;
    const branch_factors_device<REAL> *factors;
};

/* A kernel, the branches of a point that it can hold, its bytes of shared memory, and the warps, with a tile each, of
 * a block. */
template <typename REAL> struct wall_tile_kernel {
    unsigned branches;
    void (*code)(const wall_tile_arguments<REAL>);
    size_t bytes;
    int warps;
};

/* The kernel for temporal blocks of 3, 4 or 5 steps and WALL_TILE_BRANCHES_MAX branches of a point at most; for those
 * of the 19-point stencil, of 2 or 3. */
template <typename REAL> wall_tile_kernel<REAL> wall_tile_kernel_for(int steps, unsigned branches);
template <typename REAL> wall_tile_kernel<REAL> wall_tile19_kernel_for(int steps, unsigned branches);

template <typename REAL>
wall_tile_kernel<REAL> wall_tile_kernel_for(enum air_stencil stencil, int steps, unsigned branches)
{
    return stencil == STENCIL_19_POINT ? wall_tile19_kernel_for<REAL>(steps, branches)
                                       : wall_tile_kernel_for<REAL>(steps, branches);
}

#endif

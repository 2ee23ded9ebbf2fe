/* SPDX-License-Identifier: MIT */
/* The tiling plan of temporal blocks: tile kernels, tiles of a room, launches of a block. */
#ifndef AULA_CUDA_TILE_PLAN_CUH
#define AULA_CUDA_TILE_PLAN_CUH

#include <cuda.h>

#include "cuda/temporal/temporal.cuh"

/* Code variant that a room needs: rigid or fixed walls around one box of air, absorbing walls, or a map. 19-point: no
 * walls but rigid ones, some fixed, some absorbing, or ends of the box of air where other variants take none. */
enum tile_walls {
    WALLS_RIGID,
    WALLS_FIXED,
    WALLS_SPLIT,
    WALLS_ABSORBING,
    WALLS_ANY
}; /* WALLS_SPLIT: of 19-point tiles */

/* A variant of the tile kernels; rows of the tables in tile_single.cu, tile_double.cu, tile19_single.cu and
 * tile19_double.cu. */
struct tile_kernel {
    int steps;         /* depth */
    int width, height; /* of a tile, halo included */
    int values;        /* per thread along x */
    int threads;       /* per thread block */
    int halo_columns;  /* columns of p^n loaded on each side of a tile; 0: its tiles form no clusters */
    size_t (*bytes)(int planes, size_t events); /* of shared memory */
    int (*prepare)(size_t bytes, struct error *e);
    int (*at_once)(int cluster, size_t bytes); /* concurrent clusters of so many tiles on the device */
    /* `block` is a temporal_block of the kernel's precision */
    void (*launch)(const CUtensorMap *now, const CUtensorMap *before, const void *block, enum tile_walls walls,
                   unsigned blocks, size_t bytes, cudaStream_t stream);
    enum air_stencil stencil;
};

/* Fastest first, ended by steps = 0. */
extern const struct tile_kernel tile_kernels_single[], tile_kernels_double[], tile19_kernels_single[],
    tile19_kernels_double[];
const struct tile_kernel *tile_kernels(const struct problem *p); /* by stencil and precision */

/* Plans a kernel's tiles, replacing the plan of t. *made is false, and t has no plan, when they do not fit. */
int tile_plan_set_up(struct temporal_state *t, cuda_state *s, const struct tile_kernel *kernel, bool *made,
                     struct error *e);
void tile_plan_drop(struct temporal_state *t, cuda_state *s);
const struct tile_kernel *tile_plan_kernel(const struct temporal_state *t); /* NULL without a plan */

int tile_plan_chunk(const struct temporal_state *t); /* planes of a chunk at most; 0 without a plan */

/* Launches the block from p^n, n = phase, of a pair of grids to the other pair; `offset`: from *base. While halos are
 * taken from neighbours (engine/halos.cuh) tiles that read none of their planes start at once, and the others when the
 * halos are there: only where the plan hides them so. */
int tile_plan_enqueue(const struct temporal_state *t, cuda_state *s, int phase, int pair_of_grids, int offset,
                      struct error *e);
bool tile_plan_hides_halos(const struct temporal_state *t, const cuda_state *s);

/* Whether a block writes nothing to halos, so that they must be taken before any other step. */
bool tile_plan_leaves_halos(const struct temporal_state *t);

#endif

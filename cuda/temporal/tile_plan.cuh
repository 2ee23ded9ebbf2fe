/* The tiles of temporal blocks: the kernels, the cut of a room into tiles, and the launches of a block. */
#ifndef AULA_CUDA_TILE_PLAN_CUH
#define AULA_CUDA_TILE_PLAN_CUH

#include <cuda.h>

#include "cuda/temporal/temporal.cuh"

/* The code that a room needs: for rigid or fixed walls around one box of air, for walls that absorb, or with a map. */
enum tile_walls { WALLS_RIGID, WALLS_ABSORBING, WALLS_ANY };

/* A shape of the kernel; rows of the tables in tile_single.cu and tile_double.cu. */
struct tile_kernel {
    int steps;         /* of a block */
    int width, height; /* of a tile, halo included */
    int values;        /* of a thread along x */
    int threads;       /* of a block of threads */
    int beside;        /* columns of p^n loaded on each side of a tile; 0: its tiles form no clusters */
    size_t (*bytes)(int planes, size_t events); /* of shared memory */
    int (*prepare)(size_t bytes, struct error *e);
    int (*at_once)(int cluster, size_t bytes); /* clusters of so many tiles that the device runs at a time */
    /* `block` is a temporal_block of the kernel's precision */
    void (*launch)(const CUtensorMap *now, const CUtensorMap *before, const void *block, enum tile_walls walls,
                   unsigned blocks, size_t bytes, cudaStream_t stream);
};

/* Best first, ended by steps = 0. */
extern const struct tile_kernel tile_kernels_single[], tile_kernels_double[];
const struct tile_kernel *tile_kernels(const struct problem *p); /* by precision */

/* Plans the tiles of a kernel for this room, in place of what t had; *made is false, and t has no plan, when they do not fit. */
int tile_plan_set_up(struct temporal_state *t, cuda_state *s, const struct tile_kernel *kernel, bool *made,
                     struct error *e);
void tile_plan_drop(struct temporal_state *t, cuda_state *s);
const struct tile_kernel *tile_plan_kernel(const struct temporal_state *t); /* NULL without a plan */

/* The block from p^n, n = phase, of a pair of grids to the other pair; `offset` counts from *base. */
int tile_plan_enqueue(const struct temporal_state *t, const cuda_state *s, int phase, int pair, int offset,
                      struct error *e);

#endif

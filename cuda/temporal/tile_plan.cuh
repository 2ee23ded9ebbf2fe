/* A pass of several steps as the engine sees it: which kernel, cut into which tiles. */
#ifndef AULA_CUDA_FUSED_PLAN_CUH
#define AULA_CUDA_FUSED_PLAN_CUH

#include <cuda.h>

#include "cuda/grid/view.cuh"

struct cuda_state;

/* What a room asks of the code: only rigid or held walls around one box of air, absorbing ones, or a map. */
enum tile_walls { WALLS_RIGID, WALLS_ABSORBING, WALLS_ANY };

/* One shape of the kernel; rows of the tables in tile_kernels_single.cu and tile_kernels_double.cu. */
struct tile_kernel {
    int steps, width, height; /* in a pass; of a tile, margins included */
    int values, threads;      /* values a thread along x; threads of a block */
    int beside;               /* columns of p^n loaded on each side of a tile; 0: its blocks form no clusters */
    size_t (*bytes)(int planes, size_t events); /* of shared memory */
    int (*prepare)(size_t bytes, struct error *e);
    int (*at_once)(int cluster, size_t bytes); /* clusters of so many blocks */
    /* `pass` is a temporal_block of the kernel's precision */
    void (*launch)(const CUtensorMap *now, const CUtensorMap *before, const void *pass, enum tile_walls walls,
                   unsigned blocks, size_t bytes, cudaStream_t stream);
};
extern const struct cuda_kernel temporal_blocks; /* a row for the table of kernels: has no launch of its own */
/* Best first, ended by steps = 0. */
extern const struct tile_kernel tile_kernels_single[], tile_kernels_double[];

struct tile_plan;

/* Why no pass of several steps can be made of this problem, or nullptr. `fuse`: steps asked for, 0: any number. */
const char *tile_plan_refusal(const struct problem *p, const struct layout *l, bool audited, int time_block);

/* The table for a problem. */
const struct tile_kernel *tile_kernels(const struct problem *p);

/* The tiles of a kernel for this room, in place of what the state had; *made is false, and the state has none, when they do not fit.
 * s->tile_chunk: planes of a chunk, s->tile_extent: of a tile or a cluster, 0: as many as pay. */
int tile_plan_set_up(cuda_state *s, const struct tile_kernel *kernel, bool *made, struct error *e);
void tile_plan_drop(cuda_state *s);
const struct tile_kernel *tile_plan_kernel(const cuda_state *s);

/* The pass from p^n, n = phase, of the grids of a pair to the other pair; `offset` counts from *base. */
int tile_plan_enqueue(const cuda_state *s, int phase, int pair, int offset, struct error *e);

/* What receivers hear at the points of all taps is kept level by level, and summed after a block. */
int captures_set_up(cuda_state *s, struct error *e);
void captures_drop(cuda_state *s);
void captures_take(const cuda_state *s, int phase, int pair,
                   int offset);                       /* of p^n, n = phase, as level *base + offset */
void captures_sum(const cuda_state *s, size_t steps); /* of a block, into the taps */
uint64_t captures_bytes(const struct problem *p);

#endif

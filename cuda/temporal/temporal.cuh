/* SPDX-License-Identifier: MIT */
/* Temporal blocks: several steps per pass over memory, tile by tile (tile.cuh), with all steps
 * of a block in one tile. They require GPUs of compute capability 9.0 or later. */
#ifndef AULA_CUDA_TEMPORAL_CUH
#define AULA_CUDA_TEMPORAL_CUH

#include <cuda.h>

#include "cuda/engine/state.cuh"

/* --- tap history --- */

/* The tap history: the pressure at the points of all taps, level by level. A temporal block
 * computes levels that no grid ever contains, and a tap's points may lie in several tiles; so
 * taps are summed after a block of audio. */
enum { HISTORY_LEVELS = BLOCK_STEPS + 1 };

struct tap_history {
    bool kept;                    /* every step records into it, and taps are summed from it */
    std::vector<uint64_t> points; /* canonical, ascending, unique */
    uint64_t *at;                 /* [point] in the padded grid */
    uint32_t *point_of;           /* [tap term] */
    double *levels;               /* [point][HISTORY_LEVELS], since *base = 0 */
};

/* Whether kernels of single steps leave the taps to the history. */
static inline bool tap_history_is_kept(const cuda_state *s)
{
    return s->tap_history && s->tap_history->kept;
}

uint64_t tap_history_device_bytes(const struct problem *p);

int tap_history_set_up(struct tap_history *h, const cuda_state *s, struct error *e);
void tap_history_drop(struct tap_history *h);

/* Records level *base + offset from p^n, n = phase, of the pair of grids that contains it. */
void tap_history_record(const cuda_state *s, int phase, int offset);

/* Sums `steps` samples of all taps from the history. */
void tap_history_sum(const cuda_state *s, size_t steps);

/* --- the strategy --- */

struct region_levels;
struct tile_plan;

/* The row of the table of strategies. */
extern const struct strategy temporal_blocks;

/* Blocks per graph: a multiple of the number that restores phase and pair of grids. */
enum { GRAPH_BLOCKS = 4 * PHASES };

/* The state of the strategy. */
struct temporal_state {
    struct tile_plan *plan;       /* NULL: no plan, and no steps are taken */
    int time_block;               /* requested depth in steps; 0: any */
    int tile_chunk;               /* planes of a chunk, requested or on trial; 0: as in the model */
    int tile_extent[2];           /* likewise for the points of a tile, or of a cluster of tiles */
    struct region_levels *region; /* the boundary region, for one depth; NULL: none */
    struct tap_history taps;
    cudaGraphExec_t graphs[2][PHASES]; /* for GRAPH_BLOCKS blocks, by their first pair of grids and phase */
};

/* Drops the graphs of temporal blocks and of the single steps below, as both depend on the plan. */
void temporal_drop_graphs(struct temporal_state *t, cuda_state *s);

/* --- kernels of tiles, and the tiling plan --- */

/* The tiling plan of temporal blocks: tile kernels, tiles of a room, launches of a block. */

/* Code variant that a room needs: rigid or fixed walls around one box of air, absorbing walls,
 * or a map. 19-point: only rigid walls, some fixed, some absorbing, or ends of the box of air in
 * positions that the other variants exclude. */
enum tile_walls {
    WALLS_RIGID,
    WALLS_FIXED,
    WALLS_SPLIT,
    WALLS_ABSORBING,
    WALLS_ANY
}; /* WALLS_SPLIT: for 19-point tiles */

/* A variant of the tile kernels; rows of the tables in tile.cu and tile19.cu. */
struct tile_kernel {
    int steps;         /* depth */
    int width, height; /* of a tile, including its halo */
    int values;        /* per thread along x */
    int threads;       /* per thread block */
    int halo_columns;  /* columns of p^n loaded on each side of a tile; 0: its tiles form no clusters */
    size_t (*bytes)(int planes, size_t events); /* bytes of shared memory */
    int (*prepare)(size_t bytes, struct error *e);
    int (*at_once)(int cluster, size_t bytes); /* number of concurrent clusters of this size on the device */
    /* `block` is a temporal_block of the kernel's precision */
    void (*launch)(const CUtensorMap *now, const CUtensorMap *before, const void *block, enum tile_walls walls,
                   unsigned blocks, size_t bytes, cudaStream_t stream);
    enum air_stencil stencil;
};

/* Fastest first, ended by steps = 0. */
extern const struct tile_kernel tile_kernels_single[], tile_kernels_double[], tile19_kernels_single[],
    tile19_kernels_double[];
const struct tile_kernel *tile_kernels(const struct problem *p); /* by stencil and precision */

/* Plans a kernel's tiles, replacing the plan of t. If they do not fit, *made is false and t has
 * no plan. */
int tile_plan_set_up(struct temporal_state *t, cuda_state *s, const struct tile_kernel *kernel, bool *made,
                     struct error *e);
void tile_plan_drop(struct temporal_state *t, cuda_state *s);
const struct tile_kernel *tile_plan_kernel(const struct temporal_state *t); /* NULL without a plan */

int tile_plan_chunk(const struct temporal_state *t); /* largest number of planes of a chunk; 0 without a plan */

/* Launches the block from p^n, n = phase, of a pair of grids to the other pair; `offset` counts
 * from *base. While halos are being received from neighbours (engine/halos.cuh), tiles that read
 * none of their planes start immediately, and the others when the halos have arrived, but only
 * if the plan hides halos. */
int tile_plan_enqueue(const struct temporal_state *t, cuda_state *s, int phase, int pair_of_grids, int offset,
                      struct error *e);
bool tile_plan_hides_halos(const struct temporal_state *t, const cuda_state *s);

/* Whether a block writes nothing to halos, so that they must be received before any other step. */
bool tile_plan_leaves_halos(const struct temporal_state *t);

#endif

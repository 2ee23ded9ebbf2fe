/* SPDX-License-Identifier: MIT */
/* Temporal blocks: several steps per pass over memory, tile by tile (tile.cuh), with all steps of a block in one tile.
 * Only on GPUs of compute capability 9.0 and later. */
#ifndef AULA_CUDA_TEMPORAL_CUH
#define AULA_CUDA_TEMPORAL_CUH

#include "cuda/engine/state.cuh"
#include "cuda/temporal/tap_history.cuh"

struct region_levels;
struct tile_plan;

/* The row of the table of strategies. */
extern const struct strategy temporal_blocks;

/* Blocks per graph: a multiple of the number that restores phase and pair of grids. */
enum { GRAPH_BLOCKS = 4 * PHASES };

/* The state of the strategy. */
struct temporal_state {
    struct tile_plan *plan;       /* NULL: none, and no steps are taken */
    int time_block;               /* depth asked for, steps; 0: any */
    int tile_chunk;               /* planes of a chunk, asked for or on trial; 0: as the model has it */
    int tile_extent[2];           /* likewise points of a tile, or of a cluster of tiles */
    struct region_levels *region; /* the boundary region, for one depth; NULL: none */
    struct tap_history taps;
    cudaGraphExec_t graphs[2][PHASES]; /* of GRAPH_BLOCKS blocks, by their first pair of grids and phase */
};

/* Drops the graphs of temporal blocks and of the single steps below: both depend on the plan. */
void temporal_drop_graphs(struct temporal_state *t, cuda_state *s);

#endif

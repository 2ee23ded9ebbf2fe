/* Temporal blocks: several steps in one pass over memory, stepped tile by tile (tile.cuh) in space and all steps of a block in time.
 * Only on GPUs of compute capability 9.0 and later. */
#ifndef AULA_CUDA_TEMPORAL_CUH
#define AULA_CUDA_TEMPORAL_CUH

#include "cuda/engine/state.cuh"
#include "cuda/temporal/tap_history.cuh"

struct boundary_region;
struct tile_plan;

/* The row of the table of strategies. */
extern const struct strategy temporal_blocks;

/* Blocks in one graph: as many as bring phase and pair of grids back, several times over. */
enum { GRAPH_BLOCKS = 4 * PHASES };

/* The state of the strategy. */
struct temporal_state {
    struct tile_plan *plan;                  /* NULL: none is made, and no steps are taken */
    int time_block;                          /* steps of a block that were asked for; 0: any depth */
    int tile_chunk;                          /* planes of a chunk that were asked for; 0: as many as pay */
    int tile_extent[2];                      /* likewise points of a tile, or of a cluster of tiles */
    struct boundary_region *boundary_region; /* of one depth; NULL: none */
    unsigned no_boundary_region;             /* bit T: with a depth of T there can be none, or it would not pay */
    struct tap_history taps;
    cudaGraphExec_t graphs[2][PHASES]; /* of GRAPH_BLOCKS blocks, by the pair of grids and the phase they begin at */
};

/* Graphs of temporal blocks, and of the single steps below: both change with the plan. */
void temporal_drop_graphs(struct temporal_state *t, cuda_state *s);

#endif

/* SPDX-License-Identifier: MIT */
/* Single steps: a launch of a kernel for the field and its walls, then instruments and the
 * audit. */
#ifndef AULA_CUDA_ONE_STEP_CUH
#define AULA_CUDA_ONE_STEP_CUH

#include "cuda/engine/state.cuh"
#include "cuda/step/boundary_points.cuh"

/* Largest number of threads per block in the kernels that step any room. */
enum { ROOM_THREADS = 128 };

/* A row of the table of strategies for single steps: a kernel of the field. */
struct step_kernel : strategy {
    struct block_shape block; /* published or default */
    bool streams;   /* block.z is the number of planes, not of threads, that a thread streams through along z */
    bool own_audio; /* handles drives and taps, and has a tunable block shape */
    int values_per_thread[2]; /* along x, by precision */
    const char *(*refusal)(const struct problem *p,
                           const struct layout *l); /* the reason why it cannot step a problem, or NULL */
    void (*launch_single)(const struct step<float> *s, struct block_shape block, cudaStream_t stream);
    void (*launch_double)(const struct step<double> *s, struct block_shape block, cudaStream_t stream);
    int rows_per_thread = 1; /* along y */
};

/* Its grid of thread blocks. */
static inline dim3 step_tiling(const struct step_kernel *k, const size_t points[3], enum precision precision,
                               struct block_shape block)
{
    return tiling((int)points[0], (int)points[1], (int)points[2], {block.x, block.y * k->rows_per_thread, block.z},
                  k->values_per_thread[precision]);
}

/* The row as a kernel of the field; NULL if it does not take single steps. */
const struct step_kernel *step_kernel_of(const struct strategy *row);

/* Functions common to all these rows. */
int one_step_applicable(const struct strategy *self, struct strategy_offer *offer, const struct strategy_case *c,
                        struct error *e);
void one_step_plan(const struct strategy_offer *offer, const struct strategy_case *c, struct solver_plan *r);
int one_step_open(void **state, struct cuda_state *s, struct strategy_offer *offer, const struct solver_options *c,
                  struct error *e);
int one_step_enqueue(void *state, struct cuda_state *s, size_t *steps, struct error *e);
void one_step_close(void *state, struct cuda_state *s);

#define SINGLE_STEPS(name, stencils)                                                                                   \
    {                                                                                                                  \
        name, true, one_step_applicable, one_step_plan, one_step_open, one_step_enqueue, one_step_close, stencils      \
    }

/* The state of the strategy. */
struct one_step {
    const struct step_kernel *kernel;
    struct block_shape block;
    bool asked; /* a block shape was requested */
    struct boundary_points boundary;
    uint8_t *tiles;  /* tile_flag of the tiling, or NULL if all are 0 */
    uint32_t *order; /* of thread blocks: see `step` of grid/view.cuh; NULL: all tiles */
    unsigned *ended; /* device memory: see `step` of grid/view.cuh; NULL: steps wait for kernels */
    unsigned block_count;
    unsigned far_begin, far_end; /* section of the order that reads no plane of a halo; equal: not separated */
    int tiling[2];
    cudaGraphExec_t graphs[PHASES]; /* for GRAPH_STEPS steps, by their first phase */
};

/* Sets kernel and block shape, and the tile flags and tiles of drives that depend on them. */
int one_step_use(struct one_step *o, struct cuda_state *s, const struct step_kernel *kernel, struct block_shape block,
                 struct error *e);

/* The state of the strategy for single steps, which is opened first. */
struct one_step *one_step_of(const struct cuda_state *s);

/* Drops captured graphs after their kernel arguments have changed. */
void one_step_drop_graphs(struct one_step *o);

#endif

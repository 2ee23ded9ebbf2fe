/* SPDX-License-Identifier: MIT */
/* The tuner: times strategies and their variants in a solver's memory while its field is zero, which stepping
 * preserves. Results are remembered (tuning.cuh) and timed again before they are used. */
#ifndef AULA_CUDA_TUNER_CUH
#define AULA_CUDA_TUNER_CUH

#include "cuda/engine/strategy.cuh"
#include "cuda/grid/view.cuh"

struct one_step;
struct temporal_state;

/* Takes the block shape and enqueues an even number of steps; *stream gets the stream (NULL: not asked for). */
typedef int tuner_try(void *state, struct block_shape block, size_t steps, cudaStream_t *stream, struct error *e);

/* Takes the fastest candidate, through `attempt`, and returns it in *block. The key contains everything it depends on
 * besides the device; the result is remembered. 0, or -1 with *e filled. */
int tuner_choose_block(struct block_shape *block, const char *key, const struct block_shape *candidates, size_t count,
                       tuner_try *attempt, void *state, struct error *e);

/* Single steps: takes the fastest kernel and block shape among those that step any room. */
int tuner_choose_step(struct one_step *o, cuda_state *s, struct error *e);

/* Temporal blocks: plans the fastest tile kernel, of the depth that t requires; none where single steps are faster,
 * unless the offer prefers blocks. */
int tuner_choose_temporal(struct temporal_state *t, cuda_state *s, const struct strategy_offer *offer, struct error *e);

/* Before anything is open: changes the offers to the choice remembered for this room; its time of a step, or 0. True:
 * opening will time kernels. */
bool tuner_recall(struct strategies_chosen *chosen, const struct strategy_case *c, double *step_seconds);

#endif

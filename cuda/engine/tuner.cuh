/* The tuner: strategies and their variants timed on a solver's own memory while its field is still zero and therefore stays so. What
 * was found is remembered (tuning.cuh), and timed again before it is believed. */
#ifndef AULA_CUDA_TUNER_CUH
#define AULA_CUDA_TUNER_CUH

#include "cuda/engine/strategy.cuh"
#include "cuda/grid/view.cuh"

struct one_step;
struct temporal_state;

/* Takes the block shape and enqueues so many steps, an even number; *stream (when not NULL) is where. 0, or nonzero with *e filled. */
typedef int tuner_try(void *state, struct block_shape block, size_t steps, cudaStream_t *stream, struct error *e);

/* Leaves the fastest candidate taken, by `attempt`, and in *block. The key says what it depends on besides the device; what was found is
 * remembered. 0, or -1 with *e filled. */
int tuner_choose_block(struct block_shape *block, const char *key, const struct block_shape *candidates, size_t count,
                       tuner_try *attempt, void *state, struct error *e);

/* Single steps: kernel and block shape, the fastest of those that step any room. */
int tuner_choose_step(struct one_step *o, cuda_state *s, struct error *e);

/* Temporal blocks: the plan of the fastest tile kernel, of the depth that t asks for; none where single steps are faster, but for
 * `insist`. */
int tuner_choose_temporal(struct temporal_state *t, cuda_state *s, bool insist, struct error *e);

/* Before anything is open: changes the offers to what the tuner chose for this room before. True: it will have to try. */
bool tuner_recall(struct strategies_chosen *chosen, const struct strategy_case *c);

#endif

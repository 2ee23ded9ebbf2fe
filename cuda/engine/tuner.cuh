/* The tuner: block shapes timed on a solver's own memory while its field is still zero and therefore stays so. */
#ifndef AULA_CUDA_TUNER_CUH
#define AULA_CUDA_TUNER_CUH

#include "cuda/grid/view.cuh"

/* Takes the block shape and enqueues so many steps, an even number; *stream (when not NULL) is where. 0, or nonzero with *e filled. */
typedef int tuner_try(void *state, struct block_shape block, size_t steps, cudaStream_t *stream, struct error *e);

/* Leaves the fastest candidate taken, by `attempt`, and in *block. The key says what it depends on besides the device; what was found is
 * remembered. 0, or -1 with *e filled. */
int tuner_choose_block(struct block_shape *block, const char *key, const struct block_shape *candidates, size_t count,
                       tuner_try *attempt, void *state, struct error *e);

#endif

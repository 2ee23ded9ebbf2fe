/* SPDX-License-Identifier: MIT */
/* The tuner: times strategies and their variants in a solver's memory while its field is zero, which stepping
 * preserves (docs/design/gpu.md G4). Results are remembered and timed again before they are used. */
#ifndef AULA_CUDA_TUNER_CUH
#define AULA_CUDA_TUNER_CUH

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

extern "C" {
#include "cuda/grid/layout.h"
}
#include "cuda/engine/strategy.cuh"
#include "cuda/grid/view.cuh"

/* --- what is remembered, by device and room: in $XDG_CACHE_HOME/aula/cuda-tuning, a line for each key --- */

/* A remembered answer. `kernel` is a row of the table of strategies: of single steps, or "temporal" (shape: depth, tile
 * height, threads); or "block" of a plain array. Beside temporal blocks single steps, where they are faster, have no
 * shape: that is found by itself. */
struct tuned {
    char kernel[64];
    struct block_shape shape;
    double milliseconds; /* per step, when it was chosen */
    double searched;     /* s that the search was allowed, and which ended it; 0: all candidates were timed */
    int planes;          /* of a chunk of a temporal block; 0: as many as the model has */
};

static inline struct tuned tuned_as(const char *kernel, struct block_shape shape, double milliseconds = 0.0)
{
    struct tuned answer = {};
    snprintf(answer.kernel, sizeof answer.kernel, "%s", kernel);
    answer.shape = shape;
    answer.milliseconds = milliseconds;
    return answer;
}

/* The part of a key common to all rooms: digest of the engine's sources, toolkit, driver and device. Empty when the
 * device cannot be queried: nothing is remembered then. */
std::string tuning_device_key();

/* The part of a key specific to a room: points, precision, air, and all walls with their branches and objects, as a
 * readable part and a 64-bit hash. */
std::string tuning_room_key(const struct problem *p, const struct layout *l, const struct rows *rows, bool audited);

/* Keys of single steps, and of temporal blocks as they are offered. */
std::string tuning_steps_key(const std::string &device, const std::string &room);
std::string tuning_temporal_key(const std::string &device, const std::string &room, const struct strategy_offer *offer);

/* The last answer of a key; false: none, or none that is readable. */
bool tuning_recall(const std::string &key, struct tuned *answer);

/* Does nothing where the cache cannot be written: the next run then tunes again. */
void tuning_remember(const std::string &key, const struct tuned &answer);

/* Whether the time of a step is within a quarter of the remembered one. A step that is now faster was timed while
 * something else used the device, which also distorted the comparison. */
bool tuning_holds(const struct tuned &answer, double milliseconds);

/* --- the search for the fastest of some candidates: host only; what is timed is the caller's, so that tests need no
 * GPU --- */

struct tuner_question {
    std::string key;
    std::vector<struct tuned> candidates; /* kernel, shape and planes, the likeliest first */
    size_t always = 1;                    /* of these are timed in any case, and their time is not counted */
    /* Times a candidate: milliseconds per step, negative where it cannot run. Nonzero with *e filled: the end of
     * all. */
    std::function<int(size_t candidate, double *milliseconds, struct error *e)> time;
    std::function<double()> now; /* a clock, s */
    double seconds;              /* that the search for others may take */
    uint64_t steps;              /* planned: it takes no more than a tenth of their time; 0: not known */
    bool anew;                   /* times every candidate, whatever is remembered, however long it takes */
};

struct tuner_answer {
    size_t best;         /* candidate; SIZE_MAX: none can run */
    double milliseconds; /* per step */
    bool timed_last;     /* it was the last one that was timed */
};

/* A remembered answer is believed when its candidate, timed again, takes as long as it took; else the candidates are
 * timed until the time is up, and the fastest is remembered. */
int tuner_ask(const tuner_question &q, tuner_answer *answer, struct error *e);

/* --- what is tuned --- */

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

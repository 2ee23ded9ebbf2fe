/* SPDX-License-Identifier: MIT */
/* The tuner: times strategies and their variants in a solver's memory while its field is zero,
 * which stepping preserves (docs/design/gpu.md G4). Results are cached, and timed again before
 * they are used. */
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

/* A cached answer. `kernel` is a row of the table of strategies (a kernel of single steps, or
 * "temporal" with shape depth, tile height, threads), or "block" for a plain array. Single steps
 * that are faster than temporal blocks have no shape in this entry; an entry of their own has
 * it. */
struct tuned {
    char kernel[64];
    struct block_shape shape;
    double milliseconds; /* per step, when it was chosen */
    double searched;     /* time limit in s that ended the search; 0: all candidates were timed */
    int planes;          /* of a chunk of a temporal block; 0: as in the model */
};

static inline struct tuned tuned_as(const char *kernel, struct block_shape shape, double milliseconds = 0.0)
{
    struct tuned answer = {};
    snprintf(answer.kernel, sizeof answer.kernel, "%s", kernel);
    answer.shape = shape;
    answer.milliseconds = milliseconds;
    return answer;
}

/* The part of a key common to all rooms: digest of the engine's sources, toolkit, driver and
 * device. Empty if the device cannot be queried; nothing is cached then. */
std::string tuning_device_key();

/* The part of a key specific to a room: points, precision, air, and all walls with their
 * branches and objects, as readable text and a 64-bit hash. */
std::string tuning_room_key(const struct problem *p, const struct layout *l, const struct rows *rows, bool audited);

/* Keys of single steps, and of temporal blocks as they are offered. */
std::string tuning_steps_key(const std::string &device, const std::string &room);
std::string tuning_temporal_key(const std::string &device, const std::string &room, const struct strategy_offer *offer);

/* The last answer for a key; false: none, or none that is readable. */
bool tuning_recall(const std::string &key, struct tuned *answer);

/* No effect if the cache cannot be written; the next run then tunes again. */
void tuning_remember(const std::string &key, const struct tuned &answer);

/* Whether the time of a step is within a quarter of the cached one. If a step is much faster, it
 * was originally timed while something else used the device, which also distorted the
 * comparison. */
bool tuning_holds(const struct tuned &answer, double milliseconds);

/* --- the search for the fastest candidate: host only; the caller times, so tests need no GPU --- */

struct tuner_question {
    std::string key;
    std::vector<struct tuned> candidates; /* kernel, shape and planes, the likeliest first */
    size_t always = 1;                    /* number of candidates that are always timed, outside the time limit */
    /* Times a candidate: milliseconds per step, negative if it cannot run. Nonzero with *e
     * filled ends the search. */
    std::function<int(size_t candidate, double *milliseconds, struct error *e)> time;
    std::function<double()> now; /* a clock in s */
    double seconds;              /* time limit for the other candidates */
    uint64_t steps; /* number of planned steps, of whose time the search takes at most a tenth; 0: unknown */
    bool anew;      /* times every candidate, whatever is cached, without a time limit */
};

struct tuner_answer {
    size_t best;         /* index of the candidate; SIZE_MAX: none can run */
    double milliseconds; /* per step */
    bool timed_last;     /* it was also the last one timed */
};

/* A cached answer is used if its candidate, timed again, takes about as long as before.
 * Otherwise candidates are timed until the time limit, and the fastest is cached. */
int tuner_ask(const tuner_question &q, tuner_answer *answer, struct error *e);

/* --- what is tuned --- */

struct one_step;
struct temporal_state;

/* Applies the block shape and enqueues an even number of steps; *stream receives the stream (may
 * be NULL). */
typedef int tuner_try(void *state, struct block_shape block, size_t steps, cudaStream_t *stream, struct error *e);

/* Applies the fastest candidate through `attempt`, and returns it in *block. The key contains
 * everything that it depends on besides the device; the result is cached. 0, or -1 with *e
 * filled. */
int tuner_choose_block(struct block_shape *block, const char *key, const struct block_shape *candidates, size_t count,
                       tuner_try *attempt, void *state, struct error *e);

/* Single steps: applies the fastest kernel and block shape among those that step any room. */
int tuner_choose_step(struct one_step *o, cuda_state *s, struct error *e);

/* Temporal blocks: plans the fastest tile kernel of the depth that t requires; none if single
 * steps are faster, unless the offer prefers blocks. */
int tuner_choose_temporal(struct temporal_state *t, cuda_state *s, const struct strategy_offer *offer, struct error *e);

/* Before anything is open: changes the offers to the choice cached for this room, and returns
 * its time per step, or 0. True: opening will time kernels. */
bool tuner_recall(struct strategies_chosen *chosen, const struct strategy_case *c, double *step_seconds);

#endif

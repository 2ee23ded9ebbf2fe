/* SPDX-License-Identifier: MIT */
/* Remembered results of the tuner, by device and room: in $XDG_CACHE_HOME/aula/cuda-tuning, a line for each key. */
#ifndef AULA_CUDA_TUNER_CACHE_CUH
#define AULA_CUDA_TUNER_CACHE_CUH

#include <cstdio>
#include <string>

#include "cuda/grid/view.cuh"

extern "C" {
#include "cuda/grid/layout.h"
}

struct strategy_offer;

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

#endif

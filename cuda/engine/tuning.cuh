/* Answers of the tuner: the fastest strategy and its variant by device and room, in $XDG_CACHE_HOME/aula/cuda-tuning, a line for each key. */
#ifndef AULA_CUDA_TUNING_CUH
#define AULA_CUDA_TUNING_CUH

#include <string>

#include "cuda/grid/view.cuh"

extern "C" {
#include "cuda/grid/layout.h"
}

/* A remembered answer. `kernel` is a row of the table of strategies, of single steps or "temporal" (shape: steps of a block, height of a
 * tile, threads; steps 0: single steps are faster), or "block" of a plain array. */
struct tuned {
    char kernel[64];
    struct block_shape shape;
    double milliseconds; /* a step, when it was chosen */
};

/* The part of a key that all rooms share: version of the kernels, toolkit, driver and device. Empty when the device does not answer:
 * nothing is remembered then. */
std::string tuning_device_key();

/* The part of a key that a room adds: points, precision, air, and all walls with their branches and objects, as a readable part and a
 * hash of 64 bits. */
std::string tuning_room_key(const struct problem *p, const struct layout *l, const struct rows *rows, bool audited);

/* Of single steps; of temporal blocks of so many steps (0: any depth), with so many spare planes in place (0: four grids). */
std::string tuning_steps_key(const std::string &device, const std::string &room);
std::string tuning_temporal_key(const std::string &device, const std::string &room, int time_block, size_t spare,
                                bool insist);

/* The last answer of a key; false: none, or none that can be read. */
bool tuning_recall(const std::string &key, struct tuned *answer);

/* Silent where the cache cannot be written: the next run tries again. */
void tuning_remember(const std::string &key, const struct tuned &answer);

/* Whether a step still takes as long as when it was chosen, to a quarter. One that is now faster was chosen while something else ran on
 * the device, which disturbed the others, too. */
bool tuning_holds(const struct tuned &answer, double milliseconds);

#endif

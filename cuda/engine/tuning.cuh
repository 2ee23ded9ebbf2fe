/* What the tuner remembers: the fastest kernel and block shape of a room, in $XDG_CACHE_HOME/aula/cuda-tuning, a line for each key. */
#ifndef AULA_CUDA_TUNING_CUH
#define AULA_CUDA_TUNING_CUH

#include <string>

#include "cuda/grid/view.cuh"

extern "C" {
#include "cuda/grid/layout.h"
}

/* A remembered answer. `kernel` is one of the table of single steps, "passes" (shape: steps, height of a tile, threads; steps 0: single
 * steps are faster) or "block" of a plain array. */
struct tuned {
    char kernel[64];
    struct block_shape shape;
    double milliseconds; /* a step, when it was chosen */
};

/* What every answer depends on besides the room: this version of the kernels, toolkit, driver and device. Empty when the device does not
 * answer: nothing is remembered then. */
std::string tuning_device_key();

/* What the speed of a room's kernels depends on: points, precision, air, and the set of all walls with their branches and objects,
 * as a readable part and a hash of 64 bits. */
std::string tuning_room_key(const struct problem *p, const struct layout *l, const struct rows *rows, bool audited);

/* Single steps of a room; passes of several, of which `fuse` are asked for (0: any), with `spare` planes in place (0: four grids). */
std::string tuning_steps_key(const std::string &device, const std::string &room);
std::string tuning_passes_key(const std::string &device, const std::string &room, int time_block, size_t spare,
                              bool insist);

/* The last answer of a key; false: none, or none that can be read. */
bool tuning_recall(const std::string &key, struct tuned *answer);

/* A cache that cannot be written costs a second next time, and no message. */
void tuning_remember(const std::string &key, const struct tuned &answer);

/* Whether what was remembered still holds: a step takes as long as when it was chosen, to a quarter. One that is now faster was chosen while
 * something disturbed the measurement, and others with it. */
bool tuning_holds(const struct tuned &answer, double milliseconds);

#endif

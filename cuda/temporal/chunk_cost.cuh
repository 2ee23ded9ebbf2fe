/* SPDX-License-Identifier: MIT */
/* A model of the time that a thread block takes for a chunk, in planes; host only. */
#ifndef AULA_CUDA_CHUNK_COST_CUH
#define AULA_CUDA_CHUNK_COST_CUH

#include <algorithm>

#include "cuda/engine/device.cuh"
#include "cuda/temporal/tile_plan.cuh"

/* Its planes plus the start-up to the first of them. Tiles drift apart, and in long chunks what their halos share no
 * longer comes from the second-level cache where chunks follow each other on a multiprocessor: fitted to the 19-point
 * stencil. */
static inline double chunk_cost(int planes, bool follow, const struct tile_kernel *k, enum precision precision)
{
    if (k->stencil != STENCIL_19_POINT)
        return planes + k->steps + 2.0;
    if (precision == PRECISION_DOUBLE)
        return (planes + k->steps + 2.0) * (follow ? std::max(1.0, 0.93 + planes / 550.0) : 1.0);
    const double drift = follow ? std::max(1.0, 0.5 + planes / 60.0) : 1.0;
    return (planes + 2.0 * k->steps) * drift + 3.0;
}

/* Whether there is shared memory for what a chunk of so many planes lists by plane. */
static inline bool chunk_fits(int planes, const struct tile_kernel *k)
{
    const size_t events = 64; /* assumed for the estimate */
    return k->bytes(planes, events) <= shared_memory_max();
}

#endif

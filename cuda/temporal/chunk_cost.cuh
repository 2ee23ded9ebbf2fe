/* SPDX-License-Identifier: MIT */
/* A model of the time that a thread block takes for a chunk, in planes; host only. */
#ifndef AULA_CUDA_CHUNK_COST_CUH
#define AULA_CUDA_CHUNK_COST_CUH

#include <algorithm>

#include "cuda/engine/device.cuh"
#include "cuda/temporal/tile_plan.cuh"

/* How much longer than alone on its multiprocessor a tile takes for a plane. Tiles drift apart, and in long chunks what
 * their halos share no longer comes from the second-level cache: the more where chunks follow each other on a
 * multiprocessor, and where those of more than one layer, which has one of each column, are at work at a time. */
struct plane_cost {
    double base, growth; /* a plane of the chunk */

    double of(int planes) const
    {
        return std::max(1.0, base + growth * planes);
    }
};

/* Of `columns` of tiles in so many chunks: fitted to the 19-point stencil, in single precision in chunks of 22 to 43
 * planes, on 512 points a side, whose columns are `part` of a layer, and on 1024, which have two layers and a half; in
 * between in proportion. Where all chunks are at work at once: on a church of 285 planes
 * (docs/results/experiments-gpu.md). */
static inline struct plane_cost plane_cost_of(int64_t chunks, int columns, int at_once, const struct tile_kernel *k,
                                              enum precision precision)
{
    if (k->stencil != STENCIL_19_POINT)
        return {1.0, 0.0};
    if (precision == PRECISION_DOUBLE)
        return chunks <= at_once ? plane_cost{1.0, 0.0} : plane_cost{0.93, 1.0 / 550.0};
    if (chunks <= at_once)
        return {0.85, 1.0 / 450.0};
    const struct plane_cost few = {0.73, 1.0 / 64.0}, many = {0.9, 1.0 / 400.0};
    const double part = 0.62, layers = std::max(part, std::min(1.0, (double)columns / at_once));
    const double share = (layers - part) / (1.0 - part); /* of `many` */
    return {few.base + share * (many.base - few.base), few.growth + share * (many.growth - few.growth)};
}

/* Its planes plus the start-up to the first of them, longer in single precision with the 19-point stencil: fitted. */
static inline double chunk_cost(int planes, const struct plane_cost &plane, const struct tile_kernel *k,
                                enum precision precision)
{
    const bool slow_start = k->stencil == STENCIL_19_POINT && precision == PRECISION_SINGLE;
    return (planes + (slow_start ? 2.0 * k->steps : k->steps + 2.0)) * plane.of(planes);
}

/* Whether there is shared memory for what a chunk of so many planes lists by plane. */
static inline bool chunk_fits(int planes, const struct tile_kernel *k)
{
    const size_t events = 64; /* assumed for the estimate */
    return k->bytes(planes, events) <= shared_memory_max();
}

#endif

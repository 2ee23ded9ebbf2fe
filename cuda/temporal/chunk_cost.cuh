/* SPDX-License-Identifier: MIT */
/* A model of the time that a thread block takes for a chunk, in planes; host only. */
#ifndef AULA_CUDA_CHUNK_COST_CUH
#define AULA_CUDA_CHUNK_COST_CUH

#include <algorithm>

#include "cuda/engine/device.cuh"
#include "cuda/temporal/tile_plan.cuh"

/* Of a plane of a chunk. Tiles drift apart where chunks follow each other on a multiprocessor, and in long chunks what
 * their halos share no longer comes from the second-level cache: the more where the chunks at work are of more than one
 * layer of planes. Relative to tiles of which each has a multiprocessor. */
struct plane_cost {
    double base, growth; /* with the planes of the chunk */
};

/* Of `columns` of tiles in so many chunks: fitted to the 19-point stencil on 512 and 1024 points a side. */
static inline struct plane_cost plane_cost_of(int64_t chunks, int columns, int at_once, const struct tile_kernel *k,
                                              enum precision precision)
{
    if (k->stencil != STENCIL_19_POINT || chunks <= at_once)
        return {1.0, 0.0};
    if (precision == PRECISION_DOUBLE)
        return {0.93, 1.0 / 550.0};
    return columns < at_once ? plane_cost{0.73, 1.0 / 64.0} : plane_cost{0.9, 1.0 / 400.0};
}

/* The least cost of a plane, whatever the chunks. */
static inline double least_plane_cost(const struct tile_kernel *k, enum precision precision)
{
    return k->stencil != STENCIL_19_POINT ? 1.0 : precision == PRECISION_DOUBLE ? 0.93 : 0.73;
}

/* Its planes plus the start-up to the first of them. */
static inline double chunk_cost(int planes, struct plane_cost plane, const struct tile_kernel *k,
                                enum precision precision)
{
    const bool slow_start = k->stencil == STENCIL_19_POINT && precision == PRECISION_SINGLE;
    return (planes + (slow_start ? 2.0 * k->steps : k->steps + 2.0)) * (plane.base + plane.growth * planes);
}

/* Whether there is shared memory for what a chunk of so many planes lists by plane. */
static inline bool chunk_fits(int planes, const struct tile_kernel *k)
{
    const size_t events = 64; /* assumed for the estimate */
    return k->bytes(planes, events) <= shared_memory_max();
}

#endif

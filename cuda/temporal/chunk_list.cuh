/* SPDX-License-Identifier: MIT */
/* A list of the chunks of a temporal block, which multiprocessors take one after the other; host only. */
#ifndef AULA_CUDA_CHUNK_LIST_CUH
#define AULA_CUDA_CHUNK_LIST_CUH

#include <algorithm>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/temporal/temporal.cuh"

/* --- the cost of a chunk --- */

/* A model of the time that a thread block takes for a chunk, in planes; host only. */

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
 * between in proportion. Where all chunks are at work at once: on a church of 285 planes (docs/design/gpu.md). */
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

/* --- lists --- */

/* Planes of the longest part, where so many are divided into the fewest parts of at most `most`, as even as may be. */
static inline int even_part(int planes, int most)
{
    const int parts = (planes + most - 1) / most;
    return (planes + parts - 1) / parts;
}

/* Planes z0 .. z1 - 1 of a cluster's column. */
struct air_span {
    int cluster, z0, z1;
};

/* Which chunks read planes that are taken from neighbours, and when these are there after an exchange has begun, in
 * planes of a chunk. */
class halo_reads
{
  public:
    halo_reads(const cuda_state *s, const struct tile_kernel *k);

    bool any() const
    {
        return own.has_halos();
    }

    /* Place in the list: chunks that read no halo, that below, that above or both. */
    int order(const air_span &one) const
    {
        return above(one) ? 2 : below(one) ? 1 : 0;
    }

    /* When a chunk may begin that waits for what it reads; `work`: of a multiprocessor in all, in planes. An exchange
     * may take half as long again as it should, and three times as long where that leaves seven tenths of the work to
     * be done after it. */
    double arrival(const air_span &one, double work) const
    {
        const double soon = above(one) ? arrival_above : below(one) ? arrival_below : 0.0;
        return std::max(1.5 * soon, std::min(3.0 * soon, 0.3 * work));
    }

  private:
    bool below(const air_span &one) const
    {
        return own.reads_lower_halo(one.z0, reach);
    }

    bool above(const air_span &one) const
    {
        return own.reads_upper_halo(one.z1, reach);
    }

    own_planes own;
    int reach; /* planes before and after a chunk that it reads */
    double arrival_below, arrival_above;
};

/* What the time of a list is estimated from. */
struct chunk_model {
    uint64_t points; /* of the grid: in a large one a long search pays */
    int columns;     /* clusters with air beside each other */
    int at_once;     /* clusters that are stepped at a time */
    const struct tile_kernel *kernel;
    enum precision precision;
    halo_reads halos;
};

/* In the order of their start. */
struct chunk_list {
    std::vector<air_span> spans;
    size_t far; /* the first of them, which read no plane of a halo */
};

/* Parts of spans, as equal as they can be, where none has more than `planes`. */
chunk_list chunk_list_equal(const std::vector<air_span> &spans, int planes, const chunk_model &model);

/* The list of the least time, for a grid of nz planes: spans in equal parts, or in parts of any length where that is
 * faster. Lists that take `to_beat` or more are not looked for: *time is that long then. */
chunk_list chunk_list_best(const std::vector<air_span> &spans, int nz, const chunk_model &model, double to_beat,
                           double *time);

/* Time until all have ended, in planes, when each multiprocessor takes the next in the list. */
double chunk_list_time(const chunk_list &list, const chunk_model &model);

/* A lower bound of that, for all lists of these spans in parts of at most so many planes. */
double chunk_list_least_time(const std::vector<air_span> &spans, int planes, const chunk_model &model);

/* Whether parts of any length are tried. With the 19-point stencil tiles must be in the same planes at the same time,
 * or what their halos share comes from memory (docs/design/gpu.md). */
bool chunk_list_may_be_uneven(const struct tile_kernel *k);

/* Planes of the longest. */
int chunk_list_longest(const chunk_list &list);

#endif

/* SPDX-License-Identifier: MIT */
/* A list of the chunks of a temporal block, which multiprocessors take one after the other; host only. */
#ifndef AULA_CUDA_CHUNK_LIST_CUH
#define AULA_CUDA_CHUNK_LIST_CUH

#include <algorithm>
#include <vector>

#include "cuda/engine/state.cuh"
#include "cuda/grid/own_planes.cuh"
#include "cuda/temporal/tile_plan.cuh"

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
 * lest what their halos share comes from memory (docs/results/experiments-gpu.md). */
bool chunk_list_may_be_uneven(const struct tile_kernel *k);

/* Planes of the longest. */
int chunk_list_longest(const chunk_list &list);

#endif

/* SPDX-License-Identifier: MIT */
/* A list of the chunks of a temporal block, which multiprocessors take in order; host only. */
#ifndef AULA_CUDA_CHUNK_LIST_CUH
#define AULA_CUDA_CHUNK_LIST_CUH

#include <algorithm>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/temporal/temporal.cuh"

/* --- the cost of a chunk --- */

/* A model of the time of a thread block for a chunk, in planes; host only. */

/* Time per plane of a tile relative to a tile running by itself on its multiprocessor. Tiles
 * drift apart, and in long chunks the data that their halos share are no longer in the
 * second-level cache. The effect grows when chunks follow each other on a multiprocessor, and
 * when chunks of more than one layer (one chunk per column) run at a time. */
struct plane_cost {
    double base, growth; /* the time per plane is base + growth times the planes of the chunk */

    double of(int planes) const
    {
        return std::max(1.0, base + growth * planes);
    }
};

/* For `columns` columns of tiles in this number of chunks: fitted to the 19-point stencil in
 * single precision, in chunks of 22 to 43 planes, on grids with 512 points per side, whose
 * columns are `part` of a layer, and with 1024, which have two and a half layers; linear in
 * between. If all chunks run at a time: fitted on a church of 285 planes (docs/design/gpu.md). */
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

/* Its planes plus the start-up to the first of them, which is longer in single precision with
 * the 19-point stencil: fitted. */
static inline double chunk_cost(int planes, const struct plane_cost &plane, const struct tile_kernel *k,
                                enum precision precision)
{
    const bool slow_start = k->stencil == STENCIL_19_POINT && precision == PRECISION_SINGLE;
    return (planes + (slow_start ? 2.0 * k->steps : k->steps + 2.0)) * plane.of(planes);
}

/* Whether shared memory suffices for the per-plane lists of a chunk. */
static inline bool chunk_fits(int planes, const struct tile_kernel *k)
{
    const size_t events = 64; /* assumed for the estimate */
    return k->bytes(planes, events) <= shared_memory_max();
}

/* --- lists --- */

/* Planes of the longest part when `planes` are divided as evenly as possible into the fewest
 * parts of at most `most`. */
static inline int even_part(int planes, int most)
{
    const int parts = (planes + most - 1) / most;
    return (planes + parts - 1) / parts;
}

/* Planes z0 .. z1 - 1 of a cluster's column. */
struct air_span {
    int cluster, z0, z1;
};

/* The chunks that read planes of neighbours, and the arrival of these planes after an exchange
 * has begun, in planes of a chunk. */
class halo_reads
{
  public:
    halo_reads(const cuda_state *s, const struct tile_kernel *k);

    bool any() const
    {
        return own.has_halos();
    }

    /* Position in the list by the halos read: none, below, above, both. */
    int order(const air_span &one) const
    {
        return above(one) ? 2 : below(one) ? 1 : 0;
    }

    /* Earliest start of a chunk that waits for the planes it reads; `work`: total work of a
     * multiprocessor, in planes. Allows for an exchange that takes 1.5 times as long as
     * expected, or three times if that leaves seven tenths of the work to be done after it. */
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

/* Parameters from which the time of a list is estimated. */
struct chunk_model {
    uint64_t points; /* of the grid: a long search pays only for a large one */
    int columns;     /* number of clusters with air */
    int at_once;     /* number of clusters that run at a time */
    const struct tile_kernel *kernel;
    enum precision precision;
    halo_reads halos;
};

/* In the order of their start. */
struct chunk_list {
    std::vector<air_span> spans;
    size_t far; /* number of those, first in the list, that read no plane of a halo */
};

/* Parts of spans, as equal as possible, of at most `planes` planes each. */
chunk_list chunk_list_equal(const std::vector<air_span> &spans, int planes, const chunk_model &model);

/* The fastest list for a grid of nz planes: spans in equal parts, or in parts of any length if
 * that is faster. Stops as soon as the time reaches `to_beat`, which *time then equals. */
chunk_list chunk_list_best(const std::vector<air_span> &spans, int nz, const chunk_model &model, double to_beat,
                           double *time);

/* Time until all have ended, in planes, if each multiprocessor takes the next chunk of the list. */
double chunk_list_time(const chunk_list &list, const chunk_model &model);

/* A lower bound of that time over all lists of these spans in parts of at most this number of
 * planes. */
double chunk_list_least_time(const std::vector<air_span> &spans, int planes, const chunk_model &model);

/* Whether parts of any length are tried. With the 19-point stencil, tiles must be in the same
 * planes at the same time, or the data that their halos share come from memory
 * (docs/design/gpu.md). */
bool chunk_list_may_be_uneven(const struct tile_kernel *k);

/* Planes of the longest. */
int chunk_list_longest(const chunk_list &list);

#endif

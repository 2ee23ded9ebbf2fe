/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/tile_chunks.cuh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "cuda/engine/device.cuh"
#include "cuda/grid/own_planes.cuh"

namespace
{

/* --- chunks of equal size, of all columns --- */

/* Time of a chunk: its planes plus the start-up to the first of them. Tiles drift apart, and in long chunks what their
 * halos share no longer comes from the second-level cache where chunks follow each other on a multiprocessor: fitted to
 * the 19-point stencil. */
double cost_of(int planes, bool follow, const struct tile_kernel *k, enum precision precision)
{
    if (k->stencil != STENCIL_19_POINT)
        return planes + k->steps + 2.0;
    if (precision == PRECISION_DOUBLE)
        return (planes + k->steps + 2.0) * (follow ? std::max(1.0, 0.93 + planes / 550.0) : 1.0);
    const double drift = follow ? std::max(1.0, 0.5 + planes / 60.0) : 1.0;
    return (planes + 2.0 * k->steps) * drift + 3.0;
}

bool chunk_fits(int planes, const struct tile_kernel *k)
{
    const size_t events = 32; /* assumed for the estimate */
    return k->bytes(planes, events) <= shared_memory_max();
}

double cost_of_all(int columns, int planes, int at_once, int nz, const struct tile_kernel *k, enum precision precision)
{
    const int64_t turns = ((int64_t)columns * ((nz + planes - 1) / planes) + at_once - 1) / at_once;
    return (double)turns * cost_of(planes, turns > 1, k, precision);
}

/* Planes per chunk for the least time when each multiprocessor runs one thread block at a time. */
int chunk_of(int columns, int at_once, int nz, const struct tile_kernel *k, enum precision precision,
             double *cost_of_best)
{
    int best = nz;
    double min = -1.0;
    for (int chunks = 1; chunks == 1 || chunks <= nz / 4; chunks++) {
        const int planes = (nz + chunks - 1) / chunks;
        const double cost = cost_of_all(columns, planes, at_once, nz, k, precision);
        if (chunk_fits(planes, k) && (min < 0.0 || cost < min)) {
            min = cost;
            best = planes;
        }
    }
    *cost_of_best = min < 0.0 ? HUGE_VAL : min;
    return best;
}

/* In place, for launches of at most `max` planes: planes per chunk, and in *slab chunks per launch. Launches run one
 * after the other, each at the cost of its blocks plus a wait. */
int slab_of(int *slab, int columns, int at_once, int nz, int steps, int max, double *cost_of_best)
{
    const int wait = 4; /* in planes */
    int best = 1;
    double min = -1.0;
    for (int chunks = 1; chunks <= max; chunks++) {
        const int launch = std::min(max / chunks * chunks, nz), launches = (nz + launch - 1) / launch;
        const int planes = (nz + launches * chunks - 1) / (launches * chunks);
        const double turns = (double)(((int64_t)columns * chunks + at_once - 1) / at_once),
                     cost = launches * (turns * (planes + steps + 2.0) + wait);
        if (min < 0.0 || cost < min) {
            min = cost;
            best = planes;
            *slab = chunks;
        }
    }
    *cost_of_best = min < 0.0 ? HUGE_VAL : min;
    return best;
}

/* --- air of the columns --- */

/* Planes z0 .. z1 - 1 of a cluster's column. */
struct air_span {
    int cluster, z0, z1;
};

/* Which cluster writes a point, and in which planes each writes air. Points with drives or taps count as air. */
class cluster_air
{
  public:
    cluster_air(const tile_cut &t, const cuda_state *s)
        : nz(s->layout.points[2]), along_x((size_t)(t.across / t.cluster[0])), column(s->layout.points[0], -1),
          row(s->layout.points[1], -1), planes(along_x * (size_t)(t.along / t.cluster[1]) * nz, 0)
    {
        const size_t nx = s->layout.points[0], ny = s->layout.points[1];
        for (int i = 0; i < t.across; i++)
            for (int x = std::max(t.columns[(size_t)i].x0, 0); x < t.columns[(size_t)i].x1; x++)
                column[(size_t)x] = i / t.cluster[0];
        for (int j = 0; j < t.along; j++) {
            const tile_column &first = t.columns[(size_t)(j * t.across)];
            for (int y = std::max(first.y0, 0); y < first.y1; y++)
                row[(size_t)y] = j / t.cluster[1];
        }
        const struct rows *rows = &s->rows;
        for (size_t i = 0; i < rows->count; i++)
            for (uint64_t r = rows->run_start[i]; r < rows->run_start[i + 1]; r++)
                add(rows->runs[r].start, rows->runs[r].start + rows->runs[r].length - 1, i % ny, i / ny);
        for (uint64_t point : s->drive_at)
            add(point % nx, point % nx, point / nx % ny, point / nx / ny);
        if (s->tap_history)
            for (uint64_t point : s->tap_history->points)
                add(point % nx, point % nx, point / nx % ny, point / nx / ny);
    }

    /* By cluster and plane, of planes z0 .. z1 - 1; air that is at most `gap` planes apart is in one span. */
    std::vector<air_span> spans(int z0, int z1, int gap) const
    {
        std::vector<air_span> out;
        for (size_t cluster = 0; cluster * nz < planes.size(); cluster++)
            for (int z = z0; z < z1; z++) {
                if (!planes[cluster * nz + (size_t)z])
                    continue;
                if (out.empty() || out.back().cluster != (int)cluster || z - out.back().z1 > gap)
                    out.push_back({(int)cluster, z, z});
                out.back().z1 = z + 1;
            }
        return out;
    }

  private:
    void add(size_t first, size_t last, size_t y, size_t z)
    {
        if (row[y] < 0 || column[first] < 0 || column[last] < 0)
            return; /* beyond the box of air */
        for (int i = column[first]; i <= column[last]; i++)
            planes[((size_t)row[y] * along_x + (size_t)i) * nz + z] = 1;
    }

    const size_t nz, along_x;
    std::vector<int> column, row; /* cluster along x by x, along y by y; -1: none */
    std::vector<uint8_t> planes;  /* [cluster][nz] */
};

/* --- halos of a part of a grid --- */

/* What a chunk reads of halos, in the order of the list and of their arrival. */
enum halo_reading { READS_NONE, READS_BELOW, READS_ABOVE /* or both */ };

/* Which chunks read planes that are taken from neighbours, and when these are there after an exchange has begun, in
 * planes of a chunk. */
class halo_reads
{
  public:
    double arrival[3]; /* by what is read */

    halo_reads(const cuda_state *s, const struct tile_kernel *k) : arrival(), own(s->problem), reach(k->steps)
    {
        if (!any())
            return;
        const double side = side_seconds(s, k) / plane_seconds(s, k);
        arrival[READS_BELOW] = 15e-6 / plane_seconds(s, k) + side;
        arrival[READS_ABOVE] = arrival[READS_BELOW] + (own.first > 0 ? side : 0.0);
    }

    bool any() const
    {
        return own.has_halos();
    }

    halo_reading of(const air_span &one) const
    {
        return own.reads_upper_halo(one.z1, reach)   ? READS_ABOVE
               : own.reads_lower_halo(one.z0, reach) ? READS_BELOW
                                                     : READS_NONE;
    }

  private:
    /* Both levels of a side between two GPUs, by 350 GB/s. */
    double side_seconds(const cuda_state *s, const struct tile_kernel *k) const
    {
        const double plane = (double)(s->layout.pitch * s->layout.points[1] * precision_bytes(s->problem->precision));
        return 2.0 * std::min(std::max(own.first, own.count - own.end), k->steps) * plane / 350e9;
    }

    /* By a multiprocessor's share of what an H200 steps, 600 and 850 Gpoint/s. */
    static double plane_seconds(const cuda_state *s, const struct tile_kernel *k)
    {
        const double rate =
            (k->stencil == STENCIL_19_POINT ? 4.5e9 : 6.4e9) / (s->problem->precision == PRECISION_DOUBLE ? 2.0 : 1.0);
        return (double)k->width * k->height * k->steps / rate;
    }

    own_planes own;
    int reach; /* planes before and after a chunk that it reads */
};

/* --- chunks with air --- */

/* Planes of the parts of a span, as equal as they can be, where none has more than `planes`. */
int part_of(const air_span &span, int planes)
{
    const int length = span.z1 - span.z0, parts = (length + planes - 1) / planes;
    return (length + parts - 1) / parts;
}

/* Spans in the order of their start. */
struct air_list {
    std::vector<air_span> spans;
    size_t far, not_above; /* the first of them, which read no plane of a halo; none of the halo above */
};

/* In order of their first planes: those that run at the same time share halos in the second-level cache. Last come those
 * that wait for a halo. */
air_list divide(const std::vector<air_span> &spans, int planes, const halo_reads &halos)
{
    air_list out = {};
    for (const air_span &span : spans)
        for (int z = span.z0, part = part_of(span, planes); z < span.z1; z += part)
            out.spans.push_back({span.cluster, z, std::min(z + part, span.z1)});
    std::stable_sort(out.spans.begin(), out.spans.end(), [&](const air_span &a, const air_span &b) {
        return halos.of(a) != halos.of(b) ? halos.of(a) < halos.of(b) : a.z0 < b.z0;
    });
    for (const air_span &one : out.spans) {
        out.far += halos.of(one) < READS_BELOW;
        out.not_above += halos.of(one) < READS_ABOVE;
    }
    return out;
}

/* Time until all have ended, when each multiprocessor takes the next in the list, and none that reads a halo begins
 * before the halo is there. */
double time_of(const air_list &list, int at_once, const struct tile_kernel *k, enum precision precision,
               const halo_reads &halos)
{
    std::priority_queue<double, std::vector<double>, std::greater<double>> ends;
    double last = 0.0;
    for (size_t i = 0; i < list.spans.size(); i++) {
        const bool follows = (int)ends.size() >= at_once;
        const double begin = std::max(follows ? ends.top() : 0.0, halos.arrival[halos.of(list.spans[i])]),
                     end = begin +
                           cost_of(list.spans[i].z1 - list.spans[i].z0, (int)list.spans.size() > at_once, k, precision);
        if (follows)
            ends.pop();
        ends.push(end);
        last = std::max(last, end);
    }
    return last;
}

/* A lower bound of that, for chunks of at most so many planes. */
double least_time(const std::vector<air_span> &spans, int planes, int at_once, const struct tile_kernel *k,
                  enum precision precision)
{
    double work = 0.0;
    for (const air_span &span : spans) {
        const int part = part_of(span, planes), parts = (span.z1 - span.z0 + part - 1) / part;
        work += span.z1 - span.z0 + parts * cost_of(0, false, k, precision);
    }
    return work / at_once;
}

/* Planes per chunk for the least time, like chunk_of. */
int listed_chunk_of(const std::vector<air_span> &spans, int at_once, int nz, const struct tile_kernel *k,
                    enum precision precision, const halo_reads &halos, double *cost_of_best)
{
    int best = nz, last = 0;
    double min = -1.0;
    for (int chunks = 1; chunks == 1 || chunks <= nz / 4; chunks++) {
        const int planes = (nz + chunks - 1) / chunks;
        if (planes == last || !chunk_fits(planes, k) ||
            (min >= 0.0 && least_time(spans, planes, at_once, k, precision) >= min))
            continue;
        last = planes;
        const double cost = time_of(divide(spans, planes, halos), at_once, k, precision, halos);
        if (min < 0.0 || cost < min) {
            min = cost;
            best = planes;
        }
    }
    *cost_of_best = min < 0.0 ? HUGE_VAL : min;
    return best;
}

/* The tiles of the clusters, in the order of their ranks. */
void list_chunks(tile_cut &t, const air_list &list)
{
    const int along_x = t.across / t.cluster[0];
    t.far_chunks = list.far * (size_t)(t.cluster[0] * t.cluster[1]);
    t.not_above_chunks = list.not_above * (size_t)(t.cluster[0] * t.cluster[1]);
    for (const air_span &one : list.spans)
        for (int rank = 0; rank < t.cluster[0] * t.cluster[1]; rank++)
            t.chunks.push_back({(one.cluster / along_x * t.cluster[1] + rank / t.cluster[0]) * t.across +
                                    one.cluster % along_x * t.cluster[0] + rank % t.cluster[0],
                                one.z0, one.z1});
}

/* Lists the chunks with air where that takes less time than `cost`, of all chunks; in a part of a grid always, because
 * those that read halos come last. Returns the time. */
double list_air(tile_cut &t, const cuda_state *s, const struct tile_kernel *k, int at_once, int asked, double cost)
{
    const enum precision precision = s->problem->precision;
    const int nz = (int)s->layout.points[2], clusters = (int)t.columns.size() / (t.cluster[0] * t.cluster[1]);
    const double worth = 0.98;
    const halo_reads halos(s, k);
    const own_planes own(s->problem);
    const bool whole = !tile_chunks_leave_halos(own, k);
    const std::vector<air_span> spans =
        cluster_air(t, s).spans(whole ? 0 : own.first, whole ? nz : own.end, k->steps + 2);
    int planes = 0;
    for (const air_span &span : spans)
        planes += span.z1 - span.z0;
    if (planes == clusters * nz && !halos.any())
        return cost;
    double listed;
    int chunk = asked;
    if (asked)
        listed = time_of(divide(spans, asked, halos), at_once, k, precision, halos);
    else
        chunk = listed_chunk_of(spans, at_once, nz, k, precision, halos, &listed);
    if (!(listed < worth * cost) && !halos.any())
        return cost;
    t.chunk = chunk;
    list_chunks(t, divide(spans, chunk, halos));
    return listed;
}

/* Cost of the halo exchange in a cluster along x and along y, relative to the time of a tile. */
const double exchange_cost[2] = {0.02, 0.04};

} // namespace

bool tile_chunks_leave_halos(const own_planes &own, const struct tile_kernel *k)
{
    return own.has_halos() && std::max(own.first, own.count - own.end) < 2 * k->steps;
}

int tile_launch_max(const cuda_state *s, const struct tile_kernel *k)
{
    return s->spare ? (int)s->spare - k->steps : (int)s->layout.points[2];
}

double tile_chunks_choose(tile_cut &t, const cuda_state *s, const struct tile_kernel *k, int at_once, int asked)
{
    double cost;
    const int nz = (int)s->layout.points[2], clusters = (int)t.columns.size() / (t.cluster[0] * t.cluster[1]);
    t.slab = 0;
    t.chunks.clear();
    t.far_chunks = t.not_above_chunks = 0;
    t.chunk = s->spare ? slab_of(&t.slab, clusters, at_once, nz, k->steps, tile_launch_max(s, k), &cost)
                       : chunk_of(clusters, at_once, nz, k, s->problem->precision, &cost);
    if (asked) {
        t.chunk = asked;
        t.slab = s->spare ? tile_launch_max(s, k) / asked : 0;
        cost = cost_of_all(clusters, asked, at_once, nz, k, s->problem->precision);
    }
    if (!s->spare)
        cost = list_air(t, s, k, at_once, asked, cost);
    return cost * (1.0 + (t.cluster[0] > 1 ? exchange_cost[0] : 0.0) + (t.cluster[1] > 1 ? exchange_cost[1] : 0.0));
}

std::vector<tile_chunk> tile_chunks_all(const tile_cut &cut, int nz)
{
    if (!cut.chunks.empty())
        return cut.chunks;
    std::vector<tile_chunk> all;
    for (int z = 0; z < nz; z += cut.chunk)
        for (size_t column = 0; column < cut.columns.size(); column++)
            all.push_back({(int32_t)column, z, std::min(z + cut.chunk, nz)});
    return all;
}

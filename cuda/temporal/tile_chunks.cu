/* SPDX-License-Identifier: MIT */
/* Chooses how many planes a chunk of a tile column has, by the estimated time to work off all chunks. */
#include "cuda/temporal/tile_cut.cuh"

#include <algorithm>
#include <cmath>

#include "cuda/temporal/chunk_list.cuh"

bool tile_chunks_leave_halos(const own_planes &own, const struct tile_kernel *k)
{
    return own.has_halos() && std::max(own.first, own.count - own.end) < 2 * k->steps;
}

namespace
{

/* --- chunks of equal size, of all columns --- */

double cost_of_all(int columns, int planes, int at_once, int nz, const struct tile_kernel *k, enum precision precision)
{
    const int64_t chunks = (int64_t)columns * ((nz + planes - 1) / planes), turns = (chunks + at_once - 1) / at_once;
    return (double)turns * chunk_cost(planes, plane_cost_of(chunks, columns, at_once, k, precision), k, precision);
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

/* In place, for launches of at most `max` planes: returns planes per chunk, and in *slab chunks
 * per launch. Launches run one after the other, each at the cost of its blocks plus a wait. */
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

/* The cluster that writes each point, and the planes in which each cluster writes air. Points
 * with drives or taps count as air. */
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

    /* By cluster and plane, within planes z0 .. z1 - 1; air at most `gap` planes apart forms one
     * span. */
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

bool is_full(const cuda_state *s)
{
    const struct layout *l = &s->layout;
    return s->rows.air_points == (l->to[0] - l->from[0]) * (l->to[1] - l->from[1]) * (l->to[2] - l->from[2]);
}

/* The spans of air of the clusters in planes z0 .. z1 - 1; without a scan if the box of air is
 * full. */
std::vector<air_span> spans_of(const tile_cut &t, const cuda_state *s, int z0, int z1, int gap)
{
    if (!is_full(s))
        return cluster_air(t, s).spans(z0, z1, gap);
    std::vector<air_span> out;
    const int from = std::max(z0, (int)s->layout.from[2]), to = std::min(z1, (int)s->layout.to[2]);
    for (int i = 0; i < (int)t.columns.size() / (t.cluster[0] * t.cluster[1]) && from < to; i++)
        out.push_back({i, from, to});
    return out;
}

/* --- chunks with air --- */

/* The tiles of the clusters, in the order of their ranks. */
void list_chunks(tile_cut &t, const chunk_list &list)
{
    const int along_x = t.across / t.cluster[0];
    t.far_chunks = list.far * (size_t)(t.cluster[0] * t.cluster[1]);
    for (const air_span &one : list.spans)
        for (int rank = 0; rank < t.cluster[0] * t.cluster[1]; rank++)
            t.chunks.push_back({(one.cluster / along_x * t.cluster[1] + rank / t.cluster[0]) * t.across +
                                    one.cluster % along_x * t.cluster[0] + rank % t.cluster[0],
                                one.z0, one.z1});
}

/* Number of clusters with a span; spans are sorted by cluster. */
int columns_of(const std::vector<air_span> &spans)
{
    int columns = 0;
    for (size_t i = 0; i < spans.size(); i++)
        columns += !i || spans[i].cluster != spans[i - 1].cluster;
    return columns;
}

/* Lists the chunks with air if that takes less time than `cost`, the time of all chunks. A part
 * of a grid always needs the list, as chunks that read halos come last. Returns the time. */
double list_air(tile_cut &t, const cuda_state *s, const struct tile_kernel *k, int at_once, int asked, double cost,
                double to_beat)
{
    const int nz = (int)s->layout.points[2];
    const double worth = 0.98;
    const size_t *points = s->layout.points;
    const int clusters = (int)t.columns.size() / (t.cluster[0] * t.cluster[1]);
    const own_planes own(s->problem);
    const bool whole = !tile_chunks_leave_halos(own, k);
    const std::vector<air_span> spans = spans_of(t, s, whole ? 0 : own.first, whole ? nz : own.end, k->steps + 2);
    const chunk_model model = {
        points[0] * points[1] * points[2], columns_of(spans), at_once, k, s->problem->precision, halo_reads(s, k)};
    if (chunk_list_least_time(spans, nz, model) >= to_beat)
        return HUGE_VAL;
    int planes = 0;
    for (const air_span &span : spans)
        planes += span.z1 - span.z0;
    if (planes == clusters * nz && !model.halos.any() && (asked || !chunk_list_may_be_uneven(k)))
        return cost;
    double listed;
    chunk_list list;
    if (asked) {
        list = chunk_list_equal(spans, asked, model);
        listed = chunk_list_time(list, model);
    } else
        list = chunk_list_best(spans, nz, model, to_beat, &listed);
    if (!(listed < worth * cost) && !model.halos.any())
        return cost;
    if (listed >= to_beat)
        return HUGE_VAL;
    if (!list.spans.empty()) { /* a part may contain air only in its halos */
        t.chunk = chunk_list_longest(list);
        list_chunks(t, list);
    }
    return listed;
}

/* Cost of the halo exchange in a cluster along x and along y, relative to the time of a tile. */
double exchange_of(const tile_cut &t)
{
    return 1.0 + (t.cluster[0] > 1 ? 0.02 : 0.0) + (t.cluster[1] > 1 ? 0.04 : 0.0);
}

} // namespace

double tile_chunks_guess(const tile_cut &t, const struct tile_kernel *k, int at_once, int nz)
{
    const int clusters = (int)t.columns.size() / (t.cluster[0] * t.cluster[1]);
    return ((double)clusters * nz / at_once + k->steps) * exchange_of(t);
}

int tile_launch_max(const cuda_state *s, const struct tile_kernel *k)
{
    return s->spare ? (int)s->spare - k->steps : (int)s->layout.points[2];
}

double tile_chunks_choose(tile_cut &t, const cuda_state *s, const struct tile_kernel *k, int at_once, int asked,
                          double to_beat)
{
    double cost;
    const int nz = (int)s->layout.points[2], clusters = (int)t.columns.size() / (t.cluster[0] * t.cluster[1]);
    const double exchange = exchange_of(t);
    t.slab = 0;
    t.chunks.clear();
    t.far_chunks = 0;
    t.chunk = s->spare ? slab_of(&t.slab, clusters, at_once, nz, k->steps, tile_launch_max(s, k), &cost)
                       : chunk_of(clusters, at_once, nz, k, s->problem->precision, &cost);
    if (asked) {
        t.chunk = asked;
        t.slab = s->spare ? tile_launch_max(s, k) / asked : 0;
        cost = cost_of_all(clusters, asked, at_once, nz, k, s->problem->precision);
    }
    if (!s->spare)
        cost = list_air(t, s, k, at_once, asked, cost, to_beat / exchange);
    return cost * exchange;
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

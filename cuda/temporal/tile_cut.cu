/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/tile_cut.cuh"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cuda/engine/device.cuh"

namespace
{

/* --- tiles of the (x, y) plane --- */

/* Positions of the clusters; a tile without neighbours is a cluster of one. */
struct cluster_grid {
    int width, height; /* points */
    int halo, stride;  /* halo columns before a cluster; distance in columns between clusters */
    int x_begin, across, along;
    int y_begin, rows;

    int first_row(int j) const
    {
        return y_begin + (along > 1 ? (int)((int64_t)j * (rows - height) / (along - 1)) : 0);
    }
};

/* Columns of a tile before the box of air (side 0) and after it (1). The lane at a tile's edge
 * has no neighbour: it has a column that is zero, or in which the 19-point kernel mirrors its
 * neighbours. */
int columns_beyond(const struct layout *l, const struct tile_kernel *k, int side)
{
    const bool mirrors = k->stencil == STENCIL_19_POINT && l->missing >> side & 1u;
    return k->halo_columns || mirrors ? 0 : 1;
}

/* Clusters overlap by their halo. Along x they begin at multiples of 16 bytes, as the copy
 * engine requires, and extend beyond the box of air. Along y the first begins and the last ends
 * at a wall of the box, where the kernel needs no halo. Points outside a cluster read as zero,
 * as a wall does. */
cluster_grid lay_clusters(const struct layout *l, const struct tile_kernel *k, const int cluster[2], int real)
{
    const int unit = 16 / real;
    const int x_end = (int)l->to[0] + columns_beyond(l, k, 1), last = (int)l->from[0] - columns_beyond(l, k, 0);
    cluster_grid g = {};
    g.width = cluster[0] * k->width;
    g.height = cluster[1] * k->height;
    g.halo = (k->steps + k->values - 1) / k->values * k->values;
    g.stride = (g.width - k->steps - g.halo) / unit * unit;
    g.x_begin = last - (last % unit + unit) % unit;
    g.across = g.along = 1;
    while (g.x_begin + (g.across - 1) * g.stride + g.width < x_end)
        g.across++;
    const int aligned = -(g.halo / unit * unit);
    if (aligned < g.x_begin && aligned + (g.across - 1) * g.stride + g.width >= x_end)
        g.x_begin = aligned; /* most writes then cover whole sectors */
    g.y_begin = (int)l->from[1];
    g.rows = (int)l->to[1] - g.y_begin;
    while (g.height + (g.along - 1) * (g.height - 2 * (k->steps - 1)) < g.rows)
        g.along++;
    return g;
}

/* Columns and rows that cluster (i, j) loads and writes. Before and after the box of air, only
 * points that share a thread with air are written. If two or more columns are loaded there, the
 * first takes its neighbour from the tile's other end, and the result of the 19-point kernel in
 * it is not zero. */
tile_column cluster_column(const cluster_grid &g, const struct layout *l, const struct tile_kernel *k, int i, int j)
{
    tile_column c = {};
    c.x = g.x_begin + i * g.stride;
    c.y = g.first_row(j);
    c.x0 = i ? c.x + g.halo : (int)l->from[0] / k->values * k->values;
    c.x1 = i + 1 < g.across ? c.x + g.stride + g.halo : (int)l->to[0];
    c.y0 = j ? c.y + k->steps - 1 : g.y_begin;
    c.y1 = j + 1 < g.along ? g.first_row(j + 1) + k->steps - 1 : (int)l->to[1];
    return c;
}

/* False: clusters overlap by more than a tile, so that first rows of tiles would not ascend. */
bool cut_plane(tile_cut &t, const struct layout *l, const struct tile_kernel *k, int real)
{
    const cluster_grid g = lay_clusters(l, k, t.cluster, real);
    t.across = g.across * t.cluster[0];
    t.along = g.along * t.cluster[1];
    t.columns.clear();
    if (g.along > 1 && (g.rows - g.height) / (g.along - 1) <= g.height - k->height)
        return false;
    for (int row = 0; row < t.along; row++)
        for (int tile_x = 0; tile_x < t.across; tile_x++) {
            const int x_in = tile_x % t.cluster[0], y_in = row % t.cluster[1]; /* position in the cluster */
            tile_column c = cluster_column(g, l, k, tile_x / t.cluster[0], row / t.cluster[1]);
            c.x += x_in * k->width;
            c.y += y_in * k->height;
            if (k->halo_columns) {
                c.x0 = std::max(c.x0, x_in ? c.x : 0);
                c.x1 = std::min(c.x1, c.x + k->width);
                c.y0 = std::max(c.y0, c.y);
                c.y1 = std::min(c.y1, c.y + k->height);
            }
            t.columns.push_back(c);
        }
    return true;
}

/* --- shapes of clusters --- */

struct shape {
    tile_cut cut; /* only columns are filled in */
    int at_once;  /* number of clusters */
    double guess; /* estimated cost */
};

/* Permitted shapes of clusters that fit, the likeliest first. */
std::vector<shape> list_shapes(const struct temporal_state *t, const cuda_state *s, const struct tile_kernel *k)
{
    const struct layout *l = &s->layout;
    const int real = (int)precision_bytes(s->problem->precision), rows = (int)(l->to[1] - l->from[1]);
    std::vector<shape> out;
    for (int blocks = 1; blocks <= (k->halo_columns ? (int)CLUSTER_MAX : 1); blocks++) {
        const int at_once = k->halo_columns ? k->at_once(blocks, shared_memory_max()) : multiprocessors();
        for (int x = 1; x <= blocks && at_once > 0; x++) {
            const int y = blocks / x;
            const bool asked =
                !t->tile_extent[0] || (x * k->width == t->tile_extent[0] && y * k->height == t->tile_extent[1]);
            shape one = {{}, at_once, 0.0};
            one.cut.cluster[0] = x;
            one.cut.cluster[1] = y;
            if (blocks % x || !asked || (y > 1 && y * k->height > rows) || !cut_plane(one.cut, l, k, real))
                continue;
            one.guess = tile_chunks_guess(one.cut, k, at_once, (int)l->points[2]);
            out.push_back(std::move(one));
        }
    }
    std::stable_sort(out.begin(), out.end(), [](const shape &a, const shape &b) { return a.guess < b.guess; });
    return out;
}

} // namespace

tile_cut tile_cut_best(const struct temporal_state *t, const cuda_state *s, const struct tile_kernel *k)
{
    double min = HUGE_VAL;
    tile_cut best = {};
    for (shape &one : list_shapes(t, s, k)) {
        const double cost = tile_chunks_choose(one.cut, s, k, one.at_once, t->tile_chunk, min);
        if (!best.columns.empty() && cost >= min)
            continue;
        min = cost;
        best = std::move(one.cut);
    }
    return best;
}

namespace
{

/* --- flags of planes --- */

/* Index of the last of `count` ascending tiles that begins at `at` or before; -1: none. */
template <typename FIRST> int last_from(int count, int at, FIRST first)
{
    int low = -1, high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (first(middle) <= at ? low : high) = middle;
    }
    return low;
}

/* Flags plane z in all tiles that compute points x .. x + SEGMENT - 1 of row y: they read the
 * map. */
void flag_segment(tile_cut &t, const struct tile_kernel *k, int x, int y, size_t z, size_t nz)
{
    const size_t across = (size_t)t.across;
    for (int j = last_from(t.along, y, [&](int tile) { return t.columns[(size_t)tile * across].y; }); j >= 0; j--) {
        if (t.columns[(size_t)j * across].y + k->height <= y)
            break;
        for (int i = last_from(t.across, x + SEGMENT - 1, [&](int tile) { return t.columns[(size_t)tile].x; }); i >= 0;
             i--) {
            if (t.columns[(size_t)i].x + k->width <= x)
                break;
            uint8_t &flag = t.flags[((size_t)j * across + (size_t)i) * nz + z];
            flag = (uint8_t)(flag | (flag & PLANE_OUTSIDE ? 0 : PLANE_MAP));
        }
    }
}

} // namespace

bool tile_cut_splits(const struct layout *l, const struct tile_kernel *k)
{
    const size_t values = (size_t)k->values;
    return k->stencil == STENCIL_19_POINT && l->to[0] % values != (l->missing & 2u ? 0 : values - 1);
}

/* Whether a tile of the 19-point stencil needs the code for arbitrary ends of the box of air,
 * apart from ends that split a thread's points: zeros before a fixed end in other thread's
 * points than the values before them, or zeros outside the first or last plane. */
bool any_ends(const struct layout *l, const struct tile_kernel *k)
{
    const size_t values = (size_t)k->values, nz = l->points[2];
    const bool x_min = l->missing & 1u || l->from[0] % values == 1;
    const bool z_min = l->missing & 16u || l->from[2] == 1, z_max = l->missing & 32u || l->to[2] + 1 == nz;
    return !x_min || !z_min || !z_max || ((l->missing & 48u) != 48u && nz <= 2 * (size_t)k->steps);
}

void tile_cut_flag(tile_cut &t, const struct layout *l, const struct tile_kernel *k, bool maps)
{
    const size_t nz = l->points[2];
    const bool corners = k->stencil == STENCIL_19_POINT; /* its kernel reads no map */
    t.flags.assign(t.columns.size() * nz, 0);
    for (size_t i = 0; i < t.columns.size(); i++) {
        const bool whole = t.columns[i].y + k->height <= (int)l->to[1]; /* no row beyond the wall */
        for (size_t z = 0; z < nz; z++)
            t.flags[i * nz + z] = (uint8_t)(z < l->from[2] || z >= l->to[2] ? (int)PLANE_OUTSIDE
                                                                            : (whole || corners ? 0 : PLANE_MAP) |
                                                                                  (z == l->from[2] ? PLANE_LOW : 0) |
                                                                                  (z + 1 == l->to[2] ? PLANE_HIGH : 0));
    }
    for (size_t i = 0; i < l->irregular_count && maps; i++) {
        const size_t row = l->irregular[i] / l->segments;
        flag_segment(t, k, (int)(l->irregular[i] % l->segments) * SEGMENT, (int)(row % l->points[1]),
                     row / l->points[1], nz);
    }
    for (size_t i = 0; i < t.columns.size(); i++)
        t.columns[i].map =
            corners ? t.columns[i].y + k->height > (int)l->to[1] || any_ends(l, k)
                    : std::any_of(t.flags.begin() + (ptrdiff_t)(i * nz), t.flags.begin() + (ptrdiff_t)((i + 1) * nz),
                                  [](uint8_t flag) { return flag & PLANE_MAP; });
}

/* --- drives and taps --- */

namespace
{

typedef std::pair<size_t, tile_event> planar_event; /* plane, event */

/* Adds the event of a point if the column contains it. */
void add_event(std::vector<planar_event> &found, const tile_column &column, const struct layout *l,
               const struct tile_kernel *k, uint64_t point, tile_event event)
{
    const uint64_t row = point / l->points[0];
    const int x = (int)(point % l->points[0]), y = (int)(row % l->points[1]);
    const bool made = x >= column.x && x < column.x + k->width && y >= column.y && y < column.y + k->height;
    const bool written = x >= column.x0 && x < column.x1 && y >= column.y0 && y < column.y1;
    if (event.tap ? !written : !made)
        return;
    event.row = (uint16_t)(y - column.y);
    event.x = (uint16_t)(x - column.x);
    const size_t z = (size_t)(row / l->points[1]);
    event.z = (uint32_t)z & 0x7fffffffu;
    found.push_back({z, event});
}

} // namespace

void tile_cut_list_events(tile_cut &t, const cuda_state *s, const struct tile_kernel *k)
{
    const struct layout *l = &s->layout;
    const std::vector<uint64_t> &tap_points = s->tap_history->points;
    const size_t nz = l->points[2];
    t.events_max = 0;
    for (size_t c = 0; c < t.columns.size(); c++) {
        std::vector<planar_event> found;
        for (size_t i = 0; i < s->drive_at.size(); i++)
            add_event(found, t.columns[c], l, k, s->drive_at[i],
                      {0, 0, 0, 0, s->drive_points[i].first, s->drive_points[i].end, s->drive_points[i].factor});
        for (size_t i = 0; i < tap_points.size(); i++)
            add_event(found, t.columns[c], l, k, tap_points[i], {0, 0, 1, 0, (uint32_t)i, 0, 0.0});
        std::stable_sort(found.begin(), found.end(),
                         [](const planar_event &a, const planar_event &b) { return a.first < b.first; });
        size_t next = 0;
        for (size_t z = 0; z <= nz; z++) {
            t.first_events.push_back((uint32_t)t.events.size());
            for (; z < nz && next < found.size() && found[next].first == z; next++) {
                t.events.push_back(found[next].second);
                t.flags[c * nz + z] |= PLANE_EVENT;
            }
        }
        t.events_max = std::max(t.events_max, found.size());
    }
}

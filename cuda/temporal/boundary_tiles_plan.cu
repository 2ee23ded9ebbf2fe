/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/boundary_tiles_plan.cuh"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>

#include "cuda/engine/in_parallel.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/temporal/tap_history.cuh"

extern "C" {
#include "base/stop.h"
}

namespace
{

struct planner {
    const cuda_state *s;
    int steps;
    const std::vector<branch_place> &places;
    const std::vector<size_t> &first_place, &first_irregular; /* [rows + 1]: of places; of segments of the layout */
    uint64_t loaded_max;                                      /* points that further tiles may load */
    std::vector<boundary_tile> shapes;                        /* a tile of each shape */
    std::unordered_map<std::string, uint32_t> shape_numbers;
    boundary_plan out;
};

/* A temporal block takes walls with branches for rigid ones and every point for a regular one. Wrong are then, in some
 * rows: */
struct wrong_points {
    point_set
        region; /* air within STEPS - 1 links of a wall with branches or of an irregular point: the boundary region */
    point_set
        solids; /* irregular points without air, within STEPS links of air: further away a temporal block leaves 0 */
    point_set air, beside_air; /* while they are found */
    int y, z;                  /* the row that is read */
};

void add_irregular(void *context, size_t x, size_t end, bool updated)
{
    wrong_points *w = (wrong_points *)context;
    (updated ? w->region : w->solids).add((int)x, (int)end, w->y, w->z);
}

/* Rows y0 .. y1 - 1 of plane z hold none of what is listed by row; first: [rows + 1]. */
template <typename INDEX> bool is_none(const std::vector<INDEX> &first, size_t ny, int y0, int y1, int z)
{
    return first[(size_t)z * ny + (size_t)y0] == first[(size_t)z * ny + (size_t)y1];
}

/* Finds those of some rows, and false where there are none. Points within STEPS links decide, so that as many more rows
 * are read. */
bool find_wrong(wrong_points &w, const planner &p, const row_window &rows)
{
    const cuda_state *s = p.s;
    const struct layout *l = &s->layout;
    const size_t ny = l->points[1];
    const bool diagonals = s->rows.stencil == STENCIL_19_POINT;
    const row_window read = widened(rows, p.steps, l->points);
    bool none = true;
    for (int z = read.z0; z < read.z1 && none; z++)
        none = is_none(p.first_place, ny, read.y0, read.y1, z) && is_none(p.first_irregular, ny, read.y0, read.y1, z);
    if (none)
        return false;
    w.region.clear(l->points, read);
    w.solids.clear(l->points, read);
    air_points(w.air, s, 0, read);
    w.beside_air = w.air;
    w.beside_air.widen(1, diagonals);
    for (int z = read.z0; z < read.z1; z++)
        for (int y = read.y0; y < read.y1; y++) {
            const size_t row = (size_t)z * ny + (size_t)y;
            for (size_t i = p.first_place[row]; i < p.first_place[row + 1]; i++) {
                const int x = (int)(p.places[i].at % l->pitch);
                w.region.add(x, x + 1, y, z);
            }
            w.y = y;
            w.z = z;
            if (p.first_irregular[row] < p.first_irregular[row + 1])
                layout_row_irregular(l, &s->rows, s->problem, row, add_irregular, &w);
        }
    w.solids.keep_only(w.beside_air);
    w.region.add(w.solids);
    w.region.widen(p.steps - 1, diagonals);
    w.solids.widen(p.steps - 1, diagonals);
    w.region.keep_only(w.air);
    w.solids.drop(w.air);
    return true;
}

void list_solids(planner &p, const point_set &solids, const row_window &rows)
{
    const struct layout *l = &p.s->layout;
    for (int z = rows.z0; z < rows.z1; z++)
        for (int y = rows.y0; y < rows.y1; y++)
            solids.each(y, z, [&](int x) {
                p.out.solids.push_back(((size_t)z * l->points[1] + (size_t)y) * l->pitch + (uint64_t)x);
            });
}

/* Removes points of some rows. */
void remove_box(point_set &points, const box &b, const row_window &rows)
{
    for (int z = std::max(b.low[2], rows.z0); z < std::min(b.high[2], rows.z1); z++)
        for (int y = std::max(b.low[1], rows.y0); y < std::min(b.high[1], rows.y1); y++)
            points.remove(b.low[0], b.high[0], y, z);
}

boundary_tile tile_of(const planner &p, const box &b)
{
    boundary_tile out = {};
    for (int axis = 0; axis < 3; axis++) {
        out.low[axis] = b.low[axis];
        out.high[axis] = b.high[axis];
        out.from[axis] = std::max(b.low[axis] - p.steps, 0);
        out.size[axis] = std::min(b.high[axis] + p.steps, (int)p.s->layout.points[axis]) - out.from[axis];
    }
    return out;
}

size_t points_of(const boundary_tile &b)
{
    return (size_t)b.size[0] * (size_t)b.size[1] * (size_t)b.size[2];
}

/* Calls for every point with branches that the tile loads. */
template <typename CALL> void each_wall(const planner &p, const boundary_tile &b, CALL call)
{
    const struct layout *l = &p.s->layout;
    for (int z = b.from[2]; z < b.from[2] + b.size[2]; z++)
        for (int y = b.from[1]; y < b.from[1] + b.size[1]; y++) {
            const size_t number = (size_t)z * l->points[1] + (size_t)y;
            const uint64_t row = number * l->pitch, begin = row + (uint64_t)b.from[0];
            const auto end = p.places.begin() + (ptrdiff_t)p.first_place[number + 1];
            auto place = std::lower_bound(p.places.begin() + (ptrdiff_t)p.first_place[number], end, begin,
                                          [](const branch_place &branch, uint64_t at) { return branch.at < at; });
            for (; place != end && place->at < begin + (uint64_t)b.size[0]; place++)
                call(*place, (int)(place->at - row), y, z);
        }
}

/* States of a tile's walls: a warp's are as many for each as for the one that has most. counts: by wall, sorted. */
uint32_t states_of(std::vector<uint32_t> &counts)
{
    uint32_t states = 0;
    std::sort(counts.begin(), counts.end(), std::greater<uint32_t>());
    for (size_t i = 0; i < counts.size(); i += WARP_WALLS)
        states += counts[i] * WARP_WALLS;
    return states;
}

bool fits_one(const planner &p, boundary_tile b)
{
    const size_t real = precision_bytes(p.s->problem->precision);
    std::vector<uint32_t> counts;
    const size_t values = (size_t)(b.size[0] + 2) * (size_t)(b.size[1] + 2) * (size_t)(b.size[2] + 2);
    if (values > BOUNDARY_TILE_VALUES_MAX || points_of(b) > BOUNDARY_TILE_POINTS_MAX)
        return false;
    each_wall(p, b, [&](const branch_place &place, int, int, int) {
        counts.push_back(p.s->rows.branches.kinds[place.kind].count);
    });
    b.wall_count = (uint32_t)counts.size();
    if (b.wall_count > BOUNDARY_TILE_THREADS)
        return false;
    b.states = states_of(counts);
    return boundary_tile_is_half(b, real) || b.states <= boundary_tile_states_max(real, false);
}

/* Equal for tiles of one shape. */
std::string shape_name(const boundary_tile &b)
{
    std::string name;
    for (int axis = 0; axis < 3; axis++)
        for (int extent : {b.size[axis], b.low[axis] - b.from[axis], b.high[axis] - b.low[axis]})
            name.push_back((char)extent); /* below 128 */
    return name;
}

/* The list of points of a new shape, along x first. */
void add_points(planner &p, const boundary_tile &b)
{
    const struct layout *l = &p.s->layout;
    const size_t end = p.out.points.size() + BOUNDARY_TILE_POINTS_MAX;
    for (int z = 0; z < b.size[2]; z++)
        for (int y = 0; y < b.size[1]; y++)
            for (int x = 0; x < b.size[0]; x++) {
                const int at[3] = {b.from[0] + x, b.from[1] + y, b.from[2] + z};
                p.out.points.push_back({(uint32_t)boundary_tile_value(b, at[0], at[1], at[2]) |
                                            (uint32_t)boundary_tile_halo(b, at[0], at[1], at[2]) << HALO_SHIFT,
                                        (uint32_t)(((size_t)z * l->points[1] + (size_t)y) * l->pitch + (size_t)x)});
            }
    p.out.points.resize(end, {(uint32_t)NO_POINT << HALO_SHIFT, 0});
}

uint32_t shape_of(planner &p, const boundary_tile &b)
{
    const auto entry = p.shape_numbers.insert({shape_name(b), (uint32_t)p.shapes.size()});
    if (entry.second)
        p.shapes.push_back(b);
    return entry.first->second;
}

void add_walls(planner &p, boundary_tile &b)
{
    const struct branch_kind *kinds = p.s->rows.branches.kinds;
    b.first_wall = (uint32_t)p.out.walls.size();
    each_wall(p, b, [&](const branch_place &place, int x, int y, int z) {
        p.out.walls.push_back({(uint32_t)place.first_state, place.kind, (uint16_t)boundary_tile_value(b, x, y, z),
                               (uint16_t)boundary_tile_halo(b, x, y, z), 0});
    });
    b.wall_count = (uint32_t)p.out.walls.size() - b.first_wall;
    std::stable_sort(p.out.walls.begin() + b.first_wall, p.out.walls.end(),
                     [&](const boundary_wall &one, const boundary_wall &other) {
                         return kinds[one.kind].count > kinds[other.kind].count;
                     });
    b.states = 0;
    for (uint32_t i = 0; i < b.wall_count; i++) {
        boundary_wall &wall = p.out.walls[b.first_wall + i];
        if (i % WARP_WALLS == 0 && i)
            b.states += kinds[p.out.walls[b.first_wall + i - WARP_WALLS].kind].count * WARP_WALLS;
        wall.states = b.states;
    }
    if (b.wall_count)
        b.states +=
            kinds[p.out.walls[b.first_wall + (b.wall_count - 1) / WARP_WALLS * WARP_WALLS].kind].count * WARP_WALLS;
}

void add_tile(planner &p, boundary_tile b)
{
    const cuda_state *s = p.s;
    b.shape = shape_of(p, b);
    p.out.fits = p.out.fits && p.shapes.size() <= BOUNDARY_TILE_SHAPES_MAX && points_of(b) <= p.loaded_max;
    p.loaded_max -= std::min<uint64_t>(points_of(b), p.loaded_max);
    add_walls(p, b);
    b.first_event = (uint32_t)p.out.events.size();
    const auto add = [&](uint64_t point, tile_event event) {
        const size_t *n = s->layout.points;
        const int x = (int)(point % n[0]), y = (int)(point / n[0] % n[1]), z = (int)(point / n[0] / n[1]),
                  at[3] = {x, y, z};
        for (int axis = 0; axis < 3; axis++)
            if (at[axis] < b.from[axis] || at[axis] >= b.from[axis] + b.size[axis])
                return;
        const int halo = boundary_tile_halo(b, x, y, z);
        if (!event.tap || !halo)
            p.out.events.push_back({event, (uint32_t)boundary_tile_value(b, x, y, z), (uint32_t)halo});
    };
    for (size_t i = 0; i < s->drive_at.size(); i++)
        add(s->drive_at[i], {0, 0, 0, 0, s->drive_points[i].first, s->drive_points[i].end, s->drive_points[i].factor});
    for (size_t i = 0; i < s->tap_history->points.size(); i++)
        add(s->tap_history->points[i], {0, 0, 1, 0, (uint32_t)i, 0, 0.0});
    b.event_count = (uint32_t)p.out.events.size() - b.first_event;
    p.out.tiles.push_back(b);
}

/* Plans the points of the region within a box: one tile, or the box in two, cut where the parts load the fewest
 * points: STEPS points from either end, which is the thickness of the region, or in the middle. */
void plan_box(planner &p, const point_set &region, box whole)
{
    if (!region.shrink(whole))
        return;
    const boundary_tile one = tile_of(p, whole);
    if (fits_one(p, one)) {
        add_tile(p, one);
        return;
    }
    box best[2] = {};
    size_t points_min = SIZE_MAX;
    for (int axis = 0; axis < 3; axis++)
        for (const int cut :
             {whole.low[axis] + p.steps, (whole.low[axis] + whole.high[axis]) / 2, whole.high[axis] - p.steps}) {
            box parts[2] = {whole, whole};
            size_t points = 0;
            if (cut <= whole.low[axis] || cut >= whole.high[axis])
                continue;
            parts[0].high[axis] = parts[1].low[axis] = cut;
            for (box part : parts)
                points += region.shrink(part) ? points_of(tile_of(p, part)) : 0;
            if (points < points_min) {
                points_min = points;
                best[0] = parts[0];
                best[1] = parts[1];
            }
        }
    p.out.fits = p.out.fits && points_min < SIZE_MAX;
    for (int part = 0; part < 2 && p.out.fits; part++)
        plan_box(p, region, best[part]);
}

/* Index of each row's first entry of a list; [rows + 1]. */
template <typename ENTRY, typename ROW>
std::vector<size_t> first_of_rows(const ENTRY *entries, size_t count, size_t rows, ROW row_of)
{
    std::vector<size_t> first(rows + 1, 0);
    for (size_t i = 0; i < count; i++)
        first[row_of(entries[i]) + 1]++;
    for (size_t row = 0; row < rows; row++)
        first[row + 1] += first[row];
    return first;
}

/* Appends what another planner found in boxes after those of p: the same plan as if p had found it. */
void append(planner &p, const planner &next)
{
    const uint32_t walls = (uint32_t)p.out.walls.size(), events = (uint32_t)p.out.events.size();
    std::vector<uint32_t> shape;
    for (const boundary_tile &b : next.shapes)
        shape.push_back(shape_of(p, b));
    for (boundary_tile b : next.out.tiles) {
        p.out.fits = p.out.fits && points_of(b) <= p.loaded_max;
        p.loaded_max -= std::min<uint64_t>(points_of(b), p.loaded_max);
        b.shape = shape[b.shape];
        b.first_wall += walls;
        b.first_event += events;
        p.out.tiles.push_back(b);
    }
    p.out.walls.insert(p.out.walls.end(), next.out.walls.begin(), next.out.walls.end());
    p.out.events.insert(p.out.events.end(), next.out.events.begin(), next.out.events.end());
    p.out.fits = p.out.fits && next.out.fits && p.shapes.size() <= BOUNDARY_TILE_SHAPES_MAX;
}

/* Rows of the grid in squares as wide as a tile can be without its halos, each planned by itself. */
struct squares {
    int side, across, count;
    int points[3];

    squares(const size_t n[3], int steps) : side(32 - 2 * steps), points{(int)n[0], (int)n[1], (int)n[2]}
    {
        across = (points[1] + side - 1) / side;
        count = across * ((points[2] + side - 1) / side);
    }
    row_window rows_of(int square) const
    {
        const int y = square % across * side, z = square / across * side;
        return {y, std::min(y + side, points[1]), z, std::min(z + side, points[2])};
    }
};

/* The wall tiles that write points of each square. */
std::vector<std::vector<uint32_t>> tiles_of_squares(const squares &all, const wall_tile_plan &plan, int steps)
{
    std::vector<std::vector<uint32_t>> of((size_t)all.count);
    for (size_t i = 0; i < plan.tiles.size(); i++) {
        const box b = wall_tile_written(plan.tiles[i], steps);
        for (int z = b.low[2] / all.side; z <= (b.high[2] - 1) / all.side; z++)
            for (int y = b.low[1] / all.side; y <= (b.high[1] - 1) / all.side; y++)
                of[(size_t)(z * all.across + y)].push_back((uint32_t)i);
    }
    return of;
}

/* The points of a square's rows that are wrong. */
void plan_square(planner &p, wrong_points &w, const squares &all, int square, const wall_tile_plan &wall_tiles,
                 const std::vector<uint32_t> &its_tiles)
{
    const row_window rows = all.rows_of(square);
    if (!find_wrong(w, p, rows))
        return;
    list_solids(p, w.solids, rows);
    for (uint32_t i : its_tiles)
        remove_box(w.region, wall_tile_written(wall_tiles.tiles[i], p.steps), rows);
    for (int x = 0; x < all.points[0] && p.out.fits; x += all.side)
        plan_box(p, w.region, {{x, rows.y0, rows.z0}, {std::min(x + all.side, all.points[0]), rows.y1, rows.z1}});
}

/* Appends the lists of points of all squares. */
void append_solids(std::vector<uint64_t> &to, const std::vector<planner> &parts)
{
    std::vector<size_t> first(1, 0);
    for (const planner &part : parts)
        first.push_back(first.back() + part.out.solids.size());
    to.resize(first.back());
    in_parallel(parts.size(), 16, [&](size_t i) {
        std::copy(parts[i].out.solids.begin(), parts[i].out.solids.end(), to.begin() + (ptrdiff_t)first[i]);
    });
}

} // namespace

void boundary_plan_make(boundary_plan *plan, const cuda_state *s, const std::vector<branch_place> &places, int steps,
                        uint64_t loaded_max)
{
    const struct layout *l = &s->layout;
    const std::vector<size_t> first_place = first_of_rows(
        places.data(), places.size(), s->rows.count, [&](const branch_place &place) { return place.at / l->pitch; });
    const std::vector<size_t> first_irregular = first_of_rows(l->irregular, l->irregular_count, s->rows.count,
                                                              [&](uint64_t segment) { return segment / l->segments; });
    const planner none = {
        s, steps, places, first_place, first_irregular, loaded_max, {}, {}, {{}, {}, {}, true, {}, {}, {}}};
    planner p = none;
    p.out.wall_tiles = wall_tile_plan_make(s, steps, places, first_place);
    const squares all(l->points, steps);
    const std::vector<std::vector<uint32_t>> wall_tiles = tiles_of_squares(all, p.out.wall_tiles, steps);
    std::vector<planner> parts((size_t)all.count, none);
    in_parallel_with(
        parts.size(), 1, [] { return wrong_points(); },
        [&](wrong_points &w, size_t i) {
            if (!stop_requested())
                plan_square(parts[i], w, all, (int)i, p.out.wall_tiles, wall_tiles[i]);
        });
    for (const planner &part : parts)
        append(p, part);
    append_solids(p.out.solids, parts);
    for (size_t i = 0; i < p.shapes.size() && p.out.fits && !stop_requested(); i++)
        add_points(p, p.shapes[i]);
    p.out.fits = p.out.fits && !stop_requested();
    /* the largest first: they bound the time */
    std::stable_sort(p.out.tiles.begin(), p.out.tiles.end(), [](const boundary_tile &a, const boundary_tile &b) {
        return points_of(a) + a.wall_count > points_of(b) + b.wall_count;
    });
    *plan = std::move(p.out);
}

#include "cuda/temporal/boundary_tiles_plan.cuh"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>

#include "cuda/engine/in_parallel.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/temporal/tap_history.cuh"

namespace
{

struct planner {
    const cuda_state *s;
    int steps;
    const std::vector<branch_place> &places;
    const std::vector<size_t> &first_place; /* [rows + 1] */
    uint64_t loaded_max;                    /* points that further tiles may load */
    std::vector<boundary_tile> shapes;      /* a tile of each shape */
    std::unordered_map<std::string, uint32_t> shape_numbers;
    boundary_plan out;
};

/* A temporal block takes walls with branches for rigid ones and every point for a regular one. Wrong are then: */
struct wrong_points {
    int ny;
    point_set
        region; /* air within STEPS - 1 links of a wall with branches or of an irregular point: the boundary region */
    point_set
        solids; /* irregular points without air, within STEPS links of air: further away a temporal block leaves 0 */
};

void add_point(point_set &points, size_t x, size_t row, int ny)
{
    points.add((int)x, (int)x + 1, (int)(row % (size_t)ny), (int)(row / (size_t)ny));
}

void add_irregular(void *context, size_t x, size_t row, bool updated)
{
    wrong_points *w = (wrong_points *)context;
    add_point(updated ? w->region : w->solids, x, row, w->ny);
}

int find_wrong(wrong_points &w, const planner &p, struct error *e)
{
    const cuda_state *s = p.s;
    const struct layout *l = &s->layout;
    const bool diagonals = s->rows.stencil == STENCIL_19_POINT;
    const point_set air = air_points(s, 0);
    point_set beside_air = air;
    beside_air.widen(1, diagonals);
    for (const branch_place &place : p.places)
        add_point(w.region, place.at % l->pitch, place.at / l->pitch, w.ny);
    if (layout_each_irregular(l, &s->rows, s->problem, add_irregular, &w, e))
        return -1;
    w.solids.keep_only(beside_air);
    w.region.add(w.solids);
    w.region.widen(p.steps - 1, diagonals);
    w.solids.widen(p.steps - 1, diagonals);
    w.region.keep_only(air);
    w.solids.drop(air);
    return 0;
}

void list_solids(planner &p, const point_set &solids)
{
    const struct layout *l = &p.s->layout;
    std::vector<std::vector<uint64_t>> planes(l->points[2]);
    in_parallel(planes.size(), 1, [&](size_t z) {
        for (size_t y = 0; y < l->points[1]; y++)
            solids.each((int)y, (int)z,
                        [&](int x) { planes[z].push_back((z * l->points[1] + y) * l->pitch + (uint64_t)x); });
    });
    for (const std::vector<uint64_t> &plane : planes)
        p.out.solids.insert(p.out.solids.end(), plane.begin(), plane.end());
}

void remove_box(point_set &points, const box &b)
{
    for (int z = b.low[2]; z < b.high[2]; z++)
        for (int y = b.low[1]; y < b.high[1]; y++)
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

/* Index of each row's first place; [rows + 1]. */
std::vector<size_t> first_of_rows(const std::vector<branch_place> &places, const struct layout *l)
{
    std::vector<size_t> first(l->points[1] * l->points[2] + 1, 0);
    for (const branch_place &place : places)
        first[place.at / l->pitch + 1]++;
    for (size_t row = 0; row + 1 < first.size(); row++)
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

} // namespace

int boundary_plan_make(boundary_plan *plan, const cuda_state *s, int steps, uint64_t loaded_max, struct error *e)
{
    const std::vector<branch_place> places = branches_places(&s->rows, s->layout.pitch);
    const std::vector<size_t> first_place = first_of_rows(places, &s->layout);
    planner p = {s, steps, places, first_place, loaded_max, {}, {}, {{}, {}, {}, true, {}, {}, {}}};
    wrong_points w = {(int)s->layout.points[1], point_set(s->layout.points), point_set(s->layout.points)};
    if (find_wrong(w, p, e))
        return -1;
    point_set &region = w.region;
    list_solids(p, w.solids);
    p.out.wall_tiles = wall_tile_plan_make(s, steps, p.places);
    for (const wall_tile &one : p.out.wall_tiles.tiles)
        remove_box(region, wall_tile_written(one, steps));
    const int side = 32 - 2 * steps; /* with its halos as wide as a warp */
    const int n[3] = {(int)s->layout.points[0], (int)s->layout.points[1], (int)s->layout.points[2]};
    const int across = (n[1] + side - 1) / side;
    const planner none = {s, steps, places, first_place, loaded_max, {}, {}, {{}, {}, {}, true, {}, {}, {}}};
    std::vector<planner> rows((size_t)across * (size_t)((n[2] + side - 1) / side), none); /* of boxes along x */
    in_parallel(rows.size(), 1, [&](size_t row) {
        const int y = (int)row % across * side, z = (int)row / across * side;
        for (int x = 0; x < n[0] && rows[row].out.fits; x += side)
            plan_box(rows[row], region,
                     {{x, y, z}, {std::min(x + side, n[0]), std::min(y + side, n[1]), std::min(z + side, n[2])}});
    });
    for (const planner &row : rows)
        append(p, row);
    for (size_t i = 0; i < p.shapes.size() && p.out.fits; i++)
        add_points(p, p.shapes[i]);
    /* the largest first: they bound the time */
    std::stable_sort(p.out.tiles.begin(), p.out.tiles.end(), [](const boundary_tile &a, const boundary_tile &b) {
        return points_of(a) + a.wall_count > points_of(b) + b.wall_count;
    });
    *plan = std::move(p.out);
    return 0;
}

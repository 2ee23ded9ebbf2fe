/* SPDX-License-Identifier: MIT */
/* The tiling plans of the boundary region (cuda/temporal/boundary_tiles_plan.cu, wall_tiles_plan.cu), made on the
 * host, in random rooms: a tile writes the states of every point with branches; every point that a temporal block
 * computes wrong is written by a tile or cleared; no boundary tile exceeds the limits of its kernel; points of a wall
 * tile are as flat and plain as its kernel requires. */
#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <setjmp.h>
#include <vector>

extern "C" {
#include "base/random.h"
#include "support/plane_codes.h"
#include "validate/scene/scene.h"
}
#include "cuda/engine/state.cuh"
#include "cuda/temporal/boundary_region.cuh"
#include "cuda/temporal/boundary_tiles_plan.cuh"
#include "cuda/temporal/tap_history.cuh"

extern "C" {
#include <cmocka.h>
}

enum { ROOMS = 60, LONGEST = 70 };

/* A scene in the engine's form. */
struct laid {
    scene s;
    cuda_state state;
    tap_history taps;
};

static void lay_out(laid *l)
{
    struct error e;
    l->state.problem = &l->s.problem;
    l->state.tap_history = &l->taps;
    assert_int_equal(scene_voxels(&l->s, &e), 0);
    assert_int_equal(rows_make(&l->state.rows, &l->s.problem, &e), 0);
    assert_int_equal(layout_make(&l->state.layout, &l->state.rows, &l->s.problem, &e), 0);
}

static std::vector<branch_place> places_of(const laid &l)
{
    return branches_places(&l.state.rows, l.state.layout.pitch);
}

static void drop(laid *l)
{
    layout_free(&l->state.layout);
    rows_free(&l->state.rows);
    scene_free(&l->s);
}

struct coverage {
    std::vector<int> written;     /* by how many tiles, by point */
    std::map<uint64_t, int> kept; /* its states: by the first */
};

static size_t index_of(const laid &l, const int at[3])
{
    const size_t *n = l.s.problem.points;
    for (int axis = 0; axis < 3; axis++)
        assert_true(at[axis] >= 0 && at[axis] < (int)n[axis]);
    return ((size_t)at[2] * n[1] + (size_t)at[1]) * n[0] + (size_t)at[0];
}

static bool has_corners(const laid &l)
{
    return l.s.leapfrog.stencil == STENCIL_19_POINT;
}

/* Pattern of a point of the 19-point stencil at a flat wall. */
static unsigned flat_pattern(int face)
{
    unsigned pattern = 0;
    for (int voxel = 0; voxel < 8; voxel++)
        pattern |= (unsigned)((voxel >> face / 2 & 1) != face % 2) << voxel;
    return pattern;
}

/* Except at the wall, the kernel assumes air with all links and no drive at every point, and writes no taps. */
static void check_wall_tile(const laid &l, const wall_tile &one, const wall_tile_plan &plan,
                            const std::map<uint64_t, branch_place> &places, const std::vector<point_code> &codes,
                            coverage &c, int steps)
{
    const int axis = one.face / 2, line_axis = wall_tile_line_axis(one.face), lane_axis = wall_tile_lane_axis(one.face);
    const size_t *n = l.s.problem.points;
    const layout &layout = l.state.layout;
    const bool corners = has_corners(l);
    const auto is_in = [](const std::vector<uint64_t> &list, uint64_t point) {
        return std::find(list.begin(), list.end(), point) != list.end();
    };
    assert_true(one.first_lane >= steps && one.end_lane <= WALL_TILE_LANES - steps && one.first_lane < one.end_lane &&
                one.lines > 2 * steps);
    if (lane_axis == 0) /* whole vectors are loaded */
        assert_true(one.from[0] % 4 == 0 && one.from[0] >= 0 && one.from[0] + WALL_TILE_LANES <= (int)layout.pitch);
    for (int line = 0; line < one.lines; line++)
        for (int lane = 0; lane < WALL_TILE_LANES; lane++)
            for (int depth = 0; depth < 2 * steps; depth++) {
                int at[3];
                at[axis] = one.from[axis] + (one.face % 2 ? -depth : depth);
                at[line_axis] = one.from[line_axis] + line;
                at[lane_axis] = one.from[lane_axis] + lane;
                const bool beyond = lane_axis == 0 && at[0] >= (int)n[0]; /* what fills a row up is only loaded */
                const bool steps_it = line >= 1 && line < one.lines - 1 && lane > one.first_lane - steps &&
                                      lane < one.end_lane - 1 + steps && depth < 2 * steps - 1;
                const bool writes_it = line >= steps && line < one.lines - steps && lane >= one.first_lane &&
                                       lane < one.end_lane && depth < steps;
                assert_false(beyond && steps_it);
                if (beyond)
                    continue;
                const size_t point = index_of(l, at);
                if (!steps_it)
                    continue;
                const point_kind kind = layout.codes[codes[point]];
                assert_int_equal(kind.links, corners ? (depth ? PATTERN_ALL : flat_pattern(one.face)) : depth ? 6 : 5);
                assert_true(kind.updated && kind.weight == 0.0);
                assert_false(is_in(l.state.drive_at, point));
                assert_int_equal(places.count(point), !depth);
                if (!depth) {
                    const branch_place &place = places.at(point);
                    assert_int_equal(place.kind, one.kind);
                    assert_int_equal(place.first_state,
                                     plan.first_states[one.states + (size_t)line * WALL_TILE_LANES + (size_t)lane]);
                    int behind[3] = {at[0], at[1], at[2]}; /* the missing neighbour is the one behind */
                    behind[axis] += one.face % 2 ? 1 : -1;
                    assert_true(corners || behind[axis] < 0 || behind[axis] >= (int)n[axis] ||
                                l.s.cells[index_of(l, behind)] >= CELL_SOLID);
                    c.kept[place.first_state] += writes_it;
                }
                if (writes_it) {
                    assert_false(is_in(l.taps.points, point));
                    c.written[point]++;
                }
            }
    const box b = wall_tile_written(one, steps);
    assert_int_equal(b.high[axis] - b.low[axis], steps);
    assert_int_equal(b.low[line_axis], one.from[line_axis] + steps);
    assert_int_equal(b.high[line_axis] - b.low[line_axis], one.lines - 2 * steps);
    assert_int_equal(b.low[lane_axis], one.from[lane_axis] + one.first_lane);
    assert_int_equal(b.high[lane_axis] - b.low[lane_axis], one.end_lane - one.first_lane);
}

/* Links from each point to the nearest of these, at most links_max; links_max + 1: further away. */
static std::vector<int> distances(const laid &l, const std::vector<uint8_t> &from, int links_max)
{
    const size_t *n = l.s.problem.points;
    const int axes_max = has_corners(l) ? 2 : 1;
    std::vector<int> far(from.size());
    for (size_t i = 0; i < far.size(); i++)
        far[i] = from[i] ? 0 : links_max + 1;
    for (int distance = 0; distance < links_max; distance++)
        for (size_t i = 0; i < far.size(); i++)
            for (int other = 0; other < 27 && far[i] == distance; other++) {
                const int to[3] = {(int)(i % n[0]) + other % 3 - 1, (int)(i / n[0] % n[1]) + other / 3 % 3 - 1,
                                   (int)(i / n[0] / n[1]) + other / 9 - 1};
                const int axes = (other % 3 != 1) + (other / 3 % 3 != 1) + (other / 9 != 1);
                if (axes <= axes_max && to[0] >= 0 && to[1] >= 0 && to[2] >= 0 && to[0] < (int)n[0] &&
                    to[1] < (int)n[1] && to[2] < (int)n[2])
                    far[index_of(l, to)] = std::min(far[index_of(l, to)], distance + 1);
            }
    return far;
}

/* Whether a temporal block computes the point correctly within the box of air. */
static bool is_regular(const layout &l, const point_kind &kind, const size_t at[3])
{
    unsigned state = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < l.from[axis] || at[axis] >= l.to[axis])
            return !kind.updated;
        state |= (unsigned)(at[axis] == l.from[axis]) << (2 * axis) | (unsigned)(at[axis] + 1 == l.to[axis])
                                                                          << (2 * axis + 1);
    }
    const point_kind box = l.states[state & l.missing];
    return kind.updated && kind.links == box.links && kind.weight == box.weight;
}

static bool in_box(const layout &l, const size_t at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < l.from[axis] || at[axis] >= l.to[axis])
            return false;
    return true;
}

/* A boundary tile adds the drives of all points that it loads, and records the taps of those that it writes. */
static void check_events(const laid &l, const boundary_tile &b, const boundary_plan &plan, std::vector<int> &heard)
{
    size_t drives = 0, taps = 0;
    const auto place_of = [&](uint64_t point, int at[3]) {
        const size_t *n = l.s.problem.points;
        at[0] = (int)(point % n[0]);
        at[1] = (int)(point / n[0] % n[1]);
        at[2] = (int)(point / n[0] / n[1]);
    };
    const auto within = [](const int at[3], const int32_t low[3], const int32_t size[3]) {
        for (int axis = 0; axis < 3; axis++)
            if (at[axis] < low[axis] || at[axis] >= low[axis] + size[axis])
                return false;
        return true;
    };
    const int32_t writes[3] = {b.high[0] - b.low[0], b.high[1] - b.low[1], b.high[2] - b.low[2]};
    int at[3];
    for (uint32_t i = b.first_event; i < b.first_event + b.event_count; i++) {
        const boundary_event &e = plan.events[i];
        if (e.event.tap) {
            place_of(l.taps.points[e.event.first], at);
            assert_true(within(at, b.low, writes));
            heard[e.event.first]++;
            taps++;
        } else {
            bool found = false;
            for (size_t k = 0; k < l.state.drive_at.size() && !found; k++) {
                place_of(l.state.drive_at[k], at);
                found = e.event.first == l.state.drive_points[k].first && within(at, b.from, b.size) &&
                        (int)e.at == boundary_tile_value(b, at[0], at[1], at[2]);
            }
            assert_true(found);
            drives++;
        }
        assert_int_equal(e.at, boundary_tile_value(b, at[0], at[1], at[2]));
        assert_int_equal(e.halo, boundary_tile_halo(b, at[0], at[1], at[2]));
    }
    for (uint64_t drive : l.state.drive_at) {
        place_of(drive, at);
        drives -= within(at, b.from, b.size);
    }
    for (uint64_t point : l.taps.points) {
        place_of(point, at);
        taps -= within(at, b.low, writes);
    }
    assert_int_equal(drives, 0);
    assert_int_equal(taps, 0);
}

template <typename CALL> static bool face_has(const boundary_tile &b, int face, CALL wanted)
{
    int low[3], high[3], at[3];
    std::copy_n(b.low, 3, low);
    std::copy_n(b.high, 3, high);
    low[face / 2] = face % 2 ? high[face / 2] - 1 : low[face / 2];
    high[face / 2] = low[face / 2] + 1;
    for (at[2] = low[2]; at[2] < high[2]; at[2]++)
        for (at[1] = low[1]; at[1] < high[1]; at[1]++)
            for (at[0] = low[0]; at[0] < high[0]; at[0]++)
                if (wanted(at))
                    return true;
    return false;
}

/* States of a tile's walls in shared memory overlap nowhere, and lie within those that the kernel has room for. */
static void check_states(const laid &l, const boundary_tile &b, const boundary_plan &plan)
{
    std::vector<int> used(b.states, 0);
    for (uint32_t i = 0; i < b.wall_count; i++) {
        const boundary_wall &wall = plan.walls[b.first_wall + i];
        for (uint32_t m = 0; m < l.state.rows.branches.kinds[wall.kind].count; m++) {
            const uint32_t at = wall.states + m * WARP_WALLS + i % WARP_WALLS;
            assert_true(at < b.states && !used[at]++);
        }
    }
}

/* A boundary tile may write a point of a wall tile, too, with the same value. */
static void check_plan(const laid &l, const boundary_plan &plan, int steps)
{
    const size_t *n = l.s.problem.points, pitch = l.state.layout.pitch;
    coverage c = {std::vector<int>(n[0] * n[1] * n[2], 0), {}};
    std::vector<int> &written = c.written;
    std::map<uint64_t, int> &kept = c.kept;
    std::map<uint64_t, branch_place> places;
    std::vector<point_code> codes(n[0] * n[1] * n[2]), plane(pitch * n[1]);
    for (const branch_place &place : branches_places(&l.state.rows, pitch))
        assert_true(places.insert({place.at / pitch * n[0] + place.at % pitch, place}).second);
    for (size_t z = 0; z < n[2]; z++) {
        plane_codes(&l.state.layout, &l.state.rows, &l.s.problem, z, plane.data());
        for (size_t y = 0; y < n[1]; y++)
            std::copy_n(plane.begin() + (ptrdiff_t)(y * pitch), n[0],
                        codes.begin() + (ptrdiff_t)((z * n[1] + y) * n[0]));
    }
    for (const wall_tile &one : plan.wall_tiles.tiles)
        check_wall_tile(l, one, plan.wall_tiles, places, codes, c, steps);
    for (int count : written)
        assert_true(count <= 1); /* wall tiles do not overlap */
    std::vector<int> by_boundary_tiles(written.size(), 0), heard(l.taps.points.size(), 0);
    std::map<uint64_t, int> kept_by_boundary_tiles;
    for (const boundary_tile &b : plan.tiles) {
        assert_true((size_t)b.size[0] * b.size[1] * b.size[2] <= BOUNDARY_TILE_POINTS_MAX);
        assert_true((size_t)(b.size[0] + 2) * (b.size[1] + 2) * (b.size[2] + 2) <= BOUNDARY_TILE_VALUES_MAX);
        assert_true(b.wall_count <= BOUNDARY_TILE_THREADS);
        const size_t real = precision_bytes(l.s.problem.precision);
        assert_true(boundary_tile_is_half(b, real) || b.states <= boundary_tile_states_max(real, false));
        check_states(l, b, plan);
        for (int axis = 0; axis < 3; axis++) { /* a halo, but at the edges of the grid */
            assert_true(b.from[axis] == 0 || b.low[axis] - b.from[axis] == steps);
            assert_true(b.from[axis] + b.size[axis] == (int)n[axis] ||
                        b.from[axis] + b.size[axis] - b.high[axis] == steps);
        }
        for (int z = b.low[2]; z < b.high[2]; z++)
            for (int y = b.low[1]; y < b.high[1]; y++)
                for (int x = b.low[0]; x < b.high[0]; x++)
                    by_boundary_tiles[((size_t)z * n[1] + y) * n[0] + x]++;
        for (uint32_t i = b.first_wall; i < b.first_wall + b.wall_count; i++)
            kept_by_boundary_tiles[plan.walls[i].first_state] += plan.walls[i].halo == 0;
        check_events(l, b, plan, heard);
    }
    for (const auto &place : places) {
        const uint64_t state = place.second.first_state;
        assert_true(kept_by_boundary_tiles[state] <= 1 && kept_by_boundary_tiles[state] + kept[state] >= 1);
    }
    std::vector<uint8_t> wrong(codes.size()), updated(codes.size()), cleared(codes.size());
    const auto at_of = [&](size_t point, size_t at[3]) {
        at[0] = point % n[0];
        at[1] = point / n[0] % n[1];
        at[2] = point / n[0] / n[1];
    };
    size_t at[3];
    for (size_t point = 0; point < codes.size(); point++) {
        at_of(point, at);
        wrong[point] = places.count(point) || !is_regular(l.state.layout, l.state.layout.codes[codes[point]], at);
        updated[point] = codes[point] != 0;
    }
    for (uint64_t solid : plan.solids)
        cleared[solid / pitch * n[0] + solid % pitch]++;
    const std::vector<int> from_wrong = distances(l, wrong, steps), from_air = distances(l, updated, steps);
    for (size_t point = 0; point < codes.size(); point++) {
        at_of(point, at);
        assert_true(by_boundary_tiles[point] <= 1);
        if (updated[point]) {
            assert_false(cleared[point]);
            if (from_wrong[point] < steps)
                assert_true(by_boundary_tiles[point] + written[point] >= 1);
            for (size_t i = 0; i < heard.size() && from_wrong[point] < steps; i++)
                assert_true(l.taps.points[i] != point || heard[i] == 1);
        } else if (in_box(l.state.layout, at) &&
                   from_air[point] <= steps) { /* the temporal block writes what spread from air */
            assert_int_equal(cleared[point], 1);
        } else if (from_air[point] > steps) {
            assert_int_equal(cleared[point], 0);
        }
    }
    const auto wanted = [&](const int at[3]) {
        const size_t point = ((size_t)at[2] * n[1] + (size_t)at[1]) * n[0] + (size_t)at[0];
        return updated[point] && from_wrong[point] < steps && !written[point];
    };
    for (const boundary_tile &b : plan.tiles) /* no larger than necessary */
        for (int face = 0; face < FACES; face++)
            assert_true(face_has(b, face, wanted));
}

/* Depths that the tiles of a stencil are made for. */
static int steps_min(const laid &l)
{
    return has_corners(l) ? 2 : 3;
}

static int steps_max(const laid &l)
{
    return has_corners(l) ? 3 : 5;
}

static void expect_random_rooms_covered(bool corners)
{
    struct random r = {getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : random_fresh_seed()};
    size_t boundary_tiles = 0;
    print_message("seed %llu\n", (unsigned long long)r.state);
    for (int room = 0; room < ROOMS; room++) {
        laid l = {};
        struct error e;
        assert_int_equal(
            scene_random(&l.s, random_between(&r, 4, LONGEST), room % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE, &r, &e),
            0);
        if (corners)
            scene_use_corners(&l.s);
        lay_out(&l);
        for (int steps = steps_min(l); steps <= steps_max(l); steps++) {
            boundary_plan plan;
            boundary_plan_make(&plan, &l.state, places_of(l), steps, UINT64_MAX);
            boundary_tiles += plan.tiles.size();
            if (plan.fits)
                check_plan(l, plan, steps);
        }
        drop(&l);
    }
    assert_true(boundary_tiles > ROOMS);
}

static void boundary_tiles_cover_the_boundary_region_of_random_rooms(void **)
{
    expect_random_rooms_covered(false);
}

static void boundary_tiles_cover_the_boundary_region_of_random_rooms_on_corners(void **)
{
    expect_random_rooms_covered(true);
}

/* Boxes of walls with branches and a few blocks in them, with sources and receivers, some of them at the walls. */
static void expect_flat_walls_covered(bool corners)
{
    size_t seen = 0;
    struct random r = {getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : random_fresh_seed()};
    print_message("seed %llu\n", (unsigned long long)r.state);
    for (int room = 0; room < 24; room++) {
        laid l = {};
        struct error e;
        const size_t n[3] = {random_between(&r, 26, 80), random_between(&r, 26, 80), random_between(&r, 26, 80)};
        size_t wall_tiles = 0, flat = 0;
        assert_int_equal(scene_box(&l.s, n[0], n[1], n[2], room % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE, &e), 0);
        for (int material = 0; material < 2; material++)
            scene_random_branches(&l.s, material, room % 3 ? 6 : 12, &r);
        for (int block = 0; block < room % 4; block++) {
            size_t from[3], to[3];
            for (int axis = 0; axis < 3; axis++) {
                from[axis] = random_between(&r, 0, n[axis] - 5);
                to[axis] = random_between(&r, from[axis] + 1, n[axis]);
                if (to[axis] > from[axis] + 25)
                    to[axis] = from[axis] + 25;
            }
            scene_fill(&l.s, from, to, (uint8_t)random_between(&r, CELL_FIXED, CELL_SOLID + 1));
        }
        if (corners)
            scene_use_corners(&l.s);
        lay_out(&l);
        const size_t *points = l.s.problem.points;
        for (int i = 0; i < 4; i++) {
            l.state.drive_at.push_back(scene_air_point(&l.s, &r) / points[0] * points[0] +
                                       random_between(&r, 0, 9)); /* near x_min */
            l.state.drive_points.push_back({0, 0, (uint32_t)i, (uint32_t)i + 1, 1.0});
            l.taps.points.push_back(scene_air_point(&l.s, &r) % (points[0] * points[1]) +
                                    random_between(&r, 0, 5) * points[0] * points[1]); /* near z_min */
        }
        for (int steps = steps_min(l); steps <= steps_max(l); steps++) {
            boundary_plan plan;
            boundary_plan_make(&plan, &l.state, places_of(l), steps, UINT64_MAX);
            assert_true(plan.fits);
            check_plan(l, plan, steps);
            wall_tiles += plan.wall_tiles.tiles.size();
            for (const wall_tile &one : plan.wall_tiles.tiles)
                flat += (size_t)(one.lines - 2 * steps) * (size_t)(one.end_lane - one.first_lane);
        }
        if (room % 4 == 0 && n[0] >= 40 && n[1] >= 40 && n[2] >= 40 &&
            l.s.leapfrog.branch_count[CELL_SOLID] <= WALL_TILE_BRANCHES_MAX) /* nothing in it */
            assert_true(flat > 3 * l.state.rows.branches.point_count / 4); /* a fourth at least by each of the three */
        seen += wall_tiles;
        drop(&l);
    }
    assert_true(seen > 0);
}

static void wall_tiles_cover_flat_walls_but_for_their_edges(void **)
{
    expect_flat_walls_covered(false);
}

static void wall_tiles_cover_flat_walls_on_corners_but_for_their_edges(void **)
{
    expect_flat_walls_covered(true);
}

/* Nearly every point is at a wall: with five steps a tile would have more points with branches than threads. */
static void a_region_that_no_tile_can_hold_does_not_fit(void **)
{
    laid l = {};
    struct error e;
    struct random r = {1};
    assert_int_equal(scene_box(&l.s, 40, 40, 40, PRECISION_SINGLE, &e), 0);
    scene_random_branches(&l.s, 0, 1, &r);
    for (size_t i = 0; i < 40 * 40 * 40; i++)
        if ((i % 40 + 2 * (i / 40 % 40) + 3 * (i / 1600)) % 7 == 0)
            l.s.cells[i] = CELL_SOLID;
    lay_out(&l);
    boundary_plan five, four;
    boundary_plan_make(&five, &l.state, places_of(l), 5, UINT64_MAX);
    assert_false(five.fits);
    boundary_plan_make(&four, &l.state, places_of(l), 4, UINT64_MAX);
    assert_true(four.fits);
    check_plan(l, four, 4);
    boundary_plan_make(&four, &l.state, places_of(l), 4, 40 * 40 * 40); /* tiles load more points than the grid has */
    assert_false(four.fits);
    drop(&l);
}

/* Walls with branches; a staircase of voxels takes a corner away, or a block stands in the middle. */
static enum region_form likely_form(bool stairs, bool corners)
{
    enum { SIDE = 60 };
    laid l = {};
    struct error e;
    struct random r = {1};
    assert_int_equal(scene_box(&l.s, SIDE, SIDE, SIDE, PRECISION_SINGLE, &e), 0);
    scene_random_branches(&l.s, 0, 1, &r);
    const size_t from[3] = {20, 20, 20}, to[3] = {40, 40, 40};
    if (!stairs)
        scene_fill(&l.s, from, to, CELL_SOLID);
    for (size_t i = 0; i < SIDE * SIDE * SIDE && stairs; i++)
        if (i % SIDE + i / SIDE % SIDE < SIDE)
            l.s.cells[i] = CELL_SOLID;
    if (corners)
        scene_use_corners(&l.s);
    lay_out(&l);
    const enum region_form form = boundary_region_likely_in(&l.state.layout, &l.state.rows);
    drop(&l);
    return form;
}

static void boxes_are_likely_to_be_faster_by_tiles_and_stairs_by_levels(void **)
{
    for (bool corners : {false, true}) {
        assert_int_equal(likely_form(false, corners), REGION_BY_TILES);
        assert_int_equal(likely_form(true, corners), REGION_BY_LEVELS);
    }
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundary_tiles_cover_the_boundary_region_of_random_rooms),
        cmocka_unit_test(boundary_tiles_cover_the_boundary_region_of_random_rooms_on_corners),
        cmocka_unit_test(wall_tiles_cover_flat_walls_but_for_their_edges),
        cmocka_unit_test(wall_tiles_cover_flat_walls_on_corners_but_for_their_edges),
        cmocka_unit_test(a_region_that_no_tile_can_hold_does_not_fit),
        cmocka_unit_test(boxes_are_likely_to_be_faster_by_tiles_and_stairs_by_levels),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/wall_tiles_plan.cuh"

#include <algorithm>
#include <climits>
#include <map>

#include "cuda/engine/in_parallel.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/temporal/tap_history.cuh"

namespace
{

/* Lines that a tile writes at most. Longer tiles load fewer halo lines, 2 STEPS a tile; but so many tiles, by stencil
 * and precision, keep an H200 busiest: ten for each of its multiprocessors, in double precision eight, which run at
 * once. With the 19-point stencil, whose blocks have fewer steps and its tiles so fewer halo lines, shorter ones pay in
 * single precision. */
enum { LINES_MAX = 48 };
const size_t lines_min[] = {12, 8}, wall_tiles_wanted[][2] = {{1300, 980}, {1900, 980}};

/* Lanes and lines: boundary tiles take narrower rectangles. */
enum { WIDTH_MIN = 6 };

/* Lanes along x start at a multiple of this: 16 bytes in single precision. */
enum { LANE_UNIT = 4 };

/* A point with branches that misses one face only, and has only plain air before it. */
struct flat_point {
    int line, lane;       /* along the tile's two axes */
    uint32_t first_state; /* as in branch_place */
};

/* Flat points of some rows by plane: by kind, and by the place of the plane along the axis of its face. */
typedef std::pair<uint32_t, int> plane_key;
typedef std::map<plane_key, std::vector<flat_point>> flat_planes;

/* Rows in squares of this side are searched at once. */
enum { SQUARE = 24 };

/* Points of air with all neighbours, that absorb nothing and that no channel drives or taps; channels: these points. */
void find_plain_air(point_set &plain, const cuda_state *s, const std::vector<uint64_t> &channels, const row_window &w)
{
    const struct rows *rows = &s->rows;
    const size_t *n = s->layout.points;
    air_points(plain, s, rows->stencil == STENCIL_19_POINT ? PATTERN_ALL : LINKS_ALL, w);
    for (int z = w.z0; z < w.z1; z++)
        for (int y = w.y0; y < w.y1; y++) {
            const size_t row = (size_t)z * rows->ny + (size_t)y;
            for (uint64_t i = rows->wall_start[row]; i < rows->wall_start[row + 1]; i++)
                plain.remove((int)rows->wall_x[i], (int)rows->wall_x[i] + 1, y, z);
        }
    for (uint64_t point : channels) {
        const int x = (int)(point % n[0]), y = (int)(point / n[0] % n[1]), z = (int)(point / n[0] / n[1]);
        if (y >= w.y0 && y < w.y1 && z >= w.z0 && z < w.z1)
            plain.remove(x, x + 1, y, z);
    }
}

unsigned links_at(const struct rows *rows, int x, size_t row)
{
    for (uint64_t i = rows->run_start[row]; i < rows->run_start[row + 1]; i++)
        if ((uint32_t)x >= rows->runs[i].start && (uint32_t)x < rows->runs[i].start + rows->runs[i].length)
            return rows->runs[i].links;
    return 0;
}

/* The face that is the only one a point lacks, by the links of its run; FACES: none. */
int face_missing(enum air_stencil stencil, unsigned links)
{
    static const unsigned sides[FACES] = {0xaa, 0x55, 0xcc, 0x33, 0xf0, 0x0f}; /* voxels that the face leaves */
    int face = 0;
    while (face < FACES && links != (stencil == STENCIL_19_POINT ? sides[face] : LINKS_ALL & ~(1u << face)))
        face++;
    return face;
}

/* The flat points of each face. */
struct flat_faces {
    flat_planes planes[FACES];
};

/* Points that a channel drives or taps, ascending. */
std::vector<uint64_t> points_of_channels(const cuda_state *s)
{
    std::vector<uint64_t> points = s->drive_at;
    points.insert(points.end(), s->tap_history->points.begin(), s->tap_history->points.end());
    std::sort(points.begin(), points.end());
    return points;
}

/* Of places first .. end - 1. */
void find_flat_of(flat_faces &found, const cuda_state *s, int steps, const std::vector<branch_place> &places,
                  size_t first, size_t end, const point_set &plain, const std::vector<uint64_t> &channels)
{
    const struct layout *l = &s->layout;
    for (size_t i = first; i < end; i++) {
        const branch_place &place = places[i];
        const size_t row = place.at / l->pitch;
        const int at[3] = {(int)(place.at % l->pitch), (int)(row % l->points[1]), (int)(row / l->points[1])};
        const uint64_t point = row * l->points[0] + (uint64_t)at[0];
        const int face = face_missing(s->rows.stencil, links_at(&s->rows, at[0], row));
        if (face == FACES || s->rows.branches.kinds[place.kind].count > WALL_TILE_BRANCHES_MAX)
            continue;
        if (std::binary_search(channels.begin(), channels.end(), point))
            continue;
        const int axis = face / 2, inwards = face % 2 ? -1 : 1, deepest = at[axis] + inwards * (2 * steps - 1);
        bool flat = deepest >= 0 && deepest < (int)l->points[axis]; /* the deepest is only loaded */
        for (int depth = 1; depth < 2 * steps - 1 && flat; depth++) {
            int to[3] = {at[0], at[1], at[2]};
            to[axis] += inwards * depth;
            flat = plain.has(to[0], to[1], to[2]);
        }
        if (flat)
            found.planes[face][{place.kind, at[axis]}].push_back(
                {at[wall_tile_line_axis(face)], at[wall_tile_lane_axis(face)], (uint32_t)place.first_state});
    }
}

/* By square. */
std::vector<flat_faces> find_flat(const cuda_state *s, int steps, const std::vector<branch_place> &places,
                                  const std::vector<size_t> &first_place)
{
    const size_t *n = s->layout.points, across = (n[1] + SQUARE - 1) / SQUARE, down = (n[2] + SQUARE - 1) / SQUARE;
    const std::vector<uint64_t> channels = points_of_channels(s);
    std::vector<flat_faces> found(across * down);
    in_parallel_with(
        found.size(), 1, [] { return point_set(); },
        [&](point_set &plain, size_t square) {
            const int y = (int)(square % across) * SQUARE, z = (int)(square / across) * SQUARE;
            const row_window rows = {y, std::min(y + SQUARE, (int)n[1]), z, std::min(z + SQUARE, (int)n[2])};
            bool any = false;
            for (int at = rows.z0; at < rows.z1; at++) {
                const size_t first = first_place[(size_t)at * n[1] + (size_t)rows.y0],
                             end = first_place[(size_t)at * n[1] + (size_t)rows.y1];
                if (first < end && !any)
                    find_plain_air(plain, s, channels, widened(rows, 2 * steps - 2, n));
                any = any || first < end;
                find_flat_of(found[square], s, steps, places, first, end, plain, channels);
            }
        });
    return found;
}

/* A plane of a face, and its flat points by square. */
struct found_plane {
    int face;
    plane_key key;
    std::vector<const std::vector<flat_point> *> points;
};

/* In the order of faces and keys. */
std::vector<found_plane> planes_of(const cuda_state *s, const std::vector<flat_faces> &found)
{
    std::vector<found_plane> planes;
    for (int face = 0; face < FACES; face++) {
        std::map<plane_key, std::vector<const std::vector<flat_point> *>> all;
        for (const flat_faces &of_square : found)
            for (const auto &flat : of_square.planes[face])
                all[flat.first].push_back(&flat.second);
        for (const auto &flat : all)
            if (s->layout.points[wall_tile_lane_axis(face)] >= WALL_TILE_LANES)
                planes.push_back({face, flat.first, flat.second});
    }
    return planes;
}

/* Appends the tiles of other plans. */
void append(wall_tile_plan &c, const std::vector<wall_tile_plan> &parts)
{
    std::vector<size_t> first(1, 0);
    for (const wall_tile_plan &part : parts) {
        for (wall_tile one : part.tiles) {
            one.states += (uint32_t)first.back();
            c.tiles.push_back(one);
        }
        first.push_back(first.back() + part.first_states.size());
    }
    c.first_states.resize(first.back());
    in_parallel(parts.size(), 1, [&](size_t i) {
        std::copy(parts[i].first_states.begin(), parts[i].first_states.end(),
                  c.first_states.begin() + (ptrdiff_t)first[i]);
    });
}

/* The flat points of one kind in a plane. */
struct flat_plane {
    uint32_t kind;
    int across;
    int line, lane;               /* the first */
    int lines, lanes;             /* of the rectangle around them */
    std::vector<uint8_t> flat;    /* [line][lane] */
    std::vector<uint32_t> states; /* the first of each */
    std::vector<uint8_t> free;    /* can be written by a tile, and no tile does yet */

    size_t place_of(int to_line, int to_lane) const
    {
        return (size_t)(to_line - line) * (size_t)lanes + (size_t)(to_lane - lane);
    }
    uint32_t first_state(int to_line, int to_lane) const
    {
        const bool inside = to_line >= line && to_line < line + lines && to_lane >= lane && to_lane < lane + lanes;
        return inside ? states[place_of(to_line, to_lane)] : 0;
    }
};

/* A tile can write a point where all points within STEPS - 1 lines and lanes are flat. */
void find_free(flat_plane &p, int steps)
{
    const size_t wide = (size_t)p.lanes;
    std::vector<int> run(wide * (size_t)p.lines, 0),
        tall(run); /* flat points in a row that end here: along the lanes; lines of such rows */
    const int side = 2 * steps - 1;
    p.free.assign(run.size(), 0);
    for (int line = 0; line < p.lines; line++)
        for (int lane = 0; lane < p.lanes; lane++) {
            const size_t i = (size_t)line * wide + (size_t)lane;
            run[i] = !p.flat[i] ? 0 : 1 + (lane ? run[i - 1] : 0);
            tall[i] = run[i] < side ? 0 : 1 + (line ? tall[i - wide] : 0);
            if (tall[i] >= side)
                p.free[i - (size_t)(steps - 1) * (wide + 1)] = 1;
        }
}

flat_plane plane_of(const found_plane &found, int steps)
{
    int low[2] = {INT_MAX, INT_MAX}, high[2] = {INT_MIN, INT_MIN}; /* line, lane */
    for (const std::vector<flat_point> *points : found.points)
        for (const flat_point &point : *points) {
            low[0] = std::min(low[0], point.line);
            low[1] = std::min(low[1], point.lane);
            high[0] = std::max(high[0], point.line);
            high[1] = std::max(high[1], point.lane);
        }
    flat_plane p = {
        found.key.first, found.key.second, low[0], low[1], high[0] + 1 - low[0], high[1] + 1 - low[1], {}, {}, {}};
    p.flat.assign((size_t)p.lines * (size_t)p.lanes, 0);
    p.states.assign(p.flat.size(), 0);
    for (const std::vector<flat_point> *points : found.points)
        for (const flat_point &point : *points) {
            p.flat[p.place_of(point.line, point.lane)] = 1;
            p.states[p.place_of(point.line, point.lane)] = point.first_state;
        }
    find_free(p, steps);
    return p;
}

/* Lane 0 of a tile that contains this lane: within the grid, and along x aligned for vector copies. */
int first_lane_of(const cuda_state *s, int face, int lane)
{
    const struct layout *l = &s->layout;
    return wall_tile_lane_axis(face) ? std::min(lane, (int)l->points[1] - WALL_TILE_LANES)
                                     : std::min(lane / LANE_UNIT * LANE_UNIT, (int)l->pitch - WALL_TILE_LANES);
}

/* The tile that writes these lines and lanes of a plane. All that it loads is within the grid: lanes by
 * first_lane_of, lines and depths because the flat points around what it writes have neighbours there. */
void add_tile(wall_tile_plan &c, const cuda_state *s, const flat_plane &p, int face, int steps, int line, int lines,
              int lane, int lanes)
{
    const int first_lane = first_lane_of(s, face, lane - steps);
    wall_tile one = {};
    one.from[face / 2] = p.across;
    one.from[wall_tile_line_axis(face)] = line - steps;
    one.from[wall_tile_lane_axis(face)] = first_lane;
    one.lines = lines + 2 * steps;
    one.states = (uint32_t)c.first_states.size();
    one.kind = p.kind;
    one.face = (uint8_t)face;
    one.first_lane = (uint8_t)(lane - first_lane);
    one.end_lane = (uint8_t)(lane + lanes - first_lane);
    for (int i = 0; i < one.lines; i++)
        for (int k = 0; k < WALL_TILE_LANES; k++)
            c.first_states.push_back(p.first_state(line - steps + i, first_lane + k));
    c.tiles.push_back(one);
}

/* Greedy: rectangles as wide as a tile can write, then as long as they go, cut evenly into tiles of lines_max at
 * most. */
void tile_plane(wall_tile_plan &c, const cuda_state *s, flat_plane &p, int face, int steps, int lines_max)
{
    const int sector = wall_tile_lane_axis(face)
                           ? 1
                           : 32 / (int)precision_bytes(s->problem->precision); /* values of a sector of 32 bytes */
    const auto is_free = [&](int line, int lane) { return p.free[(size_t)line * (size_t)p.lanes + (size_t)lane]; };
    for (int line = 0; line < p.lines; line++)
        for (int lane = 0; lane < p.lanes; lane++) {
            const int at = p.lane + lane, width = first_lane_of(s, face, at - steps) + WALL_TILE_LANES - steps - at;
            int lanes = 0, lines = 1;
            while (lane + lanes < p.lanes && lanes < width && is_free(line, lane + lanes))
                lanes++;
            if (lane + lanes < p.lanes && is_free(line, lane + lanes) && lanes > sector)
                lanes -= (at + lanes) % sector; /* the next tile starts at a sector, too */
            if (!lanes)
                continue;
            const auto all_free = [&](int at) {
                for (int i = lane; i < lane + lanes; i++)
                    if (!is_free(at, i))
                        return false;
                return true;
            };
            while (line + lines < p.lines && all_free(line + lines))
                lines++;
            for (int i = line; i < line + lines; i++)
                std::fill_n(p.free.begin() + (ptrdiff_t)i * p.lanes + lane, lanes, (uint8_t)0);
            if (lanes < WIDTH_MIN || lines < WIDTH_MIN)
                continue;
            const int parts = (lines + lines_max - 1) / lines_max;
            for (int part = 0; part < parts; part++) {
                const int from = lines * part / parts, end = lines * (part + 1) / parts;
                add_tile(c, s, p, face, steps, p.line + line + from, end - from, p.lane + lane, lanes);
            }
        }
}

/* Order of tiles: by kernel, then by kind; neighbours along the lanes follow each other. */
struct side_by_side {
    const struct branch_kind *kinds;

    bool operator()(const wall_tile &a, const wall_tile &b) const
    {
        const int across = a.face / 2, line = wall_tile_line_axis(a.face), lane = wall_tile_lane_axis(a.face);
        const unsigned held_a = wall_tile_branches_held(kinds[a.kind].count),
                       held_b = wall_tile_branches_held(kinds[b.kind].count);
        if (held_a != held_b)
            return held_a > held_b;
        if (a.kind != b.kind)
            return a.kind < b.kind;
        if (a.face != b.face)
            return a.face < b.face;
        if (a.from[across] != b.from[across])
            return a.from[across] < b.from[across];
        return a.from[line] != b.from[line] ? a.from[line] < b.from[line] : a.from[lane] < b.from[lane];
    }
};

} // namespace

wall_tile_plan wall_tile_plan_make(const cuda_state *s, int steps, const std::vector<branch_place> &places,
                                   const std::vector<size_t> &first_place)
{
    wall_tile_plan c = {};
    const std::vector<flat_faces> found = find_flat(s, steps, places, first_place);
    const std::vector<found_plane> planes = planes_of(s, found);
    size_t points = 0;
    for (const flat_faces &of_square : found)
        for (const flat_planes &of_face : of_square.planes)
            for (const auto &flat : of_face)
                points += flat.second.size();
    const size_t lanes = (size_t)(WALL_TILE_LANES - 2 * steps),
                 wanted = points / (wall_tiles_wanted[s->rows.stencil][s->problem->precision] * lanes);
    const int lines_max = (int)std::min(std::max(wanted, lines_min[s->rows.stencil]), (size_t)LINES_MAX);
    std::vector<wall_tile_plan> parts(planes.size());
    in_parallel(planes.size(), 1, [&](size_t i) {
        flat_plane plane = plane_of(planes[i], steps);
        tile_plane(parts[i], s, plane, planes[i].face, steps, lines_max);
    });
    append(c, parts);
    std::stable_sort(c.tiles.begin(), c.tiles.end(), side_by_side{s->rows.branches.kinds});
    return c;
}

void air_points(point_set &air, const cuda_state *s, unsigned links, const row_window &w)
{
    const struct rows *rows = &s->rows;
    air.clear(s->layout.points, w);
    for (int z = w.z0; z < w.z1; z++)
        for (int y = w.y0; y < w.y1; y++) {
            const size_t row = (size_t)z * rows->ny + (size_t)y;
            for (uint64_t i = rows->run_start[row]; i < rows->run_start[row + 1]; i++)
                if ((rows->runs[i].links & links) == links)
                    air.add((int)rows->runs[i].start, (int)(rows->runs[i].start + rows->runs[i].length), y, z);
        }
}

box wall_tile_written(const wall_tile &one, int steps)
{
    const int axis = one.face / 2, line = wall_tile_line_axis(one.face), lane = wall_tile_lane_axis(one.face);
    box b;
    b.low[axis] = one.face % 2 ? one.from[axis] - (steps - 1) : one.from[axis];
    b.high[axis] = b.low[axis] + steps;
    b.low[line] = one.from[line] + steps;
    b.high[line] = one.from[line] + one.lines - steps;
    b.low[lane] = one.from[lane] + one.first_lane;
    b.high[lane] = one.from[lane] + one.end_lane;
    return b;
}

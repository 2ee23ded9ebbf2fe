#include "cuda/temporal/wall_tiles_plan.cuh"

#include <algorithm>
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

/* Flat points by plane: by kind, and by the place of the plane along the axis of its face. Each by lines, then
 * lanes, the order of places. */
typedef std::map<std::pair<uint32_t, int>, std::vector<flat_point>> flat_planes;

/* Points of air with all neighbours, that absorb nothing and that no channel drives or taps. */
point_set plain_air(const cuda_state *s)
{
    const struct rows *rows = &s->rows;
    const size_t *n = s->layout.points;
    point_set plain = air_points(s, rows->stencil == STENCIL_19_POINT ? PATTERN_ALL : LINKS_ALL);
    for (size_t row = 0; row < rows->count; row++)
        for (uint64_t i = rows->wall_start[row]; i < rows->wall_start[row + 1]; i++)
            plain.remove((int)rows->wall_x[i], (int)rows->wall_x[i] + 1, (int)(row % rows->ny), (int)(row / rows->ny));
    for (const std::vector<uint64_t> *points : {&s->drive_at, &s->tap_history->points})
        for (uint64_t point : *points) {
            const int x = (int)(point % n[0]);
            plain.remove(x, x + 1, (int)(point / n[0] % n[1]), (int)(point / n[0] / n[1]));
        }
    return plain;
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

void find_flat(flat_faces &found, const cuda_state *s, int steps, const std::vector<branch_place> &places)
{
    const size_t part = 16384; /* places */
    const point_set plain = plain_air(s);
    const std::vector<uint64_t> channels = points_of_channels(s);
    std::vector<flat_faces> parts((places.size() + part - 1) / part);
    in_parallel(parts.size(), 1, [&](size_t i) {
        find_flat_of(parts[i], s, steps, places, i * part, std::min((i + 1) * part, places.size()), plain, channels);
    });
    for (const flat_faces &of_part : parts)
        for (int face = 0; face < FACES; face++)
            for (const auto &flat : of_part.planes[face]) {
                std::vector<flat_point> &all = found.planes[face][flat.first];
                all.insert(all.end(), flat.second.begin(), flat.second.end());
            }
}

/* Appends the tiles of another plan. */
void append(wall_tile_plan &c, const wall_tile_plan &next)
{
    const uint32_t states = (uint32_t)c.first_states.size();
    for (wall_tile one : next.tiles) {
        one.states += states;
        c.tiles.push_back(one);
    }
    c.first_states.insert(c.first_states.end(), next.first_states.begin(), next.first_states.end());
}

/* The flat points of one kind in a plane. */
struct flat_plane {
    const std::vector<flat_point> &points;
    uint32_t kind;
    int across;
    int line, lane;            /* the first */
    int lines, lanes;          /* of the rectangle around them */
    std::vector<uint32_t> at;  /* [line][lane] which point, counted from 1; 0: none */
    std::vector<uint8_t> free; /* can be written by a tile, and no tile does yet */

    uint32_t which(int to_line, int to_lane) const
    {
        const bool inside = to_line >= line && to_line < line + lines && to_lane >= lane && to_lane < lane + lanes;
        return inside ? at[(size_t)(to_line - line) * (size_t)lanes + (size_t)(to_lane - lane)] : 0;
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
            run[i] = !p.at[i] ? 0 : 1 + (lane ? run[i - 1] : 0);
            tall[i] = run[i] < side ? 0 : 1 + (line ? tall[i - wide] : 0);
            if (tall[i] >= side)
                p.free[i - (size_t)(steps - 1) * (wide + 1)] = 1;
        }
}

flat_plane plane_of(const flat_planes::value_type &flat, int steps)
{
    const std::vector<flat_point> &points = flat.second;
    flat_plane p = {points,
                    flat.first.first,
                    flat.first.second,
                    points[0].line,
                    points[0].lane,
                    points.back().line + 1 - points[0].line,
                    0,
                    {},
                    {}};
    int end = 0;
    for (size_t i = 0; i < points.size(); i++) {
        p.lane = std::min(p.lane, points[i].lane);
        end = std::max(end, points[i].lane + 1);
    }
    p.lanes = end - p.lane;
    p.at.assign((size_t)p.lines * (size_t)p.lanes, 0);
    for (size_t i = 0; i < points.size(); i++)
        p.at[(size_t)(points[i].line - p.line) * (size_t)p.lanes + (size_t)(points[i].lane - p.lane)] = (uint32_t)i + 1;
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
        for (int k = 0; k < WALL_TILE_LANES; k++) {
            const uint32_t which = p.which(line - steps + i, first_lane + k);
            c.first_states.push_back(which ? p.points[which - 1].first_state : 0);
        }
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

wall_tile_plan wall_tile_plan_make(const cuda_state *s, int steps, const std::vector<branch_place> &places)
{
    wall_tile_plan c = {};
    flat_faces found;
    std::vector<std::pair<int, const flat_planes::value_type *>> planes; /* with their faces */
    find_flat(found, s, steps, places);
    size_t points = 0;
    for (int face = 0; face < FACES; face++)
        for (const auto &flat : found.planes[face]) {
            points += flat.second.size();
            if (s->layout.points[wall_tile_lane_axis(face)] >= WALL_TILE_LANES)
                planes.push_back({face, &flat});
        }
    const size_t lanes = (size_t)(WALL_TILE_LANES - 2 * steps),
                 wanted = points / (wall_tiles_wanted[s->rows.stencil][s->problem->precision] * lanes);
    const int lines_max = (int)std::min(std::max(wanted, lines_min[s->rows.stencil]), (size_t)LINES_MAX);
    std::vector<wall_tile_plan> parts(planes.size());
    in_parallel(planes.size(), 1, [&](size_t i) {
        flat_plane plane = plane_of(*planes[i].second, steps);
        tile_plane(parts[i], s, plane, planes[i].first, steps, lines_max);
    });
    for (const wall_tile_plan &part : parts)
        append(c, part);
    std::stable_sort(c.tiles.begin(), c.tiles.end(), side_by_side{s->rows.branches.kinds});
    return c;
}

point_set air_points(const cuda_state *s, unsigned links)
{
    const struct rows *rows = &s->rows;
    point_set air(s->layout.points);
    in_parallel(rows->count, 4096, [&](size_t row) {
        for (uint64_t i = rows->run_start[row]; i < rows->run_start[row + 1]; i++)
            if ((rows->runs[i].links & links) == links)
                air.add((int)rows->runs[i].start, (int)(rows->runs[i].start + rows->runs[i].length),
                        (int)(row % rows->ny), (int)(row / rows->ny));
    });
    return air;
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

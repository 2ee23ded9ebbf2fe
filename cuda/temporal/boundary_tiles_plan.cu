/* Covers what a pass makes wrong with bricks, but for what strips cover. */
#include <algorithm>

#include "cuda/engine/state.cuh"
#include "cuda/temporal/boundary_tiles_plan.cuh"

namespace
{

struct covering {
    const cuda_state *s;
    int steps;
    std::vector<branch_place> places;
    uint64_t loaded_max;       /* points; what bricks load is taken off */
    std::vector<brick> shapes; /* a brick of each shape */
    brick_cover out;
};

/* What a pass makes wrong that takes walls with branches for rigid ones and the room for its box of air: */
struct wrong {
    int ny;
    point_set shell;  /* air within STEPS - 1 links of such a wall and of what is not as the box says, */
    point_set solids; /* and what is no air, within STEPS links of air: from further away nothing comes in one pass */
};

void add_point(point_set &points, size_t x, size_t row, int ny)
{
    points.add((int)x, (int)x + 1, (int)(row % (size_t)ny), (int)(row / (size_t)ny));
}

void add_odd(void *context, size_t x, size_t row, bool updated)
{
    wrong *w = (wrong *)context;
    add_point(updated ? w->shell : w->solids, x, row, w->ny);
}

int find_wrong(wrong &w, const covering &c, struct error *e)
{
    const cuda_state *s = c.s;
    const struct layout *l = &s->layout;
    const point_set air = air_points(s, 0);
    point_set beside_air = air;
    beside_air.widen(1);
    for (const branch_place &place : c.places)
        add_point(w.shell, place.at % l->pitch, place.at / l->pitch, w.ny);
    if (layout_each_odd(l, &s->rows, s->problem, add_odd, &w, e))
        return -1;
    w.solids.keep_only(beside_air);
    w.shell.join(w.solids);
    w.shell.widen(c.steps - 1);
    w.solids.widen(c.steps - 1);
    w.shell.keep_only(air);
    w.solids.drop(air);
    return 0;
}

void list_solids(covering &c, const point_set &solids)
{
    const struct layout *l = &c.s->layout;
    for (size_t row = 0; row < l->points[1] * l->points[2]; row++)
        solids.each((int)(row % l->points[1]), (int)(row / l->points[1]),
                    [&](int x) { c.out.solids.push_back(row * l->pitch + (uint64_t)x); });
}

void remove_box(point_set &points, const box &b)
{
    for (int z = b.low[2]; z < b.high[2]; z++)
        for (int y = b.low[1]; y < b.high[1]; y++)
            points.remove(b.low[0], b.high[0], y, z);
}

brick brick_of(const covering &c, const box &b)
{
    brick out = {};
    for (int axis = 0; axis < 3; axis++) {
        out.low[axis] = b.low[axis];
        out.high[axis] = b.high[axis];
        out.from[axis] = std::max(b.low[axis] - c.steps, 0);
        out.size[axis] = std::min(b.high[axis] + c.steps, (int)c.s->layout.points[axis]) - out.from[axis];
    }
    return out;
}

size_t points_of(const brick &b)
{
    return (size_t)b.size[0] * (size_t)b.size[1] * (size_t)b.size[2];
}

/* Calls for every point with branches that the brick loads. */
template <typename CALL> void each_wall(const covering &c, const brick &b, CALL call)
{
    const struct layout *l = &c.s->layout;
    for (int z = b.from[2]; z < b.from[2] + b.size[2]; z++)
        for (int y = b.from[1]; y < b.from[1] + b.size[1]; y++) {
            const uint64_t row = ((uint64_t)z * l->points[1] + (uint64_t)y) * l->pitch,
                           begin = row + (uint64_t)b.from[0];
            auto place = std::lower_bound(c.places.begin(), c.places.end(), begin,
                                          [](const branch_place &p, uint64_t at) { return p.at < at; });
            for (; place != c.places.end() && place->at < begin + (uint64_t)b.size[0]; place++)
                call(*place, (int)(place->at - row), y, z);
        }
}

enum fitting { TOO_LARGE, LARGER_THAN_WANTED, FITS };

enum fitting fitting_of(const covering &c, brick b)
{
    const size_t values = (size_t)(b.size[0] + 2) * (size_t)(b.size[1] + 2) * (size_t)(b.size[2] + 2);
    if (values > BRICK_VALUES || points_of(b) > BRICK_POINTS)
        return TOO_LARGE;
    each_wall(c, b, [&](const branch_place &place, int, int, int) {
        b.wall_count++;
        b.branches = std::max(b.branches, c.s->rows.branches.kinds[place.kind].count);
    });
    if (b.wall_count > BRICK_THREADS)
        return TOO_LARGE;
    return b.branches > BRANCHES_WHOLE && !brick_is_half(b) ? LARGER_THAN_WANTED : FITS;
}

bool same_shape(const brick &a, const brick &b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a.size[axis] != b.size[axis] || a.low[axis] - a.from[axis] != b.low[axis] - b.from[axis] ||
            a.high[axis] - a.low[axis] != b.high[axis] - b.low[axis])
            return false;
    return true;
}

/* Points along x first. */
void add_points(covering &c, const brick &b)
{
    const struct layout *l = &c.s->layout;
    const size_t end = c.out.points.size() + BRICK_POINTS;
    for (int z = 0; z < b.size[2]; z++)
        for (int y = 0; y < b.size[1]; y++)
            for (int x = 0; x < b.size[0]; x++) {
                const int at[3] = {b.from[0] + x, b.from[1] + y, b.from[2] + z};
                c.out.points.push_back({(uint32_t)brick_value(b, at[0], at[1], at[2]) |
                                            (uint32_t)brick_reach(b, at[0], at[1], at[2]) << BRICK_REACH,
                                        (uint32_t)(((size_t)z * l->points[1] + (size_t)y) * l->pitch + (size_t)x)});
            }
    c.out.points.resize(end, {(uint32_t)BRICK_NOWHERE << BRICK_REACH, 0});
}

uint32_t shape_of(covering &c, const brick &b)
{
    const auto same =
        std::find_if(c.shapes.begin(), c.shapes.end(), [&](const brick &other) { return same_shape(other, b); });
    if (same != c.shapes.end())
        return (uint32_t)(same - c.shapes.begin());
    c.shapes.push_back(b);
    add_points(c, b);
    return (uint32_t)c.shapes.size() - 1;
}

void add_brick(covering &c, brick b)
{
    const cuda_state *s = c.s;
    b.shape = shape_of(c, b);
    c.out.fits = c.out.fits && c.shapes.size() <= BRICK_SHAPES && points_of(b) <= c.loaded_max;
    c.loaded_max -= std::min<uint64_t>(points_of(b), c.loaded_max);
    b.first_wall = (uint32_t)c.out.walls.size();
    each_wall(c, b, [&](const branch_place &place, int x, int y, int z) {
        b.branches = std::max(b.branches, s->rows.branches.kinds[place.kind].count);
        c.out.walls.push_back(
            {(uint32_t)place.pair, place.kind, (uint16_t)brick_value(b, x, y, z), (uint16_t)brick_reach(b, x, y, z)});
    });
    b.wall_count = (uint32_t)c.out.walls.size() - b.first_wall;
    b.first_event = (uint32_t)c.out.events.size();
    const auto add = [&](uint64_t point, tile_event event) {
        const size_t *n = s->layout.points;
        const int x = (int)(point % n[0]), y = (int)(point / n[0] % n[1]), z = (int)(point / n[0] / n[1]),
                  at[3] = {x, y, z};
        for (int axis = 0; axis < 3; axis++)
            if (at[axis] < b.from[axis] || at[axis] >= b.from[axis] + b.size[axis])
                return;
        const int reach = brick_reach(b, x, y, z);
        if (!event.tap || !reach)
            c.out.events.push_back({event, (uint32_t)brick_value(b, x, y, z), (uint32_t)reach});
    };
    for (size_t i = 0; i < s->drive_at.size(); i++)
        add(s->drive_at[i], {0, 0, 0, s->drive_points[i].first, s->drive_points[i].end, s->drive_points[i].factor});
    for (size_t i = 0; i < s->capture_at.size(); i++)
        add(s->capture_at[i], {0, 0, 1, (uint32_t)i, 0, 0.0});
    b.event_count = (uint32_t)c.out.events.size() - b.first_event;
    c.out.bricks.push_back(b);
}

/* What is wanted of a box, in one brick or cut where the parts load least: at the depth of the shell from either end, or in the middle. */
void cover_box(covering &c, const point_set &shell, box whole)
{
    if (!shell.shrink(whole))
        return;
    const brick one = brick_of(c, whole);
    const enum fitting fitting = fitting_of(c, one);
    if (fitting == FITS) {
        add_brick(c, one);
        return;
    }
    box best[2] = {};
    size_t least = SIZE_MAX;
    for (int axis = 0; axis < 3; axis++)
        for (const int cut :
             {whole.low[axis] + c.steps, (whole.low[axis] + whole.high[axis]) / 2, whole.high[axis] - c.steps}) {
            box parts[2] = {whole, whole};
            size_t points = 0;
            if (cut <= whole.low[axis] || cut >= whole.high[axis])
                continue;
            parts[0].high[axis] = parts[1].low[axis] = cut;
            for (box part : parts)
                points += shell.shrink(part) ? points_of(brick_of(c, part)) : 0;
            if (points < least) {
                least = points;
                best[0] = parts[0];
                best[1] = parts[1];
            }
        }
    if (least == SIZE_MAX && fitting == LARGER_THAN_WANTED) { /* a single point */
        add_brick(c, one);
        return;
    }
    c.out.fits = c.out.fits && least < SIZE_MAX;
    for (int part = 0; part < 2 && c.out.fits; part++)
        cover_box(c, shell, best[part]);
}

} // namespace

int bricks_cover(brick_cover *cover, const cuda_state *s, int steps, uint64_t loaded_max, struct error *e)
{
    covering c = {s, steps, branches_places(&s->rows, s->layout.pitch), loaded_max, {}, {{}, {}, {}, true, {}, {}, {}}};
    wrong w = {(int)s->layout.points[1], point_set(s->layout.points), point_set(s->layout.points)};
    if (find_wrong(w, c, e))
        return -1;
    point_set &shell = w.shell;
    list_solids(c, w.solids);
    c.out.flat = strips_cover(s, steps, c.places);
    for (const strip &one : c.out.flat.strips)
        remove_box(shell, strip_written(one, steps));
    const int side = 32 - 2 * steps; /* with its margins as wide as a warp */
    const int n[3] = {(int)s->layout.points[0], (int)s->layout.points[1], (int)s->layout.points[2]};
    for (int z = 0; z < n[2] && c.out.fits; z += side)
        for (int y = 0; y < n[1] && c.out.fits; y += side)
            for (int x = 0; x < n[0] && c.out.fits; x += side)
                cover_box(c, shell,
                          {{x, y, z}, {std::min(x + side, n[0]), std::min(y + side, n[1]), std::min(z + side, n[2])}});
    /* the largest first, so that the multiprocessors end together */
    std::stable_sort(c.out.bricks.begin(), c.out.bricks.end(), [](const brick &a, const brick &b) {
        return points_of(a) + a.wall_count > points_of(b) + b.wall_count;
    });
    *cover = std::move(c.out);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/kernel_rooms.h"

#include <math.h>

#include "solver/schemes/leapfrog/leapfrog.h"

enum { POINTS_MAX = 40 };

static bool is_driven(const struct scene *s, uint64_t point)
{
    for (size_t c = 0; c < s->problem.drive_count; c++)
        for (size_t i = 0; i < s->drives[c].count; i++)
            if (s->drives[c].entries[i].point == point)
                return true;
    return false;
}

/* Adds a drive's entry at a random point. Points at absorbing walls or with other entries are
 * used only on request: the cuda engine adds the sum of a point's drives after the wall, which
 * rounds differently from adding them one by one inside its bracket. */
static void furnish_drive(struct scene *s, int channel, bool at_walls, struct random *r)
{
    enum { TRIES = 100 };
    uint64_t point = scene_air_point(s, r);
    double weight = random_unit(r) - 0.5;
    for (int i = 0; !at_walls && i < TRIES && (scene_absorbs(s, point) || is_driven(s, point)); i++)
        point = scene_air_point(s, r);
    if (!at_walls && (scene_absorbs(s, point) || is_driven(s, point)))
        weight = 0.0;
    if ((size_t)channel == s->problem.drive_count)
        scene_drive(s, point, weight);
    else
        scene_extend(&s->drives[channel], point, weight, 1);
}

/* A position between points: anywhere, close to the previous one, or at walls, in edges and in
 * corners. */
static void draw_place(const struct scene *s, size_t place[3], struct random *r)
{
    enum { ANYWHERE, NEAR, AT_WALLS, PLACES };
    const size_t *n = s->problem.points, kind = random_between(r, 0, PLACES - 1);
    const uint64_t point = scene_air_point(s, r);
    const size_t at[3] = {point % n[0], point / n[0] % n[1], point / n[0] / n[1]};
    for (int axis = 0; axis < 3; axis++) {
        const size_t near = place[axis] + random_between(r, 0, 8), wall = random_between(r, 0, 2) % n[axis];
        if (kind == NEAR)
            place[axis] = near < 4 ? 0 : near - 4 < n[axis] ? near - 4 : n[axis] - 1;
        else if (kind == AT_WALLS && random_between(r, 0, 1))
            place[axis] = random_between(r, 0, 1) ? wall : n[axis] - 1 - wall;
        else
            place[axis] = at[axis];
    }
}

/* Adds the air points around a position to a channel, as many as interpolation uses: more than a
 * hundred. Their levels are level_min .. level_max. */
static void spread_channel(const struct scene *s, struct channel *c, const size_t place[3], size_t level_min,
                           size_t level_max, struct random *r)
{
    enum { REACH = 3, SQUARED_MAX = 10 };
    const size_t *n = s->problem.points;
    for (int i = 0; i < (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1); i++) {
        const int by[3] = {i % (2 * REACH + 1) - REACH, i / (2 * REACH + 1) % (2 * REACH + 1) - REACH,
                           i / (2 * REACH + 1) / (2 * REACH + 1) - REACH};
        size_t at[3];
        bool inside = by[0] * by[0] + by[1] * by[1] + by[2] * by[2] <= SQUARED_MAX;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] = place[axis] + (size_t)by[axis]; /* beyond the first point it wraps around */
            inside = inside && at[axis] < n[axis];
        }
        if (inside && scene_is_air(s, scene_point(s, at[0], at[1], at[2])))
            scene_extend(c, scene_point(s, at[0], at[1], at[2]), (random_unit(r) - 0.5) / 8.0,
                         (int8_t)random_between(r, level_min, level_max));
    }
}

/* Adds sources and receivers of several points at random positions, with taps at both levels.
 * Those of the first `between` channels also lie between points, including the sources if these
 * may be at walls. Otherwise the bits must equal those of the reference, and there is at most
 * one tap at level 1, as the cuda engine sums these separately. */
static void furnish(struct scene *s, int channels, int between, bool at_walls, struct random *r)
{
    size_t place[3] = {0, 0, 0};
    for (int i = 0; i < channels; i++) {
        furnish_drive(s, i, at_walls, r);
        furnish_drive(s, i, at_walls, r);
        scene_tap(s, scene_air_point(s, r), 1.0);
        scene_extend(&s->taps[i], scene_air_point(s, r), random_unit(r), (int8_t)random_between(r, 0, 1));
        if (i >= between)
            continue;
        draw_place(s, place, r);
        spread_channel(s, &s->taps[i], place, 0, at_walls ? 1 : 0, r);
        draw_place(s, place, r);
        if (at_walls)
            spread_channel(s, &s->drives[i], place, 1, 1, r);
    }
}

/* A box with a fixed layer, for kernels that support nothing else. */
static int make_fixed_box(struct scene *s, enum air_stencil stencil, enum precision precision, struct random *r,
                          struct error *e)
{
    const size_t least = stencil == STENCIL_19_POINT ? 4 : 3; /* the layer also contains the corners of its voxels */
    size_t n[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = random_between(r, least, 2 * POINTS_MAX);
    if (scene_box(s, n[0], n[1], n[2], precision, e))
        return -1;
    const size_t from[3] = {0, 0, 0}, inner[3] = {1, 1, 1}, to[3] = {n[0] - 1, n[1] - 1, n[2] - 1};
    scene_fill(s, from, n, CELL_FIXED);
    scene_fill(s, inner, to, CELL_AIR);
    return 0;
}

/* An empty box with rigid walls and walls of different real admittances, whose rows all have one
 * shape. Every third box has random areas of faces, and with the 7-point stencil every third has
 * lossy air. */
static int make_absorbing_box(struct scene *s, enum air_stencil stencil, enum precision precision, struct random *r,
                              struct error *e)
{
    if (scene_box(s, random_between(r, 3, 2 * POINTS_MAX), random_between(r, 3, POINTS_MAX),
                  random_between(r, 3, POINTS_MAX), precision, e))
        return -1;
    struct leapfrog_problem *l = &s->leapfrog;
    for (int face = 0; face < 6; face++) {
        s->outside[face] = (uint8_t)(CELL_SOLID + face);
        l->admittance[CELL_SOLID + face] = random_between(r, 0, 3) ? 2.0 * random_unit(r) : 0.0;
    }
    if (random_between(r, 0, 2) == 0)
        scene_random_areas(s, r);
    if (stencil == STENCIL_7_POINT && random_between(r, 0, 2) == 0 &&
        cartesian7_viscosity(0.0, pow(10.0, -5.0 + 4.0 * random_unit(r)), &l->courant_squared, &l->viscosity, e))
        return -1;
    return 0;
}

/* Whether a finished map contains a point to step, with the points of its stencil. */
static bool has_points(struct scene *s, enum air_stencil stencil)
{
    if (stencil == STENCIL_19_POINT)
        scene_use_corners(s);
    return stencil != STENCIL_19_POINT || scene_air_points(s) > 0;
}

static int draw_room(struct scene *s, enum kernel_room form, enum air_stencil stencil, enum precision precision,
                     struct random *r, struct error *e)
{
    switch (form) {
    case ROOM_FIXED_BOX:
        return make_fixed_box(s, stencil, precision, r, e);
    case ROOM_ABSORBING_BOX:
        return make_absorbing_box(s, stencil, precision, r, e);
    case ROOM_RANDOM:
        break;
    }
    return scene_random(s, POINTS_MAX, precision, r, e);
}

int make_room(struct scene *s, enum kernel_room form, enum air_stencil stencil, enum precision precision,
              struct random *r, struct error *e)
{
    for (;;) {
        const int status = draw_room(s, form, stencil, precision, r, e);
        if (status || has_points(s, stencil))
            return status;
        scene_free(s);
    }
}

void furnish_room(struct scene *s, bool at_walls, struct random *r)
{
    furnish(s, ROOM_CHANNELS, (int)random_between(r, 0, ROOM_CHANNELS - 1), at_walls, r);
}

static int draw_hall(struct scene *s, enum precision precision, bool branches, size_t objects_max,
                     enum plain_hall plain, struct random *r, struct error *e)
{
    const size_t max[3] = {170, 200, 40};
    size_t n[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = random_between(r, random_between(r, 1, max[axis] / 2), max[axis]);
    if (plain) { /* an even number of corners along x, and tiles full along y */
        n[0] |= 1;
        n[1] = random_between(r, 80, max[1]);
        n[2] = random_between(r, 8, max[2]);
    }
    if (scene_box(s, n[0], n[1], n[2], precision, e))
        return -1;
    struct leapfrog_problem *l = &s->leapfrog;
    const bool absorbs = plain ? plain == PLAIN_ABSORBING : random_between(r, 0, 1);
    for (int i = 1; i < SCENE_MATERIALS; i++)
        l->admittance[CELL_SOLID + i] = absorbs ? 2.0 * random_unit(r) : 0.0;
    for (int i = 1; i < SCENE_MATERIALS && branches; i++)
        if (i == 1 || random_between(r, 0, 1))
            scene_random_branches(s, i, BRANCHES_MAX, r);
    for (int face = 0; face < 6; face++)
        s->outside[face] = (uint8_t)random_between(r, CELL_SOLID, CELL_SOLID + SCENE_MATERIALS - 1);
    for (int face = 0; face < 6 && plain == PLAIN_FIXED; face++)
        if (random_between(r, 0, 2))
            s->outside[face] = CELL_FIXED;
    if (!plain && random_between(r, 0, 1)) { /* a fixed layer */
        const size_t none[3] = {0, 0, 0}, from[3] = {n[0] > 2, n[1] > 2, n[2] > 2};
        const size_t to[3] = {n[0] - from[0], n[1] - from[1], n[2] - from[2]};
        scene_fill(s, none, n, CELL_FIXED);
        scene_fill(s, from, to, CELL_AIR);
    }
    for (size_t objects = random_between(r, 0, objects_max); objects-- > 0;) {
        size_t from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = random_between(r, 0, n[axis] - 1);
            to[axis] = random_between(r, from[axis] + 1, n[axis]);
            if (to[axis] > from[axis] + n[axis] / 4 + 1)
                to[axis] = from[axis] + n[axis] / 4 + 1;
        }
        scene_fill(s, from, to, (uint8_t)random_between(r, CELL_FIXED, CELL_SOLID + SCENE_MATERIALS - 1));
    }
    s->cells[random_bits(r) % (n[0] * n[1] * n[2])] = CELL_AIR;
    return 0;
}

int make_hall(struct scene *s, enum air_stencil stencil, enum precision precision, bool branches, size_t objects_max,
              enum plain_hall plain, bool areas, int between, struct random *r, struct error *e)
{
    for (;;) {
        if (draw_hall(s, precision, branches, objects_max, plain, r, e))
            return -1;
        if (has_points(s, stencil))
            break;
        scene_free(s);
    }
    if (areas)
        scene_random_areas(s, r);
    furnish(s, HALL_CHANNELS, between, true, r);
    return 0;
}

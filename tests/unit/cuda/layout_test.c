/* SPDX-License-Identifier: MIT */
/* The voxel map in the CUDA engine's form (cuda/grid/layout.h) against a point-by-point evaluation of random rooms, by
 * both stencils: codes say the links and the wall of every point, and so do the states of those that are not listed as
 * irregular. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/grid/layout.h"
#include "solver/schemes/leapfrog/corners.h"
#include "support/plane_codes.h"
#include "support/random_cases.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { ROOMS = 200, LONGEST = 60 };

static double rounded_weight(const struct scene *s, bool branched, double weight)
{
    return branched ? 0.0 : s->problem.precision == PRECISION_DOUBLE ? weight : (double)(float)weight;
}

static struct point_kind corner_kind(const struct scene *s, const size_t at[3])
{
    const struct corner corner = corner_at(s->leapfrog.voxels, at);
    if (!corner.pattern)
        return (struct point_kind){0};
    const struct row_wall wall = corner_wall(&s->leapfrog, &corner);
    return (struct point_kind){(uint8_t)corner.pattern, true, rounded_weight(s, wall.branched, wall.weight)};
}

static struct point_kind voxel_kind(const struct scene *s, const size_t at[3])
{
    const struct leapfrog_problem *l = &s->leapfrog;
    struct point_kind kind = {0, true, 0.0};
    double admittance = 0.0;
    bool branched = false;
    if (!voxel_set_is_air(l->voxels, at[0], at[1], at[2]))
        return (struct point_kind){0};
    for (int side = 0; side < FACES; side++) {
        const struct face_run *face = voxel_set_face(l->voxels, at[0], at[1], at[2], side);
        if (!face || face->code == CELL_FIXED) {
            kind.links++;
        } else {
            admittance += (double)face->area / FACE_AREA_UNITS * l->admittance[face->code];
            branched = branched || (l->branch_count[face->code] && face->area);
        }
    }
    const double a = 0.5 * sqrt(l->courant_squared) * admittance;
    kind.weight = rounded_weight(s, branched, a / (1.0 + a));
    return kind;
}

/* Any room, or a box of air with few objects or none, some of its faces fixed: in the first layer of voxels, or with
 * the 19-point stencil beyond it. */
static void make_room(struct scene *s, bool corners, struct random *r)
{
    struct error e;
    const enum precision precision = random_between(r, 0, 1) ? PRECISION_DOUBLE : PRECISION_SINGLE;
    assert_int_equal(scene_random(s, LONGEST, precision, r, &e), 0);
    if (random_between(r, 0, 2)) {
        memset(s->cells, CELL_AIR, s->voxels[0] * s->voxels[1] * s->voxels[2]);
        for (size_t objects = random_between(r, 0, 2); objects-- > 0;) {
            size_t from[3], to[3];
            for (int axis = 0; axis < 3; axis++) {
                from[axis] = random_between(r, 0, s->voxels[axis] - 1);
                to[axis] = random_between(r, from[axis] + 1, s->voxels[axis]);
            }
            scene_fill(s, from, to, (uint8_t)random_between(r, CELL_AIR, CELL_SOLID + SCENE_MATERIALS - 1));
        }
    }
    for (int face = 0; face < FACES; face++) {
        if (random_between(r, 0, 2))
            continue;
        const size_t layer = face % 2 ? s->voxels[face / 2] - 1 : 0;
        size_t from[3] = {0, 0, 0}, to[3] = {s->voxels[0], s->voxels[1], s->voxels[2]};
        from[face / 2] = layer;
        to[face / 2] = layer + 1;
        if (corners && random_between(r, 0, 1))
            s->outside[face] = CELL_FIXED;
        else
            scene_fill(s, from, to, CELL_FIXED);
    }
    if (corners)
        scene_use_corners(s);
}

static void expect_kind(const struct point_kind *told, const struct point_kind *kind, const char *by, int room,
                        const size_t at[3])
{
    if (told->updated != kind->updated ||
        (kind->updated && (told->links != kind->links || told->weight != kind->weight)))
        fail_msg("room %d, point %zu %zu %zu by its %s: updated %d links %u weight %.17g, expected %d %u %.17g", room,
                 at[0], at[1], at[2], by, told->updated, told->links, told->weight, kind->updated, kind->links,
                 kind->weight);
}

static struct point_kind state_of(const struct layout *l, const size_t at[3])
{
    unsigned state = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < l->from[axis] || at[axis] >= l->to[axis])
            return (struct point_kind){0};
        state |= (unsigned)(at[axis] == l->from[axis]) << (2 * axis);
        state |= (unsigned)(at[axis] + 1 == l->to[axis]) << (2 * axis + 1);
    }
    return l->states[state & l->missing];
}

static bool is_listed(const struct layout *l, size_t x, size_t row)
{
    for (size_t i = 0; i < l->irregular_count; i++)
        if (l->irregular[i] == (uint64_t)row * l->segments + x / SEGMENT)
            return true;
    return false;
}

/* Returns how many points are regular. */
static size_t compare(const struct scene *s, const struct layout *l, const struct rows *rows, int room)
{
    const size_t *n = s->problem.points;
    point_code *codes = malloc(l->pitch * n[1] * sizeof *codes);
    size_t regular = 0;
    assert_non_null(codes);
    for (size_t z = 0; z < n[2]; z++) {
        plane_codes(l, rows, &s->problem, z, codes);
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[0]; x++) {
                const size_t at[3] = {x, y, z};
                const struct point_kind kind =
                    s->leapfrog.stencil == STENCIL_19_POINT ? corner_kind(s, at) : voxel_kind(s, at);
                const struct point_kind state = state_of(l, at);
                expect_kind(&l->codes[codes[y * l->pitch + x]], &kind, "code", room, at);
                assert_true(l->codes[0].updated == false);
                if (is_listed(l, x, z * n[1] + y))
                    continue;
                expect_kind(&state, &kind, "state", room, at);
                regular++;
            }
    }
    free(codes);
    return regular;
}

static void check_rooms(bool corners)
{
    struct random r = random_cases("layouts");
    size_t regular = 0;
    for (int room = 0; room < case_count(ROOMS); room++) {
        struct scene s;
        struct rows rows;
        struct layout layout;
        struct error e;
        make_room(&s, corners, &r);
        assert_int_equal(scene_voxels(&s, &e), 0);
        assert_int_equal(rows_make(&rows, &s.problem, &e), 0);
        assert_int_equal(layout_make(&layout, &rows, &s.problem, &e), 0);
        regular += compare(&s, &layout, &rows, room);
        layout_free(&layout);
        rows_free(&rows);
        scene_free(&s);
    }
    assert_true(regular > 0);
}

static void codes_and_states_say_links_and_wall_of_each_point(void **state)
{
    (void)state;
    check_rooms(false);
}

static void codes_and_states_say_pattern_and_wall_of_each_corner(void **state)
{
    (void)state;
    check_rooms(true);
}

/* A box between walls of any kind needs no map; neither does one whose outside is fixed. */
static void an_empty_box_of_corners_is_regular(void **state)
{
    (void)state;
    struct random r = random_cases("boxes");
    for (int i = 0; i < case_count(ROOMS); i++) {
        struct scene s;
        struct rows rows;
        struct layout layout;
        struct error e;
        assert_int_equal(scene_random(&s, LONGEST, PRECISION_SINGLE, &r, &e), 0);
        for (int axis = 0; axis < 3; axis++)
            if (s.voxels[axis] < 2) { /* fixed on both sides, it would have no point */
                scene_free(&s);
                assert_int_equal(scene_box(&s, 2, 2, 2, PRECISION_SINGLE, &e), 0);
            }
        memset(s.cells, CELL_AIR, s.voxels[0] * s.voxels[1] * s.voxels[2]);
        s.areas = 0;
        unsigned fixed = 0;
        for (int face = 0; face < FACES; face++)
            if (random_between(&r, 0, 1)) {
                s.outside[face] = CELL_FIXED;
                fixed |= 1u << face;
            }
        scene_use_corners(&s);
        assert_int_equal(scene_voxels(&s, &e), 0);
        assert_int_equal(rows_make(&rows, &s.problem, &e), 0);
        assert_int_equal(layout_make(&layout, &rows, &s.problem, &e), 0);
        assert_int_equal(layout.irregular_count, 0);
        assert_int_equal(layout.missing, ~fixed & 63u);
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(layout.from[axis], fixed >> (2 * axis) & 1u);
            assert_int_equal(layout.to[axis], s.problem.points[axis] - (fixed >> (2 * axis + 1) & 1u));
        }
        layout_free(&layout);
        rows_free(&rows);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_and_states_say_links_and_wall_of_each_point),
        cmocka_unit_test(codes_and_states_say_pattern_and_wall_of_each_corner),
        cmocka_unit_test(an_empty_box_of_corners_is_regular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

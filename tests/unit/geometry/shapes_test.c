/* SPDX-License-Identifier: MIT */
/* Shapes of objects: what they hold, where they end, and that neighbours share no place. */
#include "room/room.h"
#include "support/random_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979324;

/* A right-handed turn of a vector about one axis, by its definition. */
static void turn(double v[3], int axis, double degrees)
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const double c = cos(degrees * pi / 180.0), s = sin(degrees * pi / 180.0), x = v[a], y = v[b];
    v[a] = c * x - s * y;
    v[b] = s * x + c * y;
}

/* Whether a place is in a box or wedge, from the place turned back; `margin`: how far it is from the boundary, m. */
static bool block_holds(const struct object *o, const double at[3], double *margin)
{
    double own[3], half[3], distance = INFINITY;
    for (int i = 0; i < 3; i++) {
        half[i] = 0.5 * (o->to[i] - o->from[i]);
        own[i] = at[i] - 0.5 * (o->from[i] + o->to[i]);
    }
    turn(own, 2, -o->rotation[0]);
    turn(own, 1, -o->rotation[1]);
    turn(own, 0, -o->rotation[2]);
    for (int i = 0; i < 3; i++)
        distance = fmin(distance, half[i] - fabs(own[i]));
    if (o->shape == SHAPE_WEDGE) {
        const int axis = o->rises >= RISE_Y_MIN;
        const double along = o->rises == RISE_X_MAX || o->rises == RISE_Y_MAX ? own[axis] : -own[axis];
        distance = fmin(distance, half[2] * along / half[axis] - own[2]);
    }
    *margin = fabs(distance);
    return distance > 0.0;
}

static struct object random_block(struct random *r, enum shape shape)
{
    struct object o = {.shape = shape, .rises = (enum rise)random_between(r, RISE_X_MIN, RISE_Y_MAX)};
    for (int i = 0; i < 3; i++) {
        o.from[i] = random_uniform(r, -2.0, 2.0);
        o.to[i] = o.from[i] + random_uniform(r, 0.2, 2.0);
        o.rotation[i] =
            random_between(r, 0, 2) ? random_uniform(r, -360.0, 360.0) : 90.0 * ((double)random_between(r, 0, 8) - 4.0);
    }
    return o;
}

static void random_place(struct random *r, const double lower[3], const double upper[3], double at[3])
{
    for (int i = 0; i < 3; i++)
        at[i] = random_uniform(r, lower[i] - 0.1, upper[i] + 0.1);
}

/* Turned about fixed axes: by roll about x, then by pitch about y, then by yaw about z. */
static void turned_boxes_and_wedges_hold_what_turning_back_puts_into_them(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    size_t held = 0;
    for (int i = 0; i < 200; i++) {
        const struct object o = random_block(&r, i % 2 ? SHAPE_BOX : SHAPE_WEDGE);
        double lower[3], upper[3], at[3], margin;
        object_bounds(&o, lower, upper);
        for (int k = 0; k < 300; k++) {
            random_place(&r, lower, upper, at);
            const bool expected = block_holds(&o, at, &margin);
            if (!(margin > 1e-9))
                continue;
            assert_int_equal(object_holds(&o, at), expected);
            held += expected;
            for (int axis = 0; axis < 3 && expected; axis++)
                assert_true(at[axis] >= lower[axis] - 1e-12 && at[axis] <= upper[axis] + 1e-12);
        }
    }
    assert_true(held > 5000);
}

static double held_volume(struct random *r, const struct object *o, int places)
{
    double lower[3], upper[3], at[3], box = 1.0;
    int held = 0;
    object_bounds(o, lower, upper);
    for (int i = 0; i < 3; i++)
        box *= upper[i] - lower[i];
    for (int k = 0; k < places; k++) {
        for (int i = 0; i < 3; i++)
            at[i] = random_uniform(r, lower[i], upper[i]);
        held += object_holds(o, at);
    }
    return box * held / places;
}

static void objects_have_their_volume(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double corners[][2] = {{0.0, 0.0}, {2.0, 0.0}, {2.0, 1.0}, {1.0, 1.0}, {1.0, 3.0}, {0.0, 3.0}}; /* 4 m² */
    const struct object sphere = {.shape = SHAPE_SPHERE, .position = {1.0, -2.0, 3.0}, .radius = 0.7};
    const struct object prism = {
        .shape = SHAPE_POLYGON, .corners = corners, .corner_count = 6, .bottom = -1.0, .top = 0.5};
    const struct object wedge = {.shape = SHAPE_WEDGE,
                                 .from = {0.0, 0.0, 0.0},
                                 .to = {2.0, 3.0, 1.0},
                                 .rises = RISE_Y_MIN,
                                 .rotation = {30, 0, 0}};
    assert_true(fabs(held_volume(&r, &sphere, 100000) / (4.0 / 3.0 * pi * 0.343) - 1.0) < 0.03);
    assert_true(fabs(held_volume(&r, &prism, 100000) / 6.0 - 1.0) < 0.03);
    assert_true(fabs(held_volume(&r, &wedge, 100000) / 3.0 - 1.0) < 0.05);
}

/* Places on a lattice of eighths, many of them on faces, edges and corners. */
static void a_place_between_two_neighbours_belongs_to_one(void **state)
{
    (void)state;
    double left[][2] = {{0.0, 0.0}, {2.0, 0.0}, {1.0, 2.0}, {0.0, 2.0}};
    double right[][2] = {{2.0, 2.0}, {1.0, 2.0}, {2.0, 0.0}, {3.0, 0.0}, {3.0, 2.0}};
    const struct object pairs[][2] = {
        {{.shape = SHAPE_BOX, .to = {1, 2, 1}}, {.shape = SHAPE_BOX, .from = {1, 0, 0}, .to = {3, 2, 1}}},
        {{.shape = SHAPE_BOX, .from = {-0.5, 0.5, 0}, .to = {1.5, 1.5, 1}, .rotation = {90, 0, 0}},
         {.shape = SHAPE_BOX, .from = {1, 0, 0}, .to = {3, 2, 1}, .rotation = {180, 0, 180}}},
        {{.shape = SHAPE_WEDGE, .to = {3, 2, 1}, .rises = RISE_X_MAX},
         {.shape = SHAPE_WEDGE, .to = {3, 2, 1}, .rises = RISE_X_MAX, .rotation = {0, 180, 0}}},
        {{.shape = SHAPE_POLYGON, .corners = left, .corner_count = 4, .top = 1},
         {.shape = SHAPE_POLYGON, .corners = right, .corner_count = 5, .top = 1}},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int x = -2; x <= 26; x++)
            for (int y = -2; y <= 18; y++)
                for (int z = -2; z <= 10; z++) {
                    const double at[3] = {x / 8.0, y / 8.0, z / 8.0};
                    const bool expected = x >= 0 && x < 24 && y >= 0 && y < 16 && z >= 0 && z < 8;
                    const int holders = object_holds(&pairs[i][0], at) + object_holds(&pairs[i][1], at);
                    if (holders != expected)
                        fail_msg("pair %zu: %d hold (%g, %g, %g)", i, holders, at[0], at[1], at[2]);
                }
}

/* As the place next to it at larger x, which is below a slope that rises along x. */
static void a_place_on_a_slope_counts_as_the_one_at_larger_x(void **state)
{
    (void)state;
    struct object wedge = {.shape = SHAPE_WEDGE, .to = {2, 2, 1}};
    const double on_x[3] = {1, 0.5, 0.5}, on_y[3] = {0.5, 1, 0.5};
    const struct {
        enum rise rises;
        const double *at;
        bool held;
    } cases[] = {
        {RISE_X_MAX, on_x, true}, {RISE_X_MIN, on_x, false}, {RISE_Y_MAX, on_y, true}, {RISE_Y_MIN, on_y, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wedge.rises = cases[i].rises;
        assert_int_equal(object_holds(&wedge, cases[i].at), cases[i].held);
    }
}

static void quarter_turns_are_exact(void **state)
{
    (void)state;
    struct object o = {.shape = SHAPE_BOX, .from = {0.1, 0.2, 0.3}, .to = {1.1, 2.2, 3.3}};
    const double expected[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    double matrix[3][3];
    for (double turns = -3.0; turns <= 1.0; turns += 4.0) {
        o.rotation[0] = 90.0 * turns;
        object_turn(&o, matrix);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                assert_true(matrix[i][k] == expected[i][k]);
        assert_true(object_is_axis_parallel(&o));
    }
    o.rotation[0] = 45.0;
    assert_false(object_is_axis_parallel(&o));
}

/* Pitch turns about y by the right hand: what points along x points down. */
static void yaw_pitch_and_roll_turn_by_the_right_hand(void **state)
{
    (void)state;
    struct object o = {.shape = SHAPE_BOX, .from = {-1, -1, -1}, .to = {1, 1, 1}};
    double m[3][3];
    const struct {
        double rotation[3];
        int from, to;
        double sign;
    } cases[] = {{{90, 0, 0}, 0, 1, 1.0}, {{0, 90, 0}, 0, 2, -1.0}, {{0, 0, 90}, 1, 2, 1.0}, {{90, 90, 0}, 0, 2, -1.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(o.rotation, cases[i].rotation, sizeof o.rotation);
        object_turn(&o, m);
        assert_true(m[cases[i].to][cases[i].from] == cases[i].sign);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_boxes_and_wedges_hold_what_turning_back_puts_into_them),
        cmocka_unit_test(objects_have_their_volume),
        cmocka_unit_test(a_place_between_two_neighbours_belongs_to_one),
        cmocka_unit_test(a_place_on_a_slope_counts_as_the_one_at_larger_x),
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(yaw_pitch_and_roll_turn_by_the_right_hand),
    };
    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}

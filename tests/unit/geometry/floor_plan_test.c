/* SPDX-License-Identifier: MIT */
/* Floor plans: what bounds a floor, its area, and its triangles. */
#include "geometry/floor_plan.h"
#include "support/random_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { MANY = 60 };

/* A star around a place: simple, with reflex corners. Clockwise where `clockwise`. Of 4 corners at least, so that none
 * are half a turn apart. */
static void random_star(struct random *r, double corners[MANY][2], size_t count, bool clockwise)
{
    const double centre[2] = {random_uniform(r, -50.0, 50.0), random_uniform(r, -50.0, 50.0)};
    for (size_t i = 0; i < count; i++) {
        const double part = ((double)i + random_uniform(r, 0.1, 0.9)) / (double)count;
        const double angle = 6.28318530717958648 * (clockwise ? -part : part), radius = random_uniform(r, 1.0, 9.0);
        corners[i][0] = centre[0] + radius * cos(angle);
        corners[i][1] = centre[1] + radius * sin(angle);
    }
}

static double triangle_area(const double (*corners)[2], const uint32_t t[3])
{
    const double *a = corners[t[0]], *b = corners[t[1]], *c = corners[t[2]];
    return 0.5 * fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

static void triangles_cover_the_plan_once(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 200; i++) {
        double corners[MANY][2], sum = 0.0, at[2];
        uint32_t triangles[MANY][3];
        size_t triangle_count;
        const size_t count = random_between(&r, 4, MANY);
        random_star(&r, corners, count, i % 2);
        const double(*plan)[2] = (const double(*)[2])corners;
        assert_int_equal(floor_plan_fault(plan, count).kind, PLAN_SOUND);
        assert_int_equal(floor_plan_triangles(plan, count, triangles, &triangle_count, NULL), 0);
        assert_int_equal(triangle_count, count - 2);
        for (size_t k = 0; k < triangle_count; k++)
            sum += triangle_area(plan, triangles[k]);
        const double area = floor_plan_area(plan, count);
        assert_true((area > 0.0) == !(i % 2));
        assert_true(fabs(sum - fabs(area)) <= 1e-9 * sum);
        for (int k = 0; k < 50; k++) { /* a place is in the plan where it is in one of the triangles */
            at[0] = corners[0][0] + random_uniform(&r, -15.0, 15.0);
            at[1] = corners[0][1] + random_uniform(&r, -15.0, 15.0);
            size_t holders = 0;
            for (size_t n = 0; n < triangle_count; n++) {
                double three[3][2];
                for (int c = 0; c < 3; c++)
                    memcpy(three[c], corners[triangles[n][c]], sizeof three[c]);
                holders += floor_plan_holds((const double(*)[2])three, 3, at);
            }
            assert_int_equal(holders, floor_plan_holds(plan, count, at));
        }
    }
}

static void plans_that_bound_no_floor_are_found(void **state)
{
    (void)state;
    static const struct {
        double corners[8][2];
        size_t count;
        struct plan_fault fault;
    } cases[] = {
        {{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, 4, {PLAN_SOUND, 0, 0}},
        {{{0, 3}, {4, 3}, {4, 0}, {0, 0}}, 4, {PLAN_SOUND, 0, 0}},
        {{{0, 0}, {2, 0}, {4, 0}, {4, 3}, {0, 3}}, 5, {PLAN_SOUND, 0, 0}}, /* a corner on a straight wall */
        {{{0, 0}, {4, 0}, {4, 0}, {0, 3}}, 4, {PLAN_REPEATS, 2, 2}},
        {{{0, 0}, {4, 0}, {4, 3}, {0, 0}}, 4, {PLAN_REPEATS, 0, 0}}, /* closed twice */
        {{{0, 0}, {4, 3}, {4, 0}, {0, 3}}, 4, {PLAN_CROSSES, 0, 2}}, /* a bow tie */
        {{{0, 0}, {4, 0}, {2, 0}, {0, 3}}, 4, {PLAN_TURNS_BACK, 1, 1}},
        {{{0, 0}, {2, 0}, {4, 0}}, 3, {PLAN_TURNS_BACK, 0, 0}},              /* on a line */
        {{{0, 0}, {4, 0}, {4, 3}, {2, 0}, {0, 3}}, 5, {PLAN_CROSSES, 0, 2}}, /* touches its own side */
        {{{0, 0}, {4, 0}, {4, 3}, {2, 1}, {0, 3}, {0, 2}, {2, 1}, {0, 1}}, 8, {PLAN_CROSSES, 2, 5}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct plan_fault fault = floor_plan_fault(cases[i].corners, cases[i].count);
        if (fault.kind != cases[i].fault.kind || fault.a != cases[i].fault.a || fault.b != cases[i].fault.b)
            fail_msg("case %zu: fault %d at %zu, %zu", i, (int)fault.kind, fault.a, fault.b);
    }
}

/* Where a side of a random plan is led through the others, they cross. */
static void crossings_are_found_by_either_order(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 200; i++) {
        double corners[MANY][2], other[2];
        const size_t count = random_between(&r, 5, MANY), k = random_between(&r, 0, count - 1), l = (k + 2) % count;
        random_star(&r, corners, count, i % 2);
        memcpy(other, corners[k], sizeof other);
        memcpy(corners[k], corners[l], sizeof other);
        memcpy(corners[l], other, sizeof other);
        const bool sound = floor_plan_fault((const double(*)[2])corners, count).kind == PLAN_SOUND;
        double mirrored[MANY][2];
        for (size_t n = 0; n < count; n++)
            memcpy(mirrored[n], corners[count - 1 - n], sizeof mirrored[n]);
        assert_int_equal(floor_plan_fault((const double(*)[2])mirrored, count).kind == PLAN_SOUND, sound);
        uint32_t triangles[MANY][3];
        size_t triangle_count;
        double sum = 0.0;
        assert_int_equal(floor_plan_triangles((const double(*)[2])corners, count, triangles, &triangle_count, NULL), 0);
        for (size_t n = 0; n < triangle_count; n++)
            sum += triangle_area((const double(*)[2])corners, triangles[n]);
        if (sound) /* else the triangles overlap or there are too few */
            assert_true(fabs(sum - fabs(floor_plan_area((const double(*)[2])corners, count))) <= 1e-9 * sum);
    }
}

static void the_distance_is_to_the_nearest_wall(void **state)
{
    (void)state;
    static const double plan[][2] = {{0, 0}, {6, 0}, {6, 4}, {3, 4}, {3, 7}, {0, 7}};
    const struct {
        double at[2], distance;
        bool inside;
    } cases[] = {
        {{1, 2}, 1, true}, {{2.5, 6}, 0.5, true}, {{4, 5}, 1, false}, {{-3, -4}, 5, false}, {{3, 5}, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(floor_plan_distance(plan, 6, cases[i].at) == cases[i].distance);
        assert_int_equal(floor_plan_holds(plan, 6, cases[i].at), cases[i].inside);
    }
    assert_true(floor_plan_area(plan, 6) == 33.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_cover_the_plan_once),
        cmocka_unit_test(plans_that_bound_no_floor_are_found),
        cmocka_unit_test(crossings_are_found_by_either_order),
        cmocka_unit_test(the_distance_is_to_the_nearest_wall),
    };
    return cmocka_run_group_tests_name("floor plans", tests, NULL, NULL);
}

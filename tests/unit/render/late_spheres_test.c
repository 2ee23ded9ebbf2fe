/* SPDX-License-Identifier: MIT */
/* Spheres around receivers, in which rays are counted: their radii, and what of them their centres see. */
#include "render/hybrid/late_rays.h"
#include "render/hybrid/late_spheres.h"
#include "support/random_cases.h"
#include "validate/hybrid/late_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static const double size[3] = {30.0, 20.0, 12.0};

static void assert_near(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", measured, tolerance, expected);
}

static void open_box(struct late_rig *rig)
{
    const struct late_rig_wall wall = {0.05, 0.1}, walls[6] = {wall, wall, wall, wall, wall, wall};
    struct error e;
    assert_int_equal(late_rig_box(rig, size, walls, &e), 0);
}

/* Of a sphere, what is above a plane that cuts it at a height below its centre. */
static double above(double height, double radius)
{
    const double h = fmin(height / radius, 1.0);
    return 0.5 + 0.75 * h - 0.25 * h * h * h;
}

static void a_floor_cuts_off_its_part_of_the_sphere(void **state)
{
    (void)state;
    struct late_rig rig = {.walls = NULL};
    struct random r = random_cases("heights");
    open_box(&rig);
    for (int i = 0; i < 20; i++) {
        const double height = 0.02 + 2.0 * random_unit(&r), centre[3] = {14.0, 9.0, height};
        struct late_sphere s;
        late_sphere_make(&s, &rig.scene, &rig.tree, centre);
        assert_true(s.count >= 1);
        assert_near(s.clear, height, 2e-3 * height);
        assert_int_equal(s.rained, s.clear >= LATE_NEAREST);
        for (int k = 0; k < s.count; k++)
            assert_near(s.share[k], above(height, s.radius[k]), 4e-3);
    }
    late_rig_free(&rig);
}

static void spheres_grow_with_the_way_and_no_further_than_the_room_is_open(void **state)
{
    (void)state;
    struct late_rig rig = {.walls = NULL};
    struct random r = random_cases("places");
    open_box(&rig);
    for (int i = 0; i < 20; i++) {
        double centre[3];
        for (int k = 0; k < 3; k++)
            centre[k] = (i % 2 ? random_unit(&r) : 0.25 + 0.5 * random_unit(&r)) * size[k];
        struct late_sphere s;
        double before = 0.0;
        late_sphere_make(&s, &rig.scene, &rig.tree, centre);
        for (double way = 0.0; way < 200.0; way += 0.25) {
            const struct late_ball ball = late_sphere_after(&s, way);
            const double wanted = fmax(LATE_WIDENING * way, LATE_RADIUS);
            assert_true(ball.radius >= before && ball.radius <= wanted);
            assert_true(ball.radius >= fmin(wanted, s.clear) && ball.radius >= fmin(wanted, s.radius[0]) / sqrt(2.0));
            assert_int_equal(ball.cut, ball.radius > s.clear);
            assert_true(ball.cut ? ball.share <= 1.0 : ball.share == 1.0);
            before = ball.radius;
        }
        assert_true(before >= s.clear && before <= fmax(s.clear, LATE_SPREAD * 20.0));
        assert_true(i % 2 || before >= LATE_SPREAD * 4.0); /* the box is seen for twice as far from its middle */
    }
    late_rig_free(&rig);
}

static void a_room_smaller_than_a_sphere_is_seen_as_a_whole(void **state)
{
    (void)state;
    const double small[3] = {0.3, 0.2, 0.25}, centre[3] = {0.1, 0.1, 0.1};
    const struct late_rig_wall wall = {0.05, 0.1}, walls[6] = {wall, wall, wall, wall, wall, wall};
    struct late_rig rig = {.walls = NULL};
    struct late_sphere s;
    struct error e;
    assert_int_equal(late_rig_box(&rig, small, walls, &e), 0);
    late_sphere_make(&s, &rig.scene, &rig.tree, centre);
    assert_int_equal(s.count, 1);
    assert_near(s.radius[0], LATE_RADIUS, 1e-12);
    assert_near(s.share[0], 0.3 * 0.2 * 0.25 / (4.0 / 3.0 * M_PI * 0.027), 5e-3); /* all of the room */
    late_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_cuts_off_its_part_of_the_sphere),
        cmocka_unit_test(spheres_grow_with_the_way_and_no_further_than_the_room_is_open),
        cmocka_unit_test(a_room_smaller_than_a_sphere_is_seen_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

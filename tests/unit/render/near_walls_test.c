/* SPDX-License-Identifier: MIT */
/* The rise of a diffuse field near walls: against plane waves from all sides and their reflections. */
#include "render/hybrid/near_walls.h"
#include "support/random_cases.h"
#include "validate/hybrid/late_rig.h"
#include "validate/scene/meshes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <complex.h>
#include <math.h>

static const double pi = 3.14159265358979323846, speed = 343.2;
static const double size[3] = {4.0, 3.0, 2.5};

static void assert_near(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", measured, tolerance, expected);
}

static double complex real_admittance(const void *context, double frequency)
{
    (void)frequency;
    return *(const double *)context;
}

static struct near_gain gain_of(double admittance)
{
    struct near_gain gain;
    const struct late_material material = {.admittance = real_admittance, .context = &admittance};
    near_gain_make(&gain, &material);
    return gain;
}

static struct near_wall wall_at(int axis, double distance)
{
    struct near_wall wall = {.distance = distance};
    wall.normal[axis] = 1.0;
    return wall;
}

/* |p|² of plane waves from a grid of directions with their reflections in walls square to the axes, over the sum of their
 * energies by themselves. */
static double by_plane_waves(const double *distances, int walls, double admittance, double wave_number)
{
    enum { STEPS = 200 };
    double heard = 0.0, alone = 0.0;
    for (int i = 0; i < STEPS; i++)
        for (int j = 0; j < STEPS; j++) {
            const double z = (i + 0.5) / STEPS, angle = 0.5 * pi * (j + 0.5) / STEPS, out = sqrt(1.0 - z * z);
            const double d[3] = {z, out * cos(angle), out * sin(angle)};
            double complex sum = 1.0;
            double energy = 1.0;
            for (int w = 0; w < walls; w++) {
                const double r = (d[w] - admittance) / (d[w] + admittance);
                sum *= 1.0 + r * cexp(-2.0 * I * wave_number * distances[w] * d[w]);
                energy *= 1.0 + r * r;
            }
            heard += creal(sum) * creal(sum) + cimag(sum) * cimag(sum);
            alone += energy;
        }
    return heard / alone;
}

static void rigid_walls_raise_the_field_as_plane_waves_do(void **state)
{
    (void)state;
    struct random r = random_cases("near_walls");
    const struct near_gain gain = gain_of(0.0);
    for (int i = 0; i < 30; i++) {
        const int count = i % 3 + 1;
        const double distances[3] = {0.3 * random_unit(&r), 0.3 * random_unit(&r), 0.3 * random_unit(&r)};
        const struct near_wall walls[3] = {wall_at(0, distances[0]), wall_at(1, distances[1]),
                                           wall_at(2, distances[2])};
        const double frequency = 50.0 * exp2(3.0 * random_unit(&r));
        struct near_rise rise;
        near_rise_make(&rise, walls, (size_t)count, &gain, speed);
        assert_near(near_rise_at(&rise, frequency), by_plane_waves(distances, count, 0.0, 2.0 * pi * frequency / speed),
                    0.01);
    }
}

static void absorbing_walls_raise_it_by_as_much_as_they_reflect(void **state)
{
    (void)state;
    const double close[3] = {0.001, 0.001, 0.001}, admittances[] = {0.01, 0.05, 0.2, 1.0};
    for (size_t i = 0; i < sizeof admittances / sizeof *admittances; i++) {
        const struct near_gain gain = gain_of(admittances[i]);
        const struct near_wall wall = wall_at(2, close[0]);
        struct near_rise rise;
        near_rise_make(&rise, &wall, 1, &gain, speed);
        assert_near(near_rise_at(&rise, 500.0), by_plane_waves(close, 1, admittances[i], 2.0 * pi * 500.0 / speed),
                    0.02);
    }
}

static void a_wall_without_pressure_silences_what_is_at_it(void **state)
{
    (void)state;
    struct near_gain gain;
    const struct late_material fixed = {.fixed = true};
    const struct near_wall wall = wall_at(0, 1e-4);
    struct near_rise rise;
    near_gain_make(&gain, &fixed);
    near_rise_make(&rise, &wall, 1, &gain, speed);
    assert_near(near_rise_at(&rise, 1000.0), 0.0, 1e-3);
}

static void far_from_walls_nothing_rises(void **state)
{
    (void)state;
    const struct near_gain gain = gain_of(0.0);
    const struct near_wall wall = wall_at(0, 1.01 * near_walls_reach(200.0, speed));
    struct near_rise rise, none;
    near_rise_make(&rise, &wall, 1, &gain, speed);
    for (double frequency = 200.0; frequency < 20000.0; frequency *= 1.1)
        assert_near(near_rise_at(&rise, frequency), 1.0, 1e-4);
    near_rise_make(&none, NULL, 0, NULL, speed);
    assert_true(none.none);
    near_rise_multiply(&none, &rise);
    assert_false(none.none);
}

/* The rise that points share out is that which frequencies add up. */
static void shares_of_points_add_up(void **state)
{
    (void)state;
    struct random r = random_cases("near_walls");
    double points[RISE_POINTS] = {0.0}, sum = 0.0, expected = 0.0;
    struct near_rise rise = {.none = false};
    for (int i = 0; i < RISE_POINTS; i++)
        rise.at[i] = random_unit(&r);
    for (int i = 0; i < 1000; i++) {
        const double amount = random_unit(&r), frequency = 48000.0 * random_unit(&r);
        near_rise_share(points, amount, frequency);
        expected += amount * near_rise_at(&rise, frequency);
    }
    for (int i = 0; i < RISE_POINTS; i++)
        sum += points[i] * rise.at[i];
    assert_near(sum, expected, 1e-9);
}

static size_t walls_at(struct near_wall walls[NEAR_WALLS_MAX], const struct late_rig *rig, double x, double y, double z)
{
    return near_walls_find(walls, &rig->scene, &rig->tree, (const double[]){x, y, z}, 0.5);
}

/* A box with a board of 1 x 1 m, .2 m above its floor. */
static void walls_are_found_that_are_seen_straight_on(void **state)
{
    (void)state;
    const double corners[4][3] = {{1.0, 1.0, 0.2}, {2.0, 1.0, 0.2}, {2.0, 2.0, 0.2}, {1.0, 2.0, 0.2}};
    const double distances[3] = {0.01, 0.1, 0.2};
    const uint32_t materials[3] = {1, 3, 4};
    const struct late_rig_wall walls_of[7] = {{0.0, 0.0}};
    struct near_wall walls[NEAR_WALLS_MAX];
    struct scene_mesh mesh = {.triangles = NULL};
    struct late_rig rig = {.walls = NULL};
    struct error e;
    mesh_add_box(&mesh, (const double[]){0.0, 0.0, 0.0}, size, 0);
    mesh_add_quad(&mesh, corners[0], corners[1], corners[2], corners[3], 6);
    const struct surface surface = surface_of(&mesh);
    assert_int_equal(late_rig_make(&rig, &surface, walls_of, 7, &e), 0);
    assert_int_equal(walls_at(walls, &rig, 3.0, 1.5, 1.2), 0);
    assert_int_equal(walls_at(walls, &rig, 3.99, 2.9, 0.2), 3); /* a corner, the nearest wall first */
    for (int i = 0; i < 3; i++) {
        assert_near(walls[i].distance, distances[i], 1e-12);
        assert_near(walls[i].normal[i], i < 2 ? 1.0 : -1.0, 1e-12);
        assert_int_equal(walls[i].material, materials[i]);
    }
    assert_int_equal(walls_at(walls, &rig, 1.4, 1.6, 0.3), 1); /* over the board, which hides the floor */
    assert_int_equal(walls[0].material, 6);
    assert_int_equal(walls_at(walls, &rig, 1.4, 1.6, 0.1), 2); /* between both */
    assert_int_equal(walls_at(walls, &rig, 0.9, 1.6, 0.3), 1); /* beside it */
    assert_int_equal(walls[0].material, 4);
    assert_int_equal(walls_at(walls, &rig, 1.4, 1.6, 0.0), 2); /* on the floor, below the board */
    assert_near(walls[0].distance, 0.0, 1e-12);
    mesh_clear(&mesh);
    late_rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_walls_raise_the_field_as_plane_waves_do),
        cmocka_unit_test(absorbing_walls_raise_it_by_as_much_as_they_reflect),
        cmocka_unit_test(a_wall_without_pressure_silences_what_is_at_it),
        cmocka_unit_test(far_from_walls_nothing_rises),
        cmocka_unit_test(shares_of_points_add_up),
        cmocka_unit_test(walls_are_found_that_are_seen_straight_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

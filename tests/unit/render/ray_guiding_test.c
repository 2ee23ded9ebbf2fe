/* SPDX-License-Identifier: MIT */
/* Directions in which rays leave and are scattered: more where energy lasts, and the same energy from each solid
 * angle. */
#include "render/hybrid/late_scatter.h"
#include "support/random_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { RAYS = 100000, DRAWN = 400000 };
static struct ray_guide_shares shares;
static struct ray_guiding aims;

static void assert_near(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", measured, tolerance, expected);
}

/* Shares that differ by orders of magnitude; some times bring nothing. */
static void draw_shares(struct random *r)
{
    for (size_t i = 0; i < RAY_GUIDE_TIMES; i++)
        for (size_t c = 0; c < RAY_GUIDING; c++)
            shares.energy[i][c] = i % 5 == 4 ? 0.0 : pow(10.0, -6.0 * random_unit(r));
}

/* Three tenths of what even rays would be are left to each cell. */
static void no_cell_is_left_out(void **state)
{
    (void)state;
    struct random r = random_cases("shares");
    draw_shares(&r);
    ray_guiding_make(&aims, &shares, 1.0);
    assert_near(aims.leaving[0], 0.0, 0.0);
    assert_near(aims.leaving[RAY_GUIDING], 1.0, 1e-9);
    for (size_t c = 0; c < RAY_GUIDING; c++)
        assert_true(aims.leaving[c + 1] - aims.leaving[c] >= 0.29 / RAY_GUIDING);
}

/* In each row of cells their part of all, to a ray; in each cell within the discrepancy of the spiral. */
static void rays_leave_as_their_distribution_says(void **state)
{
    (void)state;
    struct random r = random_cases("shares");
    static double left[RAY_GUIDING];
    memset(left, 0, sizeof left);
    draw_shares(&r);
    ray_guiding_make(&aims, &shares, 1.0);
    const uint64_t seed = random_bits(&r);
    for (size_t i = 0; i < RAYS; i++) {
        const struct ray_guide a = ray_guide_of(&aims, i, RAYS, seed), again = ray_guide_of(&aims, i, RAYS, seed);
        const double *d = a.direction;
        const size_t cell = ray_guide_cell(d);
        assert_memory_equal(&a, &again, sizeof a);
        assert_near(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1.0, 1e-12);
        assert_near(a.energy * RAY_GUIDING * (aims.leaving[cell + 1] - aims.leaving[cell]), 1.0, 1e-9);
        left[cell] += 1.0;
    }
    for (size_t row = 0; row < RAY_GUIDE_ROWS; row++) {
        const double *of = aims.leaving + row * RAY_GUIDE_COLUMNS;
        double sum = 0.0;
        for (size_t c = 0; c < RAY_GUIDE_COLUMNS; c++) {
            const double here = left[row * RAY_GUIDE_COLUMNS + c];
            assert_near(here, RAYS * (of[c + 1] - of[c]), 6.0);
            sum += here;
        }
        assert_near(sum, RAYS * (of[RAY_GUIDE_COLUMNS] - of[0]), 1.001);
    }
}

/* Fewer rays than cells. Exact: 1; each ray 1/0.3 at most. */
static void few_rays_carry_the_energy_of_all_directions(void **state)
{
    (void)state;
    enum { FEW = RAY_GUIDING / 2 };
    struct random r = random_cases("shares");
    double sum = 0.0, most = 0.0;
    draw_shares(&r);
    ray_guiding_make(&aims, &shares, 1.0);
    const uint64_t seed = random_bits(&r);
    for (size_t i = 0; i < FEW; i++) {
        const double energy = ray_guide_of(&aims, i, FEW, seed).energy;
        sum += energy / FEW;
        most = fmax(most, energy);
    }
    assert_near(sum, 1.0, 0.05);
    assert_true(most <= 1.0 / 0.3 * (1.0 + 1e-9));
}

/* However unevenly rays leave. Exact: 1/3, 1/5, 1/15, 0. */
static void means_over_the_sphere_are_those_of_even_directions(void **state)
{
    (void)state;
    struct random r = random_cases("shares");
    double square = 0.0, fourth = 0.0, mixed = 0.0, odd = 0.0;
    draw_shares(&r);
    ray_guiding_make(&aims, &shares, 1.0);
    const uint64_t seed = random_bits(&r);
    for (size_t i = 0; i < RAYS; i++) {
        const struct ray_guide a = ray_guide_of(&aims, i, RAYS, seed);
        const double x = a.direction[0], y = a.direction[1], z = a.direction[2];
        square += a.energy * z * z / RAYS;
        fourth += a.energy * x * x * x * x / RAYS;
        mixed += a.energy * x * x * y * y / RAYS;
        odd += a.energy * x * z / RAYS;
    }
    assert_near(square, 1.0 / 3.0, 5e-4);
    assert_near(fourth, 1.0 / 5.0, 5e-4);
    assert_near(mixed, 1.0 / 15.0, 5e-4);
    assert_near(odd, 0.0, 5e-4);
}

static void more_rays_leave_where_energy_lasts(void **state)
{
    (void)state;
    const double along[3] = {0.36, -0.48, 0.8};
    const size_t cell = ray_guide_cell(along);
    memset(&shares, 0, sizeof shares);
    for (int i = 0; i < RAY_GUIDE_TIMES; i++) {
        const double place = (i + 0.5) / RAY_GUIDE_TIMES;
        ray_guiding_see(&shares, cell, place, exp2(-place * 40.0)); /* alone at late times */
        ray_guiding_see(&shares, (cell + 200) % RAY_GUIDING, place, 3.0 * exp2(-place * 80.0));
    }
    ray_guiding_see(&shares, 7, 1.0, 1e9); /* beyond the longest way */
    ray_guiding_make(&aims, &shares, 0.0);
    const double there = aims.leaving[cell + 1] - aims.leaving[cell], beyond = aims.leaving[8] - aims.leaving[7];
    assert_near(aims.aimed, 0.7, 1e-12);
    assert_true(there > 0.62 && there < 0.7);
    assert_near(beyond, 0.3 / RAY_GUIDING, 1e-12);
}

/* A quarter of the energy at half of the times, and all of it, and more, at one. */
static void as_many_rays_are_aimed_as_energy_is_not_scattered(void **state)
{
    (void)state;
    memset(&shares, 0, sizeof shares);
    for (int i = 0; i < RAY_GUIDE_TIMES; i += 2)
        ray_guiding_see(&shares, 99, (i + 0.5) / RAY_GUIDE_TIMES, 0.25 * 8.0);
    ray_guiding_see(&shares, 3000, 1.5 / RAY_GUIDE_TIMES, 70.0 * 8.0);
    ray_guiding_make(&aims, &shares, 8.0);
    const double sum = 0.25 * RAY_GUIDE_TIMES / 2 + 1.0;
    assert_near(aims.aimed, 0.7 * sum / RAY_GUIDE_TIMES, 1e-12);
    assert_near(aims.below[3001] - aims.below[3000], 1.0 / sum, 1e-12);
}

static void without_energy_rays_leave_evenly(void **state)
{
    (void)state;
    memset(&shares, 0, sizeof shares);
    ray_guiding_make(&aims, &shares, 1.0);
    for (size_t i = 0; i < 100; i++)
        assert_near(ray_guide_of(&aims, i, 100, 1).energy, 1.0, 1e-9);
    assert_near(aims.aimed, 0.0, 0.0);
}

/* Rays go ahead in their number, up to a bound. */
static void guide_rays_are_as_many_as_rays_and_bounded(void **state)
{
    (void)state;
    assert_int_equal(guide_ray_count(RAY_GUIDE_LEAST - 1), 0);
    assert_int_equal(guide_ray_count(RAY_GUIDE_LEAST), RAY_GUIDE_LEAST);
    assert_int_equal(guide_ray_count(10000000), LATE_SCOUTS);
}

/* With their guide rays no more than there may be, and with one ray more they would be. */
static void as_many_rays_as_fit_with_their_guide_rays(void **state)
{
    (void)state;
    struct random r = random_cases("rays");
    for (int i = 0; i < 20000; i++) {
        const size_t all = (size_t)exp2(20.0 * random_unit(&r)), rays = ray_guide_rays_within(all);
        assert_true(rays + guide_ray_count(rays) <= all);
        assert_true(rays + 1 + guide_ray_count(rays + 1) > all);
    }
}

static void directions_are_drawn_as_often_as_their_density_says(void **state)
{
    (void)state;
    struct random r = random_cases("shares");
    static double drawn[RAY_GUIDING], expected[RAY_GUIDING];
    double off = 0.0;
    memset(drawn, 0, sizeof drawn);
    draw_shares(&r);
    ray_guiding_make(&aims, &shares, 1.0);
    for (int i = 0; i < DRAWN; i++) {
        double d[3];
        ray_guide_draw(d, &aims, &r);
        drawn[ray_guide_cell(d)] += 1.0;
        expected[ray_guide_cell(d)] = ray_guide_density(&aims, d) * DRAWN / RAY_GUIDING;
    }
    for (size_t c = 0; c < RAY_GUIDING; c++) /* 1 in the mean, with a spread of √(2/8192) */
        off += drawn[c] > 0.0 ? pow(drawn[c] - expected[c], 2.0) / expected[c] / RAY_GUIDING : 0.0;
    assert_near(off, 1.0, 0.15);
}

/* Means of Lambert's law: 2/3, 1/2, 1/4, 0, whatever is aimed. */
static void what_is_scattered_obeys_lamberts_law(void **state)
{
    (void)state;
    struct random r = random_cases("normals");
    const double turn[3][3] = {{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    draw_shares(&r);
    for (size_t i = 0; i < RAY_GUIDE_TIMES; i++) /* for each time a cell that is aimed at often */
        shares.energy[i][random_bits(&r) % RAY_GUIDING] = 1e3;
    ray_guiding_make(&aims, &shares, 0.0);
    for (int turns = 0; turns < 2; turns++) {
        const double z = 2.0 * random_unit(&r) - 1.0, angle = 6.283185307179586 * random_unit(&r),
                     out = sqrt(1.0 - z * z);
        const double normal[3] = {out * cos(angle), out * sin(angle), z}, across[3] = {-sin(angle), cos(angle), 0.0};
        double sum = 0.0, mean = 0.0, square = 0.0, beside = 0.0, odd = 0.0, most = 0.0;
        for (int i = 0; i < DRAWN; i++) {
            double d[3];
            const double weight = late_scatter(d, normal, turns ? &aims : NULL, turn, &r) / DRAWN;
            const double up = d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2],
                         aside = d[0] * across[0] + d[1] * across[1];
            assert_near(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1.0, 1e-9);
            assert_true(up >= 0.0);
            most = fmax(most, weight * DRAWN);
            sum += weight;
            mean += weight * up;
            square += weight * up * up;
            beside += weight * aside * aside;
            odd += weight * aside * up;
        }
        assert_near(sum, 1.0, 8e-3);
        assert_near(mean, 2.0 / 3.0, 8e-3);
        assert_near(square, 1.0 / 2.0, 8e-3);
        assert_near(beside, 1.0 / 4.0, 8e-3);
        assert_near(odd, 0.0, 8e-3);
        assert_true(most <= (turns ? 1.0 / (1.0 - aims.aimed) : 1.0) * (1.0 + 1e-9));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cell_is_left_out),
        cmocka_unit_test(rays_leave_as_their_distribution_says),
        cmocka_unit_test(few_rays_carry_the_energy_of_all_directions),
        cmocka_unit_test(means_over_the_sphere_are_those_of_even_directions),
        cmocka_unit_test(more_rays_leave_where_energy_lasts),
        cmocka_unit_test(as_many_rays_are_aimed_as_energy_is_not_scattered),
        cmocka_unit_test(without_energy_rays_leave_evenly),
        cmocka_unit_test(guide_rays_are_as_many_as_rays_and_bounded),
        cmocka_unit_test(as_many_rays_as_fit_with_their_guide_rays),
        cmocka_unit_test(directions_are_drawn_as_often_as_their_density_says),
        cmocka_unit_test(what_is_scattered_obeys_lamberts_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* One wall for every grid: what a grid steps is the specific admittance of the material. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "room/grid/absorption.h"
#include "room/grid/walls.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

enum { CASES = 160 };
static const double points[2] = {10.0, 4.0};         /* a wavelength at the edge: 7-point scheme, mapped 19-point */
static const double courant[2] = {0.577, 0.8643325}; /* of each */

static struct wall_discretization clock_of(bool mapped, double edge)
{
    const double spacing = 343.2 / (points[mapped] * edge);
    return (struct wall_discretization){.rate = 343.2 / (spacing * courant[mapped]), .mapped = mapped, .edge = edge};
}

static struct wall_model make(const struct material *material, const struct wall_discretization *clock)
{
    struct wall_model wall;
    struct error e = {0};
    size_t bands = 1;
    while (bands < OCTAVE_BANDS && octave_band_centre[bands] <= clock->edge)
        bands++;
    if (wall_make(&wall, material, bands, clock, "test", &e))
        fail_msg("%s", e.message);
    return wall;
}

/* The admittance that the grid's waves meet at a true frequency. */
static double complex met_at(const struct wall_model *wall, const struct wall_discretization *clock, double frequency)
{
    double y[2];
    cartesian7_admittance(wall->branches, wall->branch_count, wall->admittance,
                          wall_discretization_grid_frequency(clock, frequency) / clock->rate, y);
    return (y[0] + I * y[1]) / wall_discretization_view(clock, frequency).factor;
}

static double complex reflection(double complex y)
{
    return (1.0 - y) / (1.0 + y);
}

/* Largest |ΔY|/(|Y| + 0.05) of two grids from 20 Hz up to half an octave below the lower edge; of layers,
 * |ΔR| beyond what their fits state. */
static double difference_of(const struct material *material, const struct wall_discretization clocks[2])
{
    const struct wall_model a = make(material, &clocks[0]), b = make(material, &clocks[1]);
    double worst = 0.0;
    for (double f = 20.0; f <= fmin(clocks[0].edge, clocks[1].edge) * M_SQRT1_2 && !a.material.fixed; f *= 1.01) {
        const double complex y = wall_admittance_at(&a.material, f);
        const double complex met[2] = {met_at(&a, &clocks[0], f), met_at(&b, &clocks[1], f)};
        if (a.material.layers.count) { /* whose fit states the largest error of the reflection factor */
            worst = nan_max(worst, cabs(reflection(met[0]) - reflection(y)) - a.worst_reflection);
            worst = nan_max(worst, cabs(reflection(met[1]) - reflection(y)) - b.worst_reflection);
            continue;
        }
        worst = nan_max(worst, cabs(met[0] - met[1]) / (cabs(y) + 0.05));
        worst = nan_max(worst, cabs(met[0] - y) / (cabs(y) + 0.05));
    }
    return worst;
}

static struct room *library(void)
{
    struct room *room;
    struct error e = {0};
    assert_int_equal(setenv("AULA_DATA", SOURCE_FOLDER, 1), 0);
    if (room_read_library(&room, &e))
        fail_msg("%s", e.message);
    return room;
}

static void compare_grids(const char *name, double lowest, double highest, double bound)
{
    struct random r = random_cases(name);
    struct room *room = library();
    double worst = 0.0;
    for (int c = 0; c < case_count(CASES); c++) {
        const struct material *material = &room->materials[random_bits(&r) % room->material_count];
        struct wall_discretization clocks[2];
        for (int i = 0; i < 2; i++)
            clocks[i] = clock_of(random_bits(&r) & 1, random_log_uniform(&r, lowest, highest));
        const double difference = difference_of(material, clocks);
        worst = nan_max(worst, difference);
        if (!(difference <= bound))
            fail_msg("%s, to %.0f Hz, %s, and %.0f Hz, %s: %.4f apart", material->name, clocks[0].edge,
                     clocks[0].mapped ? "mapped" : "7-point", clocks[1].edge, clocks[1].mapped ? "mapped" : "7-point",
                     difference);
    }
    print_message("%s: %.4f apart\n", name, worst);
    room_free(room);
}

static void any_two_grids_step_the_same_wall(void **state)
{
    (void)state;
    compare_grids(__func__, 700.0, 10000.0, 0.0125);
}

/* A mapped grid would have to step a spring with less than its admittance, which no passive branch has. */
static void coarse_grids_come_close_to_it(void **state)
{
    (void)state;
    compare_grids(__func__, 150.0, 700.0, 0.045);
}

static void the_material_does_not_depend_on_the_grid(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct room *room = library();
    for (size_t i = 0; i < room->material_count; i++) {
        const struct wall_discretization one = clock_of(false, random_log_uniform(&r, 100.0, 10000.0)),
                                         two = clock_of(true, random_log_uniform(&r, 100.0, 10000.0));
        const struct wall_model a = make(&room->materials[i], &one), b = make(&room->materials[i], &two);
        assert_int_equal(a.material.branch_count, b.material.branch_count);
        assert_memory_equal(&a.material.branches, &b.material.branches,
                            a.material.branch_count * sizeof *a.material.branches);
        assert_true(a.material.real == b.material.real && a.material.fixed == b.material.fixed);
    }
    room_free(room);
}

static void grids_step_passive_branches(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct room *room = library();
    for (size_t i = 0; i < room->material_count; i++) {
        const struct wall_discretization clock = clock_of(random_bits(&r) & 1, random_log_uniform(&r, 100.0, 10000.0));
        const struct wall_model wall = make(&room->materials[i], &clock);
        assert_true(wall.admittance >= 0.0 && wall.branch_count <= BRANCHES_MAX);
        for (size_t m = 0; m < wall.branch_count; m++) {
            const struct branch *b = &wall.branches[m];
            assert_true(b->inertance >= 0.0 && b->resistance >= 0.0 && b->stiffness >= 0.0);
            assert_true(b->inertance + b->resistance + b->stiffness > 0.0);
        }
    }
    room_free(room);
}

static void a_real_wall_is_real_at_all_frequencies(void **state)
{
    (void)state;
    const struct material material = {.name = "m", .kind = MATERIAL_IMPEDANCE, .impedance = 10.0};
    const struct wall_discretization plain = clock_of(false, 800.0), mapped = clock_of(true, 800.0);
    const struct wall_model one = make(&material, &plain), two = make(&material, &mapped);
    assert_true(one.branch_count == 0 && one.admittance == 0.1);
    for (double f = 50.0; f < 20000.0; f *= 1.1) {
        assert_true(wall_admittance_at(&two.material, f) == 0.1);
        if (f < mapped.edge)
            assert_within(cabs(met_at(&two, &mapped, f) - 0.1), 0.0, 0.002);
    }
}

static void absorption_by_octave_is_met_beyond_the_grids_band(void **state)
{
    (void)state;
    const struct material material = {
        .name = "m", .kind = MATERIAL_ABSORPTION, .absorption = {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6}};
    const struct wall_discretization clock = clock_of(true, 725.0);
    const struct wall_model wall = make(&material, &clock);
    for (int band = 0; band < OCTAVE_BANDS; band++) {
        assert_within(wall_admittance_absorption(&wall.material, octave_band_centre[band]), material.absorption[band],
                      0.02);
        assert_within(wall.fitted[band], material.absorption[band], 0.02);
    }
    assert_true(wall_admittance_absorption(&wall.material, 16000.0) > 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_two_grids_step_the_same_wall),
        cmocka_unit_test(coarse_grids_come_close_to_it),
        cmocka_unit_test(the_material_does_not_depend_on_the_grid),
        cmocka_unit_test(grids_step_passive_branches),
        cmocka_unit_test(a_real_wall_is_real_at_all_frequencies),
        cmocka_unit_test(absorption_by_octave_is_met_beyond_the_grids_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Walls on a grid that is mapped in frequency: what is stepped is the true wall at every true frequency of the band. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "room/grid/absorption.h"
#include "room/grid/walls.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { FREQUENCIES = 300, OCTAVE = 200 };
static const double edges[] = {500.0, 2000.0, 8000.0, 16000.0}; /* Hz, at 4 points a wavelength */

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct grid grid_to(double edge)
{
    const double c = 343.2, spacing = c / (edge * ISOTROPIC19_POINTS_PER_WAVELENGTH);
    return (struct grid){.stencil = STENCIL_19_POINT,
                         .mapped = true,
                         .spacing = spacing,
                         .rate = c / (sqrt(ISOTROPIC19_COURANT_SQUARED) * spacing),
                         .courant_squared = ISOTROPIC19_COURANT_SQUARED,
                         .sound_speed = c,
                         .valid_frequency = edge};
}

/* A true frequency as the grid sees it. */
struct seen {
    double complex s; /* of branches in units of the time step: the trapezoidal rule at the grid's frequency */
    double gamma;     /* (M2) */
};

/* Normalised frequency of the grid, by bisection of the map. */
static double grid_frequency(const struct grid *g, double frequency)
{
    double low = 0.0, high = 0.3323;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (g->rate * isotropic19_true_frequency(middle) < frequency)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static struct seen seen_at(const struct grid *g, double frequency)
{
    const double kappa = 2.0 * M_PI * frequency * g->spacing / g->sound_speed, square = kappa * kappa;
    return (struct seen){2.0 * I * tan(M_PI * grid_frequency(g, frequency)),
                         1.0 - 0.03161 * square - 0.00172 * square * square - 0.000087 * square * square * square};
}

/* Admittance of the wall that the room hears. */
static double complex heard(const struct wall_model *wall, struct seen seen)
{
    double complex y = wall->admittance;
    for (size_t m = 0; m < wall->branch_count; m++) {
        const struct branch *b = &wall->branches[m];
        y += 1.0 / (seen.s * b->inertance + b->resistance + b->stiffness / seen.s);
    }
    return y / seen.gamma;
}

static double complex asked(const struct material *material, double frequency)
{
    const double complex s = 2.0 * M_PI * I * frequency;
    double complex y = material->kind == MATERIAL_IMPEDANCE ? 1.0 / material->impedance : 0.0;
    for (size_t m = 0; m < material->branch_count; m++) {
        const struct branch *b = &material->branches[m];
        y += 1.0 / (s * b->inertance + b->resistance + b->stiffness / s);
    }
    return y;
}

static void assert_passive(const struct wall_model *wall)
{
    assert_true(wall->branch_count <= BRANCHES_MAX);
    assert_true(wall->admittance >= 0.0 && isfinite(wall->admittance));
    for (size_t m = 0; m < wall->branch_count; m++) {
        const struct branch *b = &wall->branches[m];
        assert_true(b->inertance >= 0.0 && b->resistance >= 0.0 && b->stiffness >= 0.0);
        assert_true(isfinite(b->inertance) && isfinite(b->resistance) && isfinite(b->stiffness));
        assert_true(b->inertance + b->resistance + b->stiffness > 0.0);
    }
}

static struct wall_model wall_on(const struct grid *g, const struct material *material)
{
    struct wall_model wall;
    struct error e = {0};
    const struct wall_discretization clock = walls_clock(g);
    if (wall_make(&wall, material, walls_bands(g), &clock, "test", &e))
        fail_msg("%s", e.message);
    assert_passive(&wall);
    return wall;
}

/* Largest |ΔY|/(|Y| + .05) and |Re ΔY|/(Re Y + .05), from edge/300, at most 20 Hz, to the edge. */
struct errors {
    double whole, real;
};

static struct errors errors_of(const struct grid *g, const struct material *material, const struct wall_model *wall)
{
    const double low = fmin(20.0, g->valid_frequency / 300.0);
    struct errors errors = {0.0, 0.0};
    for (int i = 0; i <= FREQUENCIES; i++) {
        const double frequency = low * pow(g->valid_frequency / low, (double)i / FREQUENCIES);
        const double complex wanted = asked(material, frequency);
        const double complex off = heard(wall, seen_at(g, frequency)) - wanted;
        errors.whole = nan_max(errors.whole, cabs(off) / (cabs(wanted) + 0.05));
        errors.real = nan_max(errors.real, fabs(creal(off)) / (creal(wanted) + 0.05));
    }
    return errors;
}

static void a_constant_admittance_is_heard_as_constant(void **state)
{
    (void)state;
    const double admittances[] = {1e-6, 0.01, 0.03, 0.1, 0.3, 1.0};
    for (size_t k = 0; k < COUNT(edges); k++)
        for (size_t i = 0; i < COUNT(admittances); i++) {
            const struct grid g = grid_to(edges[k]);
            const struct material material = {.kind = MATERIAL_IMPEDANCE, .impedance = 1.0 / admittances[i]};
            const struct wall_model wall = wall_on(&g, &material);
            const struct errors errors = errors_of(&g, &material, &wall);
            print_message("%5.0f Hz, Y = %g: off by %.4f, real part %.4f, %zu branches\n", edges[k], admittances[i],
                          errors.whole, errors.real, wall.branch_count);
            assert_true(errors.whole <= 0.014 * admittances[i] / (admittances[i] + 0.05));
            assert_true(errors.real <= 0.0035 * admittances[i] / (admittances[i] + 0.05));
            assert_true(wall.branch_count <= 2);
        }
}

/* Y0/(1 + jQ (f/f0 - f0/f)) */
static struct branch resonator(double frequency, double quality, double peak)
{
    const double omega = 2.0 * M_PI * frequency;
    return (struct branch){quality / (peak * omega), 1.0 / peak, quality * omega / peak, 0};
}

static void assert_heard(const struct material *material, const char *name, size_t extra, double whole, double real)
{
    for (size_t k = 0; k < COUNT(edges); k++) {
        const struct grid g = grid_to(edges[k]);
        const struct wall_model wall = wall_on(&g, material);
        const struct errors errors = errors_of(&g, material, &wall);
        print_message("%5.0f Hz, %s: off by %.4f, real part %.4f, %zu branches\n", edges[k], name, errors.whole,
                      errors.real, wall.branch_count);
        assert_true(errors.whole <= whole && errors.real <= real);
        assert_true(wall.branch_count <= material->branch_count + extra);
    }
}

static void two_resonators_are_heard_with_a_branch_more_at_most(void **state)
{
    (void)state;
    const struct material panel = {.kind = MATERIAL_BRANCHES,
                                   .branches = {resonator(300.0, 4.0, 0.4), resonator(1600.0, 6.0, 0.5)},
                                   .branch_count = 2};
    assert_heard(&panel, "panel and slot", 1, 0.012, 0.012);
}

static void a_porous_wall_is_heard_with_a_branch_more_at_most(void **state)
{
    (void)state;
    const struct material porous = {
        .kind = MATERIAL_BRANCHES,
        .branches = {{3e-4, 1.5, 1500.0, 0}, {5e-5, 1.0, 9e3, 0}, {2e-5, 0.9, 3e4, 0}, {1e-5, 0.8, 9e4, 0}},
        .branch_count = 4};
    assert_heard(&porous, "porous", 1, 0.015, 0.015);
}

static void elements_alone_are_heard(void **state)
{
    (void)state;
    const struct material mass = {.kind = MATERIAL_BRANCHES, .branches = {{5e-3, 0.0, 0.0, 0}}, .branch_count = 1};
    const struct material lossy = {.kind = MATERIAL_BRANCHES, .branches = {{5e-3, 0.5, 0.0, 0}}, .branch_count = 1};
    const struct material resistance = {.kind = MATERIAL_BRANCHES, .branches = {{0.0, 3.0, 0.0, 0}}, .branch_count = 1};
    assert_heard(&mass, "mass", 1, 0.02, 0.001);
    assert_heard(&lossy, "mass with losses", 1, 0.02, 0.01);
    assert_heard(&resistance, "resistance", 1, 0.013, 0.0033);
}

static void random_branches_are_heard(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    const int cases = case_count(40);
    struct errors worst = {0.0, 0.0};
    size_t added = 0;
    int far = 0;
    for (size_t k = 0; k < COUNT(edges); k++) {
        const struct grid g = grid_to(edges[k]);
        for (int i = 0; i < cases; i++) {
            struct material material = {.kind = MATERIAL_BRANCHES, .branch_count = (size_t)(1 + i % 5)};
            for (size_t m = 0; m < material.branch_count; m++)
                material.branches[m] = resonator(random_log_uniform(&r, 40.0, 2.0 * edges[k]),
                                                 random_log_uniform(&r, 0.3, 10.0), random_log_uniform(&r, 0.02, 0.6));
            const struct wall_model wall = wall_on(&g, &material);
            const struct errors errors = errors_of(&g, &material, &wall);
            worst.whole = nan_max(worst.whole, errors.whole);
            worst.real = nan_max(worst.real, errors.real);
            added += wall.branch_count - material.branch_count;
            far += !(errors.whole <= 0.016 && errors.real <= 0.016);
        }
    }
    print_message("off by %.4f, real part %.4f, by more than 0.016 in %d of %d walls, %zu branches added\n",
                  worst.whole, worst.real, far, 4 * cases, added);
    assert_true(worst.whole <= 0.1 && worst.real <= 0.1 && 20 * far <= 4 * cases);
}

static void any_branches_give_a_passive_wall(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = case_count(60); i > 0; i--) {
        const struct grid g = grid_to(random_log_uniform(&r, 50.0, 40000.0));
        struct material material = {.kind = MATERIAL_BRANCHES, .branch_count = i % 6 ? (size_t)(i % 6) : BRANCHES_MAX};
        for (size_t m = 0; m < material.branch_count; m++) {
            const unsigned kept = 1 + (unsigned)(7.0 * random_unit(&r)); /* any of D, E, F, but not none */
            material.branches[m] = (struct branch){kept & 1 ? random_log_uniform(&r, 1e-9, 1e3) : 0.0,
                                                   kept & 2 ? random_log_uniform(&r, 1e-6, 1e6) : 0.0,
                                                   kept & 4 ? random_log_uniform(&r, 1e-3, 1e9) : 0.0, 0};
        }
        wall_on(&g, &material);
        const struct material extreme = {.kind = MATERIAL_IMPEDANCE, .impedance = random_log_uniform(&r, 1e-12, 1e12)};
        wall_on(&g, &extreme);
    }
}

/* What is far faster than the time step turns its sign each step and hardly decays: rounding would gather there. */
static void no_branch_rings_at_half_the_rate(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct room *library;
    struct error e;
    if (room_read_library(&library, &e))
        fail_msg("%s", e.message);
    for (int i = case_count(60); i > 0; i--) {
        const struct grid g = grid_to(random_log_uniform(&r, 100.0, 16000.0));
        const struct material *material = &library->materials[random_bits(&r) % library->material_count];
        const struct wall_model wall = wall_on(&g, material);
        for (size_t m = 0; m < wall.branch_count; m++) {
            const struct branch *b = &wall.branches[m];
            const double twice = 2.0 * g.rate, mass = b->inertance * twice, spring = b->stiffness / twice;
            if (mass < spring && !(spring <= 31.0 * b->resistance))
                fail_msg("%s to %g Hz: branch %zu, %g, %g, %g", material->name, g.valid_frequency, m, b->inertance,
                         b->resistance, b->stiffness);
        }
    }
    room_free(library);
}

/* Means over an octave of the absorption of the wall that is heard. */
static void octave_means(const struct wall_model *wall, const struct seen seen[OCTAVE], double *logarithmic,
                         double *linear)
{
    double shares = 0.0;
    *logarithmic = *linear = 0.0;
    for (int i = 0; i < OCTAVE; i++) {
        const double share = exp2((i + 0.5) / OCTAVE), here = complex_incidence_absorption(heard(wall, seen[i]), NULL);
        *logarithmic += here / OCTAVE;
        *linear += here * share;
        shares += share;
    }
    *linear /= shares;
}

static void every_material_of_the_library_absorbs_as_its_table(void **state)
{
    (void)state;
    struct room *library;
    struct error e = {0};
    static struct seen seen[OCTAVE_BANDS][OCTAVE];
    assert_int_equal(room_read_library(&library, &e), 0);
    for (double edge = 500.0; edge < 17000.0; edge *= 4.0) {
        const struct grid g = grid_to(edge);
        size_t bands = walls_bands(&g);
        while (octave_band_centre[bands - 1] * M_SQRT2 > edge)
            bands--; /* walls are matched up to the edge */
        double worst[2] = {0.0, 0.0}, stated = 0.0;
        for (size_t b = 0; b < bands; b++)
            for (int i = 0; i < OCTAVE; i++)
                seen[b][i] = seen_at(&g, octave_band_centre[b] * exp2((i + 0.5) / OCTAVE - 0.5));
        for (size_t k = 0; k<library->material_count; k += edge> 5000.0 ? 10 : 1) {
            const struct material *material = &library->materials[k];
            const struct wall_model wall = wall_on(&g, material);
            for (size_t b = 0; b < bands && material->kind == MATERIAL_ABSORPTION; b++) {
                double logarithmic, linear;
                octave_means(&wall, seen[b], &logarithmic, &linear);
                worst[0] = nan_max(worst[0], fabs(logarithmic - fmin(material->absorption[b], ABSORPTION_MAX)));
                worst[1] = nan_max(worst[1], fabs(linear - fmin(material->absorption[b], ABSORPTION_MAX)));
                stated = nan_max(stated, fabs(logarithmic - wall.fitted[b]));
            }
            assert_true(wall.overshoot <= FIT_OVERSHOOT);
        }
        print_message("to %5.0f Hz, %zu octaves: means off by %.4f and %.4f, by %.1g from those stated\n", edge, bands,
                      worst[0], worst[1], stated);
        assert_true(worst[0] <= 0.0225 && worst[1] <= 0.0225 && stated <= 1e-3); /* of which the fit has 0.02 */
    }
    room_free(library);
}

static void equal_absorption_in_all_octaves_is_that_of_a_constant_admittance(void **state)
{
    (void)state;
    const double values[] = {0.02, 0.2, 0.6, 0.9};
    for (size_t k = 0; k < COUNT(edges); k++)
        for (size_t i = 0; i < COUNT(values); i++) {
            const struct grid g = grid_to(edges[k]);
            struct material material = {.kind = MATERIAL_ABSORPTION};
            for (size_t b = 0; b < OCTAVE_BANDS; b++)
                material.absorption[b] = values[i];
            const struct wall_model wall = wall_on(&g, &material);
            const struct material same = {.kind = MATERIAL_IMPEDANCE,
                                          .impedance = 1.0 / admittance_of_absorption(values[i])};
            const struct errors errors = errors_of(&g, &same, &wall);
            assert_true(errors.whole <= 0.013 && errors.real <= 0.0033);
            assert_true(wall_misfit(&wall, wall.worst_band) <= 0.002 && wall.worst_linear <= 0.002);
        }
}

static void absorption_at_a_frequency_is_that_of_the_wall_heard(void **state)
{
    (void)state;
    const struct grid g = grid_to(2000.0);
    const struct wall_discretization clock = walls_clock(&g);
    const struct material panel = {
        .kind = MATERIAL_BRANCHES, .branches = {resonator(300.0, 4.0, 0.4)}, .branch_count = 1};
    const struct wall_model wall = wall_on(&g, &panel);
    for (double frequency = 30.0; frequency < 2000.0; frequency *= 1.3) {
        const double own = complex_incidence_absorption(heard(&wall, seen_at(&g, frequency)), NULL);
        assert_true(fabs(wall_absorption(&wall, &clock, frequency) - own) <= 1e-9);
    }
}

static void rigid_stays_rigid_and_fixed_stays_fixed(void **state)
{
    (void)state;
    const struct grid g = grid_to(2000.0);
    const struct material rigid[] = {{.kind = MATERIAL_RIGID}, {.kind = MATERIAL_FIXED}, {.kind = MATERIAL_ABSORPTION}};
    for (size_t i = 0; i < COUNT(rigid); i++) {
        const struct wall_model wall = wall_on(&g, &rigid[i]);
        assert_true(wall.branch_count == 0 && wall.admittance == 0.0);
        assert_true(rigid[i].kind == MATERIAL_FIXED ? isnan(wall.fitted[0]) : wall.fitted[0] == 0.0);
    }
}

static void the_same_material_gives_the_same_bits(void **state)
{
    (void)state;
    const struct grid g = grid_to(2000.0);
    const struct material materials[] = {
        {.kind = MATERIAL_IMPEDANCE, .impedance = 20.0},
        {.kind = MATERIAL_BRANCHES,
         .branches = {resonator(300.0, 4.0, 0.4), resonator(1600.0, 6.0, 0.5)},
         .branch_count = 2},
        {.kind = MATERIAL_ABSORPTION, .absorption = {0.1, 0.2, 0.4, 0.6, 0.5, 0.3, 0.3, 0.3}},
    };
    for (size_t i = 0; i < COUNT(materials); i++) {
        const struct wall_model one = wall_on(&g, &materials[i]), two = wall_on(&g, &materials[i]);
        assert_int_equal(one.branch_count, two.branch_count);
        assert_memory_equal(one.branches, two.branches, one.branch_count * sizeof *one.branches);
        assert_memory_equal(one.fitted, two.fitted, sizeof one.fitted);
    }
}

static void without_a_map_a_known_admittance_is_heard_as_it_is(void **state)
{
    (void)state;
    struct grid g = grid_to(2000.0);
    g.mapped = false;
    g.rate *= 4.0; /* 16 points a wavelength */
    const struct material real = {.kind = MATERIAL_IMPEDANCE, .impedance = 20.0};
    const struct material panel = {.kind = MATERIAL_BRANCHES, .branches = {{5e-3, 0.5, 7e3, 0}}, .branch_count = 1};
    const struct wall_model plain = wall_on(&g, &real), stepped = wall_on(&g, &panel);
    assert_true(plain.branch_count == 0 && plain.admittance == 1.0 / 20.0);
    assert_true(stepped.admittance == 0.0);
    for (double frequency = 20.0; frequency < 2000.0; frequency *= 1.05) {
        const struct seen seen = {2.0 * I * tan(M_PI * frequency / g.rate), 1.0};
        const double complex y = asked(&panel, frequency);
        assert_true(cabs(heard(&stepped, seen) - y) <= 0.006 * (cabs(y) + 0.05));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_admittance_is_heard_as_constant),
        cmocka_unit_test(two_resonators_are_heard_with_a_branch_more_at_most),
        cmocka_unit_test(a_porous_wall_is_heard_with_a_branch_more_at_most),
        cmocka_unit_test(elements_alone_are_heard),
        cmocka_unit_test(random_branches_are_heard),
        cmocka_unit_test(any_branches_give_a_passive_wall),
        cmocka_unit_test(no_branch_rings_at_half_the_rate),
        cmocka_unit_test(every_material_of_the_library_absorbs_as_its_table),
        cmocka_unit_test(equal_absorption_in_all_octaves_is_that_of_a_constant_admittance),
        cmocka_unit_test(absorption_at_a_frequency_is_that_of_the_wall_heard),
        cmocka_unit_test(rigid_stays_rigid_and_fixed_stays_fixed),
        cmocka_unit_test(the_same_material_gives_the_same_bits),
        cmocka_unit_test(without_a_map_a_known_admittance_is_heard_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The admittance of layered walls. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nan_max.h"
#include "room/layers/layers.h"
#include "room/layers/media.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { CASES = 200 };
#define AIR .sound_speed = 343.2, .density = 1.2041
#define ROCK_WOOL                                                                                                      \
    {                                                                                                                  \
        .kind = LAYER_POROUS, .thickness = 0.05, .flow_resistivity = 1e4                                               \
    }
#define GAP(depth)                                                                                                     \
    {                                                                                                                  \
        .kind = LAYER_AIR, .thickness = depth                                                                          \
    }

static double absorption(const struct layered_wall *wall, double frequency)
{
    return layers_absorption(wall, frequency, 0.0, true);
}

/* Against an independent program, at normal incidence and at 1 rad. */
static void admittances_are_those_of_a_transfer_matrix_in_another_language(void **state)
{
    (void)state;
    static const struct {
        struct layered_wall wall;
        double frequency, real, imaginary, oblique_real, oblique_imaginary, bound;
    } known[] = {
        {{.layers = {ROCK_WOOL}, .count = 1, AIR},
         500.0,
         0.218816225832,
         0.564992462043,
         0.267159042474,
         0.463486346966,
         1e-11},
        {{.layers = {{.kind = LAYER_POROUS, .thickness = 0.05, .flow_resistivity = 1e4, .porosity = 0.98}},
          .count = 1,
          AIR},
         500.0,
         0.206991395219,
         0.521510885401,
         0.273585625993,
         0.431900747092,
         2e-4}, /* pressure of the air rounded */
        {{.layers = {{.kind = LAYER_CLOTH, .flow_resistance = 300.0}, ROCK_WOOL, GAP(0.1)}, .count = 3, AIR},
         125.0,
         0.175896913744,
         0.291916068889,
         0.069749417833,
         0.196194170794,
         1e-11},
        {{.layers = {{.kind = LAYER_PERFORATED, .thickness = 0.012, .hole = 0.008, .spacing = 0.032},
                     {.kind = LAYER_POROUS, .thickness = 0.03, .flow_resistivity = 1e4},
                     GAP(0.02)},
          .count = 3,
          AIR},
         500.0,
         0.278815705956,
         -0.286708300244,
         0.38430286618,
         -0.174351831389,
         1e-10},
        {{.layers = {{.kind = LAYER_MEMBRANE, .mass = 7.0, .loss = 0.03}, GAP(0.08)}, .count = 2, AIR},
         125.0,
         0.00409047131314,
         -0.126404460836,
         0.00892803603647,
         0.186631351688,
         1e-11},
        {{.layers = {{.kind = LAYER_PERFORATED, .thickness = 2e-4, .hole = 2e-4, .spacing = 2.5e-3}, GAP(0.06)},
          .count = 2,
          AIR},
         500.0,
         0.498433935191,
         0.289423804328,
         NAN,
         NAN,
         1e-10},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double complex y = layers_admittance(&known[i].wall, known[i].frequency, 0.0);
        const double complex oblique = layers_admittance(&known[i].wall, known[i].frequency, 1.0);
        const double off = cabs(y - known[i].real - I * known[i].imaginary);
        const double off_oblique = cabs(oblique - known[i].oblique_real - I * known[i].oblique_imaginary);
        if (!(off <= known[i].bound))
            fail_msg("wall %zu: off by %g", i, off);
        if (!isnan(known[i].oblique_real) && !(off_oblique <= known[i].bound))
            fail_msg("wall %zu at 1 rad: off by %g", i, off_oblique);
    }
}

/* Maa's figure 5: 0.96 at 677 Hz, computed there without the holes' effect on each other. */
static void a_micro_perforated_panel_absorbs_as_published(void **state)
{
    (void)state;
    const struct layered_wall wall = {
        .layers = {{.kind = LAYER_PERFORATED, .thickness = 2e-4, .hole = 2e-4, .spacing = 2.5e-3}, GAP(0.06)},
        .count = 2,
        AIR};
    double best = 0.0, at = 0.0;
    for (double f = 400.0; f < 1000.0; f += 0.5)
        if (absorption(&wall, f) > best)
            best = absorption(&wall, at = f);
    assert_true(fabs(best - 0.96) <= 0.005);
    assert_true(fabs(at / 677.0 - 1.0) <= 0.02);
}

static void a_membrane_resonates_at_60_over_the_root_of_mass_and_depth(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < CASES; i++) {
        const double mass = random_log_uniform(&r, 2.0, 15.0), depth = random_log_uniform(&r, 0.02, 0.08);
        const double wanted = 60.0 / sqrt(mass * depth);
        const struct layered_wall wall = {
            .layers = {{.kind = LAYER_MEMBRANE, .mass = mass, .loss = 0.05}, GAP(depth)}, .count = 2, AIR};
        assert_true(cimag(1.0 / layers_admittance(&wall, 0.97 * wanted, 0.0)) < 0.0);
        assert_true(cimag(1.0 / layers_admittance(&wall, 1.01 * wanted, 0.0)) > 0.0);
    }
}

/* The small length of an opening, without its mass outside, has the resistance of Poiseuille's flow: 32 η t/d² for
 * holes, 12 η t/w² for slots. */
static void narrow_openings_resist_as_slow_flow_does(void **state)
{
    (void)state;
    const struct layered_wall wall = {.count = 0, AIR};
    const struct layer hole = {.kind = LAYER_PERFORATED, .thickness = 0.1, .hole = 1e-4, .spacing = 1e-3};
    const struct layer slot = {.kind = LAYER_SLOTTED, .thickness = 0.1, .slot = 1e-4, .spacing = 1e-3};
    const double holes = creal(layer_series(&hole, &wall, 5.0, NULL, 0.0)) * layer_open_area(&hole);
    const double slots = creal(layer_series(&slot, &wall, 5.0, NULL, 0.0)) * layer_open_area(&slot);
    assert_true(fabs(holes / (32.0 * AIR_VISCOSITY * 0.1 / 1e-8) - 1.0) <= 1e-3);
    assert_true(fabs(slots / (12.0 * AIR_VISCOSITY * 0.1 / 1e-8) - 1.0) <= 1e-3);
}

/* At low frequencies the flow resistivity remains, at high ones the mass of the air along winding pores. */
static void described_pores_have_the_limits_of_slow_and_fast_motion(void **state)
{
    (void)state;
    const struct layered_wall wall = {.count = 0, AIR};
    const struct layer pores = {.kind = LAYER_POROUS, .flow_resistivity = 2e4, .porosity = 0.9, .tortuosity = 1.4};
    const struct medium slow = layer_medium(&pores, &wall, 0.1), fast = layer_medium(&pores, &wall, 1e8);
    assert_true(cabs(I * slow.impedance * slow.wavenumber / 2e4 - 1.0) <= 1e-2);
    assert_true(cabs(fast.impedance * fast.wavenumber / (2.0 * M_PI * 1e8) / (1.4 / 0.9 * 1.2041) - 1.0) <= 1e-2);
}

static struct layer any_layer(struct random *r)
{
    const struct layer choices[] = {
        {.kind = LAYER_AIR, .thickness = random_log_uniform(r, 0.01, 0.5)},
        {.kind = LAYER_POROUS,
         .thickness = random_log_uniform(r, 0.005, 0.2),
         .flow_resistivity = random_log_uniform(r, 2e3, 1e5),
         .porosity = random_uniform(r, 0.5, 1.0),
         .tortuosity = random_uniform(r, 1.0, 2.0)},
        {.kind = LAYER_PERFORATED,
         .thickness = random_log_uniform(r, 2e-4, 0.03),
         .hole = random_log_uniform(r, 2e-4, 0.01),
         .spacing = random_uniform(r, 0.015, 0.05)},
        {.kind = LAYER_SLOTTED,
         .thickness = random_log_uniform(r, 1e-3, 0.03),
         .slot = random_log_uniform(r, 2e-4, 0.01),
         .spacing = random_uniform(r, 0.015, 0.1)},
        {.kind = LAYER_MEMBRANE, .mass = random_log_uniform(r, 0.2, 20.0), .loss = random_uniform(r, 0.0, 0.2)},
        {.kind = LAYER_CLOTH,
         .flow_resistance = random_log_uniform(r, 50.0, 3000.0),
         .cloth_mass = random_uniform(r, 0.0, 1.0)}};
    return choices[random_between(r, 0, sizeof choices / sizeof *choices - 1)];
}

static void no_wall_gives_back_more_than_it_receives(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < CASES; i++) {
        struct layered_wall wall = {.count = random_between(&r, 1, LAYERS_MAX), AIR};
        for (size_t k = 0; k < wall.count; k++)
            wall.layers[k] = any_layer(&r);
        const double frequency = random_log_uniform(&r, 20.0, 2e4), angle = random_uniform(&r, 0.0, 1.57);
        const double bulk = layers_absorption(&wall, frequency, angle, false);
        const double local = layers_absorption(&wall, frequency, angle, true);
        if (!(bulk >= 0.0 && bulk <= 1.0 + 1e-12 && local >= 0.0 && local <= 1.0 + 1e-12))
            fail_msg("wall %d: %g and %g", i, bulk, local);
    }
}

static void a_layer_cut_in_two_stays_the_same(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < CASES; i++) {
        struct layer whole = any_layer(&r);
        while (whole.kind != LAYER_POROUS && whole.kind != LAYER_AIR)
            whole = any_layer(&r);
        struct layered_wall one = {.layers = {whole, GAP(0.1)}, .count = 2, AIR};
        struct layered_wall two = {.layers = {whole, whole, GAP(0.1)}, .count = 3, AIR};
        two.layers[0].thickness *= 0.3;
        two.layers[1].thickness *= 0.7;
        const double f = random_log_uniform(&r, 50.0, 8e3), angle = random_uniform(&r, 0.0, 1.5);
        const double complex y = layers_admittance(&one, f, angle), z = layers_admittance(&two, f, angle);
        if (!(cabs(y - z) <= 1e-9 * (1.0 + cabs(y) * cabs(y))))
            fail_msg("off by %g at %g", cabs(y - z), cabs(y));
    }
}

/* Octaves at normal incidence of a plate with wool behind it, and the mean over angles of a constant admittance. */
static void octave_means_are_those_of_their_integrals(void **state)
{
    (void)state;
    static const struct admittance_row row = {1000.0, 0.4, 0.0};
    const struct layered_wall wall = {
        .layers = {{.kind = LAYER_PERFORATED, .thickness = 0.012, .hole = 0.008, .spacing = 0.032},
                   {.kind = LAYER_POROUS, .thickness = 0.03, .flow_resistivity = 1e4},
                   GAP(0.02)},
        .count = 3,
        AIR};
    const struct layered_wall constant = {.layers = {{.kind = LAYER_TABLE, .count = 1}}, .count = 1, .rows = &row, AIR};
    const double g = 0.4, wanted = 8.0 * g * (1.0 + g / (1.0 + g) - 2.0 * g * log((1.0 + g) / g)); /* theory (27) */
    assert_true(fabs(layers_octave_absorption(&wall, 250.0, 0.0, true) - 0.63124421) <= 1e-6);
    assert_true(fabs(layers_octave_absorption(&constant, 500.0, M_PI_2, true) - wanted) <= 2e-4);
    assert_true(fabs(layers_octave_absorption(&constant, 500.0, M_PI_2, false) - wanted) <= 2e-4);
}

static void tables_are_linear_between_their_rows(void **state)
{
    (void)state;
    static const struct admittance_row rows[] = {{100.0, 0.1, -0.2}, {400.0, 0.3, 0.2}, {800.0, 0.5, 0.4}};
    const struct layered_wall wall = {.layers = {{.kind = LAYER_TABLE, .count = 3}}, .count = 1, .rows = rows, AIR};
    assert_true(cabs(layers_admittance(&wall, 200.0, 0.0) - 0.2) <= 1e-12);
    assert_true(cabs(layers_admittance(&wall, 400.0, 0.3) - (0.3 + 0.2 * I)) <= 1e-12);
    assert_true(cabs(layers_admittance(&wall, 20.0, 0.0) - (0.1 - 0.2 * I)) <= 1e-12);
    assert_true(cabs(layers_admittance(&wall, 2e4, 0.0) - (0.5 + 0.4 * I)) <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(admittances_are_those_of_a_transfer_matrix_in_another_language),
        cmocka_unit_test(a_micro_perforated_panel_absorbs_as_published),
        cmocka_unit_test(a_membrane_resonates_at_60_over_the_root_of_mass_and_depth),
        cmocka_unit_test(narrow_openings_resist_as_slow_flow_does),
        cmocka_unit_test(described_pores_have_the_limits_of_slow_and_fast_motion),
        cmocka_unit_test(no_wall_gives_back_more_than_it_receives),
        cmocka_unit_test(a_layer_cut_in_two_stays_the_same),
        cmocka_unit_test(octave_means_are_those_of_their_integrals),
        cmocka_unit_test(tables_are_linear_between_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

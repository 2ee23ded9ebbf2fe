/* SPDX-License-Identifier: MIT */
/* Frequencies of stiff strings and bars against closed forms; lines that are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/nan_max.h"
#include "render/synth/line_modes.h"
#include "support/lines.h"
#include "support/random_cases.h"

#include <cmocka.h>

static const enum line_ends all_ends[] = {LINE_SUPPORTED, LINE_CLAMPED, LINE_FREE};

static void supported_lines_have_the_closed_form(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int trial = 0; trial < 50; trial++) {
        const struct line line = line_of(&r, random_log_uniform(&r, 1e-6, 1e8), LINE_SUPPORTED);
        struct line_modes m = modes_of(&line, INFINITY, 200);
        const double length = line.length;
        assert_int_equal(m.count, 200);
        for (size_t i = 0; i < m.count; i++) {
            const double n = (double)i + 1.0;
            const double stiff = n * n * M_PI * M_PI * line.bending / (line.tension * length * length);
            const double exact = n / (2.0 * length) * sqrt(line.tension / line.density) * sqrt(1.0 + stiff);
            worst = nan_max(worst, relative(m.frequency[i], exact));
            worst = nan_max(worst, relative(m.wavenumber_squared[i], pow(n * M_PI / length, 2.0)));
            worst = nan_max(worst, relative(m.mass[i], 0.5 * line.density * length));
            worst = nan_max(worst, 1e-2 * fabs(line_shape(&m, i, 0.3) - sin(0.3 * n * M_PI)));
            assert_true(line_shape(&m, i, 0.0) == 0.0 && line_shape(&m, i, 1.0) == 0.0);
        }
        line_modes_free(&m);
    }
    print_message("worst %.2g\n", worst);
    assert_true(worst < 5e-15);
}

static void bars_have_the_known_roots(void **state)
{
    (void)state;
    static const double roots[] = {4.730040744862704, 7.853204624095838, 10.995607838001671, 14.137165491257464,
                                   17.278759657399481};
    for (enum line_ends ends = LINE_CLAMPED; ends <= LINE_FREE; ends++) {
        const struct line line = {0.7, 0.3, 0.0, 2.0, ends};
        struct line_modes m = modes_of(&line, INFINITY, 100);
        const size_t first = ends == LINE_FREE ? 2 : 0;
        for (size_t i = first; i < m.count; i++) {
            /* cos βL cosh βL = 1; of the higher ones cosh βL = exp(βL)/2 to rounding */
            const double x = ((double)(i - first) + 1.5) * M_PI;
            const double root = i - first < 5 ? roots[i - first] : x + ((i - first) % 2 ? -2.0 : 2.0) * exp(-x);
            const double k2 = root * root / (line.length * line.length);
            assert_true(relative(m.frequency[i], k2 * sqrt(line.bending / line.density) / (2.0 * M_PI)) < 4e-15);
            assert_true(relative(m.wavenumber_squared[i], k2) < 4e-15);
        }
        line_modes_free(&m);
    }
}

static void free_bars_move_and_turn_as_rigid_bodies_first(void **state)
{
    (void)state;
    const struct line line = {0.7, 0.3, 0.0, 2.0, LINE_FREE};
    struct line_modes m = modes_of(&line, 1.0, 10);
    assert_int_equal(m.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(m.frequency[i] == 0.0 && m.wavenumber_squared[i] == 0.0);
        for (double x = 0.0; x <= 1.0; x += 0.125)
            assert_true(line_shape(&m, i, x) == (i ? 1.0 - 2.0 * x : 1.0));
    }
    assert_true(relative(m.mass[0], 0.21) < 1e-15 && relative(m.mass[1], 0.07) < 1e-15);
    line_modes_free(&m);
}

/* With u = 1 - 2x the tension's energy gives ω² = 12 T/(ρA L²); bending adds terms of the relative order T L²/EI. */
static void tension_gives_the_rotation_of_a_free_bar_a_spring(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (double pull = 1e-30; pull < 1e-3; pull *= 7.3) {
        const struct line line = line_of(&r, pull, LINE_FREE);
        struct line_modes m = modes_of(&line, INFINITY, 3);
        const double soft = sqrt(12.0 * line.tension / line.density) / (2.0 * M_PI * line.length);
        assert_true(m.frequency[0] == 0.0);
        assert_true(relative(m.frequency[1], soft) < 0.01 * pull + 2e-15);
        assert_true(relative(m.mass[1], line.density * line.length / 3.0) < 0.1 * pull + 2e-15);
        for (double x = 0.0; x <= 1.0; x += 0.125)
            assert_true(fabs(line_shape(&m, 1, x) - (1.0 - 2.0 * x)) < 0.1 * pull + 2e-15);
        line_modes_free(&m);
    }
}

static void strings_without_bending_are_harmonic(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        const struct line line = {0.65, 6e-3, 80.0, 0.0, all_ends[k]};
        struct line_modes m = modes_of(&line, INFINITY, 200);
        const size_t first = line.ends == LINE_FREE ? 0 : 1;
        for (size_t i = 0; i < m.count; i++) {
            const double n = (double)(i + first), f = n / 1.3 * sqrt(80.0 / 6e-3);
            assert_true(fabs(m.frequency[i] - f) <= 1e-15 * f);
            assert_true(relative(m.mass[i], 6e-3 * 0.65 * (n > 0.0 ? 0.5 : 1.0)) < 1e-15);
            for (double x = 0.0; x <= 1.0; x += 0.0625)
                assert_true(fabs(line_shape(&m, i, x) - (first ? sin(n * M_PI * x) : cos(n * M_PI * x))) < 2e-13);
        }
        line_modes_free(&m);
    }
}

/* Clamped, little bending (Morse 1948, section 16): f = f0 (1 + 2 s + (4 + n²π²/2) s²), s = sqrt(EI/T)/L. */
static void little_bending_raises_a_clamped_string_as_known(void **state)
{
    (void)state;
    for (double s = 1e-8; s < 2e-3; s *= 10.0) {
        const struct line line = {1.0, 1.0, 4.0, 4.0 * s * s, LINE_CLAMPED};
        struct line_modes m = modes_of(&line, INFINITY, 5);
        for (size_t i = 0; i < m.count; i++) {
            const double n = (double)i + 1.0, nps = n * M_PI * s;
            const double rise = 2.0 * s + (4.0 + 0.5 * n * n * M_PI * M_PI) * s * s;
            assert_true(fabs(m.frequency[i] / n - 1.0 - rise) < 10.0 * (s * s * s + nps * nps * s) + 1e-15);
        }
        line_modes_free(&m);
    }
}

static void modes_end_below_the_highest_frequency_and_at_the_most(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int trial = 0; trial < 60; trial++) {
        const struct line line = line_of(&r, trial % 5 ? random_log_uniform(&r, 1e-6, 1e6) : 0.0, all_ends[trial % 3]);
        struct line_modes all = modes_of(&line, INFINITY, 60);
        for (size_t i = 1; i < all.count; i++)
            assert_true(all.frequency[i] > all.frequency[i - 1] || (i == 1 && all.frequency[1] == 0.0));
        const size_t wanted = random_between(&r, 2, 59);
        struct line_modes below = modes_of(&line, all.frequency[wanted], SIZE_MAX);
        struct line_modes through = modes_of(&line, nextafter(all.frequency[wanted], INFINITY), SIZE_MAX);
        struct line_modes few = modes_of(&line, all.frequency[wanted], wanted / 2);
        struct line_modes none = modes_of(&line, 0.0, 10);
        assert_int_equal(below.count, wanted);
        assert_int_equal(through.count, wanted + 1);
        assert_int_equal(few.count, wanted / 2);
        assert_int_equal(none.count, 0);
        line_modes_free(&all);
        line_modes_free(&below);
        line_modes_free(&through);
        line_modes_free(&few);
        line_modes_free(&none);
    }
}

static void lines_that_are_none_are_refused(void **state)
{
    (void)state;
    static const struct line bad[] = {
        {0.0, 1.0, 1.0, 1.0, LINE_CLAMPED},   {1.0, 0.0, 1.0, 1.0, LINE_CLAMPED},   {1.0, 1.0, 0.0, 0.0, LINE_CLAMPED},
        {1.0, 1.0, -1.0, 1.0, LINE_CLAMPED},  {1.0, 1.0, 1.0, -1.0, LINE_CLAMPED},  {NAN, 1.0, 1.0, 1.0, LINE_CLAMPED},
        {1.0, INFINITY, 1.0, 1.0, LINE_FREE}, {1.0, 1.0, NAN, 1.0, LINE_FREE},      {1.0, 1.0, 1.0, NAN, LINE_FREE},
        {1.0, 1.0, 1.0, INFINITY, LINE_FREE}, {1.0, 1.0, INFINITY, 1.0, LINE_FREE},
    };
    struct line_modes m;
    struct error e = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(line_modes_make(&m, &bad[i], 1000.0, 10, &e), 0);
        assert_true(m.count == 0 && !m.frequency && e.code == ERROR_INPUT);
        line_modes_free(&m);
    }
    const struct line line = {1.0, 1.0, 1.0, 1.0, LINE_CLAMPED};
    assert_int_not_equal(line_modes_make(&m, &line, NAN, 10, &e), 0);
    assert_int_not_equal(line_modes_make(&m, &line, 1e20, SIZE_MAX, &e), 0);
    assert_non_null(strstr(e.message, "more than 1000000 modes"));
    line_modes_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supported_lines_have_the_closed_form),
        cmocka_unit_test(bars_have_the_known_roots),
        cmocka_unit_test(free_bars_move_and_turn_as_rigid_bodies_first),
        cmocka_unit_test(tension_gives_the_rotation_of_a_free_bar_a_spring),
        cmocka_unit_test(strings_without_bending_are_harmonic),
        cmocka_unit_test(little_bending_raises_a_clamped_string_as_known),
        cmocka_unit_test(modes_end_below_the_highest_frequency_and_at_the_most),
        cmocka_unit_test(lines_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Mode shapes of stiff strings and bars against finite elements and exact integrals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nan_max.h"
#include "render/synth/line_modes.h"
#include "support/beam_elements.h"
#include "support/lines.h"
#include "support/random_cases.h"

#include <cmocka.h>

static const enum line_ends all_ends[] = {LINE_SUPPORTED, LINE_CLAMPED, LINE_FREE};

/* Five-point Gauss quadrature on each of `panels` equal panels of 0..1. */
enum { GAUSS = 5 };

static const double gauss_place[GAUSS] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                          0.95308992296933200};
static const double gauss_weight[GAUSS] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                           0.23931433524968324, 0.11846344252809454};

static double point(size_t i, size_t panels)
{
    return ((double)(i / GAUSS) + gauss_place[i % GAUSS]) / (double)panels;
}

static double weight(size_t i, size_t panels)
{
    return gauss_weight[i % GAUSS] / (double)panels;
}

static void frequencies_are_those_of_finite_elements(void **state)
{
    (void)state;
    enum { MODES = 8, ELEMENTS = 100 };
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int trial = 0; trial < 36; trial++) {
        const struct line line = line_of(&r, trial % 4 ? random_log_uniform(&r, 1e-2, 1e3) : 0.0, all_ends[trial % 3]);
        struct line_modes m = modes_of(&line, INFINITY, MODES);
        double frequency[MODES];
        beam_frequencies(&line, ELEMENTS, MODES, frequency);
        for (size_t i = 0; i < MODES; i++) {
            /* Squares, since rounding of the elements shifts all of these by the same amount. */
            const double square = pow(m.frequency[i], 2.0), third = pow(m.frequency[2], 2.0);
            worst = nan_max(worst, fabs(pow(frequency[i], 2.0) - square) / fmax(square, third));
        }
        line_modes_free(&m);
    }
    print_message("worst %.2g\n", worst);
    assert_true(worst < 2e-7);
}

/* Integrals with ρA vanish between modes and equal the mass within one; the largest value is 1, or as documented. */
static void shapes_are_orthogonal_and_of_the_mass_told(void **state)
{
    (void)state;
    enum { MODES = 60, PANELS = 400, POINTS = GAUSS * PANELS };
    static double shape[MODES][POINTS];
    struct random r = random_cases(__func__);
    double across = 0.0, along = 0.0;
    for (int trial = 0; trial < 12; trial++) {
        const double pull = trial < 3   ? 0.0
                            : trial < 6 ? random_log_uniform(&r, 1e-12, 1e-2)
                                        : random_log_uniform(&r, 1e-2, 1e4);
        const struct line line = line_of(&r, pull, all_ends[trial % 3]);
        const double whole = line.density * line.length, max = line.ends == LINE_CLAMPED ? 1.14 : 1.0 + 1e-13;
        struct line_modes m = modes_of(&line, INFINITY, MODES);
        for (size_t i = 0; i < MODES; i++) {
            double largest = fabs(line_shape(&m, i, 0.0));
            for (size_t x = 0; x < POINTS; x++) {
                shape[i][x] = line_shape(&m, i, point(x, PANELS));
                largest = fmax(largest, fabs(shape[i][x]));
            }
            assert_true(largest > 0.99 && largest < max);
            assert_true(line_shape(&m, i, line.ends == LINE_FREE ? 0.0 : 1e-3) > 0.0);
        }
        for (size_t i = 0; i < MODES; i++)
            for (size_t j = 0; j <= i; j++) {
                double sum = 0.0;
                for (size_t x = 0; x < POINTS; x++)
                    sum += weight(x, PANELS) * shape[i][x] * shape[j][x];
                if (i == j)
                    along = nan_max(along, relative(whole * sum, m.mass[i]));
                else
                    across = nan_max(across, fabs(sum));
            }
        line_modes_free(&m);
    }
    print_message("products %.2g, masses %.2g\n", across, along);
    assert_true(across < 1e-9 && along < 1e-9);
}

/* ω² ∫ρA φ w = ∫φ (EI w'''' - T w'') for a w that vanishes at the ends with its first three slopes: x⁴ (1 - x)⁴ (1 + x)
 * = x⁴ - 3x⁵ + 2x⁶ + 2x⁷ - 3x⁸ + x⁹. */
static void shapes_obey_the_equation(void **state)
{
    (void)state;
    enum { MODES = 20, PANELS = 400 };
    static const double power[] = {1.0, -3.0, 2.0, 2.0, -3.0, 1.0};
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int trial = 0; trial < 30; trial++) {
        const double pull = trial % 5 ? random_log_uniform(&r, 1e-6, 1e4) : 0.0;
        const struct line line = line_of(&r, pull, all_ends[trial % 3]);
        struct line_modes m = modes_of(&line, INFINITY, MODES);
        for (size_t i = 0; i < m.count; i++) {
            double left = 0.0, right = 0.0, size = 0.0;
            for (size_t k = 0; k < GAUSS * PANELS; k++) {
                const double x = point(k, PANELS), phi = weight(k, PANELS) * line_shape(&m, i, x);
                double w = 0.0, second = 0.0, fourth = 0.0;
                for (int p = 4; p < 10; p++) {
                    w += power[p - 4] * pow(x, p);
                    second += power[p - 4] * p * (p - 1) * pow(x, p - 2);
                    fourth += power[p - 4] * p * (p - 1) * (p - 2) * (p - 3) * pow(x, p - 4);
                }
                const double length2 = line.length * line.length, omega = 2.0 * M_PI * m.frequency[i];
                const double forces = line.bending * fourth / (length2 * length2) - line.tension * second / length2;
                const double inertia = omega * omega * line.density * w;
                left += inertia * phi;
                right += forces * phi;
                size += fabs(inertia * phi) + fabs(forces * phi);
            }
            worst = nan_max(worst, fabs(left - right) / size);
        }
        line_modes_free(&m);
    }
    print_message("worst %.2g\n", worst);
    assert_true(worst < 1e-12);
}

static void ends_hold_the_shapes_as_they_should(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int trial = 0; trial < 30; trial++) {
        const struct line line = line_of(&r, random_log_uniform(&r, 1e-6, 1e4), all_ends[trial % 3]);
        struct line_modes m = modes_of(&line, INFINITY, 200);
        for (size_t i = 0; i < m.count; i++) {
            /* Slopes at the end by differences over a fraction of the shape's shortest wavelength. */
            const double rate = sqrt(m.wavenumber_squared[i] + line.tension / line.bending) * line.length;
            const double h = 0.02 / rate;
            double u[6];
            for (int k = 0; k < 6; k++)
                u[k] = line_shape(&m, i, k * h);
            if (line.ends == LINE_FREE) {
                if (i == 0)
                    continue;
                assert_true(fabs(u[0] - 1.0) < 1e-13);
                const double bent =
                    (45.0 * u[0] - 154.0 * u[1] + 214.0 * u[2] - 156.0 * u[3] + 61.0 * u[4] - 10.0 * u[5]) / 12.0;
                assert_true(fabs(bent) < 1e-7);
            } else {
                assert_true(u[0] == 0.0 && line_shape(&m, i, 1.0) == 0.0);
                if (line.ends == LINE_CLAMPED) /* u ~ x²: no slope */
                    assert_true(fabs(u[1] / u[2] - 0.25) < 0.01);
            }
            for (int k = 0; k < 6; k++)
                assert_true(fabs(line_shape(&m, i, 1.0 - k * h) - (i % 2 ? -u[k] : u[k])) < 1e-12);
        }
        line_modes_free(&m);
    }
}

static void moved_ends_are_those_of_finite_elements(void **state)
{
    (void)state;
    enum { ELEMENTS = 400 };
    struct random r = random_cases(__func__);
    double force = 0.0, shape = 0.0, mass = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        /* every third one beside the two ways in which the shape is summed: T L²/EI = 16 */
        const double pull = trial % 3 ? random_log_uniform(&r, 1e-8, 1e4) : 16.0 + 1e-3 * (random_unit(&r) - 0.5);
        const struct line line = line_of(&r, pull, all_ends[trial % 2]);
        double u[ELEMENTS + 1], sum = 0.0;
        const double stiff = 12.0 * line.bending / pow(line.length, 3.0) + line.tension / line.length;
        force = nan_max(force, fabs(beam_end_moved(&line, ELEMENTS, u) - line_end_stiffness(&line)) / stiff);
        for (size_t i = 0; i <= ELEMENTS; i++)
            shape = nan_max(shape, fabs(u[i] - line_end_shape(&line, (double)i / ELEMENTS)));
        for (size_t i = 0; i < 2000; i++)
            sum += weight(i, 400) * pow(line_end_shape(&line, point(i, 400)), 2.0);
        mass = nan_max(mass, relative(sum * line.density * line.length, line_end_mass(&line)));
    }
    print_message("force %.2g, shape %.2g, mass %.2g\n", force, shape, mass);
    assert_true(force < 1e-6 && shape < 1e-6 && mass < 1e-12);
}

static void moved_ends_without_tension_or_bending_are_known(void **state)
{
    (void)state;
    for (double pull = 0.0; pull<1e-13; pull = pull> 0.0 ? 100.0 * pull : 1e-300) {
        const struct line bar = {2.0, 0.5, pull * 3.0 / 4.0, 3.0, LINE_CLAMPED};
        assert_true(relative(line_end_stiffness(&bar), 12.0 * 3.0 / 8.0) < 2e-14);
        assert_true(relative(line_end_mass(&bar), 13.0 / 35.0) < 2e-14);
        for (double x = 0.0; x <= 1.0; x += 0.125)
            assert_true(fabs(line_end_shape(&bar, x) - x * x * (3.0 - 2.0 * x)) < 2e-14);
    }
    for (enum line_ends ends = LINE_SUPPORTED; ends <= LINE_CLAMPED; ends++)
        for (double bending = 0.0; bending<1e-33; bending = bending> 0.0 ? 100.0 * bending : 1e-320) {
            const struct line string = {2.0, 0.5, 7.0, bending, ends};
            assert_true(relative(line_end_stiffness(&string), 3.5) < 1e-15);
            assert_true(relative(line_end_mass(&string), 1.0 / 3.0) < 1e-15);
            for (double x = 0.0; x <= 1.0; x += 0.125)
                assert_true(fabs(line_end_shape(&string, x) - x) < 1e-15);
        }
    const struct line supported = {2.0, 0.5, 0.0, 3.0, LINE_SUPPORTED}, loose = {2.0, 0.5, 0.0, 3.0, LINE_FREE};
    assert_true(line_end_stiffness(&supported) == 0.0);
    assert_true(isnan(line_end_stiffness(&loose)) && isnan(line_end_mass(&loose)) &&
                isnan(line_end_shape(&loose, 0.5)));
}

static void couplings_to_a_moved_end_are_their_integrals(void **state)
{
    (void)state;
    enum { PANELS = 1000 };
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int trial = 0; trial < 20; trial++) {
        const double pull = trial < 2 ? 0.0 : random_log_uniform(&r, 1e-6, 1e4);
        const struct line line = line_of(&r, pull, all_ends[trial % 2]);
        struct line_modes m = modes_of(&line, INFINITY, 200);
        for (size_t i = 0; i < m.count; i += i < 10 ? 1 : 27) {
            double sum = 0.0;
            for (size_t k = 0; k < GAUSS * PANELS; k++)
                sum +=
                    weight(k, PANELS) * line_shape(&m, i, point(k, PANELS)) * line_end_shape(&line, point(k, PANELS));
            worst = nan_max(worst, fabs(sum - line_end_coupling(&m, i) / (line.density * line.length)));
        }
        line_modes_free(&m);
    }
    print_message("worst %.2g of the line's mass\n", worst);
    assert_true(worst < 1e-13);
}

/* Σ c²/m over all modes is ∫ρA s²: the remainder after N modes is of order 1/N, that of 2 S(2N) - S(N) 1/N². */
static void modes_make_up_the_shape_of_a_moved_end(void **state)
{
    (void)state;
    enum { MODES = 10000 };
    struct random r = random_cases(__func__);
    for (int trial = 0; trial < 6; trial++) {
        const struct line line = line_of(&r, trial < 2 ? 0.0 : random_log_uniform(&r, 1e-6, 1e4), all_ends[trial % 2]);
        struct line_modes m = modes_of(&line, INFINITY, MODES);
        double sum = 0.0, half = 0.0;
        for (size_t i = 0; i < m.count; i++) {
            const double c = line_end_coupling(&m, i);
            sum += c * c / m.mass[i];
            if (i + 1 == MODES / 2)
                half = sum;
        }
        assert_true(relative(sum, line_end_mass(&line)) < 1e-3);
        assert_true(relative(2.0 * sum - half, line_end_mass(&line)) < 1e-7);
        line_modes_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_those_of_finite_elements),
        cmocka_unit_test(shapes_are_orthogonal_and_of_the_mass_told),
        cmocka_unit_test(shapes_obey_the_equation),
        cmocka_unit_test(ends_hold_the_shapes_as_they_should),
        cmocka_unit_test(moved_ends_are_those_of_finite_elements),
        cmocka_unit_test(moved_ends_without_tension_or_bending_are_known),
        cmocka_unit_test(couplings_to_a_moved_end_are_their_integrals),
        cmocka_unit_test(modes_make_up_the_shape_of_a_moved_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

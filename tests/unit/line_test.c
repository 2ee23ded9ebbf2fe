/* Modes of stiff strings and bars against closed forms, finite elements and their own integrals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/worst.h"
#include "support/beam_elements.h"
#include "support/random_cases.h"
#include "synth/line_modes.h"

#include <cmocka.h>

static const enum line_ends all_ends[] = {LINE_SUPPORTED, LINE_CLAMPED, LINE_FREE};

/* `pull` is T L²/EI. */
static struct line line_of(struct random *r, double pull, enum line_ends ends)
{
    struct line line = {random_log_uniform(r, 0.1, 3.0), random_log_uniform(r, 1e-4, 10.0), 0.0,
                        random_log_uniform(r, 1e-5, 1e4), ends};
    line.tension = pull * line.bending / (line.length * line.length);
    return line;
}

static struct line_modes modes_of(const struct line *line, double highest, size_t max)
{
    struct line_modes m;
    struct error e = {0};
    if (line_modes_make(&m, line, highest, max, &e))
        fail_msg("%s", e.message);
    return m;
}

static double relative(double value, double exact)
{
    return fabs(value / exact - 1.0);
}

/* Gauss's five points on each of `panels` equal panels of 0..1. */
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
            worst = worst_of(worst, relative(m.frequency[i], exact));
            worst = worst_of(worst, relative(m.wavenumber_squared[i], pow(n * M_PI / length, 2.0)));
            worst = worst_of(worst, relative(m.mass[i], 0.5 * line.density * length));
            worst = worst_of(worst, 1e-2 * fabs(line_shape(&m, i, 0.3) - sin(0.3 * n * M_PI)));
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
    for (int ends = LINE_CLAMPED; ends <= LINE_FREE; ends++) {
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

/* With u = 1 - 2x the tension's energy gives ω² = 12 T/(ρA L²), and what bends off that is of the order of T L²/EI. */
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
            /* Squares, which are what rounding of the elements moves: all by as much, the softest modes most of all. */
            const double square = pow(m.frequency[i], 2.0), third = pow(m.frequency[2], 2.0);
            worst = worst_of(worst, fabs(pow(frequency[i], 2.0) - square) / fmax(square, third));
        }
        line_modes_free(&m);
    }
    print_message("worst %.2g\n", worst);
    assert_true(worst < 2e-7);
}

/* The products with ρA sum to 0 and to the mass; the largest value is 1, or what the header says. */
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
                    along = worst_of(along, relative(whole * sum, m.mass[i]));
                else
                    across = worst_of(across, fabs(sum));
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
            worst = worst_of(worst, fabs(left - right) / size);
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
            /* Slopes at the end by differences over a part of the shape's shortest length. */
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
        force = worst_of(force, fabs(beam_end_moved(&line, ELEMENTS, u) - line_end_stiffness(&line)) / stiff);
        for (size_t i = 0; i <= ELEMENTS; i++)
            shape = worst_of(shape, fabs(u[i] - line_end_shape(&line, (double)i / ELEMENTS)));
        for (size_t i = 0; i < 2000; i++)
            sum += weight(i, 400) * pow(line_end_shape(&line, point(i, 400)), 2.0);
        mass = worst_of(mass, relative(sum * line.density * line.length, line_end_mass(&line)));
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
    for (int ends = LINE_SUPPORTED; ends <= LINE_CLAMPED; ends++)
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
            worst = worst_of(worst, fabs(sum - line_end_coupling(&m, i) / (line.density * line.length)));
        }
        line_modes_free(&m);
    }
    print_message("worst %.2g of the line's mass\n", worst);
    assert_true(worst < 1e-13);
}

/* Σ c²/m over all modes is ∫ρA s²: what is left out after N modes falls as 1/N, so 2 S(2N) - S(N) is good to 1/N². */
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

static void pitches_are_met(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int trial = 0; trial < 90; trial++) {
        struct line line = line_of(&r, trial % 5 ? random_log_uniform(&r, 1e-6, 1e6) : 0.0, all_ends[trial % 3]);
        line.bending *= trial % 7 || !(line.tension > 0.0);
        struct line_modes m = modes_of(&line, INFINITY, 3);
        const double lowest = m.frequency[m.frequency[0] > 0.0 ? 0 : m.frequency[1] > 0.0 ? 1 : 2];
        line_modes_free(&m);
        struct line other = line;
        other.length =
            trial % 4 ? random_log_uniform(&r, 0.01, 100.0) : 0.0; /* a bar's that is given a pitch in its place */
        worst = worst_of(worst, relative(line_length_for_pitch(&other, lowest), line.length));
        if (line.tension > 0.0 && line.tension * line.length * line.length > line.bending) {
            other = line;
            other.tension = random_unit(&r);
            worst = worst_of(worst, relative(line_tension_for_pitch(&other, lowest), line.tension));
        }
    }
    print_message("worst %.2g\n", worst);
    assert_true(worst < 1e-12);
    const struct line bar = {1.0, 1.0, 0.0, 1.0, LINE_CLAMPED};
    assert_true(isnan(line_tension_for_pitch(&bar, 3.56)) && line_tension_for_pitch(&bar, 3.57) > 0.0);
    assert_true(isnan(line_tension_for_pitch(&bar, 0.0)) && isnan(line_tension_for_pitch(&bar, INFINITY)));
    assert_true(isnan(line_length_for_pitch(&bar, -1.0)) && isnan(line_length_for_pitch(&bar, NAN)));
}

static void decays_have_the_times_asked_for(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int trial = 0; trial < 200; trial++) {
        const struct line line = line_of(&r, trial % 5 ? random_log_uniform(&r, 1e-4, 1e6) : 0.0, all_ends[trial % 2]);
        struct line_modes m = modes_of(&line, INFINITY, 40);
        /* of two modes, in either order; the higher one's within what is possible */
        const size_t low = random_between(&r, 0, 20), high = low + random_between(&r, 1, 19);
        const double xi = m.wavenumber_squared[low] / m.wavenumber_squared[high];
        const double slow = random_log_uniform(&r, 0.01, 100.0), fast = slow * (xi + (1.0 - xi) * random_unit(&r));
        const double up = trial % 2, f[] = {m.frequency[up ? high : low], m.frequency[up ? low : high]};
        const double t60[] = {up ? fast : slow, up ? slow : fast};
        const double c2 = line.tension / line.density, kappa2 = line.bending / line.density;
        struct line_decay d;
        struct error e = {0};
        if (decay_from_times(&d, c2, kappa2, f, t60, &e))
            fail_msg("%s", e.message);
        assert_true(relative(3.0 * log(10.0) / line_mode_decay(&m, &d, low), slow) < 1e-11);
        assert_true(relative(3.0 * log(10.0) / line_mode_decay(&m, &d, high), fast) < 1e-11);
        assert_true(d.sigma0 >= 0.0 && d.sigma1 >= 0.0);
        line_modes_free(&m);
    }
    /* no bending, as of a membrane: ξ = ω²/c² */
    const double f[] = {100.0, 1000.0}, t60[] = {2.0, 0.5}, never[] = {INFINITY, INFINITY};
    struct line_decay d;
    assert_int_equal(decay_from_times(&d, 1e4, 0.0, f, t60, NULL), 0);
    assert_true(relative(d.sigma0 + d.sigma1 * pow(2.0 * M_PI, 2.0), 1.5 * log(10.0)) < 1e-14);
    assert_int_equal(decay_from_times(&d, 1e4, 0.0, f, never, NULL), 0);
    assert_true(d.sigma0 == 0.0 && d.sigma1 == 0.0);
}

/* What a refusal advises is taken. */
static void decays_that_would_grow_are_refused_with_what_would_do(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int trial = 0; trial < 200; trial++) {
        const double c2 = trial % 5 ? random_log_uniform(&r, 1e2, 1e6) : 0.0,
                     kappa2 = c2 > 0.0 && trial % 3 ? 0.0 : random_log_uniform(&r, 0.1, 1e3);
        const double f[] = {random_log_uniform(&r, 20.0, 200.0), random_log_uniform(&r, 300.0, 5000.0)};
        const double bound =
            dispersion_wavenumber_squared(c2, kappa2, f[0]) / dispersion_wavenumber_squared(c2, kappa2, f[1]);
        double t60[] = {(double)random_between(&r, 50, 50000) / 1000.0, 0.0}; /* messages have six digits */
        t60[1] = t60[0] * (trial % 2 ? bound * random_log_uniform(&r, 0.1, 0.99) : random_log_uniform(&r, 1.01, 10.0));
        t60[1] = trial % 2 ? t60[1] : ceil(t60[1] * 1000.0) / 1000.0;
        struct line_decay d;
        struct error e = {0};
        assert_int_not_equal(decay_from_times(&d, c2, kappa2, f, t60, &e), 0);
        assert_non_null(strstr(e.message, trial % 2 ? "too steeply" : "grows with frequency"));
        for (int side = 0; side < 2; side++) {
            double advised[2] = {t60[0], t60[1]};
            const char *at = strstr(e.message, (trial + side) % 2 ? "at least " : "at most ");
            assert_non_null(at);
            advised[side ? 0 : 1] = strtod(at + ((trial + side) % 2 ? 9 : 8), NULL);
            if (decay_from_times(&d, c2, kappa2, f, advised, &e))
                fail_msg("%g %g: %s", advised[0], advised[1], e.message);
        }
    }
    static const double bad[][4] = {{0, 100, 1, 1},         {100, 100, 1, 1},   {100, 200, 0, 1},
                                    {100, 200, 1, -1},      {100, 200, NAN, 1}, {INFINITY, 200, 1, 1},
                                    {100, 200, INFINITY, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct line_decay d;
        struct error e = {0};
        assert_int_not_equal(decay_from_times(&d, 1e4, 0.0, bad[i], bad[i] + 2, &e), 0);
        assert_true(strlen(e.message) > 0);
    }
}

/* Amplitude and phase of q at `frequency` through a Hann window of `count` samples. */
static void windowed(const double *q, size_t first, size_t count, double frequency, double rate, double *amplitude,
                     double *phase)
{
    double real = 0.0, imaginary = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double hann = 1.0 - cos(2.0 * M_PI * ((double)i + 0.5) / (double)count);
        const double angle = 2.0 * M_PI * fmod(frequency * (double)(first + i) / rate, 1.0);
        real += hann * q[first + i] * cos(angle);
        imaginary -= hann * q[first + i] * sin(angle);
    }
    *amplitude = hypot(real, imaginary);
    *phase = atan2(imaginary, real);
}

static void a_mode_in_steps_has_its_frequency_and_its_decay(void **state)
{
    (void)state;
    enum { RATE = 44100, STEPS = 2 * RATE, WINDOW = RATE / 2 };
    static double q[STEPS];
    struct random r = random_cases(__func__);
    double frequencies = 0.0, times = 0.0, values = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        const double k = 1.0 / RATE, f = random_log_uniform(&r, 50.0, 20000.0), t60 = random_log_uniform(&r, 0.5, 20.0);
        const double sigma = 3.0 * log(10.0) / t60, mass = random_log_uniform(&r, 1e-3, 1e3), omega = 2.0 * M_PI * f;
        const struct mode_step s = mode_step(f, sigma, mass, k);
        q[0] = 0.0;
        for (size_t n = 1; n < STEPS; n++)
            q[n] = s.now * q[n - 1] - (n > 1 ? s.before * q[n - 2] : 0.0) + (n == 1 ? s.gain : 0.0);
        double a[2], p[2];
        windowed(q, 0, WINDOW, f, RATE, &a[0], &p[0]);
        windowed(q, STEPS - WINDOW, WINDOW, f, RATE, &a[1], &p[1]);
        const double apart = (STEPS - WINDOW) * k;
        frequencies = worst_of(frequencies, fabs(remainder(p[1] - p[0], 2.0 * M_PI)) / (omega * apart));
        times = worst_of(times, relative(3.0 * log(10.0) * apart / log(a[0] / a[1]), t60));
        /* a push of k N s: k/(m ω) exp(-σt) sin ωt, larger by ωk/sin ωk and by cosh σk */
        const double push = k / (mass * omega) * (omega * k / sin(omega * k)) * cosh(sigma * k);
        for (size_t n = 0; n < STEPS; n += 7)
            values = worst_of(values, fabs(q[n] / push - exp(-sigma * (double)n * k) * sin(omega * (double)n * k)));
    }
    print_message("frequency %.2g, T60 %.2g, values %.2g\n", frequencies, times, values);
    assert_true(frequencies < 1e-6 && times < 1e-4 && values < 1e-8);
}

/* m q'' = f - 2 m σ q', pushed by a constant force: exact at the steps when σ = 0, else to the square of the step. */
static void a_rigid_body_in_steps_moves_as_newton_says(void **state)
{
    (void)state;
    const double k = 1e-4, mass = 3.0, force = 2.0;
    for (double sigma = 0.0; sigma < 20.0; sigma += 5.0) {
        const struct mode_step s = mode_step(0.0, sigma, mass, k);
        double now = 0.5 * s.gain * force, before = 0.0; /* the force starts half-way into its first step */
        for (int n = 2; n <= 10000; n++) {
            const double next = s.now * now - s.before * before + s.gain * force;
            before = now;
            now = next;
        }
        const double t = 10000 * k, fall = 2.0 * sigma;
        const double exact = sigma > 0.0 ? (t + expm1(-fall * t) / fall) / fall : 0.5 * t * t;
        assert_true(relative(now * mass / force, exact) < (sigma > 0.0 ? 1e-5 : 1e-9));
        for (int n = 0; n < 100000; n++) { /* without the force it comes to rest, and stays where it is */
            const double next = s.now * now - s.before * before;
            before = now;
            now = next;
        }
        if (sigma > 0.0)
            assert_true(relative(now * mass / force, (t - 0.5 * k) / fall) < 1e-6);
    }
}

static void steps_that_cannot_be_are_not_numbers(void **state)
{
    (void)state;
    const double k = 1.0 / 44100.0;
    assert_true(isfinite(mode_step(22049.0, 0.0, 1.0, k).gain));
    assert_true(isnan(mode_step(22051.0, 0.0, 1.0, k).gain) && isnan(mode_step(22051.0, 0.0, 1.0, k).now));
    assert_true(isnan(mode_step(-1.0, 0.0, 1.0, k).now) && isnan(mode_step(NAN, 0.0, 1.0, k).now));
    assert_true(isnan(mode_step(1.0, -1.0, 1.0, k).before) && isnan(mode_step(1.0, 0.0, 0.0, k).now));
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
        cmocka_unit_test(frequencies_are_those_of_finite_elements),
        cmocka_unit_test(shapes_are_orthogonal_and_of_the_mass_told),
        cmocka_unit_test(shapes_obey_the_equation),
        cmocka_unit_test(ends_hold_the_shapes_as_they_should),
        cmocka_unit_test(moved_ends_are_those_of_finite_elements),
        cmocka_unit_test(moved_ends_without_tension_or_bending_are_known),
        cmocka_unit_test(couplings_to_a_moved_end_are_their_integrals),
        cmocka_unit_test(modes_make_up_the_shape_of_a_moved_end),
        cmocka_unit_test(modes_end_below_the_highest_frequency_and_at_the_most),
        cmocka_unit_test(lines_that_are_none_are_refused),
        cmocka_unit_test(pitches_are_met),
        cmocka_unit_test(decays_have_the_times_asked_for),
        cmocka_unit_test(decays_that_would_grow_are_refused_with_what_would_do),
        cmocka_unit_test(a_mode_in_steps_has_its_frequency_and_its_decay),
        cmocka_unit_test(a_rigid_body_in_steps_moves_as_newton_says),
        cmocka_unit_test(steps_that_cannot_be_are_not_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

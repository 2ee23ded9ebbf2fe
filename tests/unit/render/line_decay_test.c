/* SPDX-License-Identifier: MIT */
/* Pitch and decay of lines, and their modes in steps of time. */
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
        worst = nan_max(worst, relative(line_length_for_pitch(&other, lowest), line.length));
        if (line.tension > 0.0 && line.tension * line.length * line.length > line.bending) {
            other = line;
            other.tension = random_unit(&r);
            worst = nan_max(worst, relative(line_tension_for_pitch(&other, lowest), line.tension));
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
        const bool up = trial % 2;
        const double f[] = {m.frequency[up ? high : low], m.frequency[up ? low : high]};
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

/* The decay advised by a refusal is accepted. */
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
        frequencies = nan_max(frequencies, fabs(remainder(p[1] - p[0], 2.0 * M_PI)) / (omega * apart));
        times = nan_max(times, relative(3.0 * log(10.0) * apart / log(a[0] / a[1]), t60));
        /* a push of k N s: k/(m ω) exp(-σt) sin ωt, larger by cosh σk */
        const double push = k / (mass * omega) * cosh(sigma * k);
        for (size_t n = 0; n < STEPS; n += 7)
            values = nan_max(values, fabs(q[n] / push - exp(-sigma * (double)n * k) * sin(omega * (double)n * k)));
    }
    print_message("frequency %.2g, T60 %.2g, values %.2g\n", frequencies, times, values);
    assert_true(frequencies < 1e-6 && times < 1e-4 && values < 1e-8);
}

/* m q'' = f - 2 m σ q' with a constant force: exact at the steps when σ = 0, else to second order. */
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
        cmocka_unit_test(pitches_are_met),
        cmocka_unit_test(decays_have_the_times_asked_for),
        cmocka_unit_test(decays_that_would_grow_are_refused_with_what_would_do),
        cmocka_unit_test(a_mode_in_steps_has_its_frequency_and_its_decay),
        cmocka_unit_test(a_rigid_body_in_steps_moves_as_newton_says),
        cmocka_unit_test(steps_that_cannot_be_are_not_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

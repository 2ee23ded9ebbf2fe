/* SPDX-License-Identifier: MIT */
/* Control of the drift of ψ from √(2V), where ψ is stepped by the chain rule. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include "solver/schemes/bodies/stretching.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

/* An oscillator w'' + square w + cubic w³ = 0 of mass 1. */
struct duffing {
    double square, cubic, k; /* k: time step */
    double now, before, psi;
};

static void start(struct duffing *o, double amplitude)
{
    o->now = o->before = amplitude;
    o->psi = sqrt(0.5 * o->cubic) * amplitude * amplitude;
}

/* ψ⁺ and w⁺ = y - pull of a mass with g, by stretching.h for one point. */
struct step {
    double psi, pull;
};

static struct step step_of(double y, double before, double g, double psi, double gain)
{
    const double s = (g * (y - before) - gain * g * g * psi) / (1.0 + 0.25 * gain * g * g);
    return (struct step){psi + 0.5 * s, gain * g * (psi + 0.25 * s)};
}

static void advance(struct duffing *o)
{
    const double gain = o->k * o->k, w = o->now;
    double g = o->cubic * w * w * w;
    control_drift(&g, 1, 0.25 * o->cubic * pow(w, 4.0), o->psi, gain, &o->now, &o->before);
    const double y = 2.0 * w - gain * o->square * w - o->before;
    const struct step step = step_of(y, o->before, g, o->psi, gain);
    o->psi = step.psi;
    o->now = y - step.pull;
    o->before = w;
}

static double energy(const struct duffing *o)
{
    const double velocity = (o->now - o->before) / o->k;
    return 0.5 * velocity * velocity + 0.5 * o->square * o->now * o->before + 0.5 * o->psi * o->psi;
}

/* 4 K(m)/ω by the arithmetic-geometric mean, ω² = square + cubic A², m = cubic A²/(2 ω²). */
static double duffing_period(double square, double cubic, double amplitude)
{
    const double bent = cubic * amplitude * amplitude, omega_squared = square + bent;
    double a = 1.0, b = sqrt(1.0 - 0.5 * bent / omega_squared);
    for (int i = 0; i < 10; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * M_PI / (a * sqrt(omega_squared));
}

/* Mean over several periods, from upward zero crossings; also the largest error of the energy. */
static double measured_period(struct duffing *o, double amplitude, double *balance)
{
    double first = 0.0, last = 0.0;
    int count = 0;
    start(o, amplitude);
    const double given = energy(o);
    *balance = 0.0;
    for (int n = 1; count < 21; n++) {
        const double old = o->now;
        advance(o);
        *balance = fmax(*balance, fabs(energy(o) / given - 1.0));
        if (!(old < 0.0 && o->now >= 0.0))
            continue;
        last = n - 1 + old / (old - o->now);
        first = count++ ? first : last;
    }
    return (last - first) * o->k / 20.0;
}

static void test_a_cubic_spring_has_the_exact_period(void **state)
{
    (void)state;
    struct random r = random_cases("cubic springs");
    for (int i = 0; i < case_count(50); i++) {
        struct duffing o = {.square = random_log_uniform(&r, 0.01, 1.0), .cubic = random_log_uniform(&r, 0.01, 10.0)};
        const double amplitude = random_log_uniform(&r, 0.1, 3.0);
        const double exact = duffing_period(o.square, o.cubic, amplitude);
        double balance;
        o.k = exact / 400.0;
        const double period = measured_period(&o, amplitude, &balance);
        assert_within(period, exact, 2e-4 * exact); /* second order: (2π/400)²/24 where V is small */
        assert_true(balance <= 1e-11);
    }
}

/* Started with half of √(2V), ψ approaches it within a few time constants of the control. */
static void test_drift_is_controlled(void **state)
{
    (void)state;
    struct duffing o = {.square = 1.0, .cubic = 1.0, .k = 0.01};
    start(&o, 1.0);
    o.psi *= 0.5;
    double worst = 0.0;
    for (int n = 0; n < 2000; n++) {
        advance(&o);
        const double root = sqrt(0.5 * o.cubic) * o.before * o.before;
        worst = n > 1000 ? fmax(worst, fabs(o.psi - root)) : 0.0;
    }
    print_message("off by %.2g of %.2g\n", worst, sqrt(0.5));
    assert_true(worst <= 0.02);
}

/* No division by a velocity of zero, and no reversal of ψ by one that is nearly so. */
static void test_bodies_at_rest_stay_finite(void **state)
{
    (void)state;
    static const double speeds[] = {0.0, 1e-300, 1e-160, 1e-12};
    for (int i = 0; i < 4; i++)
        for (int bent = 0; bent < 2; bent++) {
            const double now = bent ? 1.0 : 0.0, before = now - speeds[i], y = now;
            double g = now;
            control_drift(&g, 1, 0.25 * now, 0.3, 1.0, &now, &before);
            const struct step step = step_of(y, before, g, 0.3, 1.0);
            assert_true(isfinite(step.pull) && step.psi > 0.0);
            if (!bent)
                assert_within(step.psi, 0.3, 0.02);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cubic_spring_has_the_exact_period),
        cmocka_unit_test(test_drift_is_controlled),
        cmocka_unit_test(test_bodies_at_rest_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

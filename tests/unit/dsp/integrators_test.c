/* SPDX-License-Identifier: MIT */
/* Integrators of the field against closed forms. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dsp/space/integrators.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

static const double c = 343.0;

/* x h_n(x) with the spherical Hankel functions of the second kind, by their recursion. */
static double complex hankel(int n, double x)
{
    double complex below = I * cexp(-I * x) / x, here = (I / x - 1.0) / x * cexp(-I * x);
    if (!n)
        return below;
    for (int k = 1; k < n; k++) {
        const double complex next = (2 * k + 1) / x * here - below;
        below = here;
        here = next;
    }
    return here;
}

/* F_n(jkr) = -j kr j^-n h_n(kr) e^{jkr} = θ_n(jkr)/(jkr)^n. */
static void bessel_polynomials_are_the_field_of_a_point_source(void **state)
{
    (void)state;
    static const double at[] = {0.3, 1.0, 4.0, 20.0};
    for (int n = 0; n <= 4; n++)
        for (int i = 0; i < 4; i++) {
            const double x = at[i];
            double theta[2];
            bessel_polynomial(theta, n, x);
            const double complex f = (theta[0] + I * theta[1]) / cpow(I * x, n);
            const double complex exact = -I * x * cpow(I, -n) * hankel(n, x) * cexp(I * x);
            assert_within(cabs(f / exact - 1.0), 0.0, 1e-14);
        }
}

static void plane_waves_pass_above_the_corner(void **state)
{
    (void)state;
    const struct integrator plane = {INTEGRATOR_PLANE, 1.5, c};
    for (int n = 1; n <= 4; n++) {
        const double corner = n * c / 1.5, omega = 2.0 * M_PI * integrator_low(&plane, n);
        double value[2];
        integrator_response(value, &plane, n, corner);
        assert_within(cabs((value[0] + I * value[1]) * cpow(I * corner / c, n)), 0.5, 1e-12);
        integrator_response(value, &plane, n, omega);
        const double complex whole = (value[0] + I * value[1]) * cpow(I * omega / c, n);
        assert_within(cabs(whole - 1.0), 0.0, 0.0040);
        assert_within(cimag(whole), 0.0, 1e-15);
        integrator_response(value, &plane, n, 0.0);
        assert_true(value[0] == 0.0 && value[1] == 0.0);
    }
}

static void a_source_at_the_near_field_distance_is_flat(void **state)
{
    (void)state;
    const struct integrator near = {INTEGRATOR_NEAR_FIELD, 2.0, c};
    for (int n = 0; n <= 4; n++)
        for (double omega = 20.0; omega < 20000.0; omega *= 3.0) {
            double value[2], theta[2];
            integrator_response(value, &near, n, omega);
            bessel_polynomial(theta, n, omega * 2.0 / c);
            /* t_nm = (s/c)^n F_n(sR/c) */
            const double complex t = cpow(I * omega / c, n) * (theta[0] + I * theta[1]) / cpow(I * omega * 2.0 / c, n);
            assert_within(cabs((value[0] + I * value[1]) * t - 1.0), 0.0, 1e-12);
        }
}

/* The filter is the analogue form at s = (2/k) j tan(ωk/2). */
static void the_filter_has_the_response_of_its_form(void **state)
{
    (void)state;
    struct random r = random_cases("integrators/filter");
    const double rate = 24000.0;
    for (int n = 0; n <= 4; n++) {
        const struct integrator near = {INTEGRATOR_NEAR_FIELD, random_log_uniform(&r, 0.3, 10.0), c};
        static double samples[65536];
        struct near_field_filter f;
        memset(samples, 0, sizeof samples);
        samples[0] = 1.0;
        near_field_filter_make(&f, &near, n, rate);
        near_field_filter_run(&f, samples, 20000); /* in two parts */
        near_field_filter_run(&f, samples + 20000, 65536 - 20000);
        for (double frequency = 50.0; frequency < 10000.0; frequency *= 2.3) {
            const double w = 2.0 * M_PI * frequency / rate;
            double complex sum = 0.0;
            for (int i = 0; i < 65536; i++)
                sum += samples[i] * cexp(-I * w * i);
            double value[2], steady[2];
            integrator_response(value, &near, n, 2.0 * rate * tan(0.5 * w));
            integrator_response(steady, &near, n, 0.0); /* rounding of the sum is relative to this */
            assert_within(cabs(sum - (value[0] + I * value[1])) / steady[0], 0.0, 1e-11);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bessel_polynomials_are_the_field_of_a_point_source),
        cmocka_unit_test(plane_waves_pass_above_the_corner),
        cmocka_unit_test(a_source_at_the_near_field_distance_is_flat),
        cmocka_unit_test(the_filter_has_the_response_of_its_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

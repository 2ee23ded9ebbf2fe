/* SPDX-License-Identifier: MIT */
/* Faddeeva's function and the factor of a wall against values of 50 digits (mpmath). */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "render/hybrid/wall_factor.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

static double complex of(const double v[2])
{
    return v[0] + I * v[1];
}

static void faddeeva_has_thirteen_digits(void **state)
{
    (void)state;
    static const struct {
        double z[2], w[2];
    } known[] = {
        {{0.0, 0.0}, {1.0, 0.0}},
        {{0.5, 0.25}, {0.63833739679142657, 0.32581483982634513}},
        {{-1.5, 0.01}, {0.10857557788175785, -0.4800656372127963}},
        {{3.0, 0.0}, {0.00012340980408667955, 0.20115731703760039}},
        {{4.0, 2.0}, {0.059686929610445899, 0.1132100561244882}},
        {{-6.2, 0.3}, {0.0045754594682921983, -0.092000543243644912}},
        {{7.9, 0.05}, {0.00046330807728646353, 0.071999886722985502}},
        {{8.5, 1e-06}, {7.9768737063756843e-9, 0.066844472988345416}},
        {{1.0, 20.0}, {0.028104521704702714, 0.0014017433440084846}},
        {{-40.0, 25.0}, {0.0063418824371397359, -0.010142450674718621}},
        {{300.0, 0.5}, {3.1344301094038107e-6, 0.0018806371691513229}},
        {{0.7, -0.9}, {0.46395652624098905, 2.8073054075169051}},
        {{-2.0, -1.5}, {0.18328971531931704, -0.073260876796080792}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double complex w = of(known[i].w);
        assert_within(cabs(faddeeva(of(known[i].z)) - w) / cabs(w), 0.0, 1e-13);
    }
}

/* w'(z) = -2 z w(z) + 2j/√π: wherever one rule takes over from another, too. */
static void faddeeva_solves_its_differential_equation(void **state)
{
    (void)state;
    struct random random = random_cases("faddeeva");
    for (int i = 0; i < case_count(4000); i++) {
        const double magnitude = random_log_uniform(&random, 0.01, 100.0);
        const double complex z = magnitude * cexp(I * random_uniform(&random, 0.0, M_PI));
        const double h = 1e-3 * fmax(1.0, magnitude);
        double complex slope = 0.0;
        static const double weight[4] = {672.0 / 840, -168.0 / 840, 32.0 / 840, -3.0 / 840};
        if (cimag(z) < 5.0 * h) /* the steps keep to the half plane */
            continue;
        for (int k = 1; k <= 4; k++)
            slope += weight[k - 1] * (faddeeva(z + k * h) - faddeeva(z - k * h)) / h;
        const double complex right = -2.0 * z * faddeeva(z) + 2.0 * I / sqrt(M_PI);
        assert_within(cabs(slope - right), 0.0, 2e-11 / fmax(1.0, magnitude * magnitude) + 3e-11);
    }
}

static void the_remainder_is_free_of_cancellation(void **state)
{
    (void)state;
    for (double x = 7.0; x < 1e6; x *= 1.7) {
        const double complex z = x * (0.8 + 0.6 * I), s = 1.0 / (z * z);
        double complex sum = 0.0, term = 1.0; /* asymptotic: F = -Σ (2n - 1)!!/(2z²)^n */
        for (int n = 1; n <= 12; n++)
            sum -= term *= 0.5 * (2 * n - 1) * s;
        assert_within(cabs(faddeeva_remainder(z) / sum - 1.0), 0.0, x < 12.0 ? 1e-5 : 1e-9);
    }
}

static void the_factor_of_a_wall_is_that_of_weyl_and_van_der_pol(void **state)
{
    (void)state;
    static const struct {
        double y[2], cosine, kr, q[2];
    } known[] = {
        {{0.05, 0.0}, 0.3, 10.0, {0.79493441829609994, -0.074612788059106982}},
        {{0.2, 0.0}, 0.2, 30.0, {0.071848751128117794, -0.15357305182982953}},
        {{0.05, 0.0}, 0.02, 5.0, {0.80399015242901121, -0.16558037422266259}},
        {{0.3, 0.4}, 0.05, 20.0, {-1.4711021848947199, -0.47947836645786341}},
        {{0.01, -0.2}, 0.6, 15.0, {0.75079379054486108, 0.50994869024145449}},
        {{0.02, 0.5}, 0.0, 40.0, {8.5375064546970207, 4.9619702119257877}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double complex q = of(known[i].q);
        const double complex factor = wall_factor(of(known[i].y), known[i].cosine, known[i].kr);
        assert_within(cabs(factor - q) / cabs(q), 0.0, 1e-12);
    }
}

static void the_slope_of_the_factor_is_its_difference(void **state)
{
    (void)state;
    struct random random = random_cases("slope of the factor");
    for (int i = 0; i < case_count(1000); i++) {
        const double complex y = random_log_uniform(&random, 0.01, 1.0) + I * random_uniform(&random, -0.5, 0.5);
        const double cosine = random_uniform(&random, 0.02, 0.9), kr = random_log_uniform(&random, 5.0, 2000.0);
        const double h = 1e-5;
        double complex slope;
        wall_factor_slope(&slope, y, cosine, csqrt(-0.5 * I * kr));
        const double complex difference = (wall_factor(y, cosine + h, kr) - wall_factor(y, cosine - h, kr)) / (2.0 * h);
        assert_within(cabs(slope - difference) / (1.0 + cabs(slope)), 0.0, 2e-5);
    }
}

static void far_away_it_is_that_of_plane_waves(void **state)
{
    (void)state;
    for (double cosine = 0.2; cosine <= 1.0; cosine += 0.2) {
        const double complex y = 0.1 + 0.2 * I, plane = (cosine - y) / (cosine + y);
        assert_within(cabs(wall_factor(y, cosine, 1e7) - plane), 0.0, 2e-6);
        assert_within(cabs(wall_factor(0.0, cosine, 3.0) - 1.0), 0.0, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faddeeva_has_thirteen_digits),
        cmocka_unit_test(faddeeva_solves_its_differential_equation),
        cmocka_unit_test(the_remainder_is_free_of_cancellation),
        cmocka_unit_test(the_factor_of_a_wall_is_that_of_weyl_and_van_der_pol),
        cmocka_unit_test(the_slope_of_the_factor_is_its_difference),
        cmocka_unit_test(far_away_it_is_that_of_plane_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

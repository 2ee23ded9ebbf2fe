/* SPDX-License-Identifier: MIT */
/* Parameters of the leapfrog scheme against the literature. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/schemes/leapfrog/leapfrog.h"

#include <cmocka.h>

static void courant_squared_makes_every_coefficient_exact_in_single_precision(void **state)
{
    (void)state;
    for (int i = 0; i <= 100; i++) {
        double courant = i == 0 ? 0.0 : 0.01 + (0.5773502 - 0.01) * i / 100.0, squared;
        struct error e;
        assert_int_equal(cartesian7_courant_squared(courant, &squared, &e), 0);
        for (int k = 0; k <= 6; k++) {
            assert_true((double)(float)(k * squared) == k * squared);
            assert_true((double)(float)(2.0 - k * squared) == 2.0 - k * squared);
            assert_true((float)(2.0 - k * squared) + (float)(k * squared) == 2.0f);
        }
        double wanted = courant == 0.0 ? 1.0 / 3.0 : courant * courant;
        assert_true(squared <= wanted && wanted - squared <= 0x1p-21);
    }
}

static void courant_number_above_the_limit_is_refused(void **state)
{
    (void)state;
    double squared;
    struct error e;
    assert_int_equal(cartesian7_courant_squared(0.57736, &squared, &e), -1);
    assert_int_equal(cartesian7_courant_squared(-0.1, &squared, &e), -1);
    assert_int_equal(cartesian7_courant_squared(NAN, &squared, &e), -1);
    assert_int_equal(cartesian7_courant_squared(0.001, &squared, &e), -1);
    assert_int_equal(cartesian7_courant_squared(0.577350269, &squared, &e), 0);
}

static void valid_band_matches_the_published_dispersion(void **state)
{
    (void)state;
    static const double published[][2] = {{0.01, 0.054}, {0.02, 0.076}, {0.05, 0.115}, {0.10, 0.151}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        double frequency = cartesian7_valid_frequency(1.0 / 3.0, published[i][0]);
        assert_true(fabs(frequency - published[i][1]) < 0.0006);
        assert_true(fabs(1.0 - cartesian7_axial_velocity(1.0 / 3.0, frequency) - published[i][0]) < 1e-9);
    }
    assert_true(isnan(cartesian7_axial_velocity(1.0 / 3.0, 0.197))); /* above the cut-off nothing travels */
    assert_false(isnan(cartesian7_axial_velocity(1.0 / 3.0, 0.195)));
}

static void reflection_matches_the_published_magnitudes(void **state)
{
    (void)state;
    static const double published[][2] = {{250, .3337}, {1000, .3390}, {2000, .3558}, {4000, .4200}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        double r[2];
        const double f = published[i][0] / 48000.0;
        cartesian7_reflection(1.0 / 3.0, (const double[2]){0.5, 0.0}, f, cartesian7_wavenumber(1.0 / 3.0, f), r);
        assert_true(fabs(hypot(r[0], r[1]) - published[i][1]) < 0.0001);
    }
    double rigid[2];
    cartesian7_reflection(1.0 / 3.0, (const double[2]){0.0, 0.0}, 0.02, cartesian7_wavenumber(1.0 / 3.0, 0.02), rigid);
    assert_true(rigid[0] == 1.0 && rigid[1] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(courant_squared_makes_every_coefficient_exact_in_single_precision),
        cmocka_unit_test(courant_number_above_the_limit_is_refused),
        cmocka_unit_test(valid_band_matches_the_published_dispersion),
        cmocka_unit_test(reflection_matches_the_published_magnitudes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

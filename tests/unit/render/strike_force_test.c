/* SPDX-License-Identifier: MIT */
/* The force of events, sampled at the steps of a grid. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "render/synth/strike_force.h"
#include "support/random_cases.h"

#include <cmocka.h>

static double impulse(const struct strike_force *b, double rate)
{
    double sum = 0.0;
    for (double n = floor(b->start) - 2.0; n < b->start + b->width + 2.0; n += 1.0)
        sum += strike_force_at(b, n) / rate;
    return sum;
}

/* For any duration, and any time between two steps. */
static void test_a_strike_has_its_impulse_at_any_rate(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    for (size_t i = 0; i < 2000; i++) {
        const struct event event = {.time = random_unit(&random),
                                    .force = 1.0 + 100.0 * random_unit(&random),
                                    .duration = pow(10.0, -5.0 + 4.0 * random_unit(&random))};
        const double rate = 2000.0 + 46000.0 * random_unit(&random), wanted = 0.5 * event.force * event.duration;
        const struct strike_force b = strike_force_make(&event, EXCITATION_STRIKE, rate, i % 50);
        if (!(fabs(impulse(&b, rate) - wanted) <= 1e-12 * wanted)) {
            print_error("rate %g, duration %g: %g for %g\n", rate, event.duration, impulse(&b, rate), wanted);
            fail();
        }
        assert_true(b.width >= BLOW_STEPS_MIN);
    }
}

static void test_a_long_strike_is_a_raised_cosine_of_its_peak(void **state)
{
    (void)state;
    const struct event event = {.time = 0.01, .force = 7.0, .duration = 0.02};
    const struct strike_force b = strike_force_make(&event, EXCITATION_STRIKE, 10000.0, 5);
    assert_true(fabs(strike_force_at(&b, 205.0) - 7.0) < 1e-9);
    assert_true(fabs(strike_force_at(&b, 155.0) - 3.5) < 1e-9);
    assert_true(strike_force_at(&b, 104.0) == 0.0 && strike_force_at(&b, 306.0) == 0.0);
}

static void test_a_pluck_rises_to_its_force_and_lets_go(void **state)
{
    (void)state;
    const struct event event = {.force = 3.0, .duration = 0.01};
    const struct strike_force b = strike_force_make(&event, EXCITATION_PLUCK, 10000.0, 0);
    assert_true(strike_force_at(&b, 99.0) > 2.99 && strike_force_at(&b, 99.0) <= 3.0);
    assert_true(strike_force_at(&b, 100.0) == 0.0);
    for (double n = 1.0; n < 100.0; n += 1.0)
        assert_true(strike_force_at(&b, n) > strike_force_at(&b, n - 1.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_strike_has_its_impulse_at_any_rate),
        cmocka_unit_test(test_a_long_strike_is_a_raised_cosine_of_its_peak),
        cmocka_unit_test(test_a_pluck_rises_to_its_force_and_lets_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

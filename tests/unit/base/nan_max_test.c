/* SPDX-License-Identifier: MIT */
/* The comparison on which every tolerance depends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nan_max.h"

#include <cmocka.h>

static void a_single_nan_in_the_middle_stays(void **state)
{
    (void)state;
    const double values[] = {0.1, NAN, 0.2, 0.0};
    double worst = 0.0;
    for (size_t i = 0; i < 4; i++)
        worst = nan_max(worst, values[i]);
    assert_true(isnan(worst));
    assert_false(worst <= 1.0);
}

static void the_largest_is_kept(void **state)
{
    (void)state;
    assert_true(nan_max(nan_max(nan_max(0.0, 0.3), 0.7), 0.5) == 0.7);
    assert_true(nan_max(0.1, INFINITY) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_nan_in_the_middle_stays),
        cmocka_unit_test(the_largest_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* A comparison that prints both values, and fails for NaN. Included after cmocka.h. */
#ifndef AULA_TESTS_WITHIN_H
#define AULA_TESTS_WITHIN_H

#include <math.h>

#define assert_within(value, expected, tolerance) within(value, expected, tolerance, #value, __LINE__)

static inline void within(double value, double expected, double tolerance, const char *what, int line)
{
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("line %d: %s = %.17g, expected %.17g within %g\n", line, what, value, expected, tolerance);
        fail();
    }
}

#endif

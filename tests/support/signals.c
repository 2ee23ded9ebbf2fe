/* SPDX-License-Identifier: MIT */
#include "support/signals.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

double *zeros(size_t count)
{
    double *samples = calloc(count, sizeof *samples);
    assert_non_null(samples);
    return samples;
}

double magnitude_at(const double *h, size_t count, double f)
{
    double re = 0.0, im = 0.0;
    for (size_t n = 0; n < count; n++) {
        re += h[n] * cos(2.0 * M_PI * f * (double)n);
        im -= h[n] * sin(2.0 * M_PI * f * (double)n);
    }
    return hypot(re, im);
}

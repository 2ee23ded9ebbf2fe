/* SPDX-License-Identifier: MIT */
#include "signal/steep_filter.h"

#include <math.h>

enum { ORDER = 8 };

/* One pole pair, direct form II transposed. */
static void section(double *samples, size_t frames, double k, double damping)
{
    const double norm = 1.0 / (1.0 + damping * k + k * k);
    const double a1 = 2.0 * (k * k - 1.0) * norm, a2 = (1.0 - damping * k + k * k) * norm;
    double s1 = 0.0, s2 = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double in = samples[n], out = norm * in + s1;
        s1 = -2.0 * norm * in - a1 * out + s2;
        s2 = norm * in - a2 * out;
        samples[n] = out;
    }
}

void steep_high_pass(double *samples, size_t frames, double corner, double rate)
{
    const double k = tan(M_PI * corner / rate);
    for (int pair = 0; pair < ORDER / 2; pair++)
        section(samples, frames, k, 2.0 * sin(M_PI * (2 * pair + 1) / (2.0 * ORDER)));
}

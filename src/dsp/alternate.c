/* SPDX-License-Identifier: MIT */
#include "dsp/alternate.h"

#include <math.h>

#include "base/stop.h"

void alternate(double *out, const double *const *sounds, size_t count, size_t frames, double rate, double every)
{
    for (size_t n = 0; n < frames && !stop_requested_at(n); n++) {
        const double at = (double)n / (rate * every), nearest = floor(at + 0.5); /* segments, and the nearest switch */
        const double x = (at - nearest) * every / ALTERNATE_FADE + 0.5;
        const size_t now = (size_t)at % count;
        if (nearest < 1.0 || x <= 0.0 || x >= 1.0) {
            out[n] = sounds[now][n];
            continue;
        }
        const size_t next = (size_t)nearest % count, before = (size_t)(nearest - 1.0) % count;
        const double sine = sin(0.5 * M_PI * x), weight = sine * sine;
        out[n] = (1.0 - weight) * sounds[before][n] + weight * sounds[next][n];
    }
}

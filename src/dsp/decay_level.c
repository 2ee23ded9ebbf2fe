/* SPDX-License-Identifier: MIT */
#include "dsp/decay_level.h"

#include <math.h>

static double energy(const double *samples, size_t first, size_t end)
{
    double sum = 0.0;
    for (size_t n = first; n < end; n++)
        sum += samples[n] * samples[n];
    return sum;
}

double decay_level(const double *samples, size_t frames, size_t start)
{
    if (start > frames)
        return NAN;
    if (frames - start < 16)
        return 0.0; /* nothing has decayed yet */
    const size_t eighth = (frames - start) / 8;
    const double whole = energy(samples, 0, frames), last = energy(samples, frames - eighth, frames);
    const double before = energy(samples, frames - 2 * eighth, frames - eighth);
    if (!(last > 0.0))
        return isnan(last) ? NAN : -INFINITY;
    const double steady = 8.0 * last; /* constant level for the same time again */
    const double rest =
        last < before ? last * last / (before - last) : INFINITY; /* last (q + q² + ..), q = last/before */
    return 10.0 * log10(rest < steady ? rest / (whole + rest) : fmin(1.0, steady / whole));
}

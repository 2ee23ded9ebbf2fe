/* SPDX-License-Identifier: MIT */
#include "dsp/measure/clipping.h"

#include <math.h>

static void add_runs(struct clipping *c, const double *samples, size_t frames, double value)
{
    static const double near = 0.01; /* 16 bit end one step below 1 */
    static const size_t shortest = 3;
    if (!(fabs(fabs(value) - 1.0) <= near))
        return;
    for (size_t n = 0, run = 0; n < frames; n++) {
        run = samples[n] == value ? run + 1 : 0;
        if (run >= shortest)
            c->samples += run == shortest ? shortest : 1;
        if (run >= shortest && run > c->longest)
            c->longest = run;
    }
}

struct clipping clipping_of(const double *samples, size_t frames)
{
    struct clipping c = {0};
    double lowest = 0.0, highest = 0.0;
    for (size_t n = 0; n < frames; n++) {
        lowest = fmin(lowest, samples[n]);
        highest = fmax(highest, samples[n]);
    }
    add_runs(&c, samples, frames, lowest);
    add_runs(&c, samples, frames, highest);
    return c;
}

/* SPDX-License-Identifier: MIT */
#include "render/synth/strike_force.h"

#include <math.h>

static const double corrected_max = 1e4; /* steps: above this width the sum of the samples equals the integral */

/* theory (74), over its peak. */
static double shape(const struct strike_force *b, double step)
{
    const double turn = (b->pluck ? M_PI : 2.0 * M_PI) * (step - b->start) / b->width;
    return 0.5 * (1.0 - cos(turn));
}

struct strike_force strike_force_make(const struct event *event, enum excitation_kind kind, double rate, size_t onset)
{
    const double width = event->duration * rate;
    struct strike_force b = {.start = event->time * rate + (double)onset,
                             .width = fmax(width, BLOW_STEPS_MIN),
                             .force = event->force,
                             .pluck = kind == EXCITATION_PLUCK};
    double sum = 0.0;
    if (b.pluck || b.width > corrected_max)
        return b;
    for (double n = ceil(b.start); n < b.start + b.width; n += 1.0)
        sum += shape(&b, n);
    b.force *= 0.5 * width / sum;
    return b;
}

double strike_force_at(const struct strike_force *b, double step)
{
    return step >= b->start && step < b->start + b->width ? b->force * shape(b, step) : 0.0;
}

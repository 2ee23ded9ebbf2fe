/* SPDX-License-Identifier: MIT */
#include "dsp/measure/sweep.h"

#include <math.h>

struct octave_time octave_time_of(const double *energy, size_t frames, double rate)
{
    double sum = 0.0, first = 0.0, second = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double time = (double)n / rate;
        sum += energy[n];
        first += energy[n] * time;
        second += energy[n] * time * time;
    }
    const double mean = first / sum;
    return (struct octave_time){mean, sqrt(fmax(second / sum - mean * mean, 0.0))};
}

/* 1: the second octave sounds behind the first, -1: before it; 0: together. Octaves of a sweep are 1.7 times as far apart
 * as the sum of their deviations, less in a reverberant room; those of decays twice as long in each octave 0.3 times. */
static int order_of(const struct octave_time *one, const struct octave_time *other)
{
    static const double least = 0.6;
    const double apart = other->mean - one->mean, both = one->deviation + other->deviation;
    return !(fabs(apart) > least * both) ? 0 : apart > 0.0 ? 1 : -1;
}

bool octaves_are_swept(const struct octave_time *octaves, size_t count)
{
    static const size_t least = 5;
    static const double shortest = 0.2; /* s */
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        const int order = order_of(&octaves[i - 1], &octaves[i]);
        if (!order)
            first = i;
        else if (i - first > 1 && order != order_of(&octaves[i - 2], &octaves[i - 1]))
            first = i - 1;
        if (i - first + 1 >= least && fabs(octaves[i].mean - octaves[first].mean) >= shortest)
            return true;
    }
    return false;
}

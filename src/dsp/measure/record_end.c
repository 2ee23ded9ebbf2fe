/* SPDX-License-Identifier: MIT */
#include "dsp/measure/record_end.h"

#include <math.h>
#include <stdbool.h>

enum { INTERVALS = 256 };              /* at most */
static const double SHORTEST = 0.02;   /* s: an interval holds some periods of what a room has */
static const double WORTH = 0.02;      /* of the record: less changes nothing */
static const double BELOW_PEAK = 20.0; /* dB: what is louder is no floor */
static const double LENGTH = 0.15;     /* of a floor in what is before its end */
static const double STEADY = 2.0;      /* dB between quarters of a floor */
static const double LOWEST = 5.0;      /* dB below a floor: nothing before it is as quiet */
static const double FALL = 10.0;       /* dB that the level falls behind a floor */
static const double DEEPEST = -200.0;  /* dB re the peak */

static double mean_of(const double *samples, size_t count)
{
    double sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += samples[n];
    return sum / (double)count;
}

/* Mean square about the mean: an offset is no sound. */
static double power_of(const double *samples, size_t count)
{
    const double mean = mean_of(samples, count);
    double sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += (samples[n] - mean) * (samples[n] - mean);
    return sum / (double)count;
}

/* Noise has a squared mean magnitude of 2/π of its power, pulses with gaps between them a small share. */
static bool is_dense(const double *samples, size_t count)
{
    static const double share = 0.25;
    const double mean = mean_of(samples, count), power = power_of(samples, count);
    double sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += fabs(samples[n] - mean);
    return power > 0.0 && sum * sum >= share * power * (double)count * (double)count;
}

static size_t before_silence(const double *samples, size_t frames, double rate)
{
    const size_t window = (size_t)(2.0 * SHORTEST * rate);
    size_t end = frames;
    while (end > 0 && samples[end - 1] == samples[frames - 1])
        end--;
    const bool worth = (double)(frames - end) >= WORTH * (double)frames;
    return worth && end >= window && window > 1 && is_dense(samples + end - window, window) ? end : frames;
}

/* Levels of equal intervals, dB re the loudest. */
struct levels {
    double level[INTERVALS];
    size_t count, length; /* of an interval in frames */
    size_t loudest;
};

static void take_levels(struct levels *l, const double *samples, size_t frames, double rate)
{
    double power[INTERVALS];
    l->length = (size_t)fmax(ceil(SHORTEST * rate), ceil((double)frames / INTERVALS));
    l->count = frames / l->length;
    l->loudest = 0;
    for (size_t i = 0; i < l->count; i++) {
        power[i] = power_of(samples + i * l->length, l->length);
        l->loudest = power[i] > power[l->loudest] ? i : l->loudest;
    }
    for (size_t i = 0; i < l->count; i++)
        l->level[i] = fmax(10.0 * log10(power[i] / power[l->loudest]), DEEPEST);
}

/* What may be a floor: the intervals before `end`. */
struct floor {
    double level, slope; /* dB; dB an interval that it may fall by, 0 or more */
    size_t length;       /* intervals, a multiple of 4 */
};

/* At least 16 intervals. The slope is that between its halves, and four times its standard deviation more. */
static struct floor floor_before(const struct levels *l, size_t end)
{
    static const double sure = 4.0;
    const size_t quarter = (size_t)fmax(ceil(0.25 * LENGTH * (double)end), 4.0), length = 4 * quarter;
    const double *first = l->level + end - length, n = (double)length;
    const double half = mean_of(first, length / 2), other = mean_of(first + length / 2, length / 2);
    const double error = sqrt(power_of(first, length)) * 2.0 / sqrt(n);
    return (struct floor){0.5 * (half + other), (fmax(half - other, 0.0) + sure * error) / (0.5 * n), length};
}

/* Steady, well below the peak, and no quieter before. */
static bool is_floor(const struct floor *f, const struct levels *l, size_t end)
{
    if (end < l->loudest + f->length || !(f->level <= -BELOW_PEAK))
        return false;
    for (size_t i = 0; i < 4; i++)
        if (!(fabs(mean_of(l->level + end - (4 - i) * f->length / 4, f->length / 4) - f->level) <= 0.5 * STEADY))
            return false;
    for (size_t i = l->loudest; i < end; i++)
        if (!(l->level[i] >= f->level - LOWEST))
            return false;
    return true;
}

/* Whether the level falls for good behind `end`, and faster than the floor does: the level of a room, a sum of
 * exponentials and noise, falls ever slower. highest[i]: level of the loudest interval from i on. */
static bool falls_behind(const struct floor *f, const struct levels *l, const double *highest, size_t end)
{
    static const double faster = 3.0;
    for (size_t i = end; i < l->count; i++)
        if (f->level - highest[i] >= FALL + faster * f->slope * ((double)(i - end) + 0.5 * (double)f->length))
            return true;
    return false;
}

static size_t before_fade(const double *samples, size_t frames, double rate)
{
    enum { LEAST = 16 }; /* intervals of which a floor can be told */
    struct levels l;
    double highest[INTERVALS];
    if (!((double)frames >= LEAST * fmax(SHORTEST * rate, 1.0)))
        return frames;
    take_levels(&l, samples, frames, rate);
    for (size_t i = l.count; i-- > 0;)
        highest[i] = i + 1 < l.count ? fmax(l.level[i], highest[i + 1]) : l.level[i];
    for (size_t end = l.count; end >= LEAST; end--) {
        const struct floor f = floor_before(&l, end);
        const bool worth = (double)(frames - end * l.length) >= WORTH * (double)frames;
        if (worth && is_floor(&f, &l, end) && falls_behind(&f, &l, highest, end))
            return end * l.length;
    }
    return frames;
}

size_t record_end(const double *samples, size_t frames, double rate)
{
    return before_fade(samples, before_silence(samples, frames, rate), rate);
}

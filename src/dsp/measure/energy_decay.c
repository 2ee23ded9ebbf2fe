/* SPDX-License-Identifier: MIT */
#include "dsp/measure/energy_decay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"

static const double noise_margin = 10.0; /* dB of decay that the noise has to lie below the range (ISO 3382-1) */
/* T times bandwidth: a shorter decay is the filter's. T20 is then 1 % off, EDT 2.4 % (docs/guide/metrics.md). */
static const double shortest_late = 8.0, shortest_early = 16.0;
static const double straightest_steps = 0.5; /* r²: a line that explains less is not the curve's */

/* Sums of a line by least squares. */
struct line {
    double count, x, y, xx, xy, yy;
};

static void line_add(struct line *l, double x, double y)
{
    l->count += 1.0;
    l->x += x;
    l->y += y;
    l->xx += x * x;
    l->xy += x * y;
    l->yy += y * y;
}

static double line_slope(const struct line *l)
{
    return (l->xy - l->x * l->y / l->count) / (l->xx - l->x * l->x / l->count);
}

static double line_correlation(const struct line *l)
{
    const double xx = l->xx - l->x * l->x / l->count, yy = l->yy - l->y * l->y / l->count;
    return (l->xy - l->x * l->y / l->count) / sqrt(xx * yy);
}

static double mean_of(const double *energy, size_t from, size_t to)
{
    double sum = 0.0;
    for (size_t n = from; n < to && !stop_requested_at(n); n++)
        sum += energy[n];
    return to > from ? sum / (double)(to - from) : 0.0;
}

/* Σ exp(-k n) over `count` samples. */
static double geometric(double k, double count)
{
    return -expm1(-k * count) / -expm1(-k);
}

/* The late decay by Lundeby's averages over intervals: p2(n) = level exp(-k (n - from)). */
struct late_line {
    size_t from, to; /* samples it was taken from */
    double k, level;
};

/* Fits the line to the mean levels of intervals of `interval` samples, from the first below `top` (INFINITY: the peak)
 * up to the first below `bottom`; both mean squares. */
static bool fit_late(struct late_line *late, const struct energy_decay *d, size_t interval, double noise, double top,
                     double bottom)
{
    const size_t count = (d->frames - d->arrival) / interval;
    size_t peak = 0, first, last;
    double highest = 0.0;
    struct line line = {0};
    for (size_t i = 0; i < count; i++) {
        const double mean = mean_of(d->energy, d->arrival + i * interval, d->arrival + (i + 1) * interval);
        if (mean > highest) {
            highest = mean;
            peak = i;
        }
    }
    first = last = peak;
    for (size_t i = peak; i < count; i++) {
        const size_t from = d->arrival + i * interval;
        const double mean = mean_of(d->energy, from, from + interval);
        if (!(mean > bottom))
            break;
        if (mean > top) {
            first = i + 1;
            line = (struct line){0};
        } else {
            line_add(&line, (double)from, log(mean - noise));
        }
        last = i + 1;
    }
    if (!(line.count >= 3.0))
        return false;
    late->from = d->arrival + first * interval;
    late->to = d->arrival + last * interval;
    late->k = -line_slope(&line);
    if (!(late->k > 0.0) || !isfinite(late->k))
        return false;
    /* level by energy: a mean of logarithms would be too low for a fluctuating decay */
    const double mean = mean_of(d->energy, late->from, late->to) - noise;
    const double length = (double)(late->to - late->from);
    late->level = mean * length / geometric(late->k, length);
    return late->level > 0.0;
}

/* Mean square of the late line over the samples [from, to). */
static double late_mean(const struct late_line *late, double from, double to)
{
    return late->level * exp(-late->k * (from - (double)late->from)) * geometric(late->k, to - from) / (to - from);
}

/* First guess with coarse intervals, finer when the decay is too short for them. */
static bool first_line(struct late_line *late, const struct energy_decay *d, double floor)
{
    for (double seconds = 0.03; seconds * d->rate >= 1.0; seconds *= 0.5)
        if (fit_late(late, d, (size_t)(seconds * d->rate), 0.0, INFINITY, 10.0 * floor))
            return true;
    return false;
}

static const double behind = 7.0; /* dB of late decay between the crossing point and the floor */

/* One iteration: the noise behind the crossing point, then the line above it. */
static bool iterate(struct energy_decay *d, struct late_line *late, double cross)
{
    static const double above = 7.0, span = 20.0; /* dB */
    const double decibel = M_LN10 / 10.0;
    const size_t tenth = d->frames - (d->frames - d->arrival) / 10;
    const double begin = fmax(cross + behind * decibel / late->k, (double)d->quiet);
    const size_t from = begin < (double)tenth ? (size_t)begin : tenth;
    d->floor = from;
    const double mean = mean_of(d->energy, from, d->frames);
    const double decay = late_mean(late, (double)from, (double)d->frames);
    d->noisy = !d->noiseless && mean > 1.5 * decay;
    d->noise = d->noisy ? mean - decay : 0.0;
    const double five = 10.0 * decibel / late->k / 5.0, period = 2.0 * d->rate / d->bandwidth;
    double interval = fmax(fmin(five, 0.25 * (double)(d->frames - d->arrival)), fmin(period, 2.0 * five));
    interval = fmax(interval, 1.0);
    const double bottom = mean * pow(10.0, above / 10.0);
    return fit_late(late, d, (size_t)interval, d->noise, bottom * pow(10.0, span / 10.0), bottom) ||
           fit_late(late, d, (size_t)interval, d->noise, INFINITY, bottom);
}

static double crossing(const struct energy_decay *d, const struct late_line *late)
{
    const double cross = d->noisy ? (double)late->from + log(late->level / d->noise) / late->k : (double)d->frames;
    return fmin(fmax(cross, (double)late->to), (double)d->frames);
}

/* Lundeby's iteration from a first line on; leaves the cut unset. */
static bool settle(struct energy_decay *d, struct late_line *late, const struct late_line *first, double floor)
{
    double cross = fmin((double)first->from + log(first->level / fmax(floor, 1e-300)) / first->k, (double)d->frames);
    *late = *first;
    for (int i = 0; i < 12; i++) {
        const double before = cross;
        if (!iterate(d, late, cross))
            return false;
        cross = crossing(d, late);
        if (i >= 3 && fabs(cross - before) <= 0.002 * (cross - (double)d->arrival))
            break;
    }
    d->cut = (size_t)cross;
    return true;
}

static const double unlike_floor = 10.0; /* times louder than its end: no noise, nor a decay within a few dB of one */

static const double steady = 8.0; /* time times bandwidth of noise whose level deviates by 1.5 dB */

/* Mean squares of the loudest and of the quietest of so many parts of the floor, as their ratio. */
static double unevenness(const struct energy_decay *d, size_t parts)
{
    const size_t length = (d->frames - d->floor) / parts;
    double most = 0.0, least = INFINITY;
    for (size_t i = 0; i < parts; i++) {
        const double mean = mean_of(d->energy, d->floor + i * length, d->floor + (i + 1) * length);
        most = fmax(most, mean);
        least = fmin(least, mean);
    }
    return most / least;
}

/* Noise is as loud in one part of its floor as in another. A few arrivals are not: taken for a floor they would be
 * subtracted from themselves. Where little of the energy lies there, it makes no difference. */
static bool is_floor(const struct energy_decay *d)
{
    static const double little = 0.01; /* of the energy */
    enum { PARTS_MAX = 32 };
    const double parts = d->bandwidth * (double)(d->frames - d->floor) / d->rate / steady;
    const size_t behind_cut = d->cut < d->floor ? d->cut : d->floor;
    const double late = mean_of(d->energy, behind_cut, d->frames) * (double)(d->frames - behind_cut);
    const double all = mean_of(d->energy, d->arrival, d->frames) * (double)(d->frames - d->arrival);
    return late <= little * all || unevenness(d, (size_t)fmin(fmax(parts, 2.0), PARTS_MAX)) <= unlike_floor;
}

/* Whether nothing but the floor lies behind the place where the line meets it. */
static bool meets_floor(const struct energy_decay *d, const struct late_line *late)
{
    const double from = (double)d->cut + behind * M_LN10 / 10.0 / late->k;
    return !(d->bandwidth * ((double)d->floor - from) / d->rate >= steady) ||
           mean_of(d->energy, (size_t)from, d->floor) <= unlike_floor * d->noise;
}

/* Energy of the line behind the cut. Where the record ends far below the line, it is that of the record's end: a line
 * through few arrivals tells nothing of what follows them. */
static double tail_of(const struct energy_decay *d, const struct late_line *late, size_t tenth)
{
    const double tail = late->level * exp(-late->k * ((double)d->cut - (double)late->from)) / -expm1(-late->k);
    const double line = late_mean(late, (double)tenth, (double)d->frames);
    const double end = mean_of(d->energy, tenth, d->frames);
    return line > unlike_floor * end ? tail * end / line : tail;
}

static bool find_cut(struct energy_decay *d)
{
    struct late_line first, late;
    const size_t tenth = d->frames - (d->frames - d->arrival) / 10;
    const double floor = mean_of(d->energy, tenth, d->frames);
    if (d->frames - d->arrival < 20 || !first_line(&first, d, fmax(floor, 1e-300)))
        return false;
    bool settled = settle(d, &late, &first, floor);
    while (settled && d->noisy && d->floor < tenth && !is_floor(d)) {
        d->quiet = d->floor + (d->frames - d->floor) / 2;
        settled = settle(d, &late, &first, floor);
    }
    if (!settled || (d->noisy && !meets_floor(d, &late)))
        return false;
    d->per_sample = late.k;
    d->tail = tail_of(d, &late, tenth);
    return true;
}

int energy_decay_fit(struct energy_decay *d, struct error *e)
{
    if (memory_demand((double)(d->frames + 1) * sizeof *d->integral, e, "a decay curve of %zu samples", d->frames))
        return -1;
    d->integral = malloc((d->frames + 1) * sizeof *d->integral);
    if (!d->integral)
        return fail(e, ERROR_MEMORY, "out of memory");
    d->fitted = find_cut(d);
    if (!d->fitted) {
        d->cut = d->frames;
        d->tail = 0.0;
        d->noisy = true;
        d->noise = mean_of(d->energy, d->frames - (d->frames - d->arrival) / 10, d->frames);
    }
    for (size_t n = d->cut; n <= d->frames && !stop_requested_at(n); n++)
        d->integral[n] = d->fitted ? d->tail * exp(-d->per_sample * (double)(n - d->cut)) : 0.0;
    for (size_t n = d->cut; n-- > 0 && !stop_requested_at(n);)
        d->integral[n] = d->integral[n + 1] + d->energy[n] - d->noise;
    d->total = d->integral[d->start];
    if (stop_check(e)) {
        energy_decay_free(d);
        return -1;
    }
    return 0;
}

void energy_decay_free(struct energy_decay *d)
{
    if (!d)
        return;
    free(d->integral);
    memset(d, 0, sizeof *d);
}

double energy_decay_after(const struct energy_decay *d, double time)
{
    const double at = (double)d->arrival + time * d->rate;
    if (at >= (double)d->cut)
        return d->fitted ? d->tail * exp(-d->per_sample * (at - (double)d->cut)) : 0.0;
    const size_t n = (size_t)at;
    return d->integral[n] + (at - (double)n) * (d->integral[n + 1] - d->integral[n]);
}

double energy_decay_range(const struct energy_decay *d)
{
    static const double rounding = 1e-30; /* of the energy */
    if (!d->fitted && !d->noiseless)
        return 0.0;
    /* without a line, what follows a record without noise is taken to be no more than its last tenth */
    const double tail = d->fitted ? d->tail : 0.1 * d->noise * (double)(d->frames - d->arrival);
    return -10.0 * log10(fmax(tail / d->total, rounding));
}

size_t energy_decay_end(const double *energy, size_t frames, size_t guard)
{
    static const double rise = 10.0;
    const double last = mean_of(energy, frames - guard, frames);
    return last > rise * mean_of(energy, frames - 2 * guard, frames - guard) ? frames - guard : frames;
}

/* Nepers by which the energy falls from the first half of the samples [from, frames) to the second; 0 within the
 * deviation of steady noise: a half is a mean of 2 · time · bandwidth independent squares. */
static double steady_fall(const struct energy_decay *d, double from)
{
    static const double sure = 5.0; /* standard deviations */
    const double length = (double)d->frames - from;
    const size_t begin = (size_t)from, middle = begin + (size_t)(0.5 * length);
    const double fall = log(mean_of(d->energy, begin, middle) / mean_of(d->energy, middle, d->frames));
    return fall > sure * 2.0 / sqrt(d->bandwidth * length / d->rate) ? fall : 0.0;
}

enum metrics_reason energy_decay_lacks(const struct energy_decay *d, double range, double *length)
{
    static const double clear = 10.0, enough = 5.0; /* dB of late decay: behind the cut; to tell noise from a decay */
    const double decibel = 10.0 / M_LN10, late = decibel * d->per_sample, missing = range - energy_decay_range(d);
    *length = NAN;
    if (missing <= 0.0)
        return METRICS_NONE;
    if (!d->fitted)
        return METRICS_SHORT;
    const double from = (double)d->cut + clear / late, told = from + enough / late, frames = (double)d->frames;
    double end = (double)d->cut + missing / late;
    if (d->noisy && told <= frames) {
        const double half = 0.5 * (frames - from), slope = steady_fall(d, from) / half;
        const double last = mean_of(d->energy, d->frames - (size_t)half, d->frames) * exp(-0.5 * slope * half);
        end = slope > 0.0 ? frames + (range - decibel * log(d->total * slope / last)) / (decibel * slope) : NAN;
        if (!(end > frames) && !d->noiseless)
            return METRICS_NOISE;
    } else if (d->noisy) {
        end = fmax(end, told);
    }
    if (!(end > frames)) /* extrapolated at the mean slope */
        end = (double)d->arrival + (frames - (double)d->arrival) * range / energy_decay_range(d);
    *length = (end - (double)d->arrival) / d->rate;
    return METRICS_SHORT;
}

double energy_decay_shortest_late(double bandwidth)
{
    return shortest_late / bandwidth;
}

double energy_decay_shortest_early(double bandwidth)
{
    return shortest_early / bandwidth;
}

static struct metrics_decay no_time(enum metrics_reason reason, double length)
{
    return (struct metrics_decay){NAN, NAN, NAN, reason, length};
}

struct metrics_decay energy_decay_time(const struct energy_decay *d, double from, double to)
{
    struct line line = {0};
    if (!d->fitted && !d->noiseless)
        return no_time(METRICS_FILTER, NAN);
    double length;
    const enum metrics_reason lacks = energy_decay_lacks(d, noise_margin - to, &length);
    if (lacks)
        return no_time(lacks, length);
    for (size_t n = d->arrival; n < d->cut && !stop_requested_at(n); n++) {
        const double level = 10.0 * log10(d->integral[n] / d->total);
        if (!(level >= to))
            break;
        if (level <= from)
            line_add(&line, (double)(n - d->arrival) / d->rate, level);
    }
    if (!(line.count >= 3.0))
        return no_time(METRICS_FILTER, NAN);
    const double slope = line_slope(&line), r = line_correlation(&line);
    struct metrics_decay decay = {-60.0 / slope, r, 1000.0 * (1.0 - r * r), METRICS_NONE, NAN};
    if (!(slope < 0.0 && isfinite(decay.time)))
        return no_time(METRICS_SHAPE, NAN);
    if (!(r * r >= straightest_steps))
        return no_time(METRICS_STEPS, NAN);
    if (!(decay.time * d->bandwidth >= (from < 0.0 ? shortest_late : shortest_early)))
        return no_time(METRICS_FILTER, NAN);
    return decay;
}

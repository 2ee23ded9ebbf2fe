/* SPDX-License-Identifier: MIT */
#include "dsp/measure/arrivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/measure/octave_bank.h"

enum { W = 0, Y = 1, Z = 2, X = 3, CHANNELS = 4 };
static const double BEFORE = 0.02, AFTER = 0.03; /* s of the record around the arrivals */
static const double LOWEST = 100.0;              /* Hz: from there on order 1 is right, and walls are no near sources */
static const double SHARE = 0.1;                 /* of the upper end of the band: its lower end, at least */
static const double SMOOTHING = 2.5;             /* periods of the upper end */
static const double SKIRT = 2.0;                 /* octaves: wide, so that the lower end rings briefly */
static const double MASKED = 0.0035, MASK = 15.0; /* s, dB: so near to one so much louder it may be ringing */
static const double SINGLE = 0.3;                 /* of W²: the least intensity of one arrival */

/* A part of the record, in the band. */
struct part {
    double *signal; /* [CHANNELS][frames] */
    double *energy; /* [frames]: W² smoothed */
    size_t first, frames, half;
    double rate;
};

static void free_part(struct part *p)
{
    free(p->signal);
    free(p->energy);
}

/* The Gaussian of find_arrival (metrics.c) has no ringing that would look like an arrival. */
static int filter_channel(double *out, const double *in, const struct part *p, const struct arrivals *band,
                          struct error *e)
{
    struct octave_bank bank;
    const struct band_edges edge = {
        .low = band->low, .high = INFINITY, .tilt = band->high / sqrt(M_LN10), .width = SKIRT};
    const struct band_edges both[2] = {edge, edge};
    if (octave_bank_open(&bank, in, p->frames, p->rate, 2.0 / band->low, e))
        return -1;
    double *filtered = malloc((bank.lead + p->frames) * sizeof *filtered), energy[2];
    double *to[2] = {filtered, NULL};
    const int status = filtered ? octave_bank_pair(&bank, both, to, energy, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        memcpy(out, filtered + bank.lead, p->frames * sizeof *out);
    free(filtered);
    octave_bank_close(&bank);
    return status;
}

static double window(const struct part *p, size_t distance)
{
    return 0.5 + 0.5 * cos(M_PI * (double)distance / (double)(p->half + 1));
}

/* Σ of the products of W with each channel around a frame. */
static void products(double sum[CHANNELS], const struct part *p, size_t at)
{
    const size_t from = at > p->half ? at - p->half : 0;
    memset(sum, 0, CHANNELS * sizeof *sum);
    for (size_t n = from; n <= at + p->half && n < p->frames; n++) {
        const double w = window(p, n > at ? n - at : at - n) * p->signal[n];
        for (size_t c = 0; c < CHANNELS; c++)
            sum[c] += w * p->signal[c * p->frames + n];
    }
}

static int take_part(struct part *p, const struct recording *r, double arrival, const struct arrivals *band,
                     struct error *e)
{
    const struct audio *a = &r->audio;
    const double end = (arrival + ARRIVALS_LAST + AFTER) * a->rate;
    p->rate = a->rate;
    p->first = (size_t)fmax((arrival - BEFORE) * a->rate, 0.0);
    p->frames = (end < (double)a->frames ? (size_t)end : a->frames) - p->first;
    p->half = (size_t)ceil(0.5 * SMOOTHING / band->high * a->rate);
    p->signal = malloc(CHANNELS * p->frames * sizeof *p->signal);
    p->energy = malloc(p->frames * sizeof *p->energy);
    if (!p->signal || !p->energy)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < CHANNELS; c++)
        if (filter_channel(p->signal + c * p->frames, a->samples + c * a->frames + p->first, p, band, e))
            return -1;
    for (size_t n = 0; n < p->frames; n++) {
        double sum[CHANNELS];
        products(sum, p, n);
        p->energy[n] = sum[W];
    }
    return stop_check(e);
}

/* The largest frame of [from, to). */
static size_t largest(const struct part *p, size_t from, size_t to)
{
    size_t best = from;
    for (size_t n = from; n < to && n < p->frames; n++)
        best = p->energy[n] > p->energy[best] ? n : best;
    return best;
}

static bool is_masked(const struct part *p, size_t n)
{
    const size_t reach = (size_t)(MASKED * p->rate), from = n > reach ? n - reach : 0;
    return p->energy[n] < pow(10.0, -0.1 * MASK) * p->energy[largest(p, from, n + reach)];
}

static bool is_peak(const struct part *p, size_t n)
{
    const size_t from = n > p->half ? n - p->half : 0;
    return n == largest(p, from, n + p->half + 1) && !is_masked(p, n);
}

static bool make_arrival(struct arrival *a, const struct part *p, size_t n, size_t direct)
{
    double sum[CHANNELS];
    products(sum, p, n);
    const double length = hypot(hypot(sum[X], sum[Y]), sum[Z]);
    *a = (struct arrival){.time = ((double)n - (double)direct) / p->rate,
                          .level = 10.0 * log10(p->energy[n] / p->energy[direct]),
                          .direction = {sum[X] / length, sum[Y] / length, sum[Z] / length}};
    return length >= SINGLE * sum[W] && a->level >= ARRIVALS_LEAST;
}

/* In place of the softest one, where there are too many; the first, the direct sound, stays. */
static void add(struct arrivals *found, const struct arrival *a)
{
    size_t softest = 1;
    if (found->count == ARRIVALS_MAX) {
        for (size_t i = 2; i < ARRIVALS_MAX; i++)
            softest = found->at[i].level < found->at[softest].level ? i : softest;
        if (found->at[softest].level >= a->level)
            return;
        memmove(&found->at[softest], &found->at[softest + 1], (ARRIVALS_MAX - 1 - softest) * sizeof *found->at);
        found->count--;
    }
    found->at[found->count++] = *a;
}

static void find_peaks(struct arrivals *found, const struct part *p, double arrival)
{
    const double start = arrival * p->rate - (double)p->first, about = fmax(0.001 * p->rate, (double)p->half);
    const size_t direct = largest(p, (size_t)fmax(start - about, 0.0), (size_t)(start + 2.0 * about));
    const size_t last = direct + (size_t)(ARRIVALS_LAST * p->rate);
    struct arrival a;
    if (!(p->energy[direct] > 0.0) || !make_arrival(&a, p, direct, direct))
        return;
    add(found, &a);
    for (size_t n = direct + p->half + 1; n < p->frames && n <= last; n++)
        if (is_peak(p, n) && make_arrival(&a, p, n, direct))
            add(found, &a);
}

int arrivals_find(struct arrivals *found, const struct recording *r, double arrival, struct error *e)
{
    struct part p = {0};
    const double high = r->valid_high > 0.0 ? fmin(r->valid_high, 0.5 * r->audio.rate) : 0.5 * r->audio.rate;
    *found = (struct arrivals){.low = fmax(LOWEST, SHARE * high), .high = high};
    if (r->space.field_channels < CHANNELS || !isfinite(arrival) || !(high > 2.0 * found->low) ||
        !((arrival + 0.001) * r->audio.rate < (double)r->audio.frames))
        return 0;
    const int status = take_part(&p, r, arrival, found, e);
    if (!status)
        find_peaks(found, &p, arrival);
    free_part(&p);
    return status;
}

double arrival_azimuth(const struct arrival *a)
{
    return atan2(a->direction[1], a->direction[0]) * 180.0 / M_PI;
}

double arrival_elevation(const struct arrival *a)
{
    return atan2(a->direction[2], hypot(a->direction[0], a->direction[1])) * 180.0 / M_PI;
}

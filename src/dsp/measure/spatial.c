/* SPDX-License-Identifier: MIT */
#include "dsp/measure/spatial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/measure/band.h"
#include "dsp/measure/energy_decay.h"
#include "dsp/measure/octave_bank.h"

static const double REACH = 0.15;                 /* s that the octave of 63 Hz rings (octave_bank.h) */
static const double RINGING = 4.0, GUARD = 9.5;   /* periods of a band's centre: metrics.c */
static const double DIRECT = 0.005, EARLY = 0.08; /* s after the arrival */
static const double TAIL_MAX = 0.1;               /* share of a late energy that may be extrapolated */
static const double LAG = 0.001;                  /* s: 1 ms, as ISO 3382-1 annex B has it */

/* Two records in one band. */
struct work {
    const struct spatial_pair *pair;
    struct octave_bank bank[2];
    double *signal[2]; /* [frames] */
    size_t frames;     /* lead + those of the pair */
    /* of the band, in samples of signal[] */
    size_t start, arrival, direct, early; /* from some ringing before the arrival; 5 and 80 ms after it */
    double filter_energy;
};

static void close_work(struct work *w)
{
    for (size_t k = 0; k < 2; k++) {
        octave_bank_close(&w->bank[k]);
        free(w->signal[k]);
    }
}

static int open_work(struct work *w, const struct spatial_pair *pair, struct error *e)
{
    *w = (struct work){.pair = pair};
    for (size_t k = 0; k < 2; k++) {
        if (octave_bank_open(&w->bank[k], k ? pair->second : pair->first, pair->frames, pair->rate, REACH, e)) {
            close_work(w);
            return -1;
        }
        w->frames = w->bank[k].lead + pair->frames;
        w->signal[k] = malloc(w->frames * sizeof *w->signal[k]);
        if (!w->signal[k]) {
            close_work(w);
            return fail(e, ERROR_MEMORY, "out of memory");
        }
    }
    return 0;
}

static double middle_of(const struct metrics_band *b)
{
    return b->low * M_SQRT2;
}

static int filter_band(struct work *w, const struct metrics_band *b, struct error *e)
{
    const double rate = w->pair->rate;
    const struct band_edges edge = {b->low, b->high < 0.5 * rate ? b->high : INFINITY, 0.0, 1.0},
                            both[2] = {edge, edge};
    for (size_t k = 0; k < 2; k++) {
        double *out[2] = {w->signal[k], NULL}, energy[2];
        if (octave_bank_pair(&w->bank[k], both, out, energy, e))
            return -1;
        w->filter_energy = energy[0];
    }
    const size_t lead = w->bank[0].lead, before = (size_t)ceil(RINGING / middle_of(b) * rate);
    w->arrival = lead + (size_t)lround(w->pair->arrival * rate);
    w->start = w->arrival - (before < lead ? before : lead);
    w->direct = w->arrival + (size_t)lround(DIRECT * rate);
    w->early = w->arrival + (size_t)lround(EARLY * rate);
    return 0;
}

/* Late lateral energy without noise, extrapolated where the record ends (energy_decay.h). */
static int late_level(double *level, struct work *w, const struct metrics_band *b, const struct metrics_settings *s,
                      struct error *e)
{
    const double rate = w->pair->rate, scale = s->scale > 0.0 ? s->scale : 1.0;
    const size_t guard = (size_t)(GUARD / middle_of(b) * rate);
    double *square = w->signal[1], sum = 0.0;
    for (size_t n = 0; n < w->frames; n++)
        sum += square[n] *= square[n];
    struct energy_decay d = {.energy = square, .start = w->start, .arrival = w->arrival};
    d.rate = rate;
    d.frames = w->frames - w->arrival > 4 * guard ? energy_decay_end(square, w->frames, guard) : w->frames;
    d.bandwidth = band_width(b);
    d.noiseless = s->noiseless;
    *level = NAN;
    if (!(sum > 0.0))
        return 0;
    if (energy_decay_fit(&d, e))
        return -1;
    const double late = energy_decay_after(&d, EARLY);
    if (d.tail <= TAIL_MAX * late)
        *level = band_ratio_level(late * scale * scale, w->filter_energy * BAND_REFERENCE * BAND_REFERENCE);
    energy_decay_free(&d);
    return 0;
}

static int lateral_band(struct metrics_band *b, struct work *w, const struct metrics_settings *s, struct error *e)
{
    const double *p = w->signal[0], *lateral = w->signal[1];
    double whole = 0.0, square = 0.0, product = 0.0;
    for (size_t n = w->start; n < w->early; n++) {
        whole += p[n] * p[n];
        square += n >= w->direct ? lateral[n] * lateral[n] : 0.0;
        product += n >= w->direct ? fabs(lateral[n] * p[n]) : 0.0;
    }
    if (!(whole > 0.0))
        return 0;
    b->lf = square / whole;
    b->lfc = product / whole;
    return s->calibrated && b->reason == METRICS_NONE ? late_level(&b->lg, w, b, s, e) : stop_check(e);
}

/* Largest |correlation| of [from, to) of the first ear with the second, over the root of their energies. Between
 * samples the peak is a parabola's: a lag of one sample is much of a period at low rates. */
static double coherence(const struct work *w, size_t from, size_t to)
{
    const double *l = w->signal[0], *r = w->signal[1];
    const long reach = (long)floor(LAG * w->pair->rate + 1e-9);
    double energy[2] = {0.0, 0.0}, before = 0.0, here = 0.0, largest = 0.0;
    for (size_t n = from; n < to; n++) {
        energy[0] += l[n] * l[n];
        energy[1] += r[n] * r[n];
    }
    for (long lag = -reach; lag <= reach + 1 && !stop_requested(); lag++) {
        double sum = 0.0;
        for (size_t n = from; n < to && lag <= reach; n++) {
            const size_t at = n + (size_t)lag; /* below 0 it wraps, and is beyond the frames */
            sum += at < w->frames ? l[n] * r[at] : 0.0;
        }
        const double bend = 2.0 * here - before - sum, slope = 0.5 * (sum - before);
        const bool inside = lag > -reach + 1 && lag <= reach && fabs(here) >= fabs(before) && fabs(here) >= fabs(sum);
        const double peak = inside && fabs(bend) > 0.0 ? here + 0.5 * slope * slope / bend : here;
        largest = lag > -reach ? fmax(largest, fabs(peak)) : 0.0;
        before = here;
        here = sum;
    }
    const double whole = sqrt(energy[0]) * sqrt(energy[1]);
    return whole > 0.0 ? fmin(largest / whole, 1.0) : NAN;
}

static int ears_band(struct metrics_band *b, struct work *w, struct error *e)
{
    const double cut = isfinite(b->cut) ? (double)w->arrival + b->cut * w->pair->rate : INFINITY;
    const size_t end = cut < (double)w->frames ? (size_t)cut : w->frames;
    b->iacc_early = coherence(w, w->start, w->early);
    if (end > w->early) {
        b->iacc_late = coherence(w, w->early, end);
        b->iacc = coherence(w, w->start, end);
    }
    return stop_check(e);
}

/* Each band that has parameters, of a record that lasts beyond 80 ms. */
static int each_band(struct metrics *m, const struct spatial_pair *pair, const struct metrics_settings *s,
                     struct error *e)
{
    struct work w;
    const double last = pair->arrival + EARLY;
    if (!isfinite(pair->arrival) || !(last * pair->rate < (double)pair->frames - 1.0))
        return 0;
    if (open_work(&w, pair, e))
        return -1;
    int status = 0;
    for (size_t i = 0; i < METRICS_BANDS && !status; i++) {
        struct metrics_band *b = &m->band[i];
        if (b->validity == METRICS_OUTSIDE || b->reason == METRICS_SILENT)
            continue;
        status = filter_band(&w, b, e) || (s ? lateral_band(b, &w, s, e) : ears_band(b, &w, e)) ? -1 : 0;
    }
    close_work(&w);
    spatial_means(m);
    return status;
}

int spatial_measure_lateral(struct metrics *m, const struct spatial_pair *pair, const struct metrics_settings *s,
                            struct error *e)
{
    return each_band(m, pair, s, e);
}

int spatial_measure_ears(struct metrics *m, const struct spatial_pair *pair, struct error *e)
{
    return each_band(m, pair, NULL, e);
}

void spatial_means(struct metrics *m)
{
    enum { FIRST = 1, COUNT = 4, EARS_FIRST = 3, EARS_COUNT = 3 }; /* 125 Hz to 1 kHz; 500 Hz to 2 kHz */
    double level = 0.0;
    m->lf_mean = m->lfc_mean = m->iacc_early_mean = 0.0;
    for (size_t i = FIRST; i < FIRST + COUNT; i++) {
        m->lf_mean += m->band[i].lf / COUNT;
        m->lfc_mean += m->band[i].lfc / COUNT;
        level += pow(10.0, 0.1 * m->band[i].lg) / COUNT;
    }
    m->lg_mean = band_ratio_level(level, 1.0);
    for (size_t i = EARS_FIRST; i < EARS_FIRST + EARS_COUNT; i++)
        m->iacc_early_mean += m->band[i].iacc_early / EARS_COUNT;
}

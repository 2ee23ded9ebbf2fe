/* SPDX-License-Identifier: MIT */
#include "dsp/place/equaliser.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { QUALITIES = 8, ROUNDS = 60, BANDS_MAX = 512, EACH = 3, BEYOND = 12 };
static const double CUT_MOST = -15.0, BELOW = 1.0 / 3.0; /* dB; weight of levels below the target */
static const double REACH = 0.4;                         /* share of the bands below the target */
static const double WORTH = 0.02;                        /* least part of the cost that one more filter saves */
static const double LEAST_GAIN = 0.5;                    /* dB */
static const double quality[QUALITIES] = {0.7, 1.0, 1.5, 2.2, 3.2, 4.7, 6.8, 10.0};

double equaliser_filter_gain(const struct equaliser_filter *f, double frequency, double rate)
{
    const double a = pow(10.0, f->gain / 40.0);
    const double complex s = I * tan(M_PI * frequency / rate) / tan(M_PI * f->frequency / rate);
    return 20.0 * log10(cabs((s * s + s * a / f->q + 1.0) / (s * s + s / (a * f->q) + 1.0)));
}

double equaliser_gain(const struct equaliser *q, double frequency, double rate)
{
    double gain = 0.0;
    for (size_t i = 0; i < q->count; i++)
        gain += equaliser_filter_gain(&q->filter[i], frequency, rate);
    return gain;
}

struct fitting {
    const double *centre;
    double *error;  /* [count]: level and filters less the target, without the filter that is fitted */
    double *others; /* [limits], dB: those filters at the frequencies limit_at, between the centres and beyond them */
    size_t limits;
    size_t count;
    double boost;
};

static double cost_of(const struct fitting *w, const struct equaliser_filter *f)
{
    double cost = 0.0;
    for (size_t b = 0; b < w->count; b++) {
        const double gain = f->gain == 0.0 ? 0.0 : equaliser_filter_gain(f, w->centre[b], EQUALISER_RATE);
        const double error = w->error[b] + gain;
        cost += (error < 0.0 ? BELOW : 1.0) * error * error;
    }
    return cost;
}

/* Hz: EACH frequencies a band, and as many as BEYOND bands on both sides. */
static double limit_at(const struct fitting *w, size_t index)
{
    const double place = (double)index / EACH - BEYOND, last = (double)w->count - 1.0;
    const double step = w->count > 1 ? pow(w->centre[w->count - 1] / w->centre[0], 1.0 / last) : 1.06;
    return w->centre[0] * pow(step, place);
}

/* Whether the sum with the others boosts no more than its limit. */
static bool is_allowed(const struct fitting *w, const struct equaliser_filter *f)
{
    for (size_t i = 0; i < w->limits; i++)
        if (!(w->others[i] + equaliser_filter_gain(f, limit_at(w, i), EQUALISER_RATE) <= w->boost + 0.01))
            return false;
    return true;
}

static void add(struct fitting *w, const struct equaliser_filter *f, double sign)
{
    for (size_t b = 0; b < w->count; b++)
        w->error[b] += sign * equaliser_filter_gain(f, w->centre[b], EQUALISER_RATE);
    for (size_t i = 0; i < w->limits; i++)
        w->others[i] += sign * equaliser_filter_gain(f, limit_at(w, i), EQUALISER_RATE);
}

/* The digits that the texts print. */
static void round_filter(struct equaliser_filter *f)
{
    f->frequency = rint(100.0 * f->frequency) / 100.0;
    f->gain = rint(10.0 * f->gain) / 10.0;
    f->q = rint(1000.0 * f->q) / 1000.0;
}

/* The filter of least cost on a coarse lattice. */
static double find_filter(const struct fitting *w, struct equaliser_filter *f)
{
    struct equaliser_filter trial;
    double least = INFINITY;
    for (size_t b = 0; b < w->count; b++)
        for (int i = 0; i < QUALITIES; i++)
            for (double gain = CUT_MOST; gain <= w->boost; gain += 1.0) {
                trial = (struct equaliser_filter){w->centre[b], gain, quality[i]};
                const double cost = cost_of(w, &trial);
                if (!(cost < least) || !is_allowed(w, &trial))
                    continue;
                least = cost;
                *f = trial;
            }
    return least;
}

/* Steps of a fiftieth of an octave, 0.2 dB and 5 %, halved where none helps. */
static void refine_filter(const struct fitting *w, struct equaliser_filter *f)
{
    double least = cost_of(w, f), size = 1.0;
    for (int round = 0; round < ROUNDS && size > 0.05; round++) {
        bool better = false;
        for (int step = 0; step < 6; step++) {
            const double by = step % 2 ? size : -size;
            struct equaliser_filter trial = *f;
            if (step / 2 == 0)
                trial.frequency = fmin(fmax(trial.frequency * exp2(by / 50.0), w->centre[0]), w->centre[w->count - 1]);
            else if (step / 2 == 1)
                trial.gain = fmin(fmax(trial.gain + 0.2 * by, CUT_MOST), w->boost);
            else
                trial.q = fmin(fmax(trial.q * (1.0 + 0.05 * by), quality[0]), quality[QUALITIES - 1]);
            const double cost = cost_of(w, &trial);
            if (!(cost < least) || !is_allowed(w, &trial))
                continue;
            least = cost;
            *f = trial;
            better = true;
        }
        size *= better ? 1.0 : 0.5;
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_frequency(const void *a, const void *b)
{
    return by_value(&((const struct equaliser_filter *)a)->frequency, &((const struct equaliser_filter *)b)->frequency);
}

/* Adds filters while they save enough. */
static void add_filters(struct equaliser *q, struct fitting *w, size_t filters)
{
    static const struct equaliser_filter none = {1000.0, 0.0, 1.0};
    for (size_t i = 0; i < filters && i < EQUALISER_FILTERS_MAX; i++) {
        struct equaliser_filter *f = &q->filter[i];
        const double before = cost_of(w, &none);
        if (!(find_filter(w, f) < (1.0 - WORTH) * before))
            return;
        refine_filter(w, f);
        if (fabs(f->gain) < LEAST_GAIN)
            return;
        add(w, f, 1.0);
        q->count++;
    }
}

static double preamp_of(const struct equaliser *q, const double *centre, size_t count)
{
    double most = 0.0;
    for (double f = 0.5 * centre[0]; f < 2.0 * centre[count - 1]; f *= exp2(1.0 / 48.0))
        most = fmax(most, equaliser_gain(q, f, EQUALISER_RATE));
    return most > 0.0 ? -ceil(10.0 * most - 1e-9) / 10.0 : 0.0;
}

void equaliser_fit(struct equaliser *q, const double *centre, const double *level, size_t count, size_t filters,
                   double boost)
{
    double error[BANDS_MAX], others[EACH * (BANDS_MAX + 2 * BEYOND)] = {0.0};
    struct fitting w = {.centre = centre,
                        .error = error,
                        .others = others,
                        .count = count < BANDS_MAX ? count : BANDS_MAX,
                        .boost = boost};
    w.limits = EACH * (w.count + 2 * BEYOND);
    memset(q, 0, sizeof *q);
    memcpy(error, level, w.count * sizeof *error);
    qsort(error, w.count, sizeof *error, by_value);
    q->target = error[(size_t)(REACH * (double)w.count)];
    for (size_t b = 0; b < w.count; b++)
        error[b] = level[b] - q->target;
    add_filters(q, &w, filters);
    for (int round = 0; round < 5; round++) /* each beside the others */
        for (size_t i = 0; i < q->count; i++) {
            add(&w, &q->filter[i], -1.0);
            refine_filter(&w, &q->filter[i]);
            add(&w, &q->filter[i], 1.0);
        }
    for (size_t i = 0; i < q->count; i++)
        round_filter(&q->filter[i]);
    qsort(q->filter, q->count, sizeof *q->filter, by_frequency);
    q->preamp = preamp_of(q, centre, w.count);
}

char *equaliser_text(const struct equaliser *q, enum equaliser_format format)
{
    struct growing_text text = {0};
    if (format == EQUALISER_APO)
        growing_text_add(&text, "Preamp: %.1f dB\n", q->preamp);
    else
        growing_text_add(&text, "Filter Settings file\n\nEqualiser: Generic\n");
    for (size_t i = 0; i < q->count; i++) {
        const struct equaliser_filter *f = &q->filter[i];
        if (format == EQUALISER_APO)
            growing_text_add(&text, "Filter %zu: ON PK Fc %.2f Hz Gain %.1f dB Q %.3f\n", i + 1, f->frequency, f->gain,
                             f->q);
        else
            growing_text_add(&text, "Filter %2zu: ON  PK       Fc %7.2f Hz  Gain %6.2f dB  Q %6.3f\n", i + 1,
                             f->frequency, f->gain, f->q);
    }
    return growing_text_take(&text, NULL);
}

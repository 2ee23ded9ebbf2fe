/* SPDX-License-Identifier: MIT */
/* The delays, gains and polarities of one set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/place/search.h"

enum { ROUNDS = 20 };

static const double *part_of(const struct place_transfers *t, size_t candidate, size_t part)
{
    return t->values + (2 * candidate + part) * place_transfers_lines(t);
}

/* Adds the response of a candidate, delayed by whole steps, times `gain`. */
static void add_delayed(double *re, double *im, const struct place_transfers *t, size_t candidate, double delay,
                        double gain)
{
    const double *x = part_of(t, candidate, 0), *y = part_of(t, candidate, 1);
    const size_t lines = t->bands->count * PLACE_LINES;
    for (size_t line = 0; line < lines; line++) {
        const double angle = -2.0 * M_PI * t->bands->frequency[line] * delay;
        const double c = gain * cos(angle), d = gain * sin(angle);
        for (size_t i = line; i < t->seats * lines; i += lines) {
            re[i] += c * x[i] - d * y[i];
            im[i] += d * x[i] + c * y[i];
        }
    }
}

static double factor_of(const struct place_setting *setting, const struct place_search *s)
{
    return (setting->inverted ? -1.0 : 1.0) * pow(10.0, -0.05 * s->gain_step * setting->cut);
}

void place_set_sum(double *re, double *im, const struct place_set *set, const struct place_transfers *t,
                   const struct place_search *s)
{
    const size_t n = place_transfers_lines(t);
    memset(re, 0, n * sizeof *re);
    memset(im, 0, n * sizeof *im);
    for (size_t k = 0; k < set->count; k++)
        add_delayed(re, im, t, set->candidate[k], s->delay_step * set->setting[k].delay,
                    factor_of(&set->setting[k], s));
}

int place_set_score(struct place_set *set, const struct place_transfers *t, const struct place_search *s,
                    struct error *e)
{
    const size_t n = place_transfers_lines(t);
    double *work = malloc(3 * n * sizeof *work);
    if (!work)
        return fail(e, ERROR_MEMORY, "out of memory");
    place_set_sum(work, work + n, set, t, s);
    place_score_make(&set->score, work + 2 * n, t, work, work + n);
    free(work);
    return 0;
}

/* Shifts delays and cuts such that the least of each is 0. The spread stays, the output rises. */
static void settle(struct place_set *set)
{
    int delay = set->setting[0].delay, cut = set->setting[0].cut;
    for (size_t k = 1; k < set->count; k++) {
        delay = set->setting[k].delay < delay ? set->setting[k].delay : delay;
        cut = set->setting[k].cut < cut ? set->setting[k].cut : cut;
    }
    const bool inverted = set->setting[0].inverted;
    for (size_t k = 0; k < set->count; k++) {
        set->setting[k].delay -= delay;
        set->setting[k].cut -= cut;
        set->setting[k].inverted = set->setting[k].inverted != inverted;
    }
}

struct tuning {
    const struct place_transfers *t;
    const struct place_search *s;
    double weight, *re, *im;          /* the others */
    double *own_re, *own_im;          /* the sub, delayed */
    double *sum_re, *sum_im, *levels; /* of a trial */
};

/* The limits of one sub's steps, such that the whole set spans no more than `most`. */
static void limits_of(int limits[2], const struct place_set *set, size_t sub, bool cuts, int most)
{
    int low = most, high = 0;
    bool any = false;
    for (size_t k = 0; k < set->count; k++) {
        const int value = cuts ? set->setting[k].cut : set->setting[k].delay;
        if (k == sub)
            continue;
        low = !any || value < low ? value : low;
        high = !any || value > high ? value : high;
        any = true;
    }
    limits[0] = any ? high - most : 0;
    limits[1] = any ? low + most : 0;
}

/* The objective with the loudest sub at 0 dB. */
static double objective(const struct tuning *w, const struct place_set *set)
{
    int cut = set->setting[0].cut;
    for (size_t k = 1; k < set->count; k++)
        cut = set->setting[k].cut < cut ? set->setting[k].cut : cut;
    return set->score.spread - w->weight * (set->score.output + w->s->gain_step * cut);
}

static void try_factor(struct tuning *w, struct place_set *set, size_t sub)
{
    const size_t n = place_transfers_lines(w->t);
    const double factor = factor_of(&set->setting[sub], w->s);
    for (size_t i = 0; i < n; i++) {
        w->sum_re[i] = w->re[i] + factor * w->own_re[i];
        w->sum_im[i] = w->im[i] + factor * w->own_im[i];
    }
    place_score_make(&set->score, w->levels, w->t, w->sum_re, w->sum_im);
}

/* Tries all settings of one sub with those of the others kept; whether one of them is better. */
static bool tune_sub(struct tuning *w, struct place_set *set, double *least, size_t sub)
{
    const size_t n = place_transfers_lines(w->t);
    struct place_set others = *set, trial = *set;
    int delays[2], cuts[2];
    bool better = false;
    others.count = 0;
    for (size_t k = 0; k < set->count; k++) {
        if (k == sub)
            continue;
        others.candidate[others.count] = set->candidate[k];
        others.setting[others.count++] = set->setting[k];
    }
    place_set_sum(w->re, w->im, &others, w->t, w->s);
    limits_of(delays, set, sub, false, w->s->delays);
    limits_of(cuts, set, sub, true, w->s->cuts);
    for (int delay = delays[0]; delay <= delays[1] && !stop_requested(); delay++) {
        memset(w->own_re, 0, 2 * n * sizeof *w->own_re);
        add_delayed(w->own_re, w->own_im, w->t, set->candidate[sub], w->s->delay_step * delay, 1.0);
        for (int cut = cuts[0]; cut <= cuts[1]; cut++)
            for (int inverted = 0; inverted <= (w->s->polarity ? 1 : 0); inverted++) {
                trial.setting[sub] = (struct place_setting){.delay = delay, .cut = cut, .inverted = inverted != 0};
                try_factor(w, &trial, sub);
                const double value = objective(w, &trial);
                if (!(value < *least - 1e-9)) /* differences of rounding choose nothing */
                    continue;
                *least = value;
                *set = trial;
                better = true;
            }
    }
    return better;
}

int place_tune(struct place_set *set, const struct place_transfers *t, const struct place_search *s, double weight,
               struct error *e)
{
    const size_t n = place_transfers_lines(t);
    double *work = malloc(7 * n * sizeof *work);
    if (!work || place_set_score(set, t, s, e)) {
        free(work);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    struct tuning w = {.t = t, .s = s, .weight = weight, .re = work, .im = work + n};
    w.own_re = work + 2 * n;
    w.own_im = work + 3 * n;
    w.sum_re = work + 4 * n;
    w.sum_im = work + 5 * n;
    w.levels = work + 6 * n;
    double least = objective(&w, set);
    bool better = set->count > 1;
    for (int round = 0; round < ROUNDS && better; round++) {
        better = false;
        for (size_t sub = set->count; sub-- > 0 && !stop_requested();) {
            if (!tune_sub(&w, set, &least, sub))
                continue;
            settle(set);
            better = set->count > 2; /* two subs have one relative setting, of which all were tried */
        }
    }
    free(work);
    return place_set_score(set, t, s, e);
}

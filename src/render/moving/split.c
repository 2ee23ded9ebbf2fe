/* SPDX-License-Identifier: MIT */
#include "render/moving/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NARROWEST = 0.15e-3; /* s: least width of K */
static const double WIDTH = 0.35;        /* width of K over the period of the end of the band */
static const double HOLD = 3e-3;         /* s that an arrival holds at least */
static const double HELD_PERIODS = 5.0;  /* of the end of the band, likewise: the ringing of its low-pass */
static const double AHEAD = 0.3;         /* share of that time by which it claims samples ahead of it */

/* Times of a split, s. */
struct times {
    double width, hold, fade;
    const double *at, *strength; /* [count] */
    size_t count;
};

/* 1 up to `hold`, 0 from hold + fade on. */
static double fading(double time, double hold, double fade)
{
    if (time <= hold)
        return 1.0;
    return time >= hold + fade ? 0.0 : 0.5 + 0.5 * cos(M_PI * (time - hold) / fade);
}

/* Share of the early parts in a sample at this time. */
static double early_share(const struct times *t, double time)
{
    double share = 0.0, first = INFINITY;
    for (size_t i = 0; i < t->count; i++) {
        const double after = time - t->at[i];
        first = fmin(first, t->at[i]);
        share = fmax(share,
                     after >= 0.0 ? fading(after, t->hold, t->fade) : fading(-after, AHEAD * t->hold, AHEAD * t->fade));
    }
    return time <= first ? 1.0 : share; /* all that comes ahead of the direct sound moves with it */
}

/* Shares [count] of the arrivals in a sample, which add up to early_share. */
static void shares_at(double *shares, const struct times *t, double time)
{
    double most = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < t->count; i++) {
        const double u = (time - t->at[i]) / t->width;
        shares[i] = log(t->strength[i]) - 0.5 * u * u;
        most = fmax(most, shares[i]);
    }
    for (size_t i = 0; i < t->count; i++) {
        shares[i] = exp(shares[i] - most);
        sum += shares[i];
    }
    const double early = early_share(t, time);
    for (size_t i = 0; i < t->count; i++)
        shares[i] *= early / sum;
}

static int allocate(struct moving_split *s, const struct moving_places *p, const struct moving_place *place,
                    double **numbers, struct error *e)
{
    memset(s, 0, sizeof *s);
    *numbers = calloc(3 * place->arrival_count + 1, sizeof **numbers);
    s->arrival = calloc(place->arrival_count + 1, sizeof *s->arrival);
    s->late = malloc(p->channels * p->frames * sizeof *s->late);
    if (*numbers && s->arrival && s->late)
        return 0;
    free(*numbers);
    moving_split_free(s);
    return fail(e, ERROR_MEMORY, "out of memory");
}

/* Lists the arrivals that move. Returns the time of the last. */
static double list_arrivals(struct moving_split *s, double *at, double *strength, const struct moving_places *p,
                            const struct moving_place *place)
{
    double last = 0.0;
    for (size_t i = 0; i < place->arrival_count; i++) {
        const double time = moving_arrival_time(p, place, &place->arrivals[i]);
        if (time > SPLIT_LONGEST || !(place->arrivals[i].strength > 0.0))
            continue;
        at[s->arrivals] = time;
        strength[s->arrivals] = place->arrivals[i].strength;
        s->arrival[s->arrivals++] = i;
        last = fmax(last, time);
    }
    return last;
}

int moving_split_make(struct moving_split *s, const struct moving_places *p, const struct moving_place *place,
                      struct error *e)
{
    double *numbers;
    if (allocate(s, p, place, &numbers, e))
        return -1;
    double *at = numbers, *strength = at + place->arrival_count, *shares = strength + place->arrival_count;
    const double last = list_arrivals(s, at, strength, p, place), hold = fmax(HOLD, HELD_PERIODS / p->valid_to);
    const struct times t = {fmax(NARROWEST, WIDTH / p->valid_to), hold, hold, at, strength, s->arrivals};
    const double end = ceil((last + 2.0 * hold) * p->rate) + 1.0;
    s->early = s->arrivals ? (end < (double)p->frames ? (size_t)end : p->frames) : 1;
    s->parts = calloc(s->arrivals * p->channels * s->early + 1, sizeof *s->parts);
    if (!s->parts) {
        free(numbers);
        moving_split_free(s);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    memcpy(s->late, place->responses, p->channels * p->frames * sizeof *s->late);
    for (size_t n = 0; n < s->early && s->arrivals; n++) {
        shares_at(shares, &t, (double)n / p->rate);
        for (size_t c = 0; c < p->channels; c++)
            for (size_t k = 0; k < s->arrivals; k++) {
                const double part = shares[k] * place->responses[c * p->frames + n];
                s->parts[(k * p->channels + c) * s->early + n] = part;
                s->late[c * p->frames + n] -= part;
            }
    }
    free(numbers);
    return 0;
}

void moving_split_free(struct moving_split *s)
{
    free(s->parts);
    free(s->late);
    free(s->arrival);
    memset(s, 0, sizeof *s);
}

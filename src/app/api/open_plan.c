/* SPDX-License-Identifier: MIT */
/* Speech in open-plan offices along a line of places. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "dsp/measure/open_plan.h"
#include "dsp/measure/target.h"

static const double NEAR = 1e-3, FAR = 1e4;                /* m */
static const double LEVEL_MIN = -100.0, LEVEL_MAX = 200.0; /* dB */
enum { PLACES_MAX = 4096 };

struct aula_open_plan {
    struct open_plan_place *places; /* [count], in the order given */
    size_t count;
    double background; /* dB(A); NaN: not given */
    struct open_plan values;
    char **warnings;
    size_t warning_count;
};

void aula_open_plan_close(struct aula_open_plan *plan)
{
    if (!plan)
        return;
    free(plan->places);
    lines_free(plan->warnings, plan->warning_count);
    free(plan);
}

static int check_place(struct call *call, const struct aula_open_plan_place *p, size_t i)
{
    struct error *e = &call->error;
    char name[64];
    snprintf(name, sizeof name, "places[%zu]", i);
    if (call_check_reserved(call, p->reserved, sizeof p->reserved / sizeof *p->reserved, name))
        return -1;
    if (!p->metrics)
        return fail(e, ERROR_USAGE, "%s.metrics is NULL; pass the metrics of a response", name);
    if (p->channel >= p->metrics->channels)
        return fail(e, ERROR_USAGE, "%s.channel is %zu; there are only %zu channels, counted from 0", name, p->channel,
                    p->metrics->channels);
    if (!(p->distance >= NEAR && p->distance <= FAR))
        return fail(e, ERROR_USAGE, "%s.distance is %g; must be from %g to %g m", name, p->distance, NEAR, FAR);
    return p->metrics->facts.calibrated
               ? 0
               : fail(
                     e, ERROR_INPUT,
                     "%s: the level of the response is not calibrated, so speech has no level; use the response to one "
                     "source, of aula_render or of a file with its JSON beside it",
                     name);
}

/* noise[SPEECH_BANDS] and its A-weighted level, NaN where none is given. */
static int take_noise(struct call *call, double noise[SPEECH_BANDS], double *level, const double *given, size_t count)
{
    const size_t first = count == SPEECH_BANDS + 1 ? 1 : 0;
    *level = NAN;
    for (int k = 0; k < SPEECH_BANDS; k++)
        noise[k] = -INFINITY;
    if (!count && !given)
        return 0;
    if (!given || count - first != SPEECH_BANDS)
        return fail(&call->error, ERROR_USAGE,
                    "noise has %zu levels; pass 7 for the octaves 125 Hz to 8 kHz, or 8 from 63 Hz on",
                    given ? count : 0);
    for (size_t i = 0; i < count; i++)
        if (!(given[i] >= LEVEL_MIN && given[i] <= LEVEL_MAX))
            return fail(&call->error, ERROR_USAGE, "noise[%zu] is %g; must be a level from %g to %g dB", i, given[i],
                        LEVEL_MIN, LEVEL_MAX);
    memcpy(noise, given + first, SPEECH_BANDS * sizeof *noise);
    *level = weighted_level(noise, first ? given[0] : NAN);
    return 0;
}

/* In order of distance, so that the sums of a fit have the same bits for any order of the places. */
static int by_distance(const void *a, const void *b)
{
    const struct open_plan_place *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    const double one = isnan(x->level) ? -INFINITY : x->level, other = isnan(y->level) ? -INFINITY : y->level;
    return (one > other) - (one < other);
}

static int evaluate(struct aula_open_plan *plan, struct error *e)
{
    struct open_plan_place *sorted = malloc(plan->count * sizeof *sorted);
    if (!sorted)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(sorted, plan->places, plan->count * sizeof *sorted);
    qsort(sorted, plan->count, sizeof *sorted, by_distance);
    const int status = open_plan_evaluate(&plan->values, sorted, plan->count, e);
    free(sorted);
    if (status || open_plan_doubts(&plan->warnings, &plan->warning_count, &plan->values, plan->count, "places", e))
        return -1;
    return isnan(plan->background) ? lines_add(&plan->warnings, &plan->warning_count, e,
                                               "no background noise is given, so the STI is that of a silent office")
                                   : 0;
}

static int make(struct call *call, struct aula_open_plan **out, const struct aula_open_plan_place *places, size_t count,
                const double *given, size_t noise_count)
{
    struct error *e = &call->error;
    double noise[SPEECH_BANDS], background;
    if (!out)
        return call_refuse_null(call, "plan", "the address of a pointer");
    *out = NULL;
    if (!places)
        return call_refuse_null(call, "places", "the places along a line");
    if (!count || count > PLACES_MAX)
        return fail(e, ERROR_USAGE, "count is %zu; must be from 1 to %d", count, PLACES_MAX);
    if (take_noise(call, noise, &background, given, noise_count))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (check_place(call, &places[i], i))
            return -1;
    struct aula_open_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return fail(e, ERROR_MEMORY, "out of memory");
    plan->count = count;
    plan->background = background;
    plan->places = calloc(count, sizeof *plan->places);
    int status = plan->places ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < count; i++) {
        plan->places[i].distance = places[i].distance;
        open_plan_listen(&plan->places[i], &places[i].metrics->channel[places[i].channel], noise);
    }
    if (status || evaluate(plan, e)) {
        aula_open_plan_close(plan);
        return -1;
    }
    *out = plan;
    return 0;
}

int aula_open_plan_make(struct aula_open_plan **plan, const struct aula_open_plan_place *places, size_t count,
                        const double *noise, size_t noise_count, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, plan, places, count, noise, noise_count));
}

const char *aula_open_plan_warning(const struct aula_open_plan *plan, size_t index)
{
    return plan && index < plan->warning_count ? plan->warnings[index] : NULL;
}

/* The value, and why it is missing. */
static double value_of(const struct aula_open_plan *plan, enum aula_open_plan_value value, const char **why)
{
    const struct open_plan *o = &plan->values;
    switch (value) {
    case AULA_DECAY_RATE:
        *why = o->decay_why;
        return o->decay_rate;
    case AULA_LEVEL_4M:
        *why = o->decay_why;
        return o->level_4m;
    case AULA_COMFORT_DISTANCE:
        *why = o->comfort_why;
        return o->comfort;
    case AULA_DISTRACTION_DISTANCE:
        *why = o->distraction_why;
        return o->distraction;
    case AULA_PRIVACY_DISTANCE_2012:
        *why = o->privacy_why;
        return o->privacy;
    case AULA_BACKGROUND_LEVEL:
        *why = isnan(plan->background) ? "no noise is given" : NULL;
        return plan->background;
    }
    return NAN;
}

double aula_open_plan_value(const struct aula_open_plan *plan, enum aula_open_plan_value value)
{
    const char *why;
    return plan ? value_of(plan, value, &why) : NAN;
}

const char *aula_open_plan_missing(const struct aula_open_plan *plan, enum aula_open_plan_value value)
{
    const char *why = NULL;
    if (!plan || (int)value < AULA_DECAY_RATE || (int)value > AULA_BACKGROUND_LEVEL)
        return NULL;
    return isnan(value_of(plan, value, &why)) && why ? why : "";
}

size_t aula_open_plan_count(const struct aula_open_plan *plan)
{
    return plan ? plan->count : 0;
}

double aula_open_plan_level(const struct aula_open_plan *plan, size_t place)
{
    return place < aula_open_plan_count(plan) ? plan->places[place].level : NAN;
}

double aula_open_plan_octave(const struct aula_open_plan *plan, size_t place, size_t octave)
{
    return place < aula_open_plan_count(plan) && octave < SPEECH_BANDS ? plan->places[place].octave[octave] : NAN;
}

double aula_open_plan_sti(const struct aula_open_plan *plan, size_t place)
{
    return place < aula_open_plan_count(plan) ? plan->places[place].sti : NAN;
}

const char *aula_open_plan_place_missing(const struct aula_open_plan *plan, size_t place)
{
    if (place >= aula_open_plan_count(plan))
        return NULL;
    return plan->places[place].why ? plan->places[place].why : "";
}

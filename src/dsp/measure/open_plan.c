/* SPDX-License-Identifier: MIT */
#include "dsp/measure/open_plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "dsp/measure/target.h"

const double open_plan_speech[SPEECH_BANDS] = {49.9, 54.3, 58.0, 52.0, 44.8, 38.8, 33.5};

void open_plan_listen(struct open_plan_place *place, const struct metrics *m, const double noise[SPEECH_BANDS])
{
    struct metrics_conditions c = {.voice = METRICS_MALE, .at_one_metre = true};
    struct metrics_speech s;
    for (int k = 0; k < SPEECH_BANDS; k++) {
        c.speech[k] = open_plan_speech[k];
        c.noise[k] = noise[k];
    }
    metrics_speech(&s, m, &c);
    place->level = NAN;
    place->sti = s.sti;
    place->why = s.reason ? metrics_reason_text(s.reason) : NULL;
    for (int k = 0; k < SPEECH_BANDS; k++)
        place->octave[k] = s.speech[k];
    if (!s.reason)
        place->level = weighted_level(place->octave, NAN);
}

struct line_fit line_fit(const double *x, const double *y, size_t count)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double slope = xx > 0.0 ? xy / xx : NAN;
    return (struct line_fit){slope, mean_y - slope * mean_x, count};
}

static const char few[] = "fewer than 4 places";

/* D_2,S = -lg 2 slope, L_p,A,S,4m = intercept + slope lg 4, r_C = 4 m 2^((L_p,A,S,4m - 45 dB) / D_2,S)
 * (ISO 3382-3:2022, 6.2; r_C: Hongisto and Keränen, Applied Sciences 11 (2021) 4596). */
static void evaluate_decay(struct open_plan *o)
{
    o->decay_rate = o->level_4m = o->comfort = NAN;
    if (o->decay.count < OPEN_PLAN_PLACES)
        o->decay_why = "fewer than 4 places with a speech level from 2 to 16 m";
    else if (isnan(o->decay.slope))
        o->decay_why = "all places are at the same distance";
    else {
        o->decay_rate = -log10(2.0) * o->decay.slope;
        o->level_4m = o->decay.intercept + o->decay.slope * log10(4.0);
        if (o->decay_rate > 0.0)
            o->comfort = 4.0 * exp2((o->level_4m - OPEN_PLAN_COMFORT) / o->decay_rate);
        else
            o->comfort_why = "the level does not fall with the distance";
    }
    if (o->decay_why)
        o->comfort_why = o->decay_why;
}

/* m where the line of STI over r has this index; NaN with a reason. */
static double crossing(const struct line_fit *line, double sti, const char **why)
{
    const double distance = (sti - line->intercept) / line->slope;
    if (line->count < OPEN_PLAN_PLACES)
        *why = few;
    else if (!(line->slope < 0.0))
        *why = "the index does not fall with the distance";
    else if (!(distance > 0.0))
        *why = "the index is below it everywhere";
    return *why ? NAN : distance;
}

int open_plan_evaluate(struct open_plan *o, const struct open_plan_place *places, size_t count, struct error *e)
{
    double *values = calloc(4 * count + 1, sizeof *values);
    double *lg = values, *level = values + count, *distance = values + 2 * count, *sti = values + 3 * count;
    size_t levels = 0, indices = 0;
    *o = (struct open_plan){.nearest = INFINITY};
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const struct open_plan_place *p = &places[i];
        if (!isnan(p->level) && p->distance >= OPEN_PLAN_NEAREST && p->distance <= OPEN_PLAN_FARTHEST) {
            lg[levels] = log10(p->distance);
            level[levels++] = p->level;
        }
        if (!isnan(p->sti) && p->distance > 0.0) {
            distance[indices] = p->distance;
            sti[indices++] = p->sti;
            o->nearest = fmin(o->nearest, p->distance);
            o->farthest = fmax(o->farthest, p->distance);
        }
    }
    o->decay = line_fit(lg, level, levels);
    o->speech = line_fit(distance, sti, indices);
    free(values);
    evaluate_decay(o);
    o->distraction = crossing(&o->speech, 0.5, &o->distraction_why);
    o->privacy = crossing(&o->speech, 0.2, &o->privacy_why);
    return 0;
}

int open_plan_doubts(char ***warnings, size_t *warning_count, const struct open_plan *o, size_t count, const char *name,
                     struct error *e)
{
    const struct {
        const char *symbol;
        double value;
    } distances[] = {{"r_C", o->comfort}, {"r_D", o->distraction}, {"r_P", o->privacy}};
    const size_t used = o->decay.count;
    int status = 0;
    if (used < OPEN_PLAN_PREFERRED)
        status = lines_add(warnings, warning_count, e, "%s: the standard %s places from 2 to 16 m", name,
                           used < OPEN_PLAN_PLACES ? "asks for at least 4" : "prefers 6 to 10");
    if (!status && used < count)
        status = lines_add(warnings, warning_count, e,
                           "%s: %zu of %zu places have no level or lie outside of 2 to 16 m and do not count for D2,S",
                           name, count - used, count);
    for (size_t i = 0; !status && i < sizeof distances / sizeof *distances; i++)
        if (distances[i].value > o->farthest || distances[i].value < o->nearest)
            status = lines_add(warnings, warning_count, e,
                               "%s: %s = %.3g m is extrapolated: the places lie from %.3g to %.3g m", name,
                               distances[i].symbol, distances[i].value, o->nearest, o->farthest);
    return status;
}

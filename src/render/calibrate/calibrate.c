/* SPDX-License-Identifier: MIT */
#include "render/calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/measure/jnd.h"
#include "render/calibrate/sensitivity.h"

static const double longest_step = 1.0; /* of ln a: linear slopes hold no farther */
static const double settled = 0.2;      /* of the deviation of a datum */

const struct calibrate_kind calibrate_kinds[CALIBRATE_PARAMETERS] = {
    {"t20", 5.0, 20.0}, {"t30", 5.0, 30.0}, {"edt", 0.0, 10.0}, {"c80", 0.0, 0.0}};

double calibrate_value(const struct metrics_band *band, enum calibrate_parameter parameter)
{
    const double values[] = {band->t20.time, band->t30.time, band->edt.time, band->c80};
    return values[parameter];
}

double calibrate_datum(double value, enum calibrate_parameter parameter)
{
    if (parameter == CALIBRATE_C80)
        return value;
    return value > 0.0 ? log(value) : NAN;
}

double calibrate_undo(double datum, enum calibrate_parameter parameter)
{
    return parameter == CALIBRATE_C80 ? datum : exp(datum);
}

double calibrate_steps(double from, double to, enum calibrate_parameter parameter)
{
    return jnd_steps(jnd_find(calibrate_kinds[parameter].name), calibrate_undo(from, parameter),
                     calibrate_undo(to, parameter));
}

void calibrate_set_prior(struct calibrate_task *task, size_t k, size_t material, double absorption)
{
    task->problem[k].prior[material] = calibrate_log_exponent(absorption);
    task->problem[k].prior_deviation[material] = calibrate_prior_deviation(absorption, task->octave[k]);
}

void calibrate_set_datum(struct calibrate_task *task, size_t k, size_t receiver, enum calibrate_parameter parameter,
                         double value, double time, size_t sharing)
{
    struct calibrate_octave *o = &task->problem[k];
    const size_t i = calibrate_index(receiver, parameter);
    const bool is_clarity = parameter == CALIBRATE_C80;
    const double centre = octave_band_centre[task->octave[k]], scale = is_clarity ? calibrate_clarity_slope(time) : 1.0;
    const double range = is_clarity ? 10.0 : calibrate_kinds[parameter].range;
    const double noise = fmax(calibrate_time_deviation(time, centre, range), CALIBRATE_LEAST_NOISE);
    const bool is_late = parameter == CALIBRATE_T20 || parameter == CALIBRATE_T30;
    o->measured[i] = calibrate_datum(value, parameter);
    o->deviation[i] = fabs(scale) * noise * sqrt(is_late && sharing > 1 ? (double)sharing : 1.0);
    o->common[i] = scale * CALIBRATE_MODEL_ERROR;
}

/* Whether the step from one place to another changes, by the slopes at the first, no datum that counts by much. */
static bool is_small(const struct calibrate_octave *o, const struct calibrate_prediction *f, const double *from,
                     const double *to)
{
    for (size_t i = 0; i < o->data; i++) {
        double change = 0.0;
        for (size_t m = 0; m < o->materials; m++)
            change += f->slope[i][m] * (to[m] - from[m]);
        if (o->deviation[i] > 0.0 && isfinite(f->value[i]) && isfinite(o->measured[i]) &&
            !(fabs(change) <= settled * hypot(o->deviation[i], o->common[i])))
            return false;
    }
    return true;
}

/* From the best place towards its posterior. */
static void advance(double *next, const double *best, const struct calibrate_posterior *p, size_t materials)
{
    static const double least = 0.001; /* α */
    const double low = log(-log1p(-least)), high = calibrate_log_exponent(CALIBRATE_LARGEST);
    for (size_t m = 0; m < materials; m++) {
        const double step = fmin(fmax(p->value[m] - best[m], -longest_step), longest_step);
        next[m] = fmin(fmax(best[m] + step, low), high);
    }
}

/* χ² of the data and of the prior, which the posterior minimizes. */
static double cost_of(const struct calibrate_octave *o, const struct calibrate_posterior *p, const double *at)
{
    double sum = p->chi_squared;
    for (size_t m = 0; m < o->materials; m++)
        sum += pow((at[m] - o->prior[m]) / o->prior_deviation[m], 2.0);
    return sum;
}

/* An octave while it is fitted. */
struct search {
    double cost;                      /* at the best place, r->at */
    double next[CALIBRATE_MATERIALS]; /* to be evaluated */
};

/* Keeps the place that was evaluated, or where its cost grew halves the step to it. *small: what remains to be stepped
 * changes little. */
static int judge(bool *small, struct search *s, struct calibrate_result *r, size_t k, const struct calibrate_octave *o,
                 const struct calibrate_prediction *f, struct error *e)
{
    struct calibrate_posterior p;
    if (calibrate_update(&p, o, f, s->next, e))
        return -1;
    const double cost = cost_of(o, &p, s->next);
    const size_t used = r->posterior[k].used;
    if (!r->renders || p.used > used || (p.used == used && cost <= s->cost)) {
        r->posterior[k] = p;
        r->fit[k] = *f;
        s->cost = cost;
        memcpy(r->at[k], s->next, sizeof r->at[k]);
        advance(s->next, r->at[k], &p, o->materials);
    } else
        for (size_t m = 0; m < o->materials; m++)
            s->next[m] = 0.5 * (r->at[k][m] + s->next[m]);
    *small = *small && is_small(o, &r->fit[k], r->at[k], s->next);
    return 0;
}

static int search(struct calibrate_result *r, struct search *s, struct calibrate_prediction *found,
                  const struct calibrate_task *task, calibrate_forward *forward, void *context, struct error *e)
{
    double at[OCTAVE_BANDS][CALIBRATE_MATERIALS] = {{0.0}};
    for (bool last = false; !last && r->renders < CALIBRATE_RENDERS; r->renders++) {
        last = r->settled;
        for (size_t k = 0; k < task->octaves; k++)
            memcpy(at[k], s[k].next, sizeof at[k]);
        if (forward(context, found, (const double(*)[CALIBRATE_MATERIALS])at, e))
            return -1;
        if (!r->renders)
            memcpy(r->prior, found, task->octaves * sizeof *found);
        bool small = true;
        for (size_t k = 0; k < task->octaves; k++)
            if (judge(&small, &s[k], r, k, &task->problem[k], &found[k], e))
                return -1;
        r->settled = last || small;
    }
    for (size_t k = 0; k < task->octaves; k++)
        memcpy(r->posterior[k].value, r->at[k], sizeof r->at[k]);
    return 0;
}

int calibrate_run(struct calibrate_result *r, const struct calibrate_task *task, calibrate_forward *forward,
                  void *context, struct error *e)
{
    const size_t count = task->octaves + 1;
    struct calibrate_prediction *found = calloc(count, sizeof *found);
    struct search *s = calloc(count, sizeof *s);
    r->prior = calloc(count, sizeof *r->prior);
    r->fit = calloc(count, sizeof *r->fit);
    int status = found && s && r->prior && r->fit ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < task->octaves && !status; k++)
        memcpy(s[k].next, task->problem[k].prior, sizeof s[k].next);
    if (!status)
        status = search(r, s, found, task, forward, context, e);
    free(found);
    free(s);
    return status;
}

void calibrate_result_free(struct calibrate_result *r)
{
    free(r->prior);
    free(r->fit);
    memset(r, 0, sizeof *r);
}

double calibrate_misfit(const struct calibrate_octave *o, const struct calibrate_prediction *f)
{
    double most = 0.0;
    for (size_t i = 0; i < o->data; i++)
        if (o->deviation[i] > 0.0 && isfinite(o->measured[i]) && isfinite(f->value[i]))
            most = fmax(most, fabs(o->measured[i] - f->value[i]) / hypot(o->deviation[i], o->common[i]));
    return most;
}

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

/* Whether the step from `at` to the posterior changes a datum that counts by much. */
static bool is_settled(const struct calibrate_octave *o, const struct calibrate_prediction *f,
                       const struct calibrate_posterior *p, const double *at)
{
    for (size_t i = 0; i < o->data; i++) {
        double change = 0.0;
        for (size_t m = 0; m < o->materials; m++)
            change += f->slope[i][m] * (p->value[m] - at[m]);
        if (o->deviation[i] > 0.0 && isfinite(f->value[i]) && isfinite(o->measured[i]) &&
            !(fabs(change) <= settled * hypot(o->deviation[i], o->common[i])))
            return false;
    }
    return true;
}

static void advance(double *at, const struct calibrate_posterior *p, size_t materials)
{
    static const double least = 0.001; /* α */
    const double low = log(-log1p(-least)), high = calibrate_log_exponent(CALIBRATE_LARGEST);
    for (size_t m = 0; m < materials; m++) {
        const double step = fmin(fmax(p->value[m] - at[m], -longest_step), longest_step);
        at[m] = fmin(fmax(at[m] + step, low), high);
    }
}

int calibrate_run(struct calibrate_result *r, const struct calibrate_task *task, calibrate_forward *forward,
                  void *context, struct error *e)
{
    const size_t size = task->octaves * sizeof *r->fit;
    r->prior = calloc(1, size + 1);
    r->fit = calloc(1, size + 1);
    if (!r->prior || !r->fit)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < task->octaves; k++)
        memcpy(r->at[k], task->problem[k].prior, sizeof r->at[k]);
    while (!r->settled && r->renders < CALIBRATE_RENDERS) {
        for (size_t k = 0; k < task->octaves && r->renders; k++)
            advance(r->at[k], &r->posterior[k], task->materials);
        if (forward(context, r->fit, (const double(*)[CALIBRATE_MATERIALS])r->at, e))
            return -1;
        if (!r->renders++)
            memcpy(r->prior, r->fit, size);
        r->settled = true;
        for (size_t k = 0; k < task->octaves; k++) {
            if (calibrate_update(&r->posterior[k], &task->problem[k], &r->fit[k], r->at[k], e))
                return -1;
            r->settled = is_settled(&task->problem[k], &r->fit[k], &r->posterior[k], r->at[k]) && r->settled;
        }
    }
    return 0;
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

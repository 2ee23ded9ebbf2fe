/* SPDX-License-Identifier: MIT */
/* Twin tests: rooms with hidden absorption are calibrated by their own noisy decays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/calibrate/checks.h"
#include "validate/calibrate/twin_room.h"

/* Sums over rooms and octaves. */
struct tally {
    size_t trials, inside[TWIN_MATERIALS], audible, decays, renders, rooms, settled;
    double remaining; /* of the dominant material */
    double squares;   /* JND² of T20 at the receiver that was not used */
};

/* The material whose uncertainty moves T most. */
static size_t dominant(const struct calibrate_octave *o, const struct calibrate_prediction *prior)
{
    const double *slope = prior->slope[calibrate_index(0, CALIBRATE_T20)];
    size_t most = 0;
    for (size_t m = 1; m < o->materials; m++)
        if (fabs(slope[m]) * o->prior_deviation[m] > fabs(slope[most]) * o->prior_deviation[most])
            most = m;
    return most;
}

static void count(struct tally *s, const struct twin_room *t, const struct calibrate_result *r,
                  double time[TWIN_OCTAVES][TWIN_RECEIVERS])
{
    s->rooms++;
    s->renders += r->renders;
    s->settled += r->settled;
    for (size_t k = 0; k < TWIN_OCTAVES; k++) {
        const struct calibrate_posterior *p = &r->posterior[k];
        s->trials++;
        s->remaining += calibrate_remaining(p, &t->task.problem[k], dominant(&t->task.problem[k], &r->prior[k]));
        for (size_t m = 0; m < TWIN_MATERIALS; m++)
            s->inside[m] +=
                fabs(t->hidden[k][m] - p->value[m]) <= CALIBRATE_INTERVAL * sqrt(fmax(p->covariance[m][m], 0.0));
        for (size_t i = TWIN_FITTED; i < TWIN_RECEIVERS; i++) {
            const double found = r->fit[k].value[calibrate_index(i, CALIBRATE_T20)];
            const double steps = calibrate_steps(log(time[k][i]), found, CALIBRATE_T20);
            s->decays++;
            s->squares += steps * steps;
            s->audible += !(fabs(steps) <= 1.0);
        }
    }
}

/* The true times are those of `truth` at the hidden absorption. */
static int calibrate(struct tally *s, struct twin_room *t, calibrate_forward *forward, void *truth, void *model,
                     struct random *random, struct error *e)
{
    double time[TWIN_OCTAVES][TWIN_RECEIVERS];
    struct calibrate_result r = {.fit = NULL};
    struct calibrate_prediction *p = calloc(TWIN_OCTAVES, sizeof *p);
    int status = p ? forward(truth, p, (const double(*)[CALIBRATE_MATERIALS])t->hidden, e)
                   : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < TWIN_OCTAVES && !status; k++)
        for (size_t i = 0; i < TWIN_RECEIVERS; i++)
            time[k][i] = exp(p[k].value[calibrate_index(i, CALIBRATE_T20)]);
    if (!status) {
        twin_room_measure(t, time, random);
        status = calibrate_run(&r, &t->task, forward, model, e);
    }
    if (!status)
        count(s, t, &r, time);
    calibrate_result_free(&r);
    free(p);
    return status;
}

/* each: enough rooms for the statistics of each material. */
static void give(struct report *r, const char *check, const struct tally *s, bool each)
{
    static const char *const names[TWIN_MATERIALS] = {"walls and floor", "ceiling 1", "ceiling 2", "ceiling 3",
                                                      "ceiling 4"};
    size_t all = 0;
    for (size_t m = 0; m < TWIN_MATERIALS; m++) {
        all += s->inside[m];
        const double outside = 100.0 * (1.0 - (double)s->inside[m] / (double)s->trials);
        if (each)
            report_bound(r, check, outside, 10.0, "%zu rooms, %s: hidden absorption outside the 95 %% interval, %%",
                         s->rooms, names[m]);
    }
    if (!each)
        report_bound(r, check, 100.0 * (1.0 - (double)all / (double)(TWIN_MATERIALS * s->trials)), 20.0,
                     "%zu rooms, all materials: hidden absorption outside the 95 %% interval, %%", s->rooms);
    report_bound(r, check, s->remaining / (double)s->trials, 0.6,
                 "    dominant material: mean of its interval over its prior's, in ln a");
    report_bound(r, check, sqrt(s->squares / (double)s->decays), 1.0, "    receiver not used: error of T20, JND, rms");
    if (each)
        report_bound(r, check, 100.0 * (double)s->audible / (double)s->decays, 10.0,
                     "    receiver not used: T20 off by more than one JND, %%");
    report_figure(r, check, (double)s->renders / (double)s->rooms, "    evaluations a room");
    report_bound(r, check, (double)(s->rooms - s->settled), 0.05 * (double)s->rooms, "    rooms that did not settle");
}

int check_calibrate_diffuse(struct validation *v, struct report *r, struct error *e)
{
    const int rooms = v->cases ? v->cases : 400;
    struct twin_room *t = malloc(sizeof *t);
    struct tally s = {.trials = 0};
    int status = t ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < rooms && !status; i++) {
        twin_room_draw(t, &v->random);
        status = calibrate(&s, t, twin_diffuse, t, t, &v->random, e);
    }
    if (!status)
        give(r, "diffuse", &s, rooms >= 40);
    free(t);
    return status;
}

int check_calibrate_rays(struct validation *v, struct report *r, struct error *e)
{
    const int rooms = v->cases ? v->cases : v->full ? 40 : 2;
    struct twin_room *t = malloc(sizeof *t);
    struct tally s = {.trials = 0};
    int status = t ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < rooms && !status; i++) {
        struct twin_rays truth = {t, 4000, random_bits(&v->random)}, model = {t, 4000, random_bits(&v->random)};
        twin_room_draw(t, &v->random);
        status = calibrate(&s, t, twin_rays, &truth, &model, &v->random, e);
    }
    if (!status)
        give(r, "rays", &s, rooms >= 40);
    free(t);
    return status;
}

/* ∂ ln T20/∂ ln a by the audit and by differences with the same random numbers. */
int check_calibrate_slopes(struct validation *v, struct report *r, struct error *e)
{
    static const double change = 0.2;
    struct twin_room *t = malloc(sizeof *t);
    struct calibrate_prediction *p = calloc(3 * TWIN_OCTAVES, sizeof *p);
    struct twin_rays model = {t, v->full ? 20000 : 4000, random_bits(&v->random)};
    double squares = 0.0, most = 0.0, count = 0.0;
    int status = t && p ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        twin_room_draw(t, &v->random);
        status = twin_rays(&model, p, (const double(*)[CALIBRATE_MATERIALS])t->hidden, e);
    }
    for (size_t m = 0; m < TWIN_MATERIALS && !status; m++)
        for (int side = 0; side < 2 && !status; side++) {
            for (size_t k = 0; k < TWIN_OCTAVES; k++)
                t->hidden[k][m] += side ? -2.0 * change : change;
            status =
                twin_rays(&model, p + (1 + side) * TWIN_OCTAVES, (const double(*)[CALIBRATE_MATERIALS])t->hidden, e);
            for (size_t k = 0; k < TWIN_OCTAVES && side && !status; k++) {
                t->hidden[k][m] += change;
                double difference = 0.0, slope = 0.0; /* means over the receivers */
                for (size_t i = 0; i < TWIN_RECEIVERS; i++) {
                    const size_t index = calibrate_index(i, CALIBRATE_T20);
                    difference += (p[TWIN_OCTAVES + k].value[index] - p[2 * TWIN_OCTAVES + k].value[index]) /
                                  (2.0 * change * TWIN_RECEIVERS);
                    slope += p[k].slope[index][m] / TWIN_RECEIVERS;
                }
                squares += pow(slope - difference, 2.0);
                most = fmax(most, fabs(difference));
                count += 1.0;
            }
        }
    if (!status) {
        report_figure(r, "slopes", most, "largest slope of ln T20 by ln a, by differences");
        report_bound(r, "slopes", sqrt(squares / count), 0.06, "slopes by the audit less those by differences, rms");
    }
    free(t);
    free(p);
    return status;
}

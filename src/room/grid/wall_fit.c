/* SPDX-License-Identifier: MIT */
#include "room/grid/wall_fit.h"

#include <math.h>

#include "base/nan_max.h"
#include "room/grid/absorption.h"
#include "room/grid/least_squares.h"
#include "room/grid/wall_equations.h"

#define QUALITY_MIN 0.02
#define ADMITTANCE_MAX 4.0
#define DETUNING_MAX 1.0 /* octaves from the initial resonance */

#define ERROR_ACCEPTED 0.01  /* of the scale of a band: accepted error of a fit */
#define ERROR_ABANDONED 0.12 /* absorption: a larger error after a quarter of the stages ends a fit */
#define GAIN 1e-3            /* of the cost: smallest reduction by a step, else the stage ends */
enum { STAGES = 16, STEPS = 20 };

/* Errors at which a fit is accepted, slightly below those promised in wall_fit.h. */
#define MEAN_ACCEPTED 0.0195
#define OVERSHOOT_ACCEPTED 0.048
#define ERROR_UNREFINED 0.08 /* of a mean: with a larger one, errors between the centres are ignored */
#define REDUCTION_NEEDED 0.9 /* of the excess, for which more branches are accepted */

/* Initial values and weights of a fit. */
struct start {
    double quality, quality_max; /* Q, and its upper bound */
    double shift;                /* initial octaves towards a neighbour that absorbs more */
    double smoothness, prior;
    double between; /* weight of the conditions between the centres: overshoot, and the means over linear frequency */
};

/* First the usual smooth branches; then, for steep targets, sharper ones nearer to the octave that absorbs more. */
static const struct start usual[] = {{QUALITY_USUAL, 10.0, 0.0, 1.0, 0.01, 0.0}, {5.0, 10.0, 0.5, 0.1, 0.003, 0.0}};

/* If the errors between the centres are too large: as many branches with a penalty on these, then more. */
static const struct start careful[] = {{QUALITY_USUAL, 30.0, 0.0, 0.5, 0.003, 1.0}, {3.0, 30.0, 0.5, 0.1, 0.001, 1.0}};
static const struct start denser[] = {{2.0, 30.0, 0.0, 0.5, 0.003, 1.0},
                                      {3.0, 30.0, 0.5, 0.05, 0.001, 1.0},
                                      {5.0, 30.0, 0.5, 0.05, 0.001, 1.0},
                                      {8.0, 30.0, 0.5, 0.05, 0.001, 1.0}};
static const size_t extra_branches[] = {1, 2, 3, 5, 7};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void set_worst(struct wall_fit *f)
{
    f->worst = 0.0;
    f->worst_band = 0;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        double off = fabs(f->fitted[b] - f->target[b]);
        if (!(off <= f->worst) && !isnan(f->worst)) {
            f->worst = off;
            f->worst_band = b;
        }
    }
}

static double absorption_of(const struct wall_admittance *y, double angular_frequency)
{
    const double complex branches = branches_admittance(y->branches, y->branch_count, angular_frequency);
    return complex_incidence_absorption(y->real + branches, NULL);
}

static void measure_between(struct wall_fit *f, const struct wall_task *task)
{
    f->worst_linear = f->overshoot = 0.0;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        double sum = 0.0, weight = 0.0;
        for (int i = 0; i < CHECK_POINTS; i++) {
            const double offset = (i + 0.5) / CHECK_POINTS - 0.5, omega = wall_task_angular_frequency(b, offset);
            const double absorption = absorption_of(&f->wall, omega);
            sum += absorption * omega;
            weight += omega;
            f->overshoot = nan_max(f->overshoot, absorption - wall_task_ceiling(task, b, offset));
        }
        f->worst_linear = nan_max(f->worst_linear, fabs(sum / weight - f->target[b]));
    }
}

/* Evaluates the wall in the bands. */
static void evaluate(struct wall_fit *f, const struct wall_task *task)
{
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        f->fitted[b] = wall_admittance_absorption(&f->wall, octave_band_centre[b]);
    set_worst(f);
    measure_between(f, task);
}

/* Drops negligible branches and evaluates the rest. */
static void take(struct wall_fit *f, const struct wall_task *task, const double *x)
{
    f->wall.branch_count = 0;
    for (size_t m = 0; m < task->branches; m++) {
        const struct resonator r = resonator_of(x + PER_BRANCH * m);
        if (r.peak > 10.0 * task->min)
            f->wall.branches[f->wall.branch_count++] = resonator_branch(&r);
    }
    evaluate(f, task);
}

static double centre_of(size_t octave)
{
    return octave < OCTAVE_BANDS ? octave_band_centre[octave] : 2.0 * octave_band_centre[OCTAVE_BANDS - 1];
}

static void set_task(struct wall_task *task, const double target[OCTAVE_BANDS])
{
    double max = 1e-9, shares = 0.0;
    for (int i = 0; i < POINTS; i++)
        shares += exp2((i + 0.5) / POINTS);
    *task = (struct wall_task){.branches = 0};
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        max = fmax(max, target[b]);
    task->min = 1e-6 * max;
    for (int i = 0; i < POINTS; i++)
        task->share[i] = exp2((i + 0.5) / POINTS) / shares;
    for (size_t o = 0; o < OCTAVE_BRANCHES; o++) {
        task->target[o] = target[o < OCTAVE_BANDS ? o : OCTAVE_BANDS - 1];
        task->scale[o] = task->target[o] + 0.1 * max; /* relative errors, bounded for small targets */
    }
}

/* -1 or 1 when the octave below or above absorbs much more than this one. */
static double louder_side(const struct wall_task *task, size_t m)
{
    double below = m > 0 ? task->target[m - 1] : 0.0, above = m + 1 < OCTAVE_BRANCHES ? task->target[m + 1] : 0.0;
    if (!(fmax(below, above) > 1.5 * task->target[m]))
        return 0.0;
    return below > above ? -1.0 : 1.0;
}

/* A branch for each octave, and extra ones half-way between octaves, at the largest steps of the targets. */
static void place_branches(struct wall_task *task, size_t extra)
{
    bool taken[OCTAVE_BRANCHES] = {false};
    task->branches = OCTAVE_BRANCHES;
    for (size_t o = 0; o < OCTAVE_BRANCHES; o++) {
        task->home[o] = o;
        task->usual[o] = log(2.0 * M_PI * centre_of(o));
    }
    for (; extra > 0 && task->branches < BRANCHES_MAX; extra--) {
        size_t steepest = OCTAVE_BRANCHES;
        double max = -1.0;
        for (size_t o = 0; o + 1 < OCTAVE_BRANCHES; o++) {
            const double step = fabs(task->target[o + 1] - task->target[o]);
            if (!taken[o] && step > max) {
                steepest = o;
                max = step;
            }
        }
        if (steepest == OCTAVE_BRANCHES)
            return;
        taken[steepest] = true;
        task->home[task->branches] = steepest + (task->target[steepest + 1] >= task->target[steepest] ? 1 : 0);
        task->usual[task->branches++] = log(2.0 * M_PI * centre_of(steepest) * M_SQRT2);
    }
}

static void set_start(struct wall_task *task, const struct start *start, size_t extra, double *x, double *low,
                      double *high)
{
    task->smoothness = start->smoothness;
    task->prior = start->prior;
    task->linear = task->ceiling = start->between;
    place_branches(task, extra);
    for (size_t o = 0; o < OCTAVE_BANDS; o++)
        task->weight[o] = 1.0;
    for (size_t m = 0; m < task->branches; m++, x += PER_BRANCH, low += PER_BRANCH, high += PER_BRANCH) {
        const size_t home = task->home[m];
        const double part = extra ? 0.4 : 0.8; /* with extra branches each has a smaller part */
        double admittance = fmax(part * admittance_of_absorption(task->target[home]), 1e-3 * task->scale[home]);
        low[ADMITTANCE] = log(task->min);
        high[ADMITTANCE] = log(ADMITTANCE_MAX);
        x[ADMITTANCE] = log(admittance);
        low[QUALITY] = log(QUALITY_MIN);
        high[QUALITY] = log(start->quality_max);
        x[QUALITY] = log(start->quality);
        low[RESONANCE] = task->usual[m] - DETUNING_MAX * M_LN2;
        high[RESONANCE] = task->usual[m] + DETUNING_MAX * M_LN2;
        x[RESONANCE] = task->usual[m] + start->shift * louder_side(task, home) * M_LN2;
    }
}

/* Error of a band in units of the accepted one. */
static double misfit(const struct wall_fit *f, const struct wall_task *task, size_t band)
{
    return fabs(f->fitted[band] - f->target[band]) / (ERROR_ACCEPTED * task->scale[band]);
}

/* Largest error in units of the accepted one, including the conditions between the centres. */
static double excess(const struct wall_fit *f)
{
    return fmax(fmax(f->worst, f->worst_linear) / MEAN_ACCEPTED, f->overshoot / OVERSHOOT_ACCEPTED);
}

/* Raises the weights of bands with large errors (towards the minimax fit, after Lawson) and lowers those of smoothness
 * and of the usual branches. */
static void reweight(struct wall_task *task, const struct wall_fit *tried)
{
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        task->weight[b] *= fmin(fmax(sqrt(misfit(tried, task, b)), 0.7), 2.0);
    task->linear *= tried->worst_linear > MEAN_ACCEPTED ? 1.3 : 1.0;
    task->ceiling *= tried->overshoot > OVERSHOOT_ACCEPTED ? 1.5 : 1.0;
    task->smoothness *= task->smoothness > 0.02 ? 0.5 : 0.0;
    task->prior *= 0.5;
}

/* Largest error in units of the accepted one: a fit is accepted at 1 or less. */
static double fit_error(const struct wall_fit *f, const struct wall_task *task, const struct start *start)
{
    double max = 0.0;
    if (start->between > 0.0)
        return f->worst <= task->limit ? excess(f) : INFINITY;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        max = nan_max(max, misfit(f, task, b));
    return max;
}

/* Fits in stages from one start; keeps improvements in *f, with their rating in *best. */
static void fit_from(struct wall_fit *f, double *best, struct wall_task *task, const struct start *start, size_t extra)
{
    double x[PARAMETERS_MAX], low[PARAMETERS_MAX], high[PARAMETERS_MAX];
    set_start(task, start, extra, x, low, high);
    for (int stage = 0; stage < STAGES && !(*best <= 1.0); stage++) {
        struct wall_fit tried = *f;
        if (stage >= STAGES / 4 && f->worst > ERROR_ABANDONED)
            return;
        least_squares_minimise(wall_equations, task, PER_BRANCH * task->branches, x, low, high, STEPS, GAIN);
        take(&tried, task, x);
        const double max = fit_error(&tried, task, start);
        if (max < *best * (tried.wall.branch_count > OCTAVE_BRANCHES && max > 1.0 ? REDUCTION_NEEDED : 1.0)) {
            *f = tried;
            *best = max;
        }
        reweight(task, &tried);
    }
}

static void fit_branches(struct wall_fit *f, struct wall_task *task)
{
    double best = INFINITY;
    for (size_t i = 0; i < COUNT(usual) && best > 1.0; i++)
        fit_from(f, &best, task, &usual[i], 0);
    if (f->worst > ERROR_UNREFINED)
        return;
    best = excess(f);
    task->limit = fmax(f->worst, MEAN_ACCEPTED);
    for (size_t i = 0; i < COUNT(careful) && best > 1.0; i++)
        fit_from(f, &best, task, &careful[i], 0);
    for (size_t k = 0; k < COUNT(extra_branches); k++)
        for (size_t i = 0; i < COUNT(denser) && best > 1.0; i++)
            fit_from(f, &best, task, &denser[i], extra_branches[k]);
}

int wall_fit_make(struct wall_fit *f, const double absorption[OCTAVE_BANDS], bool always_branches, struct error *e)
{
    bool flat = true;
    *f = (struct wall_fit){.worst = 0.0};
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        if (!(absorption[b] >= 0.0 && absorption[b] < INFINITY))
            return fail(e, ERROR_INPUT, "the absorption in the octave of %g Hz is %g: 0 or more", octave_band_centre[b],
                        absorption[b]);
        f->target[b] = f->fitted[b] = fmin(absorption[b], ABSORPTION_MAX);
        flat = flat && fabs(f->target[b] - f->target[0]) <= 1e-9;
    }
    if (flat && (!always_branches || !(f->target[0] > 0.0))) {
        f->wall.real = admittance_of_absorption(f->target[0]);
        for (size_t b = 0; b < OCTAVE_BANDS; b++)
            f->fitted[b] = random_incidence_absorption(f->wall.real);
        set_worst(f);
        return 0;
    }
    struct wall_task task;
    set_task(&task, f->target);
    fit_branches(f, &task);
    return 0;
}

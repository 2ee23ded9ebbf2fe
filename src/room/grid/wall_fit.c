/* SPDX-License-Identifier: MIT */
#include "room/grid/wall_fit.h"

#include <math.h>

#include "base/acoustics/conventions.h"
#include "base/nan_max.h"
#include "room/grid/absorption.h"
#include "room/grid/least_squares.h"
#include "room/grid/resonator.h"

/* Least-squares residuals of a fit of branches to absorption in octave bands, as functions of the branches' parameters:
 * the means over each octave, and the absorption between the centres. */

enum {
    OCTAVE_BRANCHES = OCTAVE_BANDS + 1, /* one for each octave, and one above */
    POINTS = 12,                        /* in each octave */
    CHECK_POINTS = 128                  /* likewise, at which a fit is checked */
};

#define QUALITY_USUAL M_SQRT2 /* of one branch per octave */

/* Targets, branches and weights of a fit. */
struct wall_task {
    size_t branches;                /* with the extra ones */
    double target[OCTAVE_BRANCHES]; /* above the highest octave, that of it */
    double scale[OCTAVE_BRANCHES];  /* error of the absorption with weight 1 */
    double min;                     /* negligible admittance */
    double weight[OCTAVE_BANDS];    /* of the means */
    double smoothness;              /* weight of the absorption between the centres */
    double prior;                   /* weight of the usual Q and resonance */
    double linear;                  /* weight of the means over linear frequency */
    double ceiling;                 /* weight of overshoot */
    double limit;                   /* error of a mean accepted in favour of the absorption between the centres */
    double share[POINTS];           /* weight of a point in a mean over linear frequency */
    size_t home[BRANCHES_MAX];      /* octave of each branch */
    double usual[BRANCHES_MAX];     /* initial ln ω0 */
};

#define OVERSHOOT_FREE 0.03 /* absorption above the targets without penalty */
#define OVERSHOOT_UNIT 0.1  /* overshoot of weight 1 */

/* Linear between the centres of the octaves, constant beyond the outermost. */
static double between_centres(const struct wall_task *task, size_t octave, double offset)
{
    size_t below = octave > 0 ? octave - 1 : octave, above = octave + 1 < OCTAVE_BANDS ? octave + 1 : octave;
    size_t other = offset < 0.0 ? below : above;
    return task->target[octave] + fabs(offset) * (task->target[other] - task->target[octave]);
}

static double wall_task_angular_frequency(size_t octave, double offset)
{
    return 2.0 * M_PI * octave_band_centre[octave] * exp2(offset);
}

static double wall_task_ceiling(const struct wall_task *task, size_t octave, double offset)
{
    return fmax(task->target[octave], between_centres(task, octave, offset < 0.0 ? -1.0 : 1.0));
}

/* Absorption of the wall, and its derivatives by all parameters. */
static double absorption_at(const struct resonator *resonators, size_t count, double angular_frequency, double *row)
{
    double by[PARAMETERS_MAX][2], y[2], slope[2];
    resonators_admittance(resonators, count, angular_frequency, y, by);
    const double absorption = complex_incidence_absorption(y[0] + I * y[1], slope);
    for (size_t i = 0; i < PER_BRANCH * count; i++)
        row[i] = slope[0] * by[i][0] + slope[1] * by[i][1];
    return absorption;
}

static void add_priors(const struct wall_task *task, const double *x, struct normal_equations *equations)
{
    for (size_t m = 0; m < task->branches; m++) {
        size_t q = PER_BRANCH * m + QUALITY, r = PER_BRANCH * m + RESONANCE;
        double away[2] = {x[q] - log(QUALITY_USUAL), x[r] - task->usual[m]};
        equations->cost += 0.5 * task->prior * task->prior * (away[0] * away[0] + away[1] * away[1]);
        equations->gradient[q] += task->prior * task->prior * away[0];
        equations->gradient[r] += task->prior * task->prior * away[1];
        equations->matrix[q][q] += task->prior * task->prior;
        equations->matrix[r][r] += task->prior * task->prior;
    }
}

/* A mean over an octave, and its row of the Jacobian. */
struct mean {
    double value, row[PARAMETERS_MAX];
};

static void mean_add(struct mean *mean, double value, double weight, const double *row, size_t count)
{
    mean->value += value;
    for (size_t k = 0; k < count; k++)
        mean->row[k] += row[k] * weight;
}

static void add_weighted(struct normal_equations *equations, size_t count, double off, double weight, const double *row)
{
    double weighted[PARAMETERS_MAX];
    for (size_t k = 0; k < count; k++)
        weighted[k] = row[k] * weight;
    if (weight > 0.0)
        normal_equations_add(equations, count, off * weight, weighted);
}

static void wall_equations(const void *context, const double *x, struct normal_equations *equations)
{
    const struct wall_task *task = context;
    size_t count = PER_BRANCH * task->branches;
    struct resonator resonators[BRANCHES_MAX];
    for (size_t m = 0; m < task->branches; m++)
        resonators[m] = resonator_of(x + PER_BRANCH * m);
    for (size_t o = 0; o < OCTAVE_BANDS; o++) {
        struct mean mean = {0}, linear = {0};
        const double weight = task->smoothness / (task->scale[o] * sqrt(POINTS)),
                     share = task->weight[o] / task->scale[o];
        for (size_t i = 0; i < POINTS; i++) {
            double row[PARAMETERS_MAX], offset = ((double)i + 0.5) / POINTS - 0.5;
            double absorption = absorption_at(resonators, task->branches, wall_task_angular_frequency(o, offset), row);
            double high = absorption - wall_task_ceiling(task, o, offset) - OVERSHOOT_FREE;
            mean_add(&mean, absorption / POINTS, share / POINTS, row, count);
            if (task->linear > 0.0)
                mean_add(&linear, absorption * task->share[i], share * task->linear * task->share[i], row, count);
            if (high > 0.0)
                add_weighted(equations, count, high, task->ceiling / (OVERSHOOT_UNIT * sqrt(POINTS)), row);
            add_weighted(equations, count, absorption - between_centres(task, o, offset), weight, row);
        }
        normal_equations_add(equations, count, (mean.value - task->target[o]) * share, mean.row);
        if (task->linear > 0.0)
            normal_equations_add(equations, count, (linear.value - task->target[o]) * share * task->linear, linear.row);
    }
    add_priors(task, x, equations);
}

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
            return fail(e, ERROR_INPUT, "the absorption in the %g Hz octave is %g; use 0 or more",
                        octave_band_centre[b], absorption[b]);
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

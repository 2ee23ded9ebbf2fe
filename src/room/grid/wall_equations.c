/* SPDX-License-Identifier: MIT */
#include "room/grid/wall_equations.h"

#include <math.h>

#include "room/grid/absorption.h"

#define OVERSHOOT_FREE 0.03 /* absorption above the targets without penalty */
#define OVERSHOOT_UNIT 0.1  /* overshoot of weight 1 */

/* Linear between the centres of the octaves, constant beyond the outermost. */
static double between_centres(const struct wall_task *task, size_t octave, double offset)
{
    size_t below = octave > 0 ? octave - 1 : octave, above = octave + 1 < OCTAVE_BANDS ? octave + 1 : octave;
    size_t other = offset < 0.0 ? below : above;
    return task->target[octave] + fabs(offset) * (task->target[other] - task->target[octave]);
}

double wall_task_angular_frequency(size_t octave, double offset)
{
    return 2.0 * M_PI * octave_band_centre[octave] * exp2(offset);
}

double wall_task_ceiling(const struct wall_task *task, size_t octave, double offset)
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

void wall_equations(const void *context, const double *x, struct normal_equations *equations)
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

/* SPDX-License-Identifier: MIT */
/* Least-squares residuals of a fit of branches to absorption in octave bands, as functions of the branches' parameters:
 * the means over each octave, and the absorption between the centres. */
#ifndef AULA_MODEL_WALL_EQUATIONS_H
#define AULA_MODEL_WALL_EQUATIONS_H

#include "acoustics/bands.h"
#include "acoustics/branch.h"
#include "model/absorption.h"
#include "model/resonator.h"

enum {
    FITTED_MAX = OCTAVE_BANDS + 1, /* octaves */
    POINTS = 12,                   /* in each */
    CHECK_POINTS = 128             /* likewise, at which a fit is checked */
};
_Static_assert(PER_BRANCH *BRANCHES_MAX <= (int)PARAMETERS_MAX, "as many branches as a wall may have fit in");

#define QUALITY_USUAL M_SQRT2 /* of one branch per octave */

/* Targets, branches and weights of a fit. */
struct wall_task {
    size_t bands;      /* fitted */
    size_t octaves;    /* bands, and the next one if its target is known and the grid carries it */
    size_t of_octaves; /* branches of octaves: one per band, and the next one if the grid carries it */
    size_t branches;   /* with the extra ones */
    const struct wall_clock *clock;
    double target[FITTED_MAX];
    double scale[FITTED_MAX];   /* error of the absorption with weight 1 */
    double min;                 /* negligible admittance */
    double weight[FITTED_MAX];  /* of the means */
    double smoothness;          /* weight of the absorption between the centres */
    double prior;               /* weight of the usual Q and resonance */
    double linear;              /* weight of the means over linear frequency */
    double ceiling;             /* weight of overshoot */
    double limit;               /* error of a mean accepted in favour of the absorption between the centres */
    double share[POINTS];       /* weight of a point in a mean over linear frequency */
    size_t home[BRANCHES_MAX];  /* octave of each branch */
    double usual[BRANCHES_MAX]; /* initial ln ω0 */
    struct wall_view view[FITTED_MAX][POINTS];
    struct wall_view mean_view[OCTAVE_BANDS][OCTAVE_POINTS], check_view[OCTAVE_BANDS][CHECK_POINTS];
};

/* The larger of the targets at the two centres around a point `offset` octaves from a centre. */
double wall_task_ceiling(const struct wall_task *task, size_t octave, double offset);

/* A normal_equations_at; context: a struct wall_task. x [PER_BRANCH task->branches]. */
void wall_equations(const void *context, const double *x, struct normal_equations *equations);

#endif

/* SPDX-License-Identifier: MIT */
/* Least-squares residuals of a fit of branches to absorption in octave bands, as functions of the branches' parameters:
 * the means over each octave, and the absorption between the centres. */
#ifndef AULA_ROOM_GRID_WALL_EQUATIONS_H
#define AULA_ROOM_GRID_WALL_EQUATIONS_H

#include "base/acoustics/conventions.h"
#include "room/grid/absorption.h"
#include "room/grid/resonator.h"

enum {
    OCTAVE_BRANCHES = OCTAVE_BANDS + 1, /* one for each octave, and one above */
    POINTS = 12,                        /* in each octave */
    CHECK_POINTS = 128                  /* likewise, at which a fit is checked */
};
_Static_assert(PER_BRANCH *BRANCHES_MAX <= (int)PARAMETERS_MAX, "as many branches as a wall may have fit in");

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

/* ω of a place in an octave, -0.5 to 0.5 octaves from its centre. */
double wall_task_angular_frequency(size_t octave, double offset);

/* The larger of the targets at the two centres around a point `offset` octaves from a centre. */
double wall_task_ceiling(const struct wall_task *task, size_t octave, double offset);

/* A normal_equations_at; context: a struct wall_task. x [PER_BRANCH task->branches]. */
void wall_equations(const void *context, const double *x, struct normal_equations *equations);

#endif

/* What a fit of branches to absorption in octave bands minimises: residuals for the means over each octave and for the way
 * between them, as functions of the branches' parameters. */
#ifndef AULA_MODEL_WALL_EQUATIONS_H
#define AULA_MODEL_WALL_EQUATIONS_H

#include "acoustics/bands.h"
#include "acoustics/branch.h"
#include "model/least_squares.h"

/* A branch's parameters, the logarithms of: */
enum { ADMITTANCE, QUALITY, RESONANCE, PER_BRANCH };

enum { FITTED_MAX = OCTAVE_BANDS + 1, POINTS = 12 }; /* octaves; points in each */
_Static_assert(PER_BRANCH *BRANCHES_MAX <= (int)PARAMETERS_MAX, "as many branches as a wall may have fit in");

#define QUALITY_USUAL M_SQRT2 /* one branch an octave */

/* The targets, the branches, and how much each thing weighs. */
struct wall_task {
    size_t bands;      /* that count */
    size_t octaves;    /* bands, and the one above when its target is known and the grid carries it */
    size_t of_octaves; /* branches: one for each of them, and one above where the grid carries it */
    size_t branches;   /* these and the extra ones */
    double rate;       /* Hz; 0: the continuum */
    double target[FITTED_MAX];
    double scale[FITTED_MAX];             /* an error of the absorption that weighs 1 */
    double min;                           /* admittance that does not matter any more */
    double weight[FITTED_MAX];            /* of the means */
    double smoothness;                    /* weight of the way between the centres */
    double habit;                         /* weight of the usual Q and resonance */
    double linear;                        /* weight of the means over linear frequency */
    double ceiling;                       /* weight of overshoot */
    double limit;                         /* how far off a mean may be for the sake of what lies between */
    double share[POINTS];                 /* of a point in a mean over linear frequency */
    size_t home[BRANCHES_MAX];            /* the octave that a branch is of */
    double usual[BRANCHES_MAX];           /* ln ω0 where it begins */
    double frequency[FITTED_MAX][POINTS]; /* ω, as the grid sees it */
};

/* The larger of the targets at the centres to either side of a point `offset` octaves off a centre. */
double wall_task_ceiling(const struct wall_task *task, size_t octave, double offset);

/* A normal_equations_at; context: a struct wall_task. x [PER_BRANCH task->branches]. */
void wall_equations(const void *context, const double *x, struct normal_equations *equations);

#endif

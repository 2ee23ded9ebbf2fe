/* SPDX-License-Identifier: MIT */
/* The general weighted stencil: each u is replaced by a weighted sum over a cross of neighbours. */
#ifndef AULA_SOLVER_SCHEMES_SWEEP_SWEEP_H
#define AULA_SOLVER_SCHEMES_SWEEP_SWEEP_H

#include "solver/scheme.h"

extern const struct scheme sweep_scheme;

/* theory (109): each u is replaced by the sum of coefficients times neighbours on arms of
 * `radius` points along the axes: coefficients[0] for the point itself, then for each distance 1
 * .. radius and each axis x, y, z the neighbour on the lower and the upper side. Points nearer
 * to an edge than the radius keep their values. */
enum { SWEEP_COEFFICIENTS_MAX = 13 };
struct sweep_problem {
    int dimensions; /* 1, 2 or 3; further axes have one point */
    int radius;     /* 1D: 1, 2, 3; 2D and 3D: 1, 2 */
    double coefficients[SWEEP_COEFFICIENTS_MAX];
};

static inline const struct sweep_problem *sweep_of(const struct problem *p)
{
    return (const struct sweep_problem *)p->parameters;
}

/* Points of the stencil: 1 + 2 dimensions radius. */
static inline int sweep_size(const struct sweep_problem *s)
{
    return 1 + 2 * s->dimensions * s->radius;
}

#endif

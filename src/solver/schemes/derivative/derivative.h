/* SPDX-License-Identifier: MIT */
/* The first derivative by nine points on a periodic grid, eighth order. */
#ifndef AULA_SOLVER_SCHEMES_DERIVATIVE_DERIVATIVE_H
#define AULA_SOLVER_SCHEMES_DERIVATIVE_DERIVATIVE_H

#include "solver/scheme.h"

extern const struct scheme derivative_scheme;

/* df = derivative of f along an axis of a periodic grid, by nine points, eighth order. A step
 * evaluates it once. */
struct derivative_problem {
    int axis;       /* 0 x, 1 y, 2 z */
    double spacing; /* between points along that axis */
};

static inline const struct derivative_problem *derivative_of(const struct problem *p)
{
    return (const struct derivative_problem *)p->parameters;
}

enum { DERIVATIVE_RADIUS = 4 };

/* theory (110): f'(x) = (1/spacing) Σ_{k=1..4} coefficient[k - 1] (f(x + k spacing) - f(x - k spacing)), exact for
 * polynomials up to the eighth degree. */
extern const double derivative_coefficients[DERIVATIVE_RADIUS];

#endif

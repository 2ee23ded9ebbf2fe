/* SPDX-License-Identifier: MIT */
/* Nonlinear least squares with bounds, for a few parameters: Levenberg-Marquardt (Marquardt 1963); a parameter on its
 * bound whose gradient points outwards is fixed for the step. */
#ifndef AULA_ROOM_GRID_LEAST_SQUARES_H
#define AULA_ROOM_GRID_LEAST_SQUARES_H

#include <stddef.h>

enum { PARAMETERS_MAX = 48 };

/* Half the sum of squares and its derivatives. */
struct normal_equations {
    double cost;
    double gradient[PARAMETERS_MAX];               /* Jᵀr */
    double matrix[PARAMETERS_MAX][PARAMETERS_MAX]; /* JᵀJ: lower triangle */
};

/* Fills *equations, initially zero, at `x` [count]. */
typedef void normal_equations_at(const void *context, const double *x, struct normal_equations *equations);

/* Adds a residual and its Jacobian row [count]. */
void normal_equations_add(struct normal_equations *restrict equations, size_t count, double residual,
                          const double *restrict row);

/* Minimises over x [count] within low..high; at most `steps` evaluations, or until a step reduces the cost by less than
 * the fraction `gain`. Returns the cost. */
double least_squares_minimise(normal_equations_at *at, const void *context, size_t count, double *x, const double *low,
                              const double *high, int steps, double gain);

#endif

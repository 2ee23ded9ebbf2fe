/* Nonlinear least squares within bounds, for a few parameters: Levenberg and Marquardt's damped Gauss-Newton steps
 * (Marquardt 1963), in which a parameter that lies on its bound and is pushed outwards stays there. */
#ifndef AULA_MODEL_LEAST_SQUARES_H
#define AULA_MODEL_LEAST_SQUARES_H

#include <stddef.h>

enum { PARAMETERS_MAX = 48 };

/* Half the sum of squares, with its derivatives. */
struct normal_equations {
    double cost;
    double gradient[PARAMETERS_MAX];               /* Jᵀr */
    double matrix[PARAMETERS_MAX][PARAMETERS_MAX]; /* JᵀJ: lower triangle */
};

/* Fills *equations, which is all zeros, at `x` [count]. */
typedef void normal_equations_at(const void *context, const double *x, struct normal_equations *equations);

/* Adds a residual and its row of the Jacobian, [count]. */
void normal_equations_add(struct normal_equations *restrict equations, size_t count, double residual,
                          const double *restrict row);

/* Moves x [count], which lies within low..high, downhill; stops after `steps` evaluations, or when a step gains less
 * than `gain` of the cost. Returns the cost reached. */
double least_squares_minimise(normal_equations_at *at, const void *context, size_t count, double *x, const double *low,
                              const double *high, int steps, double gain);

#endif

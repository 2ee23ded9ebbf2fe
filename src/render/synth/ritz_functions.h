/* SPDX-License-Identifier: MIT */
/* Polynomials for the Ritz method on -1..1, and the rule that integrates them. */
#ifndef AULA_RENDER_SYNTH_RITZ_FUNCTIONS_H
#define AULA_RENDER_SYNTH_RITZ_FUNCTIONS_H

/* A function's value and first two derivatives. */
struct jet {
    double value, slope, curvature;
};

struct jet jet_times(struct jet a, struct jet b);

/* f[i] at x, i < count, count >= 2: (1 - x²)^c times the Gegenbauer polynomial of degree i for the weight (1 - x²)^2c.
 * The f are orthogonal on -1..1; c = 0 gives Legendre's polynomials. */
void ritz_functions(struct jet *f, int count, double x, int c);

/* Node i < count of the Gauss-Legendre rule on -1..1, which is exact up to the degree 2 count - 1, and its weight. */
void gauss_point(double *x, double *weight, int count, int i);

#endif

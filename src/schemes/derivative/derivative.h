/* The first derivative by nine points on a periodic grid, of eighth order. */
#ifndef AULA_SCHEME_DERIVATIVE_H
#define AULA_SCHEME_DERIVATIVE_H

#include "schemes/scheme.h"

enum { DERIVATIVE_RADIUS = 4 };

/* f'(x) = (1/spacing) times the sum over k = 1 .. 4 of coefficient[k - 1] (f(x + k spacing) - f(x - k spacing)): what makes
 * every polynomial up to the eighth degree exact. */
extern const double derivative_coefficients[DERIVATIVE_RADIUS];

extern const struct scheme derivative_scheme;

#endif

/* Two sediments in a basin: Su et al. 2013, "Performance of Sediment Transport Simulations on NVIDIA's Kepler
 * Architecture", equations (1)-(4). */
#ifndef AULA_SCHEME_SEDIMENT_H
#define AULA_SCHEME_SEDIMENT_H

#include "scheme/scheme.h"

extern const struct scheme sediment_scheme;

/* Floating-point operations a point as the paper counts them. */
enum { SEDIMENT_FLOPS_H = 55, SEDIMENT_FLOPS_S = 34 };

/* The largest stable step of (3): 1 / (2 m (1/dx^2 + 1/dy^2)), m the largest mobility. */
double sediment_step_limit(const struct sediment_problem *s);

#endif

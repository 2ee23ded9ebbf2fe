/* SPDX-License-Identifier: MIT */
/* Dry friction whose coefficient falls with speed, as between rosin and a string:
 *     f = -F μ(|v|) sgn v,   μ = μ_d + (μ_s - μ_d) v0/(v0 + |v|),   |f| <= F μ_s while v = 0.
 * With v = v̂ + G f, where v̂ is the relative speed without friction, the slipping speed is the root of a
 * quadratic equation: Friedlander's graph. Where it has both a sticking and a slipping solution the
 * state of the step before is kept: M. E. McIntyre, R. T. Schumacher and J. Woodhouse, "On the
 * oscillations of musical instruments", J. Acoust. Soc. Am. 74(5), 1325-1345, 1983. Friction always
 * loses energy: -f v >= 0. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_FRICTION_H
#define AULA_SOLVER_SCHEMES_BODIES_FRICTION_H

#include <stdbool.h>

struct friction {
    double at_rest, sliding; /* μ_s >= μ_d >= 0 */
    double speed;            /* v0 > 0, m/s */
};

/* The force f, N, on the body that moves at v. normal: F >= 0, N. free: v̂, m/s. gain: G > 0, m/(s N).
 * *sticks, *velocity: state of the last step in, of this step out; velocity in m/s. */
double friction_force(const struct friction *c, double normal, double free, double gain, bool *sticks,
                      double *velocity);

#endif

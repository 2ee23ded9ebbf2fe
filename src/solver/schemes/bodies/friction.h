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

#include <math.h>
#include <stdbool.h>

#include "base/device.h"

struct friction {
    double at_rest, sliding; /* μ_s >= μ_d >= 0 */
    double speed;            /* v0 > 0, m/s */
};

/* The force f, N, on the body that moves at v. normal: F >= 0, N. free: v̂, m/s. gain: G > 0, m/(s N).
 * *sticks, *velocity: state of the last step in, of this step out; velocity in m/s.
 * Slipping at u = |v| in the direction of v̂ has u² + b u + c = 0 with b = v0 - |v̂| + G F μ_d and c = v0 (G F μ_s -
 * |v̂|); the larger root counts. */
ON_DEVICE double friction_force(const struct friction *c, double normal, double free, double gain, bool *sticks,
                                double *velocity)
{
    const double a = fabs(free), grip = gain * normal;
    const double linear = c->speed - a + grip * c->sliding, constant = c->speed * (grip * c->at_rest - a);
    const double square = linear * linear - 4.0 * constant;
    const bool can_stick = a <= grip * c->at_rest, can_slip = !can_stick || (linear < 0.0 && square >= 0.0);
    const bool same_direction = (*velocity >= 0.0) == (free >= 0.0);
    *sticks = can_stick && !(can_slip && !*sticks && same_direction);
    *velocity = *sticks ? 0.0 : copysign(0.5 * (sqrt(square) - linear), free);
    return (*velocity - free) / gain;
}

#endif

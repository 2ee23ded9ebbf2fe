/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/friction.h"

#include <math.h>

/* Slipping at u = |v| in the direction of v̂: u² + b u + c = 0 with
 *     b = v0 - |v̂| + G F μ_d,   c = v0 (G F μ_s - |v̂|),   the larger root. */
double friction_force(const struct friction *c, double normal, double free, double gain, bool *sticks, double *velocity)
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

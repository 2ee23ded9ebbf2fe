/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/contact.h"

#include <math.h>

static const double RELEASE_MAX = 100.0; /* of g² G/4 */

struct contact_slope contact_slope(const struct contact *c, double now, double before, double free, double gain,
                                   double time_step, double *potential, double *lost)
{
    if (now > 0.0) {
        const double g = sqrt(0.5 * c->stiffness * (c->exponent + 1.0)) * pow(now, 0.5 * (c->exponent - 1.0));
        return (struct contact_slope){*potential < 0.0 ? -g : g,
                                      0.5 * c->loss * c->stiffness * pow(now, c->exponent) / time_step};
    }
    if (*potential == 0.0)
        return (struct contact_slope){0.0, 0.0};
    const double g = -2.0 * *potential / (free - before);
    if (0.25 * g * g * gain <= RELEASE_MAX)
        return (struct contact_slope){g, 0.0};
    *lost += 0.5 * *potential * *potential;
    *potential = 0.0;
    return (struct contact_slope){0.0, 0.0};
}

/* From ½ M (dx/dt)² + K x^(α + 1)/(α + 1) = ½ M v²: with p = 1/(α + 1), t = 2 (x_max/v) √π Γ(1 + p)/Γ(½ + p). */
double contact_duration(const struct contact *c, double mass, double speed)
{
    const double p = 1.0 / (c->exponent + 1.0);
    const double depth = pow(0.5 * mass * speed * speed / (p * c->stiffness), p);
    return 2.0 * depth / speed * sqrt(M_PI) * tgamma(1.0 + p) / tgamma(0.5 + p);
}

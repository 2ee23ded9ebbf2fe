/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/contact.h"

/* From ½ M (dx/dt)² + K x^(α + 1)/(α + 1) = ½ M v²: with p = 1/(α + 1), t = 2 (x_max/v) √π Γ(1 + p)/Γ(½ + p). */
double contact_duration(const struct contact *c, double mass, double speed)
{
    const double p = 1.0 / (c->exponent + 1.0);
    const double depth = pow(0.5 * mass * speed * speed / (p * c->stiffness), p);
    return 2.0 * depth / speed * sqrt(M_PI) * tgamma(1.0 + p) / tgamma(0.5 + p);
}

/* SPDX-License-Identifier: MIT */
/* A contact: a stiff nonlinear spring that pushes two things apart while they touch, such as a felt and
 * a string. M. Ducceschi, S. Bilbao, S. Willemsen and S. Serafin, "Linearly-implicit schemes for
 * collisions in musical acoustics based on energy quadratisation", J. Acoust. Soc. Am. 149(5),
 * 3502-3516, 2021.
 *
 * With the penetration x⁺, x, x⁻ (m) at levels n + 1, n and n - 1, the spring stores ½ψ²,
 *     ½ψ² = K/(α + 1) [x]₊^(α + 1),   f = g (ψ⁻ + ¼ g dx) + r dx,   ψ⁺ = ψ⁻ + ½ g dx,   dx = x⁺ - x⁻
 * where g = dψ/dx at level n, and r = λ K x^α/2k is the loss of Hunt and Crossley, f = K x^α (1 + λ
 * dx/dt). Whatever the stiffness, each step has f dx/2 = Δ(½ψ²) + ½ r dx²: the contact stores and loses
 * energy and never creates any. No iteration depends on the state. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_CONTACT_H
#define AULA_SOLVER_SCHEMES_BODIES_CONTACT_H

#include <math.h>

#include "base/device.h"

struct contact {
    double stiffness; /* K, N/m^α, > 0 */
    double exponent;  /* α >= 1 */
    double loss;      /* λ, s/m, >= 0 */
};

/* The contact within one step: g, √J/m, and r, N/m. */
struct contact_slope {
    double of_potential, damping;
};

#define CONTACT_RELEASE_MAX 100.0 /* of g² G/4 */

/* now, before: x and x⁻, m. free: x̂, the next penetration without this force. gain: m by which 1 N reduces
 * it. *potential: ψ⁻, √J. A contact that has parted returns the rest of ψ, which rounding and the time
 * step leave, by the force that brings ψ to 0 within this step; if it hardly moves, that force would be
 * too large, so ψ is set to 0 and its energy, J, is added to *lost. */
ON_DEVICE struct contact_slope contact_slope(const struct contact *c, double now, double before, double free,
                                             double gain, double time_step, double *potential, double *lost)
{
    struct contact_slope s = {0.0, 0.0};
    if (now > 0.0) {
        const double g = sqrt(0.5 * c->stiffness * (c->exponent + 1.0)) * pow(now, 0.5 * (c->exponent - 1.0));
        s.of_potential = *potential < 0.0 ? -g : g;
        s.damping = 0.5 * c->loss * c->stiffness * pow(now, c->exponent) / time_step;
        return s;
    }
    if (*potential == 0.0)
        return s;
    const double g = -2.0 * *potential / (free - before);
    if (0.25 * g * g * gain <= CONTACT_RELEASE_MAX) {
        s.of_potential = g;
        return s;
    }
    *lost += 0.5 * *potential * *potential;
    *potential = 0.0;
    return s;
}

/* The duration, s, of the first contact of a free mass (kg) that hits something rigid at `speed` (m/s)
 * without loss. */
double contact_duration(const struct contact *c, double mass, double speed);

#endif

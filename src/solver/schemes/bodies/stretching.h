/* SPDX-License-Identifier: MIT */
/* The tension that a string or a drumhead gains while it is displaced, averaged over its length or area:
 * G. Kirchhoff, "Vorlesungen über mathematische Physik: Mechanik", 1876, lecture 29, and G. F. Carrier,
 * Quart. Appl. Math. 3, 157-165, 1945, for strings; H. M. Berger, J. Appl. Mech. 22, 465-472, 1955, for
 * surfaces.
 *
 * Stretching stores V = ½ψ², ψ = C w·Qw, where w·Qw = ∫|∇w|² and
 *     string  C = (EA/4L)^½         head  C = (E t/4(1 - ν²) area)^½
 * Between two steps ψ = C w⁺·Qw, whose change within a step is ½ g·(w⁺ - w⁻) with g = 2C Qw, exactly. The
 * force on the points is -g (ψ⁻ + ¼ g·(w⁺ - w⁻)), so that energy is conserved whatever the displacement:
 * S. Bilbao, M. Ducceschi and F. Zama, J. Comput. Phys. 472, 111697, 2023.
 *
 * The stretching of a plate (plate_stretching.h) varies along it and is no such square. Its g is ∇V/√(2V) at
 * level n, for which energy is conserved as well, but ψ would drift from √(2V). It is drawn back through g along
 * the last displacement d = w - w⁻, by a share γ of the error in each step (theory (68d) and (68e)):
 *     g += γ Δ d/(d·d + 16 c γ² Δ²),   Δ = √(2V) - ½ g·d - ψ⁻,   c = force_gain
 * ψ⁻ is compared with V half a step before level n, where it stands. The last term of the divisor bounds ¼ c g·g by
 * 1/256 for a plate nearly at rest, where the added part would otherwise reverse ψ. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_STRETCHING_H
#define AULA_SOLVER_SCHEMES_BODIES_STRETCHING_H

#include "base/device.h"
#include "solver/schemes/bodies/bodies.h"
#include "solver/schemes/bodies/plate_stretching.h"

#define STRETCHING_CONTROL 0.05 /* γ: a time constant of 20 steps */

struct stretching {
    size_t part;   /* of the body: its surface, or a line */
    double factor; /* C, √J/m; surface: C over force_gain and tension, as its stencils yield force_gain T Qw */
    double *slope; /* line: [modes] ∫φ'² dx, 1/m; 0 for modes that are left out. NULL: surface */
    struct plate_stretching *plate; /* surface at large amplitude, without a factor; NULL: none */
};

/* g at the points of the part, √J/m, for their displacements now and a step before and for ψ⁻. scratch:
 * [stretching_scratch(s)]. */
void stretching_slope(double *g, const struct body *body, const struct stretching *s, const double *now,
                      const double *before, double psi, double *scratch);
size_t stretching_scratch(const struct stretching *s);

/* Δ, √J, and the factor of d in g, from root = √(2V), slope = g·d before it is drawn, and square = d·d. */
struct drift_control {
    double error, pull;
};
ON_DEVICE struct drift_control drift_of(double root, double slope, double square, double psi, double gain)
{
    const double error = root - 0.5 * slope - psi, pull = STRETCHING_CONTROL * error;
    const double divisor = square + 16.0 * gain * pull * pull;
    const struct drift_control drift = {error, divisor > 0.0 ? pull / divisor : 0.0};
    return drift;
}

/* Turns the gradient of V of a plate into g, in place. Returns Δ, √J. */
double control_drift(double *gradient, size_t count, double potential, double psi, double gain, const double *now,
                     const double *before);

#endif

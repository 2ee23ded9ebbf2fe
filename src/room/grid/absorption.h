/* SPDX-License-Identifier: MIT */
/* Absorption of locally reacting walls, of real specific admittance g or of complex, frequency-dependent admittance. */
#ifndef AULA_ROOM_GRID_ABSORPTION_H
#define AULA_ROOM_GRID_ABSORPTION_H

#include <complex.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "room/grid/wall_discretization.h"

#define ABSORPTION_MAX 0.9512 /* largest possible at random incidence: real admittance g = 0.638 */

/* Random-incidence absorption of specific admittance g (Paris), theory (27): 8g [1 + g/(1+g) - 2g ln((1+g)/g)]. */
double random_incidence_absorption(double admittance);

/* The admittance below 0.638 with this absorption, clamped to the largest possible; 0 for 0: rigid. */
double admittance_of_absorption(double absorption);

/* Random-incidence absorption of a complex specific admittance Y = 1/ξ = g + ib: the mean of 1 - |R(θ)|², R = (ξ cos θ
 * - 1)/(ξ cos θ + 1), weighted with sin 2θ. Paris's formula continued to complex ξ = |z| e^{im}, theory (28):
 *     (8 cos m/|z|) [1 + (cos 2m/sin m)/|z| atan(|z| sin m/(1 + |z| cos m)) - (cos m/|z|) ln(1 + 2|z| cos m + |z|²)].
 * `slope` (may be NULL): the derivatives by g and b. 0 for g <= 0. */
double complex_incidence_absorption(double complex admittance, double slope[2]);

/* Angular frequency of the time scheme at `frequency`, Hz: 2 rate tan(π f/rate), the bilinear map; 2πf at rate 0, the
 * continuum. f < rate/2. */
double discrete_angular_frequency(double frequency, double rate);

/* Specific admittance of branches, theory (29), Σ 1/(jω D + E + F/(jω)), at angular frequency ω > 0 (rad/s). */
double complex branches_admittance(const struct branch *branches, size_t count, double angular_frequency);

/* What a wall is stepped with: a real specific admittance and branches in parallel. */
struct admittance {
    double real;
    const struct branch *branches;
    size_t branch_count;
};

/* Mean absorption at random incidence of the true wall that such a one is, over the octave around `centre`, Hz, uniform
 * in log frequency. NaN when the time steps do not carry all of it. */
double octave_mean_absorption(const struct admittance *y, double centre, const struct wall_discretization *clock);

#endif

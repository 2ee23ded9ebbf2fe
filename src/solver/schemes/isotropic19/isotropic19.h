/* SPDX-License-Identifier: MIT */
/* The isotropic 19-point scheme for the 3D wave equation: dispersion, the frequency map, and its
 * effect on walls.
 *
 * Points are the corners of air voxels. Inside the air, with S6 the sum over the six neighbours
 * along the axes and S12 that over the twelve neighbours along face diagonals, theory (12) and
 * (13),
 *
 *     p⁺ = W S6 + (W/2) S12 + (2 - 12 W) p - p⁻,   W = λ²/3 = 255/1024
 *
 * Stable for λ² <= 3/4. With W = 255/1024, all coefficients are exact in single precision. It is
 * the member a = 1/6, b = 0 of the compact 27-point family of Kowalczyk and van Walstijn, IEEE
 * TASLP 19(1), 34-46, 2011.
 *
 * Its error of phase velocity depends little on direction, so that a response can be corrected
 * after the run: at frequency f_n of the grid, the field solves the Helmholtz equation with
 * wavenumber κ/X, which belongs to the true frequency f = λ κ/(2π). Frequencies are normalized,
 * f/fs; κ is a wavenumber times the spacing X. */
#ifndef AULA_SOLVER_SCHEMES_ISOTROPIC19_ISOTROPIC19_H
#define AULA_SOLVER_SCHEMES_ISOTROPIC19_ISOTROPIC19_H

#include "solver/scheme.h"

#define ISOTROPIC19_W (255.0 / 1024.0)               /* W: exact in both precisions */
#define ISOTROPIC19_COURANT_SQUARED (765.0 / 1024.0) /* λ² = 3 W, just below the limit 3/4 */
#define ISOTROPIC19_POINTS_PER_WAVELENGTH 4.0        /* of the mapped scheme, at the upper end of its valid band */

/* κ at frequency f_n of the grid, theory (39) and (40): the harmonic mean of κ along an axis,
 * where waves are slowest, and κ along a body diagonal. NaN above the cut-off along an axis, f_n
 * = asin(λ)/π. */
double isotropic19_wavenumber(double grid_frequency);

/* True frequency of a component that the grid steps at f_n: λ κ/(2π). NaN likewise. */
double isotropic19_true_frequency(double grid_frequency);

/* The inverse: f_n of a true frequency >= 0, by Newton's method to full precision. NaN beyond
 * the image of the cut-off. */
double isotropic19_grid_frequency(double true_frequency);

/* Factor G that multiplies the spectrum at f_n, theory (41): (1/2κ) d(4Φ)/dκ, Φ = sin²(π
 * f_n)/λ²; 1 at f_n = 0. Without it, the field of a point source on the grid is too strong by
 * 1/G. */
double isotropic19_gain(double grid_frequency);

/* Group velocity over c of the mean κ at f_n, theory (42). Before the map, arrivals are later by
 * its inverse. */
double isotropic19_group_velocity(double grid_frequency);

/* γ(κ), theory (43): factor that lowers the admittance of a wall on the grid, so that its
 * absorption, averaged over angles of incidence, matches the continuum. On the grid, the normal
 * component of the wavenumber counts for less than cos θ. */
double isotropic19_wall_factor(double kappa);

/* sin²(π f_n) on the grid of a plane wave with the wavenumber kappa/X in a direction (unit vector),
 * theory (14): λ² [s1 + s2 + s3 - (2/3)(s1 s2 + s1 s3 + s2 s3)], s_i = sin²(κ_i/2). */
double isotropic19_sine_squared(double kappa, const double direction[3]);

/* κ of a plane wave in a direction (unit vector) at f_n. NaN above the cut-off in this direction. */
double isotropic19_wavenumber_along(double grid_frequency, const double direction[3]);

/* Highest normalised frequency, without the map, whose phase-velocity error stays within `dispersion` in every
 * direction: 0.176 for 2 %. */
double isotropic19_valid_frequency(double dispersion);

/* Largest error of phase velocity over directions that remains after the map at a true
 * frequency: 0.0043 at 4 points per wavelength. */
double isotropic19_mapped_dispersion(double true_frequency);

/* The 19-point scheme for engines. Its parameters are those of the leapfrog scheme, with
 * STENCIL_19_POINT. */

extern const struct scheme isotropic19_scheme;

#endif

/* SPDX-License-Identifier: MIT */
/* What a locally reacting wall makes of the spherical wave of an image source. */
#ifndef AULA_RENDER_HYBRID_WALL_FACTOR_H
#define AULA_RENDER_HYBRID_WALL_FACTOR_H

#include <complex.h>

/* Q, theory (78), by which a point source's wave e^{-jkr}/(4πr) is multiplied at a wall of specific admittance Y that
 * it meets at the angle θ from the normal, `cosine` = cos θ, on a way of r in all:
 *
 *     Q = R + (1 - R) F(w),  R = (cos θ - Y)/(cos θ + Y),  w = √(-jkr/2) (cos θ + Y),  F = 1 - j√π w W(-w),
 *
 * W Faddeeva's function: the solution of Weyl and van der Pol; Ingard 1951, "On the reflection of a spherical sound
 * wave from an infinite plane", J. Acoust. Soc. Am. 23, 329-335. For one wall exact but for O(1/kr); for several:
 * path_walls.h. e^{jωt}; Re Y >= 0, kr not 0, complex for a source whose strength grows or decays. 1 for Y = 0. */
double complex wall_factor(double complex admittance, double cosine, double complex kr);

/* The same from root = √(-jkr/2), and its derivative by the cosine, theory (79). */
double complex wall_factor_slope(double complex *slope, double complex admittance, double cosine, double complex root);

/* Faddeeva's function w(z) = e^{-z²} erfc(-jz). */

/* Relative error below 1e-13 for Im z >= 0; below, of w(z) = 2 e^{-z²} - w(-z), where the two terms do not cancel. */
double complex faddeeva(double complex z);

/* F = 1 + j√π z w(z), which falls as -1/(2z²): without cancellation for large |z|. */
double complex faddeeva_remainder(double complex z);

#endif

/* SPDX-License-Identifier: MIT */
/* Spherical-wave reflection factor of a locally reacting wall. */
#ifndef AULA_RENDER_HYBRID_WALL_FACTOR_H
#define AULA_RENDER_HYBRID_WALL_FACTOR_H

#include <complex.h>

/* Q, theory (78): the factor on a point source's wave e^{-jkr}/(4πr) at a wall of specific
 * admittance Y, met at the angle θ from the normal, `cosine` = cos θ, on a path of total length r:
 *
 *     Q = R + (1 - R) F(w),  R = (cos θ - Y)/(cos θ + Y),
 *     w = √(-jkr/2) (cos θ + Y),  F = 1 - j√π w W(-w),  W Faddeeva's function,
 *
 * the solution of Weyl and van der Pol; Ingard 1951, "On the reflection of a spherical sound wave
 * from an infinite plane", J. Acoust. Soc. Am. 23, 329-335. Exact up to terms of O(1/kr) for one wall; for
 * several see path_walls.h. e^{jωt}; Re Y >= 0; kr nonzero, complex for a source whose strength
 * grows or decays. 1 for Y = 0. */
double complex wall_factor(double complex admittance, double cosine, double complex kr);

/* The same from root = √(-jkr/2), and its derivative with respect to the cosine, theory (79). */
double complex wall_factor_slope(double complex *slope, double complex admittance, double cosine, double complex root);

/* Faddeeva's function w(z) = e^{-z²} erfc(-jz). */

/* Relative error below 1e-13 for Im z >= 0. For Im z < 0 it is 2 e^{-z²} - w(-z), with that error
 * unless the two terms cancel. */
double complex faddeeva(double complex z);

/* F = 1 + j√π z w(z), which decays as -1/(2z²); free of cancellation for large |z|. */
double complex faddeeva_remainder(double complex z);

#endif

/* SPDX-License-Identifier: MIT */
/* The exact field of one image source of a box with locally reacting walls: along each axis a
 * line of sources at complex positions. A reflection multiplies a plane wave by (s - kY)/(s +
 * kY), s = k cos θ. With the inverse Laplace transform g of Π ((s - kY)/(s + kY))^n, e^{-jsX}
 * becomes itself plus ∫ g(q) e^{-js(X - jq)} dq, and so does the spherical wave. The sum over
 * all images is the field of the box (lossy_field.h): `aula validate hybrid/oracle`. */
#ifndef AULA_VALIDATE_HYBRID_EXACT_IMAGE_H
#define AULA_VALIDATE_HYBRID_EXACT_IMAGE_H

#include <complex.h>

#include "render/hybrid/image_paths.h"

/* For a box whose material i is that of wall i. admittance [FACES]; 28 Gauss-Laguerre nodes for
 * each wall of the path, with q along a ray 30° above the real axis. Not valid if two walls
 * across an axis have nearly but not exactly the same admittance, or exactly along a wall. The
 * error is 3e-8 of the incident pressure 20 m away at a cosine of 0.05, and 4e-6 at 60 m and
 * 0.01; along the wall it is unbounded. */
double complex exact_image(const struct image_path *path, const double complex admittance[FACES], double complex k);

#endif

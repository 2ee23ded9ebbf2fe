/* SPDX-License-Identifier: MIT */
/* The exact field of one image source of a box whose walls react locally: along each axis a line of sources at complex
 * places. A reflection multiplies a plane wave by (s - kY)/(s + kY), s = k cos θ; with the inverse Laplace transform g
 * of Π ((s - kY)/(s + kY))^n, e^{-jsX} becomes itself plus ∫ g(q) e^{-js(X - jq)} dq, and so does the spherical wave.
 * Their sum over all images is the field of the box (lossy_field.h): `aula validate hybrid/oracle`. */
#ifndef AULA_VALIDATE_HYBRID_EXACT_IMAGE_H
#define AULA_VALIDATE_HYBRID_EXACT_IMAGE_H

#include <complex.h>

#include "render/hybrid/image_paths.h"

/* In a box whose material i is that of wall i. admittance [FACES]; 28 Gauss-Laguerre nodes for each wall of the way,
 * q along a ray 30° above the real axis.
 * Not where two walls across an axis have nearly but not quite the same admittance, nor exactly along a wall: 20 m away
 * at a cosine of 0.05 it errs by 3e-8 of the incident pressure, 60 m away at 0.01 by 4e-6, along the wall by anything. */
double complex exact_image(const struct image_path *path, const double complex admittance[FACES], double complex k);

#endif

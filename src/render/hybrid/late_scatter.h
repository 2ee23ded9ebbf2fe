/* SPDX-License-Identifier: MIT */
/* Directions of scattering at a face: Lambert's law, with some rays aimed where energy lasts
 * (ray_guiding.h). */
#ifndef AULA_RENDER_HYBRID_LATE_SCATTER_H
#define AULA_RENDER_HYBRID_LATE_SCATTER_H

#include "render/hybrid/ray_guiding.h"

/* Specular reflection at this normal. */
void late_mirror(double direction[3], const double normal[3]);

/* normal: of the face, towards the ray. aims, NULL: none; `turn` rotates its directions. Returns
 * the weight of the ray's energy, theory (87): Lambert's law over the density of the rays; 1
 * without aims, at most 1/(1 - aims->aimed). */
double late_scatter(double direction[3], const double normal[3], const struct ray_guiding *aims,
                    const double turn[3][3], struct random *r);

#endif

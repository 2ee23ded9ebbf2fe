/* SPDX-License-Identifier: MIT */
/* What the walls on a way make of the spherical wave of its image source. */
#ifndef AULA_RENDER_HYBRID_PATH_WALLS_H
#define AULA_RENDER_HYBRID_PATH_WALLS_H

#include <complex.h>

#include "render/hybrid/image_paths.h"

/* Product of the factors Q of all reflections, and what several of them make of a curved wave together,
 * theory (80):
 *
 *     Π Q + (j/kr) Σ_pairs (t · t') (dQ/d cos θ) (dQ'/d cos θ') Π_others Q,   t = n - (n · u) u,
 *
 * u the direction of arrival, n and n' normals in the space that is unfolded along the way. A wave of many directions,
 * multiplied by R(u), is e^{-jkr}/(4πr) [R + (j/2kr) ∇²R + ..] with the Laplacian over directions; that of a product
 * has 2 ∇R · ∇R' for each pair, and Q has the rest. `aula validate hybrid/factor` tells how good it is.
 *
 * admittance [path->wall_count], specific; kr not 0, complex for a source whose strength grows or decays. */
double complex path_walls_factor(const struct image_path *path, const double complex *admittance, double complex kr);

#endif

/* SPDX-License-Identifier: MIT */
/* Reflection factor of the walls on a path for the spherical wave of its image source. */
#ifndef AULA_RENDER_HYBRID_PATH_WALLS_H
#define AULA_RENDER_HYBRID_PATH_WALLS_H

#include <complex.h>

#include "geometry/rays/edges.h"
#include "geometry/rays/tree.h"
#include "render/hybrid/image_paths.h"
#include "render/hybrid/path_sound.h"

/* Product of the factors Q of all reflections and, because several walls act on a curved wave
 * jointly, theory (80):
 *
 *     Π Q + (j/kr) Σ_pairs (t · t') (dQ/d cos θ) (dQ'/d cos θ') Π_others Q,   t = n - (n · u) u,
 *
 * u the direction of arrival, n and n' normals in the space unfolded along the path. A wave of many
 * directions, multiplied by R(u), is e^{-jkr}/(4πr) [R + (j/2kr) ∇²R + ..] with the Laplacian over
 * directions; a product contributes 2 ∇R · ∇R' for each pair, and Q contains the rest. `aula
 * validate hybrid/factor` measures the accuracy.
 *
 * admittance [path->wall_count], specific; kr nonzero, complex for a source whose strength grows or
 * decays. */
double complex path_walls_factor(const struct image_path *path, const double complex *admittance, double complex kr);

/* Loss of a specular path to edges. */

/* Fills path->turned, the fraction of its energy that edges deflect by more than LATE_EDGE_KEPT: 1
 * minus the product of the chances (late_walls.h, theory (83)) that each edge deflects it by less.
 * It includes the edges that rays of the octave would meet along the path: within LATE_EDGE_REACH
 * wavelengths, the first LATE_EDGE_TURNS of each flight. Rays carry this fraction. flights: from
 * face to face, each with its length as reach, m. */
void path_edges_find(struct image_path *path, const struct ray_edges *edges, const struct ray *flights, size_t count,
                     double sound_speed);

/* Multiplies the spectrum of a path, from bin `first` on, by the square root of the remaining
 * fraction: at the centres of octaves, whose wavelengths rays use, interpolated over log frequency
 * between them, and 1 from an octave above LATE_EDGE_HIGHEST. */
void path_edges_multiply(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                         size_t first);

#endif

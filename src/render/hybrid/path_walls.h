/* SPDX-License-Identifier: MIT */
/* What the walls on a way make of the spherical wave of its image source. */
#ifndef AULA_RENDER_HYBRID_PATH_WALLS_H
#define AULA_RENDER_HYBRID_PATH_WALLS_H

#include <complex.h>

#include "geometry/rays/edges.h"
#include "geometry/rays/tree.h"
#include "render/hybrid/image_paths.h"
#include "render/hybrid/path_sound.h"

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

/* What edges leave of the sound of a way by mirrors. */

/* Fills path->turned: the part of its energy that edges turn by more than LATE_EDGE_KEPT, 1 less the product of the
 * chances (late_walls.h, theory (83)) that each edge turns it by less, over those that rays of the octave would meet
 * along the way: within LATE_EDGE_REACH wavelengths, the first LATE_EDGE_TURNS of each flight. Rays carry that part.
 * flights: from face to face, each as long as its reach, m. */
void path_edges_find(struct image_path *path, const struct ray_edges *edges, const struct ray *flights, size_t count,
                     double sound_speed);

/* Multiplies the spectrum of a way from a bin on by the root of the part that is left: of the centres of octaves, where
 * rays take their wavelengths, and between them straight over log frequency; one above LATE_EDGE_HIGHEST by an octave. */
void path_edges_multiply(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                         size_t first);

#endif

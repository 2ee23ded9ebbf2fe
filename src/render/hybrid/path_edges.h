/* SPDX-License-Identifier: MIT */
/* What edges leave of the sound of a way by mirrors. */
#ifndef AULA_RENDER_HYBRID_PATH_EDGES_H
#define AULA_RENDER_HYBRID_PATH_EDGES_H

#include "geometry/rays/edges.h"
#include "geometry/rays/tree.h"
#include "render/hybrid/path_sound.h"

/* Fills path->turned: the part of its energy that edges turn by more than LATE_EDGE_KEPT, 1 less the product of the
 * chances (late_edges.h, theory (83)) that each edge turns it by less, over those that rays of the octave would meet
 * along the way: within LATE_EDGE_REACH wavelengths, the first LATE_EDGE_TURNS of each flight. Rays carry that part.
 * flights: from face to face, each as long as its reach, m. */
void path_edges_find(struct image_path *path, const struct ray_edges *edges, const struct ray *flights, size_t count,
                     double sound_speed);

/* Multiplies the spectrum of a way from a bin on by the root of the part that is left: of the centres of octaves, where
 * rays take their wavelengths, and between them straight over log frequency; one above LATE_EDGE_HIGHEST by an octave. */
void path_edges_multiply(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                         size_t first);

#endif

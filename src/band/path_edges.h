/* SPDX-License-Identifier: MIT */
/* What edges leave of the sound of a way by mirrors. */
#ifndef AULA_BAND_PATH_EDGES_H
#define AULA_BAND_PATH_EDGES_H

#include "band/path_sound.h"

/* The part of the energy of a way that no edge turns by more than LATE_EDGE_KEPT: the product over the edges that it
 * passes within LATE_EDGE_REACH wavelengths of the chance of that (late_edges.h). Rays carry the rest. 1 above
 * LATE_EDGE_HIGHEST. */
double path_edges_share(const struct image_path *path, double frequency, double sound_speed);

/* Multiplies the spectrum of a way from a bin on by the root of that part: of the centres of octaves, where rays take their
 * wavelengths, and between them straight over log frequency. */
void path_edges_multiply(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                         size_t first);

#endif

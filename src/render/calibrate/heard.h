/* SPDX-License-Identifier: MIT */
/* Energies of a room as aula metrics finds them in its rendered response: image sources and rays behind the octave
 * filters of a measurement. */
#ifndef AULA_RENDER_CALIBRATE_HEARD_H
#define AULA_RENDER_CALIBRATE_HEARD_H

#include <stdbool.h>

#include "render/hybrid/late_tally.h"

/* Replaces the energies [receiver][bin][band] of rays by the means that an octave filter passes of the late sound: the
 * synthesis fades the amplitude of one band into the next (late_shape.h), and the filter has skirts. An octave of
 * 1.8 s between octaves of 1.2 s is heard with a T20 2 % shorter. among [bands]: bands that are
 * blended; in place of another neighbour, a band blends with itself. */
void heard_blend(struct late_histogram *h, const bool *among);

/* Adds the energy of a response at a position of the histogram: samples [frames] at `rate`, Hz, from the emission on, of
 * image sources with 1 Pa m. Paths that arrive together interfere, which rays do not know. ERROR_MEMORY,
 * ERROR_STOPPED. */
int heard_add(struct late_histogram *h, size_t place, const double *samples, size_t frames, double rate,
              struct error *e);

#endif

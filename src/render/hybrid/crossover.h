/* SPDX-License-Identifier: MIT */
/* How waves and rays are joined: filters of linear phase without delay, around 0.85 of the end of the waves' valid
 * band.
 *
 * With x from 0 at 0.7225 of that edge to π/2 at it, waves have, by theory (92), cos² x and image sources 1 - cos² x:
 * they are coherent with the waves, so pressures add to what each alone would be. Late rays have √(1 - cos⁴ x): they
 * are not coherent, and energies add. In the middle both would be 3 dB down with a pair of Linkwitz and Riley, and so
 * would what is incoherent. */
#ifndef AULA_RENDER_HYBRID_CROSSOVER_H
#define AULA_RENDER_HYBRID_CROSSOVER_H

#include <stddef.h>

#include "base/error.h"

#define CROSSOVER_LOW 0.7225 /* of the edge: waves alone below */
#define CROSSOVER_MIDDLE 0.85

enum crossover_part { CROSSOVER_WAVES, CROSSOVER_IMAGES, CROSSOVER_LATE };

/* The gain of a part at a frequency; edge and frequency in Hz. */
double crossover_gain(enum crossover_part part, double edge, double frequency);

/* In place: samples [channels][frames] at `rate`, Hz, times the gain of a part at every frequency. What would ring
 * before the first frame or after the last is cut off. ERROR_MEMORY, ERROR_STOPPED. */
int crossover_apply(enum crossover_part part, double edge, double *samples, size_t channels, size_t frames, double rate,
                    struct error *e);

#endif

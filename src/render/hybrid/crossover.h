/* SPDX-License-Identifier: MIT */
/* Joins wave solver, image sources and rays by zero-delay linear-phase filters around 0.85 of the
 * end of the wave solver's valid band.
 *
 * With x rising from 0 at 0.7225 of that edge to π/2 at the edge, theory (92), the wave solver has
 * the gain cos² x and image sources 1 - cos² x: both are coherent, and their pressures add up to
 * either one. Late rays have √(1 - cos⁴ x): they are incoherent, and energies add. The incoherent
 * sum of a Linkwitz-Riley pair would be 3 dB down at the crossover. */
#ifndef AULA_RENDER_HYBRID_CROSSOVER_H
#define AULA_RENDER_HYBRID_CROSSOVER_H

#include <stddef.h>

#include "base/error.h"

#define CROSSOVER_LOW 0.7225 /* of the edge; the wave solver is the only part below */
#define CROSSOVER_MIDDLE 0.85

enum crossover_part { CROSSOVER_WAVES, CROSSOVER_IMAGES, CROSSOVER_LATE };

/* Gain of a part at a frequency; edge and frequency in Hz. */
double crossover_gain(enum crossover_part part, double edge, double frequency);

/* Multiplies samples [channels][frames] at `rate`, Hz, in place by the gain of a part. Ringing
 * before the first frame or after the last is cut off. ERROR_MEMORY, ERROR_STOPPED. */
int crossover_apply(enum crossover_part part, double edge, double *samples, size_t channels, size_t frames, double rate,
                    struct error *e);

#endif

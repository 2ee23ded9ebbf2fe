/* SPDX-License-Identifier: MIT */
/* Level of the decay at the end of a response. */
#ifndef AULA_DSP_DECAY_LEVEL_H
#define AULA_DSP_DECAY_LEVEL_H

#include <stddef.h>

/* dB, at most 0: the energy after samples[0 .. frames - 1] over all energy, as the backward integral (Schroeder 1965)
 * has it at the end. The energy after the end is estimated from the last two eighths of samples[start ..], continued as
 * an exponential decay (exact for one), but at most as eight eighths like the last: 0 for what does not decay, the
 * level of the floor for noise. -INFINITY for silence, 0 with fewer than 16 samples after `start`, NaN with
 * fewer than 0. */
double decay_level(const double *samples, size_t frames, size_t start);

#endif

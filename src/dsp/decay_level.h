/* SPDX-License-Identifier: MIT */
/* Estimates how far a response has decayed when it ends. */
#ifndef AULA_DSP_DECAY_LEVEL_H
#define AULA_DSP_DECAY_LEVEL_H

#include <stddef.h>

/* dB, at most 0: the energy after samples[0 .. frames - 1] over all energy, as the backward integral (Schroeder 1965)
 * has it at the end. The energy after the end is extrapolated exponentially from the last two eighths of
 * samples[start ..], which is exact for an exponential decay, but never exceeds eight times the last eighth. A signal
 * that does not decay yields 0, and noise the level of its floor. -INFINITY for silence, 0 with fewer than 16 samples
 * after `start`, NaN if `start` lies beyond `frames`. */
double decay_level(const double *samples, size_t frames, size_t start);

#endif

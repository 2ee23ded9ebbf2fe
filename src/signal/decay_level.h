/* How far a response has decayed where it ends. */
#ifndef AULA_SIGNAL_DECAY_LEVEL_H
#define AULA_SIGNAL_DECAY_LEVEL_H

#include <stddef.h>

/* dB, not above 0: the energy that would follow samples[0 .. frames - 1], over all the energy, as the backward integral
 * (Schroeder 1965) has it at the end. What follows is not known: it is what the last eighth of samples[start ..] goes on
 * to if it decays as it has since the eighth before, which is exact for an exponential decay. Where that is more than
 * staying as it is for as long again, that: 0 for what does not decay at all, and the level of a floor of noise.
 * -INFINITY for silence; 0 where fewer than 16 samples follow `start`, NaN where `start` is not reached. */
double decay_level(const double *samples, size_t frames, size_t start);

#endif

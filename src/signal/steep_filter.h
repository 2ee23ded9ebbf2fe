/* SPDX-License-Identifier: MIT */
/* A high-pass steep enough to separate decay in a band from ringing below it. */
#ifndef AULA_SIGNAL_STEEP_FILTER_H
#define AULA_SIGNAL_STEEP_FILTER_H

#include <stddef.h>

/* In place, from rest: Butterworth of eighth order by the bilinear transform, -3 dB at `corner` Hz, 48 dB per octave
 * below; 0 < corner < rate/2. Its own ringing decays by 60 dB within 6 / corner seconds. */
void steep_high_pass(double *samples, size_t frames, double corner, double rate);

#endif

/* A high-pass steep enough to tell what rings below a band from what decays in it. */
#ifndef AULA_SIGNAL_STEEP_FILTER_H
#define AULA_SIGNAL_STEEP_FILTER_H

#include <stddef.h>

/* In place, from rest: Butterworth's of eighth order by the bilinear transform, -3 dB at `corner` Hz, 48 dB an octave
 * below; 0 < corner < rate/2. What it rings itself has fallen by 60 dB after 6 / corner seconds. */
void steep_high_pass(double *samples, size_t frames, double corner, double rate);

#endif

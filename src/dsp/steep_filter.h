/* SPDX-License-Identifier: MIT */
/* High-passes of Butterworth: one steep enough to separate decay in a band from ringing below it, and one that takes the
 * drift of rounding. */
#ifndef AULA_DSP_STEEP_FILTER_H
#define AULA_DSP_STEEP_FILTER_H

#include <stddef.h>

/* In place, from rest: Butterworth of eighth order by the bilinear transform, -3 dB at `corner` Hz, 48 dB per octave
 * below; 0 < corner < rate/2. Its own ringing decays by 60 dB within 6 / corner seconds. */
void steep_high_pass(double *samples, size_t frames, double corner, double rate);

/* In place, (1 - w) x + H(w x): Butterworth of second order, -3 dB at `corner` Hz, whose double zero at 0 Hz removes an
 * offset and a ramp, for what a raised cosine w fades in between samples fade[0] and fade[1]. Samples before keep their
 * bits. A filter that began at once would answer to the step with a slow sound of its own. */
void drift_high_pass(double *samples, size_t frames, const size_t fade[2], double corner, double rate);

#endif

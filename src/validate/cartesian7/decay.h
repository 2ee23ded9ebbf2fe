/* SPDX-License-Identifier: MIT */
/* Reverberation time from records of a room, octave by octave (ISO 3382-1). */
#ifndef AULA_VALIDATE_CARTESIAN7_DECAY_H
#define AULA_VALIDATE_CARTESIAN7_DECAY_H

#include <stddef.h>

#include "base/error.h"

struct decay {
    double time;        /* T30 in s: 60 dB along the straight line from -5 to -35 dB; NaN: not reached in the record */
    double correlation; /* of level and time over that range, 1: straight; NaN likewise */
};

/* Decay in the octave around `centre` (Hz) of records [channels][frames] of one event at sample rate `rate` (Hz).
 * Squares are summed over the channels, then integrated backwards (Schroeder). Offset and ramp are removed first; the
 * last tenth of the record is faded out and not used. A record that ends before -44 dB gives NaN. */
int decay_measure(struct decay *d, const double *records, size_t channels, size_t frames, double rate, double centre,
                  struct error *e);

/* Decay from the energy of each sample; `energy` becomes its backward integral. */
void decay_fit(struct decay *d, double *energy, size_t samples, double rate);

/* Gain of the octave filter: -3 dB at both edges of the octave, -48 dB at the centres of its
 * neighbours. Zero phase and smooth, so that it rings less than any decay measured here. */
double decay_octave_gain(double frequency, double centre);

#endif

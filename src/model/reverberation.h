/* How long a room is expected to reverberate, by the formulae of a diffuse field. */
#ifndef AULA_MODEL_REVERBERATION_H
#define AULA_MODEL_REVERBERATION_H

#include "model/model.h"

/* By octave, s: NaN beyond the valid band, INFINITY where nothing absorbs. */
struct reverberation {
    double sabine[OCTAVE_BANDS];
    double eyring[OCTAVE_BANDS];
    size_t longest;   /* the octave of the valid band in which Eyring's is longest */
    double schroeder; /* Hz, of Eyring's time in the octaves of 500 Hz and 1 kHz, or in the highest there is below */
};

/* With the volume V of the air that sources reach, the surface S = Σ S_i that shows to it, the absorption α_i as it is
 * fitted and m the energy that the air takes per metre (ISO 9613-1; 0 for lossless air), at sound speed c:
 *     Sabine  T = 24 ln 10 V / (c (Σ S_i α_i + 4 m V))                       (Kuttruff, Room Acoustics, 5.1)
 *     Eyring  T = 24 ln 10 V / (c (-S ln(1 - Σ S_i α_i / S) + 4 m V))
 * docs/reverberation.md says how far a box is from a diffuse field. */
void reverberation_estimate(struct reverberation *r, const struct model *m);

/* Above this frequency modes overlap so much that single ones do not stand out: 2000 sqrt(T/V) Hz, T in s, V in m³
 * (Schroeder 1962). NaN for NaN. */
double schroeder_frequency(double reverberation_time, double volume);

#endif

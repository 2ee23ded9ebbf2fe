/* SPDX-License-Identifier: MIT */
/* Estimates of reverberation time for a diffuse field. */
#ifndef AULA_ROOM_GRID_REVERBERATION_H
#define AULA_ROOM_GRID_REVERBERATION_H

#include "room/grid/model.h"

/* By octave, s: NaN beyond the valid band, INFINITY without absorption. */
struct reverberation {
    double sabine[OCTAVE_BANDS];
    double eyring[OCTAVE_BANDS];
    size_t longest;   /* the octave of the valid band with the largest Eyring time */
    double schroeder; /* Hz, of Eyring's time at 500 Hz and 1 kHz, or in the highest octave below */
};

/* With the volume V of the air that sources reach, its surface S = Σ S_i, the fitted absorption α_i, the energy
 * attenuation m of the air per metre (ISO 9613-1; 0 for lossless air) and sound speed c, theory (108):
 *     Sabine  T = 24 ln 10 V / (c (Σ S_i α_i + 4 m V))                       (Kuttruff, Room Acoustics, 5.1)
 *     Eyring  T = 24 ln 10 V / (c (-S ln(1 - Σ S_i α_i / S) + 4 m V))
 * docs/science/reverberation.md compares a box with a diffuse field. */
void reverberation_estimate(struct reverberation *r, const struct model *m);

/* Both, s, at a frequency where the walls absorb as much as `absorbing` m² that absorb everything. */
void reverberation_times(double *sabine, double *eyring, const struct model *m, double absorbing, double frequency);

/* Schroeder frequency, above which modes overlap: 2000 sqrt(T/V) Hz, T in s, V in m³ (Schroeder 1962). NaN for NaN. */
double schroeder_frequency(double reverberation_time, double volume);

#endif

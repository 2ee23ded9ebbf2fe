/* SPDX-License-Identifier: MIT */
/* Levels of third octaves, averaged over positions, and their trends below and above the
 * crossover. */
#ifndef AULA_VALIDATE_HYBRID_TREND_LEVELS_H
#define AULA_VALIDATE_HYBRID_TREND_LEVELS_H

#include <stddef.h>

#include "base/error.h"

/* Third octaves around 1000 Hz 2^(k/3) from a first k: six of the wave solver only, two or three
 * common ones, six of the rays only. */
enum { TREND_SIDE = 6, TREND_THIRDS_MAX = 2 * TREND_SIDE + 4 };
struct trend_thirds {
    int first, count; /* k of the first; total number */
};
struct trend_thirds trend_thirds_of(double edge);
double trend_centre(const struct trend_thirds *t, int third); /* Hz */

/* energy[count] += the energy in each third octave of samples[frames] at `rate` in Hz, over
 * `places`. ERROR_MEMORY. */
int trend_energies_add(double *energy, const struct trend_thirds *t, const double *samples, size_t frames, double rate,
                       double places, struct error *e);

/* Parameters of the standard error of the mean level of a third octave over sources and receivers
 * at random positions:
 *     σ = 4.34 dB √((1/S + 1/R) 19/(8 N) + 1/(S R (1 + B T/6.9))),
 * with N = 4π V f² B/c³ modes in the band, each excited by ψ² at the source with a relative
 * variance of (3/2)³ - 1 = 19/8, and likewise at the receiver; 6.9/(B T) is the relative variance
 * of the energy of noise in a band B that decays in T. */
struct trend_chance {
    double volume, reverberation, sound_speed; /* m³, s, m/s */
    size_t sources, receivers;
};

/* Straight lines of level over the logarithm of frequency through the six third octaves of each
 * half, weighted by their errors. */
struct trend_lines {
    double middle;   /* Hz: of the crossover, 0.85 times the edge */
    double level[2]; /* dB: of the lines of the wave solver and of the rays there */
    double slope[2]; /* dB/octave */
    double error;    /* dB: standard error of the step, level[1] - level[0]; see trend_error */
    double worst;    /* dB: largest deviation from both lines of a common third octave, or of an adjacent one */
};
void trend_lines_fit(struct trend_lines *lines, const double *energy, const struct trend_thirds *t, double edge,
                     const struct trend_chance *chance);

#endif

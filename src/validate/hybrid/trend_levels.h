/* SPDX-License-Identifier: MIT */
/* Levels of third octaves, means over places, and their trends below and above the crossover. */
#ifndef AULA_VALIDATE_HYBRID_TREND_LEVELS_H
#define AULA_VALIDATE_HYBRID_TREND_LEVELS_H

#include <stddef.h>

#include "base/error.h"

/* Third octaves around 1000 Hz 2^(k/3) from a first k on: six that waves alone have, two or three that both halves
 * share, six that rays alone have. */
enum { TREND_SIDE = 6, TREND_THIRDS_MAX = 2 * TREND_SIDE + 4 };
struct trend_thirds {
    int first, count; /* k of the first; of all */
};
struct trend_thirds trend_thirds_of(double edge);
double trend_centre(const struct trend_thirds *t, int third); /* Hz */

/* energy[count] += the energy in each third octave of samples[frames] at `rate`, Hz, over `places`. ERROR_MEMORY. */
int trend_energies_add(double *energy, const struct trend_thirds *t, const double *samples, size_t frames, double rate,
                       double places, struct error *e);

/* Of the mean level of a third octave over sources and receivers at random places, by which the standard error follows:
 *     σ = 4.34 dB √((1/S + 1/R) 19/(8 N) + 1/(S R (1 + B T/6.9))),
 * N = 4π V f² B/c³ modes in the band, each excited by ψ² at the source with a relative variance of (3/2)³ - 1 = 19/8,
 * and as heard at the receiver; 6.9/(B T) the relative variance of the energy of noise in a band B that decays in T. */
struct trend_chance {
    double volume, reverberation, sound_speed; /* m³, s, m/s */
    size_t sources, receivers;
};

/* Lines of level over the logarithm of frequency through the six third octaves of each half, weighted by their
 * errors. */
struct trend_lines {
    double middle;   /* Hz: of the crossover, 0.85 of the edge */
    double level[2]; /* dB: of waves' and of rays' line there */
    double slope[2]; /* dB/octave */
    double error;    /* dB: standard error of the step, level[1] - level[0], by trend_error */
    double worst;    /* dB: of a third octave that is joined, or next to one, from what both lines give there */
};
void trend_lines_fit(struct trend_lines *lines, const double *energy, const struct trend_thirds *t, double edge,
                     const struct trend_chance *chance);

#endif

/* SPDX-License-Identifier: MIT */
/* Transfer functions on lines in bands of a twelfth of an octave, and what seats hear of a sum of them. */
#ifndef AULA_DSP_PLACE_BANDS_H
#define AULA_DSP_PLACE_BANDS_H

#include <stddef.h>

#include "base/error.h"

enum { PLACE_LINES = 5 }; /* in each band */

/* Bands of base ten (IEC 61260-1) whose centres lie from `low` to `high`. */
struct place_bands {
    size_t count;
    double *centre;    /* [count], Hz, rising */
    double *frequency; /* [count][PLACE_LINES], Hz: evenly on the logarithmic axis of each band */
};

/* ERROR_USAGE if no centre lies there. Zero *bands first; free after failures too. */
int place_bands_make(struct place_bands *bands, double low, double high, struct error *e);
void place_bands_free(struct place_bands *bands);
/* Hz: upper edge of the highest band, and width of the lowest one. */
double place_bands_top(const struct place_bands *bands);
double place_bands_finest(const struct place_bands *bands);

/* re, im [count][PLACE_LINES]: H(f) = Σ_n h[n] exp(-2πj f n/rate), divided by the response of dsp/band_filter.h's
 * high_pass with this corner, Hz (0: none). */
void place_transform(double *re, double *im, const struct place_bands *bands, const double *h, size_t frames,
                     double rate, double corner);

/* Responses of all candidates at all seats. */
struct place_transfers {
    const struct place_bands *bands;
    size_t seats, candidates;
    const double *values; /* [candidate][re, im][seat][band][line] */
};
/* Lines of all seats: values of one part of one candidate. */
size_t place_transfers_lines(const struct place_transfers *t);

/* A sum of candidates as its seats hear it, all in dB. A level is that of |H|² averaged over the lines of a band. */
struct place_score {
    double spread; /* standard deviation of the levels over bands and seats: sqrt(mean (L - mean L)²) */
    double
        seats; /* standard deviation over the seats alone, root mean square over the bands: no equaliser changes it */
    double
        output; /* level of |H|² averaged over bands and seats, with the loudest candidate of the sum at a gain of 1 */
};

/* level [seats][bands]: receives the levels, dB. re, im: [seats][bands][lines]. */
void place_score_make(struct place_score *score, double *level, const struct place_transfers *t, const double *re,
                      const double *im);

#endif

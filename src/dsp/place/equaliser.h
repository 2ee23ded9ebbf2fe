/* SPDX-License-Identifier: MIT */
/* Peaking filters that flatten a level, and their text for Room EQ Wizard and Equalizer APO. */
#ifndef AULA_DSP_PLACE_EQUALISER_H
#define AULA_DSP_PLACE_EQUALISER_H

#include <stddef.h>

#include "base/error.h"

enum { EQUALISER_FILTERS_MAX = 10 };

/* H(s) = (s² + s A/Q + 1)/(s² + s/(A Q) + 1), A = 10^(gain/40), s in units of the centre: the peaking filter of R.
 * Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients", bilinear with the centre
 * prewarped. */
struct equaliser_filter {
    double frequency; /* Hz */
    double gain;      /* dB */
    double q;
};

struct equaliser {
    size_t count;
    struct equaliser_filter filter[EQUALISER_FILTERS_MAX]; /* by rising frequency */
    double target;                                         /* dB: the level that the filters aim at */
    double preamp; /* dB, not above 0: keeps the filters from a gain above 0 dB */
};

/* Hz: sampling rate of the filters. Those of other rates differ by less than 0.02 dB below 500 Hz. */
#define EQUALISER_RATE 48000.0

/* dB, at a frequency in Hz below half the rate. */
double equaliser_filter_gain(const struct equaliser_filter *f, double frequency, double rate);
double equaliser_gain(const struct equaliser *q, double frequency, double rate);

/* Fits up to `filters` peaking filters to level [count], dB, at centre [count], Hz, rising, 512 at
 * most. Cuts down to -15 dB, boosts up to `boost` dB. The target is the level that 40 % of the bands
 * do not reach; levels below it count a third, since narrow dips are cancellations, which no gain
 * fills. Values are rounded as the texts print them. */
void equaliser_fit(struct equaliser *q, const double *centre, const double *level, size_t count, size_t filters,
                   double boost);

enum equaliser_format { EQUALISER_REW, EQUALISER_APO };
/* The text of a file that the program reads, in fresh memory; NULL: out of memory. */
char *equaliser_text(const struct equaliser *q, enum equaliser_format format);

#endif

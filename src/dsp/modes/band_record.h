/* SPDX-License-Identifier: MIT */
/* One band of a record, shifted to 0 Hz and decimated. */
#ifndef AULA_DSP_MODES_BAND_RECORD_H
#define AULA_DSP_MODES_BAND_RECORD_H

#include <complex.h>
#include <stddef.h>

#include "base/error.h"

/* The filter of a band: a low-pass of linear phase, Kaiser window, BAND_RECORD_STOP down at `guard` beyond the edges of
 * the band, shifted to its centre, in series with (1 - z^{-q})², which is strongest at the centre and whose double zero
 * removes the offset and the ramp of a closed room. */
#define BAND_RECORD_STOP 180.0 /* dB */

struct band_filter {
    double complex *taps; /* [length] */
    size_t length;        /* samples at the rate of the record */
    size_t every;         /* samples of the record between two of the result */
    double centre;        /* rad a sample */
};

/* Frequencies over the rate of the record; 0 <= low < high, guard > 0. ERROR_MEMORY. */
int band_filter_make(struct band_filter *f, double low, double high, double guard, struct error *e);
void band_filter_free(struct band_filter *f); /* safe on a zeroed struct */

/* Samples of the result of a record; the first length - 1 samples of the record only fill the filter. */
size_t band_filter_frames(const struct band_filter *f, size_t frames);

/* out[band_filter_frames]: e^{-j centre n} Σ_k taps[k] record[n - k] at n = length - 1 + m every. */
void band_filter_run(double complex *out, const struct band_filter *f, const double *record, size_t frames);

/* What an exponential A e^{sn} of the record, s a sample, is in the result: (gain A) z^m. */
double complex band_filter_gain(const struct band_filter *f, double complex s);
double complex band_filter_pole(const struct band_filter *f, double complex s);     /* z of s */
double complex band_filter_exponent(const struct band_filter *f, double complex z); /* s of z */

#endif

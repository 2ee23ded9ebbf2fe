/* SPDX-License-Identifier: MIT */
/* Zero-phase octave bands of one record: no delay, and ringing symmetric in time.
 *
 * Bands are filtered before they are windowed. The other order (cut the record at 80 ms, filter both halves) keeps the
 * filter's smear out of the early energy, but the cut is a step whose spectrum falls so slowly that a band 20 dB weaker
 * than the one below it is measured wrong. A zero-phase filter smears as much energy forwards over the 80 ms as
 * backwards; the remaining error is second order (docs/guide/metrics.md). */
#ifndef AULA_DSP_MEASURE_OCTAVE_BANK_H
#define AULA_DSP_MEASURE_OCTAVE_BANK_H

#include <stdbool.h>
#include <stddef.h>

#include "dsp/fourier.h"

/* Gain at `frequency` of the band from low to high (Hz): -3 dB at both, -48 dB an octave beyond the middle of an octave
 * band, in the shape of IEC 61260 class 1, smooth so that it rings briefly. low 0, high INFINITY: no edge there. */
double band_gain(double frequency, double low, double high);

/* The gain of a band of `width` octaves: its skirts are steeper by 1/width. */
double narrow_band_gain(double frequency, double low, double high, double width);

struct band_edges {
    double low, high;
    double tilt;  /* Hz; where above 0, the gain is also multiplied by exp(-(f/tilt)^2) */
    double width; /* octaves, for the steepness of the skirts; 0 counts as 1 */
};

struct bank_filter {
    struct band_edges edges;
    double *gain; /* [fourier.length], in its order */
    double energy;
};

struct octave_bank {
    struct fourier fourier;
    double *spectrum_re, *spectrum_im; /* [fourier.length], in its order */
    double *work_re, *work_im;         /* [fourier.length] */
    struct bank_filter *filters;       /* [filter_count]: all that were used, or the last pair */
    size_t filter_count;
    bool kept;     /* set by the caller: all filters are, for other records */
    size_t lead;   /* samples before the record's first that a band's ringing may fill */
    size_t frames; /* of the record */
    double rate;
};

/* `reach`: s of pre-ringing of the longest band filter; 0.15 for the 63 Hz octave, otherwise 9.5 periods of the centre
 * divided by the width in octaves. The record is mirrored and faded at its end, because a step would ring in every
 * band. */
int octave_bank_open(struct octave_bank *b, const double *record, size_t frames, double rate, double reach,
                     struct error *e);
/* Another record of as many frames. */
int octave_bank_load(struct octave_bank *b, const double *record, struct error *e);
void octave_bank_close(struct octave_bank *b); /* NULL-safe */

/* Two bands at once; out[k]: [lead + frames], sample `lead` is the record's first; out[1] may be NULL. energy[k]: Σ h²
 * of the filter. Fails when a stop is requested, as octave_bank_open does. */
int octave_bank_pair(struct octave_bank *b, const struct band_edges edges[2], double *out[2], double energy[2],
                     struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Levels by time and frequency: short-time Fourier transform. */
#ifndef AULA_DSP_SPECTROGRAM_H
#define AULA_DSP_SPECTROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct spectrogram_settings {
    size_t columns, rows;
    double lowest, highest; /* Hz: lower edge of the last row, upper edge of row 0 */
    bool logarithmic;       /* rows are equal ratios, not equal numbers of Hz; needs lowest > 0 */
    double window;          /* s: minimum length of the Hann windows, rounded up to a power of two samples */
};

/* level[rows][columns] in dB: a steady sine of amplitude 1 has 0 dB in its row, within 0.1 dB. Row 0 is the highest.
 * Columns divide the signal's length evenly, windows are centred on them. A row takes its largest bin; a row between
 * two bins is interpolated in power. -INFINITY dB outside of the samples and above half the rate. ERROR_MEMORY. */
int spectrogram_make(double *level, const struct spectrogram_settings *settings, const double *samples, size_t frames,
                     double rate, struct error *e);

/* The largest level; -INFINITY for silence. */
double spectrogram_peak(const double *level, size_t count);

#endif

/* What a signal holds by time and frequency: levels of its short-time Fourier transform. */
#ifndef AULA_SIGNAL_SPECTROGRAM_H
#define AULA_SIGNAL_SPECTROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct spectrogram_settings {
    size_t columns, rows;
    double lowest, highest; /* Hz: lower edge of the last row, upper edge of row 0 */
    bool logarithmic;       /* rows are the same ratio high, not the same number of Hz; lowest > 0 then */
    double window;          /* s: of Hann windows, at least; they are as many samples long as the next power of two */
};

/* level[rows][columns] in dB: a steady sine of amplitude 1 has 0 dB in the row of its frequency, within 0.1 dB. Row 0 is the
 * highest. Windows lie around the middle of each column of time, the columns share the length of the signal evenly. Of
 * the bins in a row the largest counts, and a row between two bins lies on the line between their powers. What is
 * outside of the samples, and above half the rate, is silence: -INFINITY dB. ERROR_MEMORY. */
int spectrogram_make(double *level, const struct spectrogram_settings *settings, const double *samples, size_t frames,
                     double rate, struct error *e);

/* The largest of them; -INFINITY where all is silence. */
double spectrogram_peak(const double *level, size_t count);

#endif

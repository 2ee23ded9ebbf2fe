/* SPDX-License-Identifier: MIT */
#include "dsp/spectrogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/fourier.h"

/* Zero padding with which the bins next to a sine's frequency are within 0.1 dB of its level. */
enum { PADDING = 4, WINDOW_MIN = 16 };

struct window {
    struct fourier fourier;
    size_t length;
    double *weight;  /* [length] Hann's, scaled so that a sine of amplitude 1 has power 1 */
    double *re, *im; /* [fourier.length] */
    double *power;   /* [bins] */
    size_t bins;     /* up to half the rate */
};

static void window_free(struct window *w)
{
    fourier_free(&w->fourier);
    free(w->weight);
}

static int window_make(struct window *w, double min, struct error *e)
{
    memset(w, 0, sizeof *w);
    w->length = WINDOW_MIN;
    while ((double)w->length < min)
        w->length *= 2;
    const size_t transformed = PADDING * w->length;
    w->bins = transformed / 2 + 1;
    w->weight = malloc((w->length + 2 * transformed + w->bins) * sizeof *w->weight);
    if (!w->weight)
        return fail(e, ERROR_MEMORY, "out of memory");
    w->re = w->weight + w->length;
    w->im = w->re + transformed;
    w->power = w->im + transformed;
    for (size_t i = 0; i < w->length;
         i++) /* the weights of a Hann window sum to half its length; a sine has two sides */
        w->weight[i] = 4.0 / (double)w->length * (0.5 - 0.5 * cos(2.0 * M_PI * ((double)i + 0.5) / (double)w->length));
    return fourier_make(&w->fourier, transformed, e);
}

/* Power at the bins of the windowed samples around `middle`, in samples. */
static void window_power(struct window *w, const double *samples, size_t frames, double middle)
{
    const double first = floor(middle - 0.5 * (double)w->length);
    memset(w->re, 0, w->fourier.length * sizeof *w->re);
    memset(w->im, 0, w->fourier.length * sizeof *w->im);
    for (size_t i = 0; i < w->length; i++) {
        const double n = first + (double)i;
        if (n >= 0.0 && n < (double)frames)
            w->re[i] = w->weight[i] * samples[(size_t)n];
    }
    fourier_forward(&w->fourier, w->re, w->im);
    for (size_t k = 0; k < w->bins; k++) {
        const size_t at = fourier_index(&w->fourier, k);
        w->power[k] = w->re[at] * w->re[at] + w->im[at] * w->im[at];
    }
}

/* Power of a row: the largest bin within, or linear interpolation between the two bins around its middle. */
static double row_power(const double *power, size_t bins, double low, double high)
{
    double max = 0.0;
    const size_t first = (size_t)ceil(low);
    for (size_t k = first; k < bins && (double)k < high; k++)
        max = fmax(max, power[k]);
    if (first < bins && (double)first < high)
        return max;
    const double at = 0.5 * (low + high);
    const size_t k = (size_t)at;
    return k + 1 < bins ? power[k] + (at - (double)k) * (power[k + 1] - power[k]) : 0.0;
}

/* Hz: upper edge of a row; row `rows` gives `lowest`. */
static double upper_edge(const struct spectrogram_settings *s, size_t row)
{
    const double share = (double)(s->rows - row) / (double)s->rows;
    return s->logarithmic ? s->lowest * pow(s->highest / s->lowest, share)
                          : s->lowest + share * (s->highest - s->lowest);
}

int spectrogram_make(double *level, const struct spectrogram_settings *settings, const double *samples, size_t frames,
                     double rate, struct error *e)
{
    const struct spectrogram_settings *s = settings;
    struct window w;
    int status = window_make(&w, s->window * rate, e);
    for (size_t column = 0; !status && column < s->columns; column++) {
        if ((status = stop_check(e)) != 0)
            break;
        const double scale = (double)w.fourier.length / rate; /* bins per Hz */
        window_power(&w, samples, frames, ((double)column + 0.5) / (double)s->columns * (double)frames);
        for (size_t row = 0; row < s->rows; row++)
            level[row * s->columns + column] =
                10.0 * log10(row_power(w.power, w.bins, scale * upper_edge(s, row + 1), scale * upper_edge(s, row)));
    }
    window_free(&w);
    return status;
}

double spectrogram_peak(const double *level, size_t count)
{
    double max = -INFINITY;
    for (size_t i = 0; i < count; i++)
        max = fmax(max, level[i]);
    return max;
}

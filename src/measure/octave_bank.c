/* SPDX-License-Identifier: MIT */
#include "measure/octave_bank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"

/* 1 from half a width inside the edge on; `octaves` outwards from there. */
static double edge_gain(double octaves, double width)
{
    return octaves > 0.0 ? exp(-0.5 * M_LN2 * pow(2.0 * octaves / width, 4.0)) : 1.0;
}

double band_gain(double frequency, double low, double high)
{
    return narrow_band_gain(frequency, low, high, 1.0);
}

double narrow_band_gain(double frequency, double low, double high, double width)
{
    double gain = 1.0;
    if (low > 0.0)
        gain *= frequency > 0.0 ? edge_gain(log2(low / frequency) + 0.5 * width, width) : 0.0;
    if (isfinite(high))
        gain *= frequency > 0.0 ? edge_gain(log2(frequency / high) + 0.5 * width, width) : 1.0;
    return gain;
}

void octave_bank_close(struct octave_bank *b)
{
    if (!b)
        return;
    fourier_free(&b->fourier);
    free(b->spectrum_re);
    free(b->spectrum_im);
    free(b->work_re);
    free(b->work_im);
    memset(b, 0, sizeof *b);
}

static double *doubles(size_t count)
{
    return calloc(count, sizeof(double));
}

int octave_bank_open(struct octave_bank *b, const double *record, size_t frames, double rate, double reach,
                     struct error *e)
{
    size_t length = 2;
    memset(b, 0, sizeof *b);
    b->lead = (size_t)ceil(reach * rate);
    b->frames = frames;
    b->rate = rate;
    while (length < frames + 2 * b->lead)
        length *= 2;
    /* two tables of the transform, four arrays here, two bands of the caller */
    if (memory_demand((6.0 * (double)length + 2.0 * (double)(frames + b->lead)) * sizeof(double), e,
                      "the octave bands of %zu samples", frames) ||
        fourier_make(&b->fourier, length, e))
        return -1;
    b->spectrum_re = doubles(length);
    b->spectrum_im = doubles(length);
    b->work_re = doubles(length);
    b->work_im = doubles(length);
    if (!b->spectrum_re || !b->spectrum_im || !b->work_re || !b->work_im) {
        octave_bank_close(b);
        return fail(e, ERROR_MEMORY, "out of memory for the octave bands of %zu samples", frames);
    }
    memcpy(b->spectrum_re, record, frames * sizeof *record);
    for (size_t n = 0; n < b->lead && n < frames; n++)
        b->spectrum_re[frames + n] =
            record[frames - 1 - n] * (0.5 + 0.5 * cos(M_PI * (double)(n + 1) / (double)(b->lead + 1)));
    fourier_forward(&b->fourier, b->spectrum_re, b->spectrum_im);
    if (stop_check(e)) {
        octave_bank_close(b);
        return -1;
    }
    return 0;
}

/* Widths beyond an edge from which on edge_gain is 0: exp(-832) is below the least double. */
static const double silent = 3.0;

/* The bins from *first to *last: the gain of all others is exactly 0. */
static void find_support(size_t *first, size_t *last, const struct fourier *f, double rate,
                         const struct band_edges *edges, double width)
{
    const double bin = rate / (double)f->length, low = edges->low * exp2(-silent * width) / bin,
                 high = edges->high * exp2(silent * width) / bin, most = 0.5 * (double)f->length;
    *first = low > 0.0 ? (size_t)fmin(low, most) : 0;
    *last = high < most ? (size_t)ceil(high) : f->length / 2;
}

/* The spectrum times a gain, times i where `second`: the inverse transform has that band in its imaginary part. */
static void add_bin(struct octave_bank *b, size_t bin, double gain, bool second)
{
    const size_t i = fourier_index(&b->fourier, bin);
    const double re = b->spectrum_re[i] * gain, im = b->spectrum_im[i] * gain;
    b->work_re[i] += second ? -im : re;
    b->work_im[i] += second ? re : im;
}

/* Returns Σ h² = Σ |H|² / length (Parseval). */
static double add_band(struct octave_bank *b, const struct band_edges *edges, bool second)
{
    const double width = edges->width > 0.0 ? edges->width : 1.0, length = (double)b->fourier.length;
    size_t first, last;
    double energy = 0.0;
    find_support(&first, &last, &b->fourier, b->rate, edges, width);
    for (size_t bin = first; bin <= last && !stop_requested_at(bin); bin++) {
        const double frequency = b->rate * (double)bin / length;
        double gain = narrow_band_gain(frequency, edges->low, edges->high, width);
        if (edges->tilt > 0.0)
            gain *= exp(-pow(frequency / edges->tilt, 2.0));
        const bool once = bin == 0 || bin == b->fourier.length / 2;
        energy += (once ? 1.0 : 2.0) * gain * gain / length;
        gain /= length; /* the inverse transform does not divide */
        add_bin(b, bin, gain, second);
        if (!once)
            add_bin(b, b->fourier.length - bin, gain, second);
    }
    return energy;
}

/* A real, even gain keeps a real record real: one transform filters two bands, in its real and imaginary parts. */
int octave_bank_pair(struct octave_bank *b, const struct band_edges edges[2], double *out[2], double energy[2],
                     struct error *e)
{
    const size_t length = b->fourier.length, count = out[1] ? 2 : 1;
    memset(b->work_re, 0, length * sizeof *b->work_re);
    memset(b->work_im, 0, length * sizeof *b->work_im);
    for (size_t k = 0; k < count; k++)
        energy[k] = add_band(b, &edges[k], k == 1);
    fourier_inverse(&b->fourier, b->work_re, b->work_im);
    if (stop_check(e))
        return -1;
    for (size_t k = 0; k < count; k++) {
        const double *from = k ? b->work_im : b->work_re;
        memcpy(out[k], from + length - b->lead, b->lead * sizeof *from);
        memcpy(out[k] + b->lead, from, b->frames * sizeof *from);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "dsp/deconvolve.h"

#include <kiss_fftr.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double EDGE_OCTAVES = 1.0 / 6.0;

/* Floor of the band's weight below the band. A deeper edge would ring longer in minimum phase; this only admits what
 * lies 30 dB below the weakest part of the spectrum. */
static const double LOWER_FLOOR = 0.03;

/* Of the largest power in the band. An exponential sweep loses 3 dB per octave, 30 dB over ten, where the
 * regularisation changes the result by less than 1e-5; holes of a spectrum do not amplify noise. */
static const double REGULARISATION = 1e-9;

struct deconvolver {
    size_t frames, padded, bins;
    kiss_fftr_cfg forward, inverse;
    float *signal;                     /* [padded] */
    kiss_fft_cpx *spectrum;            /* [bins] */
    double *quotient_re, *quotient_im; /* [bins]: W conj(X)/(|X|^2 + regularisation)/padded */
};

static double band_weight(double frequency, double low, double high)
{
    if (!(frequency >= low && frequency <= high))
        return 0.0;
    double edge = fmin(EDGE_OCTAVES, 0.5 * log2(high / low));
    double inside = fmin(log2(frequency / low), log2(high / frequency));
    return inside < edge ? 0.5 * (1.0 - cos(PI * inside / edge)) : 1.0;
}

/* Exponent of the largest magnitude, by which samples are scaled to near 1 for single precision. */
static int exponent_of_peak(const double *samples, size_t count)
{
    double peak = 0.0;
    for (size_t n = 0; n < count; n++)
        peak = fmax(peak, fabs(samples[n]));
    int exponent = 0;
    if (peak > 0.0 && isfinite(peak))
        frexp(peak, &exponent);
    return exponent;
}

static int transform(struct deconvolver *d, const double *samples, size_t count)
{
    int exponent = exponent_of_peak(samples, count);
    for (size_t n = 0; n < count; n++)
        d->signal[n] = (float)ldexp(samples[n], -exponent);
    memset(d->signal + count, 0, (d->padded - count) * sizeof *d->signal);
    kiss_fftr(d->forward, d->signal, d->spectrum);
    return exponent;
}

/* quotient_im becomes the phase of the band edges, in radians; see deconvolver_open. */
static void set_phase(struct deconvolver *d, const struct emitted *x, double rate, const struct low_pass *causal)
{
    const double spacing = rate / (double)d->padded;
    memset(d->quotient_im, 0, d->bins * sizeof *d->quotient_im);
    if (!causal)
        return;
    memset(d->signal, 0, d->padded * sizeof *d->signal);
    d->signal[0] = causal->taps ? 0.0F : 1.0F;
    for (size_t n = 0; causal->taps && n <= 2 * causal->half; n++)
        d->signal[n % d->padded] += (float)causal->taps[n];
    kiss_fftr(d->forward, d->signal, d->spectrum);
    for (size_t k = 0; k < d->bins; k++) {
        const double kept = fmax(hypot((double)d->spectrum[k].r, (double)d->spectrum[k].i), LOW_PASS_FLOOR);
        const double frequency = spacing * (double)k, min = frequency < sqrt(x->low * x->high) ? LOWER_FLOOR : 0.0;
        const double weight = fmax(band_weight(frequency, x->low, x->high), min);
        d->spectrum[k] = (kiss_fft_cpx){(float)log(fmax(weight * kept, LOW_PASS_FLOOR) / kept), 0.0F};
    }
    kiss_fftri(d->inverse, d->spectrum, d->signal); /* the cepstrum, times padded */
    for (size_t n = 0; n < d->padded; n++) {
        const double side = n == 0 || 2 * n == d->padded ? 1.0 : 2 * n < d->padded ? 2.0 : 0.0;
        d->signal[n] *= (float)(side / (double)d->padded);
    }
    kiss_fftr(d->forward, d->signal, d->spectrum);
    for (size_t k = 0; k < d->bins; k++)
        d->quotient_im[k] = (double)d->spectrum[k].i;
}

static void set_quotient(struct deconvolver *d, const struct emitted *x, double rate, const struct low_pass *causal)
{
    set_phase(d, x, rate, causal);
    int exponent = transform(d, x->samples, x->length);
    double spacing = rate / (double)d->padded, largest = 0.0;
    for (size_t k = 0; k < d->bins; k++) {
        double re = (double)d->spectrum[k].r, im = (double)d->spectrum[k].i;
        if (band_weight(spacing * (double)k, x->low, x->high) > 0.0)
            largest = fmax(largest, re * re + im * im);
    }
    for (size_t k = 0; k < d->bins; k++) {
        double re = (double)d->spectrum[k].r, im = (double)d->spectrum[k].i;
        double weight = band_weight(spacing * (double)k, x->low, x->high);
        double divisor = (re * re + im * im + REGULARISATION * largest) * (double)d->padded;
        /* the gain is part of X and stays in the response; 0 gives silence, not 0/0 */
        double factor = weight > 0.0 && divisor > 0.0 ? x->gain * ldexp(weight / divisor, -exponent) : 0.0;
        const double c = cos(d->quotient_im[k]), s = sin(d->quotient_im[k]); /* 1 and 0 without a phase */
        d->quotient_re[k] = factor * (re * c + im * s);
        d->quotient_im[k] = factor * (re * s - im * c);
    }
}

/* Bytes per sample of the padded length: signal 4, spectrum 4, quotient 8, and in each of KissFFT's two plans twiddles
 * 4, buffer 4, super-twiddles 2. */
uint64_t deconvolver_bytes(size_t frames, size_t length)
{
    return 36 * ((uint64_t)frames + length);
}

int deconvolver_open(struct deconvolver **result, const struct emitted *x, size_t frames, double rate,
                     const struct low_pass *causal, struct error *e)
{
    *result = NULL;
    struct deconvolver *d = calloc(1, sizeof *d);
    if (!d)
        return fail(e, ERROR_MEMORY, "out of memory");
    /* Room for recording and sweep: samples before t = 0 wrap to the end, behind the response. */
    if (frames > INT_MAX / 4 || x->length > INT_MAX / 4) {
        fail(e, ERROR_INPUT, "sweep and response together, %zu samples, are too long; shorten one of them", frames);
        goto fail;
    }
    d->frames = frames;
    d->padded = (size_t)kiss_fftr_next_fast_size_real((int)(frames + x->length + (causal ? 2 * causal->half : 0)));
    d->bins = d->padded / 2 + 1;
    d->forward = kiss_fftr_alloc((int)d->padded, 0, NULL, NULL);
    d->inverse = kiss_fftr_alloc((int)d->padded, 1, NULL, NULL);
    d->signal = malloc(d->padded * sizeof *d->signal);
    d->spectrum = malloc(d->bins * sizeof *d->spectrum);
    d->quotient_re = malloc(d->bins * sizeof *d->quotient_re);
    d->quotient_im = malloc(d->bins * sizeof *d->quotient_im);
    if (!d->forward || !d->inverse || !d->signal || !d->spectrum || !d->quotient_re || !d->quotient_im) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    set_quotient(d, x, rate, causal);
    *result = d;
    return 0;
fail:
    deconvolver_close(d);
    return -1;
}

void deconvolver_close(struct deconvolver *d)
{
    if (!d)
        return;
    kiss_fftr_free(d->forward);
    kiss_fftr_free(d->inverse);
    free(d->signal);
    free(d->spectrum);
    free(d->quotient_re);
    free(d->quotient_im);
    free(d);
}

void deconvolver_run(struct deconvolver *d, const double *recording, double *out, size_t lead, size_t out_frames,
                     size_t late)
{
    int exponent = transform(d, recording, d->frames);
    double largest = 0.0;
    for (size_t k = 0; k < d->bins; k++)
        largest = fmax(largest, hypot(d->quotient_re[k], d->quotient_im[k]));
    int quotient_exponent = 0;
    if (largest > 0.0)
        frexp(largest, &quotient_exponent);
    for (size_t k = 0; k < d->bins; k++) {
        double re = (double)d->spectrum[k].r, im = (double)d->spectrum[k].i;
        double qr = ldexp(d->quotient_re[k], -quotient_exponent), qi = ldexp(d->quotient_im[k], -quotient_exponent);
        d->spectrum[k].r = (float)(re * qr - im * qi);
        d->spectrum[k].i = (float)(re * qi + im * qr);
    }
    kiss_fftri(d->inverse, d->spectrum, d->signal);
    for (size_t n = 0; n < lead + out_frames; n++) {
        const size_t from = (d->padded + late + n - lead) % d->padded;
        out[n] = ldexp((double)d->signal[from], exponent + quotient_exponent);
    }
}

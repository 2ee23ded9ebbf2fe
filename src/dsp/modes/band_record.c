/* SPDX-License-Identifier: MIT */
#include "dsp/modes/band_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* I0(x), by its power series. */
static double bessel(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > 1e-18 * sum; k++) {
        term *= (0.5 * x / k) * (0.5 * x / k);
        sum += term;
    }
    return sum;
}

/* Kaiser's design (Oppenheim and Schafer, Discrete-Time Signal Processing, 7.6): β = 0.1102 (A - 8.7), and length
 * (A - 7.95)/(2.285 Δω) + 1. */
static void kaiser(double *taps, size_t length, double cut)
{
    const double shape = 0.1102 * (BAND_RECORD_STOP - 8.7), middle = 0.5 * (double)(length - 1);
    for (size_t n = 0; n < length; n++) {
        const double t = (double)n - middle, u = t / fmax(middle, 1.0);
        const double sinc = fabs(t) < 1e-9 ? 2.0 * cut : sin(2.0 * M_PI * cut * t) / (M_PI * t);
        taps[n] = sinc * bessel(shape * sqrt(fmax(0.0, 1.0 - u * u))) / bessel(shape);
    }
}

int band_filter_make(struct band_filter *f, double low, double high, double guard, struct error *e)
{
    const double centre = 0.5 * (low + high), half = 0.5 * (high - low);
    const size_t lag = (size_t)fmax(1.0, floor(0.5 / centre));
    const size_t length = 1 + (size_t)ceil((BAND_RECORD_STOP - 7.95) / (2.285 * 2.0 * M_PI * guard));
    memset(f, 0, sizeof *f);
    double *taps = malloc(length * sizeof *taps);
    f->length = length + 2 * lag;
    f->taps = calloc(f->length, sizeof *f->taps);
    f->centre = 2.0 * M_PI * centre;
    f->every = (size_t)fmax(1.0, floor(1.0 / (2.0 * (half + guard))));
    if (!taps || !f->taps) {
        free(taps);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    kaiser(taps, length, half + 0.5 * guard);
    for (size_t n = 0; n < length; n++) {
        const double complex tap = taps[n] * cexp(I * (f->centre * (double)n));
        f->taps[n] += tap;
        f->taps[n + lag] -= 2.0 * tap;
        f->taps[n + 2 * lag] += tap;
    }
    free(taps);
    return 0;
}

void band_filter_free(struct band_filter *f)
{
    free(f->taps);
    memset(f, 0, sizeof *f);
}

size_t band_filter_frames(const struct band_filter *f, size_t frames)
{
    return frames < f->length ? 0 : 1 + (frames - f->length) / f->every;
}

void band_filter_run(double complex *out, const struct band_filter *f, const double *record, size_t frames)
{
    const size_t count = band_filter_frames(f, frames);
    for (size_t m = 0; m < count; m++) {
        const size_t n = f->length - 1 + m * f->every;
        double re = 0.0, im = 0.0;
        for (size_t k = 0; k < f->length; k++) {
            re += creal(f->taps[k]) * record[n - k];
            im += cimag(f->taps[k]) * record[n - k];
        }
        out[m] = (re + I * im) * cexp(-I * (f->centre * (double)n));
    }
}

double complex band_filter_gain(const struct band_filter *f, double complex s)
{
    double complex sum = 0.0;
    for (size_t k = 0; k < f->length; k++)
        sum += f->taps[k] * cexp(-s * (double)k);
    return sum * cexp((s - I * f->centre) * (double)(f->length - 1));
}

double complex band_filter_pole(const struct band_filter *f, double complex s)
{
    return cexp((s - I * f->centre) * (double)f->every);
}

double complex band_filter_exponent(const struct band_filter *f, double complex z)
{
    return clog(z) / (double)f->every + I * f->centre;
}

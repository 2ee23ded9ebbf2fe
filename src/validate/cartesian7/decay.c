/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/decay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/band_filter.h"
#include "dsp/fourier.h"
#include "dsp/measure/octave_bank.h"

static const double offset_corner = 10.0; /* Hz: an offset falls by 60 dB within a tenth of a second */
static const double filter_reach = 0.25;  /* s: longer than the ringing of the filter of the lowest octave */

double decay_octave_gain(double frequency, double centre)
{
    return band_gain(frequency, centre / M_SQRT2, centre * M_SQRT2);
}

static double *octave_gains(const struct fourier *f, double rate, double centre)
{
    double *gains = malloc(f->length * sizeof *gains);
    for (size_t bin = 0; gains && bin < f->length; bin++) {
        const size_t turns = bin <= f->length / 2 ? bin : f->length - bin;
        const double frequency = rate * (double)turns / (double)f->length;
        gains[fourier_index(f, bin)] = decay_octave_gain(frequency, centre) / (double)f->length;
    }
    return gains;
}

/* Removes offset and ramp, which the room keeps, and fades out the end. */
static void prepare(double *samples, const double *record, size_t frames, size_t used, double rate)
{
    memcpy(samples, record, frames * sizeof *samples);
    high_pass(samples, frames, offset_corner, rate);
    for (size_t n = used; n < frames; n++)
        samples[n] *= 0.5 + 0.5 * cos(M_PI * (double)(n - used) / (double)(frames - used));
}

/* energy[n] += square of the filtered record, n < used. */
static void add_squares(const struct fourier *f, const double *gains, double *re, double *im, double *energy,
                        size_t used)
{
    fourier_forward(f, re, im);
    for (size_t i = 0; i < f->length; i++) {
        re[i] *= gains[i];
        im[i] *= gains[i];
    }
    fourier_inverse(f, re, im);
    for (size_t n = 0; n < used; n++)
        energy[n] += re[n] * re[n];
}

void decay_fit(struct decay *d, double *energy, size_t samples, double rate)
{
    double count = 0.0, t = 0.0, l = 0.0, tt = 0.0, tl = 0.0, ll = 0.0, last = 0.0;
    *d = (struct decay){NAN, NAN};
    for (size_t n = samples; n-- > 1;)
        energy[n - 1] += energy[n];
    for (size_t n = 0; n < samples; n++) {
        const double time = (double)n / rate, level = 10.0 * log10(energy[n] / energy[0]);
        if (!(level <= -5.0 && level >= -35.0))
            continue;
        count += 1.0;
        t += time;
        l += level;
        tt += time * time;
        tl += time * level;
        ll += level * level;
        last = (double)n;
    }
    const double times = tt - t * t / count, levels = ll - l * l / count, both = tl - t * l / count;
    /* truncation bends the line: by at most 0.6 dB where -35 dB is reached this early */
    if (!(count >= 8.0 && both < 0.0 && last <= 0.8 * (double)samples))
        return;
    d->time = -60.0 * times / both;
    d->correlation = -both / sqrt(times * levels);
}

int decay_measure(struct decay *d, const double *records, size_t channels, size_t frames, double rate, double centre,
                  struct error *e)
{
    const size_t used = frames - frames / 10;
    struct fourier f;
    size_t length = 2;
    *d = (struct decay){NAN, NAN};
    while ((double)length < (double)frames + filter_reach * rate)
        length *= 2;
    if (fourier_make(&f, length, e))
        return -1;
    double *gains = octave_gains(&f, rate, centre), *re = malloc(length * sizeof *re),
           *im = malloc(length * sizeof *im);
    double *energy = calloc(used + 1, sizeof *energy);
    const int status = gains && re && im && energy ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < channels && !status; c++) {
        memset(re, 0, length * sizeof *re);
        memset(im, 0, length * sizeof *im);
        prepare(re, records + c * frames, frames, used, rate);
        add_squares(&f, gains, re, im, energy, used);
    }
    if (!status)
        decay_fit(d, energy, used, rate);
    free(gains);
    free(re);
    free(im);
    free(energy);
    fourier_free(&f);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "render/hybrid/crossover.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/stop.h"
#include "dsp/fourier.h"

double crossover_gain(enum crossover_part part, double edge, double frequency)
{
    const double place = (frequency / edge - CROSSOVER_LOW) / (1.0 - CROSSOVER_LOW);
    const double cosine = cos(0.5 * M_PI * fmin(fmax(place, 0.0), 1.0)), waves = place >= 1.0 ? 0.0 : cosine * cosine;
    switch (part) {
    case CROSSOVER_WAVES:
        return waves;
    case CROSSOVER_IMAGES:
        return 1.0 - waves;
    default:
        return sqrt(fmax(1.0 - waves * waves, 0.0));
    }
}

/* The impulse response of the gain has fallen by 100 dB after this many periods of the edge. */
static const double REACH = 60.0;

/* A transform of the samples, and the gain of each bin. */
struct filtering {
    struct fourier tables;
    struct real_fourier transform;
    double *gain; /* [length/2 + 1] */
};

/* Filters one channel. False: out of memory. */
static bool filter(const struct filtering *f, double *samples, size_t frames)
{
    const size_t length = f->transform.length;
    double *re = calloc(length / 2, sizeof *re), *im = calloc(length / 2, sizeof *im);
    double(*spectrum)[2] = malloc((length / 2 + 1) * sizeof *spectrum);
    const bool made = re && im && spectrum;
    if (made) {
        for (size_t i = 0; i < frames; i++)
            (i % 2 ? im : re)[i / 2] = samples[i];
        real_fourier_forward(&f->transform, re, im);
        for (size_t k = 0; k <= length / 2; k++) {
            real_fourier_bin(&f->transform, re, im, k, spectrum[k]);
            spectrum[k][0] *= f->gain[k];
            spectrum[k][1] *= f->gain[k];
        }
        real_fourier_inverse(&f->transform, (const double(*)[2])spectrum, re, im);
        for (size_t i = 0; i < frames; i++)
            samples[i] = (i % 2 ? im : re)[i / 2] / (double)length;
    }
    free(re);
    free(im);
    free(spectrum);
    return made;
}

static int filter_channels(const struct filtering *f, double *samples, size_t channels, size_t frames, struct error *e)
{
    int failures = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : failures)
    for (size_t c = 0; c < channels; c++)
        if (!stop_requested() && !filter(f, samples + c * frames, frames))
            failures++;
    return failures ? fail(e, ERROR_MEMORY, "out of memory") : stop_check(e);
}

int crossover_apply(enum crossover_part part, double edge, double *samples, size_t channels, size_t frames, double rate,
                    struct error *e)
{
    size_t length = 64;
    while ((double)length < (double)frames + REACH * rate / edge)
        length *= 2;
    struct filtering f = {.gain = malloc((length / 2 + 1) * sizeof *f.gain)};
    int status = f.gain ? fourier_make(&f.tables, length, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        f.transform = real_fourier_of(&f.tables, length);
        for (size_t k = 0; k <= length / 2; k++)
            f.gain[k] = crossover_gain(part, edge, (double)k * rate / (double)length);
        status = filter_channels(&f, samples, channels, frames, e);
    }
    fourier_free(&f.tables);
    free(f.gain);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "render/hybrid/crossover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

struct filtering {
    struct fourier tables;
    struct real_fourier transform;
    double *re, *im;       /* [length/2] */
    double (*spectrum)[2]; /* [length/2 + 1] */
};

static void filter(struct filtering *f, double *samples, size_t frames, const double *gain)
{
    const size_t length = f->transform.length;
    memset(f->re, 0, length / 2 * sizeof *f->re);
    memset(f->im, 0, length / 2 * sizeof *f->im);
    for (size_t i = 0; i < frames; i++)
        (i % 2 ? f->im : f->re)[i / 2] = samples[i];
    real_fourier_forward(&f->transform, f->re, f->im);
    for (size_t k = 0; k <= length / 2; k++) {
        real_fourier_bin(&f->transform, f->re, f->im, k, f->spectrum[k]);
        f->spectrum[k][0] *= gain[k];
        f->spectrum[k][1] *= gain[k];
    }
    real_fourier_inverse(&f->transform, (const double(*)[2])f->spectrum, f->re, f->im);
    for (size_t i = 0; i < frames; i++)
        samples[i] = (i % 2 ? f->im : f->re)[i / 2] / (double)length;
}

int crossover_apply(enum crossover_part part, double edge, double *samples, size_t channels, size_t frames, double rate,
                    struct error *e)
{
    struct filtering f = {.re = NULL};
    size_t length = 64;
    while ((double)length < (double)frames + REACH * rate / edge)
        length *= 2;
    double *gain = malloc((length / 2 + 1) * sizeof *gain);
    f.re = malloc(length / 2 * sizeof *f.re);
    f.im = malloc(length / 2 * sizeof *f.im);
    f.spectrum = malloc((length / 2 + 1) * sizeof *f.spectrum);
    int status = gain && f.re && f.im && f.spectrum ? fourier_make(&f.tables, length, e)
                                                    : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        f.transform = real_fourier_of(&f.tables, length);
        for (size_t k = 0; k <= length / 2; k++)
            gain[k] = crossover_gain(part, edge, (double)k * rate / (double)length);
    }
    for (size_t c = 0; c < channels && !status; c++) {
        filter(&f, samples + c * frames, frames, gain);
        status = stop_check(e);
    }
    fourier_free(&f.tables);
    free(gain);
    free(f.re);
    free(f.im);
    free(f.spectrum);
    return status;
}

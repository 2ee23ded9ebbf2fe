/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/trend_levels.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/nan_max.h"
#include "dsp/fourier.h"
#include "render/hybrid/crossover.h"

static const double pi = 3.14159265358979323846;
static const double sixth = 1.12246204830937298; /* an edge of a third octave over its centre */

struct trend_thirds trend_thirds_of(double edge)
{
    const double slack = 1e-6;
    const int last_low = (int)floor(3.0 * log2(CROSSOVER_LOW * edge / sixth / 1000.0) + slack);
    const int first_high = (int)ceil(3.0 * log2(edge * sixth / 1000.0) - slack);
    return (struct trend_thirds){last_low - TREND_SIDE + 1, first_high - last_low - 1 + 2 * TREND_SIDE};
}

double trend_centre(const struct trend_thirds *t, int third)
{
    return 1000.0 * exp2((t->first + third) / 3.0);
}

int trend_energies_add(double *energy, const struct trend_thirds *t, const double *samples, size_t frames, double rate,
                       double places, struct error *e)
{
    size_t length = 4;
    while (length < 2 * frames)
        length *= 2;
    struct fourier tables = {.length = 0};
    double *re = calloc(length / 2, sizeof *re), *im = calloc(length / 2, sizeof *im);
    int status = re && im ? fourier_make(&tables, length, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        const struct real_fourier f = real_fourier_of(&tables, length);
        for (size_t n = 0; n < frames; n++)
            (n % 2 ? im : re)[n / 2] = samples[n];
        real_fourier_forward(&f, re, im);
        for (int third = 0; third < t->count; third++) {
            const double bin = rate / (double)length, centre = trend_centre(t, third);
            const size_t from = (size_t)ceil(centre / sixth / bin), to = (size_t)ceil(centre * sixth / bin);
            for (size_t i = from; i < to; i++) {
                double value[2];
                real_fourier_bin(&f, re, im, i, value);
                energy[third] += (value[0] * value[0] + value[1] * value[1]) / ((double)(to - from) * places);
            }
        }
    }
    fourier_free(&tables);
    free(re);
    free(im);
    return status;
}

static double trend_error(const struct trend_chance *c, double frequency)
{
    const double width = frequency * (sixth - 1.0 / sixth), sources = (double)c->sources,
                 receivers = (double)c->receivers;
    const double modes = 4.0 * pi * c->volume * frequency * frequency * width / pow(c->sound_speed, 3.0);
    const double place = (1.0 / sources + 1.0 / receivers) * 19.0 / 8.0 / modes;
    const double noise = 1.0 / (sources * receivers * (1.0 + width * c->reverberation / 6.9));
    return 10.0 / log(10.0) * sqrt(place + noise);
}

/* One side: level and slope at the middle, and the variance of that level. */
static void fit_side(double *level, double *slope, double *variance, const double *energy, const struct trend_thirds *t,
                     int first, double middle, const struct trend_chance *chance)
{
    double x[TREND_SIDE], y[TREND_SIDE], w[TREND_SIDE], sw = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < TREND_SIDE; i++) {
        const double centre = trend_centre(t, first + i);
        x[i] = log2(centre / middle);
        y[i] = 10.0 * log10(energy[first + i]);
        w[i] = pow(trend_error(chance, centre), -2.0);
        sw += w[i];
        sx += w[i] * x[i];
        sy += w[i] * y[i];
        sxx += w[i] * x[i] * x[i];
        sxy += w[i] * x[i] * y[i];
    }
    const double determinant = sw * sxx - sx * sx;
    *level = (sxx * sy - sx * sxy) / determinant;
    *slope = (sw * sxy - sx * sy) / determinant;
    *variance = sxx / determinant; /* at x = 0, for levels with the variances 1/w */
}

void trend_lines_fit(struct trend_lines *lines, const double *energy, const struct trend_thirds *t, double edge,
                     const struct trend_chance *chance)
{
    double variance[2];
    *lines = (struct trend_lines){.middle = CROSSOVER_MIDDLE * edge};
    for (int side = 0; side < 2; side++)
        fit_side(&lines->level[side], &lines->slope[side], &variance[side], energy, t, side ? t->count - TREND_SIDE : 0,
                 lines->middle, chance);
    lines->error = sqrt(variance[0] + variance[1]);
    for (int third = TREND_SIDE - 1; third <= t->count - TREND_SIDE; third++) {
        const double centre = trend_centre(t, third), x = log2(centre / lines->middle);
        const double waves = pow(crossover_gain(CROSSOVER_WAVES, edge, centre), 2.0);
        const double expected = waves * pow(10.0, 0.1 * (lines->level[0] + lines->slope[0] * x)) +
                                (1.0 - waves) * pow(10.0, 0.1 * (lines->level[1] + lines->slope[1] * x));
        lines->worst = nan_max(lines->worst, fabs(10.0 * log10(energy[third] / expected)));
    }
}

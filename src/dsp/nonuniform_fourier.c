/* SPDX-License-Identifier: MIT */
#include "dsp/nonuniform_fourier.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

static const double PI = 3.14159265358979323846;

/* The kernel is tabulated over the fraction of a bin, a row for each of FRACTIONS + 3 fractions from -1/FRACTIONS on,
 * and interpolated by cubics: errors of 1e-10. */
enum { WIDTH = 8, HALF = WIDTH / 2, FRACTIONS = 256 };

/* I0(sqrt(q)), which continues to J0 below 0. */
static double bessel_i0_of_square(double q)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; fabs(term) > 1e-18 * fabs(sum) && k < 200; k++) {
        term *= 0.25 * q / ((double)k * (double)k);
        sum += term;
    }
    return sum;
}

size_t nonuniform_fourier_length(size_t samples)
{
    size_t length = 64;
    while (length < 2 * samples)
        length *= 2;
    return length;
}

/* Beatty et al., equation 5, for this oversampling. */
static double shape_of(size_t samples, size_t length)
{
    const double over = (double)length / (double)samples, width = WIDTH / over * (over - 0.5);
    return PI * sqrt(width * width - 0.8);
}

/* The kernel's transform at `turns` over a bin, at most 1/4: WIDTH sinh(z)/z, z² = β² - (π WIDTH turns)² > 0. */
static double kernel_transform(double turns, double shape)
{
    const double argument = PI * WIDTH * turns, z = sqrt(shape * shape - argument * argument);
    return WIDTH * sinh(z) / z;
}

void nonuniform_fourier_free(struct nonuniform_fourier *t)
{
    if (!t)
        return;
    free(t->weights);
    free(t->kernel);
    free(t->spectrum);
    memset(t, 0, sizeof *t);
}

int nonuniform_fourier_make(struct nonuniform_fourier *t, size_t samples, double highest, const struct fourier *tables,
                            struct error *e)
{
    const size_t length = nonuniform_fourier_length(samples);
    const double shape = shape_of(samples, length), norm = bessel_i0_of_square(shape * shape);
    memset(t, 0, sizeof *t);
    t->samples = samples;
    t->bins = (size_t)ceil(highest * (double)length) + 1;
    t->fft = real_fourier_of(tables, length);
    t->weights = malloc((samples + 1) * sizeof *t->weights);
    t->kernel = malloc((FRACTIONS + 3) * WIDTH * sizeof *t->kernel);
    t->spectrum = malloc((t->bins + 2 * WIDTH) * sizeof *t->spectrum);
    if (!t->weights || !t->kernel || !t->spectrum) {
        nonuniform_fourier_free(t);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t n = 0; n < samples && !stop_requested_at(n); n++) {
        const double time = (double)n - (double)(samples / 2);
        t->weights[n] = norm / kernel_transform(time / (double)length, shape);
    }
    for (int row = 0; row < FRACTIONS + 3; row++)
        for (int i = 0; i < WIDTH; i++) {
            /* I0(β sqrt(1 - u²))/I0(β), u = 2/WIDTH times the distance in bins */
            const double fraction = (double)(row - 1) / FRACTIONS, u = 2.0 * (fraction + HALF - 1 - i) / WIDTH;
            t->kernel[row * WIDTH + i] = bessel_i0_of_square(shape * shape * (1.0 - u * u)) / norm;
        }
    return 0;
}

int nonuniform_fourier_take(struct nonuniform_fourier *t, const double *samples, double *re, double *im,
                            struct error *e)
{
    const size_t length = t->fft.length, half = length / 2, centre = t->samples / 2;
    memset(re, 0, half * sizeof *re);
    memset(im, 0, half * sizeof *im);
    for (size_t n = 0; n < t->samples; n++) {
        const size_t at = n >= centre ? n - centre : length + n - centre;
        (at % 2 ? im : re)[at / 2] = samples[n] * t->weights[n];
    }
    real_fourier_forward(&t->fft, re, im);
    for (size_t i = 0; i < t->bins + 2 * WIDTH && !stop_requested_at(i); i++) {
        const bool negative = i < WIDTH;
        const size_t bin = negative ? WIDTH - i : i - WIDTH, mirrored = bin > half ? length - bin : bin;
        real_fourier_bin(&t->fft, re, im, mirrored, t->spectrum[i]);
        if (negative != (bin > half))
            t->spectrum[i][1] = -t->spectrum[i][1];
    }
    return stop_check(e);
}

void nonuniform_fourier_at(const struct nonuniform_fourier *t, double frequency, double value[2])
{
    const double x = frequency * (double)t->fft.length, bin = floor(x);
    const double position = (x - bin) * FRACTIONS, row = fmin(floor(position), FRACTIONS - 1), u = position - row;
    const double cubic[4] = {-u * (u - 1.0) * (u - 2.0) / 6.0, 0.5 * (u + 1.0) * (u - 1.0) * (u - 2.0),
                             -0.5 * (u + 1.0) * u * (u - 2.0), (u + 1.0) * u * (u - 1.0) / 6.0};
    const double *rows = t->kernel + (size_t)row * WIDTH;
    const double(*spectrum)[2] = (const double(*)[2])t->spectrum + (size_t)bin + (WIDTH - HALF + 1);
    double sum_re = 0.0, sum_im = 0.0;
    for (int i = 0; i < WIDTH; i++) {
        const double weight = cubic[0] * rows[i] + cubic[1] * rows[WIDTH + i] + cubic[2] * rows[2 * WIDTH + i] +
                              cubic[3] * rows[3 * WIDTH + i];
        sum_re += weight * spectrum[i][0];
        sum_im += weight * spectrum[i][1];
    }
    value[0] = sum_re;
    value[1] = sum_im;
}

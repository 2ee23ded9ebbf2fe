/* SPDX-License-Identifier: MIT */
#include "validate/bodies/partial.h"

#include <complex.h>
#include <math.h>

struct frame {
    const double *samples;
    size_t length;
    double rate;
};

/* Spectrum at a frequency under the four-term Blackman-Harris window. */
static double complex at_frequency(const struct frame *f, double frequency)
{
    const double angle = 2.0 * M_PI * frequency / f->rate, turn = 2.0 * M_PI / (double)f->length;
    const double complex step = cexp(-I * angle), window_step = cexp(I * turn);
    double complex phase = 1.0, window_phase = cexp(I * 0.5 * turn), sum = 0.0;
    for (size_t n = 0; n < f->length; n++) {
        if (n % 1024 == 0) { /* products drift, so that angles are recomputed */
            phase = cexp(-I * angle * (double)n);
            window_phase = cexp(I * turn * ((double)n + 0.5));
        }
        const double c = creal(window_phase); /* cos 2x = 2c² - 1, cos 3x = 4c³ - 3c */
        const double w = 0.35875 - 0.48829 * c + 0.14128 * (2.0 * c * c - 1.0) - 0.01168 * (4.0 * c * c - 3.0) * c;
        sum += w * f->samples[n] * phase;
        phase *= step;
        window_phase *= window_step;
    }
    return sum;
}

struct partial partial_find(const double *samples, size_t count, double rate, double low, double high)
{
    const size_t length = count * 3 / 5, hop = count - length;
    const struct frame first = {samples, length, rate}, second = {samples + hop, length, rate};
    const double interval = (double)hop / rate;
    double frequency = low, max = -1.0;
    struct partial p = {NAN, NAN};
    for (double f = low; f <= high; f += 0.5 * rate / (double)length) {
        const double level = cabs(at_frequency(&first, f));
        if (!isfinite(level))
            return p;
        if (level > max) {
            max = level;
            frequency = f;
        }
    }
    for (int i = 0; i < 4; i++) {
        const double complex between = at_frequency(&second, frequency) / at_frequency(&first, frequency);
        frequency += carg(between * cexp(-2.0 * M_PI * I * frequency * interval)) / (2.0 * M_PI * interval);
        p = (struct partial){frequency, -log(cabs(between)) / interval};
    }
    return p;
}

void partial_brighten(double *samples, size_t count)
{
    for (size_t n = count; n-- > 0;)
        samples[n] = n >= 2 ? samples[n] - 2.0 * samples[n - 1] + samples[n - 2] : 0.0;
}

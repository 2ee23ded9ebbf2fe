/* SPDX-License-Identifier: MIT */
/* Spectra of records at single frequencies, and pulses for excitation. */
#ifndef AULA_VALIDATE_CARTESIAN7_SPECTRUM_H
#define AULA_VALIDATE_CARTESIAN7_SPECTRUM_H

#include <complex.h>
#include <math.h>
#include <stddef.h>

/* Σ x[n] e^{-i 2π f n}, f in cycles per sample. */
static inline double complex spectrum_at(const double *x, size_t count, double frequency)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += x[n] * cexp(-I * (2.0 * M_PI * frequency * (double)n));
    return sum;
}

/* exp(-t²/2σ²), or its derivative (zero mean), centred at 8σ; sigma in samples. */
static inline void spectrum_pulse(double *x, size_t count, double sigma, int derivative)
{
    for (size_t n = 0; n < count; n++) {
        double t = ((double)n - 8.0 * sigma) / sigma;
        x[n] = (derivative ? -t : 1.0) * exp(-0.5 * t * t);
    }
    if (derivative) { /* the remainder of the mean, due to sampling */
        double sum = 0.0;
        size_t used = (size_t)(16.0 * sigma) + 1 < count ? (size_t)(16.0 * sigma) + 1 : count;
        for (size_t n = 0; n < count; n++)
            sum += x[n];
        for (size_t n = 0; n < used; n++)
            x[n] -= sum / (double)used;
    }
}

#endif

/* SPDX-License-Identifier: MIT */
#include "dsp/minimum_phase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void minimum_phase(const struct fourier *f, double *re, double *im)
{
    const size_t length = f->length;
    const double scale = 1.0 / (double)length;
    memset(im, 0, length * sizeof *im);
    fourier_inverse(f, re, im);
    re[0] *= scale;
    re[length / 2] *= scale;
    for (size_t n = 1; n < length / 2; n++)
        re[n] *= 2.0 * scale;
    memset(re + length / 2 + 1, 0, (length / 2 - 1) * sizeof *re);
    memset(im, 0, length * sizeof *im);
    fourier_forward(f, re, im);
}

/* A² + floor² is a positive sum of 4 half + 1 cosines, so its factor has 2 half + 1 taps (Fejér-Riesz) and nothing is
 * truncated. With a floor of a fifth of the stop band's ripple the zeros lie about 0.2/half off the unit circle, and a
 * cepstrum that wraps after 128 half has an error of e^{-13}. */
enum { LENGTHS = 128 };

static size_t transform_length(size_t half)
{
    size_t length = 2;
    while (length < LENGTHS * half)
        length *= 2;
    return length;
}

int minimum_phase_taps(double *taps, size_t half, double floor, struct error *e)
{
    struct fourier f;
    const size_t length = transform_length(half);
    if (fourier_make(&f, length, e))
        return -1;
    double *re = calloc(2 * length, sizeof *re), *im = re ? re + length : NULL;
    if (!re) {
        fourier_free(&f);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k <= 2 * half; k++)
        re[(k + length - half) % length] = taps[k];
    fourier_forward(&f, re, im);
    for (size_t i = 0; i < length; i++)
        re[i] = log(hypot(re[i], floor));
    minimum_phase(&f, re, im);
    for (size_t i = 0; i < length; i++) {
        const double magnitude = exp(re[i]) / (double)length, phase = im[i];
        re[i] = magnitude * cos(phase);
        im[i] = magnitude * sin(phase);
    }
    fourier_inverse(&f, re, im);
    memcpy(taps, re, (2 * half + 1) * sizeof *taps);
    free(re);
    fourier_free(&f);
    return 0;
}

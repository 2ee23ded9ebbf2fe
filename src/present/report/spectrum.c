/* SPDX-License-Identifier: MIT */
#include "present/report/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/fourier.h"

enum { LONGEST = 1 << 22 }; /* frames of a response that are transformed */

static size_t power_of_two(double min)
{
    size_t length = 16;
    while ((double)length < min)
        length *= 2;
    return length;
}

void spectrum_free(struct spectrum *s)
{
    if (!s)
        return;
    free(s->power);
    memset(s, 0, sizeof *s);
}

int spectrum_make(struct spectrum *s, const double *samples, size_t frames, double rate, struct error *e)
{
    struct fourier f = {0};
    memset(s, 0, sizeof *s);
    if (frames > LONGEST)
        frames = LONGEST;
    const size_t length = power_of_two(2.0 * (double)frames);
    double *re = calloc(length, sizeof *re), *im = calloc(length, sizeof *im);
    s->count = length / 2 + 1;
    s->step = rate / (double)length;
    s->power = malloc(s->count * sizeof *s->power);
    int status = re && im && s->power ? fourier_make(&f, length, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        memcpy(re, samples, frames * sizeof *re);
        fourier_forward(&f, re, im);
        for (size_t k = 0; k < s->count && !stop_requested_at(k); k++) {
            const size_t at = fourier_index(&f, k);
            s->power[k] = re[at] * re[at] + im[at] * im[at];
        }
        status = stop_check(e);
    }
    if (status)
        spectrum_free(s);
    fourier_free(&f);
    free(re);
    free(im);
    return status;
}

double spectrum_smooth(const struct spectrum *s, double f, double part)
{
    const double edge = exp2(0.5 * part);
    double sum = 0.0, number = 0.0;
    const size_t first = (size_t)ceil(f / edge / s->step);
    for (size_t k = first; k < s->count && (double)k * s->step <= f * edge; k++) {
        sum += s->power[k];
        number += 1.0;
    }
    return sum / number;
}

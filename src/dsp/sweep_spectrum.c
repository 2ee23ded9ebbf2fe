/* SPDX-License-Identifier: MIT */
#include "dsp/sweep_spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/fourier.h"

size_t sweep_transform_length(size_t frames)
{
    size_t length = 4;
    while (length < frames)
        length *= 2;
    return length;
}

void sweep_spectrum_free(struct sweep_spectrum *s)
{
    if (s)
        free(s->bins);
}

int sweep_spectrum_make(struct sweep_spectrum *s, const double *samples, size_t frames, size_t length, struct error *e)
{
    struct fourier tables = {0};
    double *re = NULL, *im = NULL;
    *s = (struct sweep_spectrum){.length = sweep_transform_length(length)};
    const size_t half = s->length / 2;
    int status = -1;
    if (memory_demand(32.0 * (double)s->length, e, "spectra of %zu samples", s->length) ||
        fourier_make(&tables, s->length, e))
        return -1;
    re = calloc(half, sizeof *re);
    im = calloc(half, sizeof *im);
    s->bins = malloc((half + 1) * sizeof *s->bins);
    if (!re || !im || !s->bins) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto done;
    }
    for (size_t n = 0; n < frames; n++)
        (n % 2 ? im : re)[n / 2] = samples[n];
    const struct real_fourier f = real_fourier_of(&tables, s->length);
    real_fourier_forward(&f, re, im);
    for (size_t b = 0; b <= half && !stop_requested_at(b); b++)
        real_fourier_bin(&f, re, im, b, s->bins[b]);
    status = stop_check(e);
done:
    free(re);
    free(im);
    fourier_free(&tables);
    if (status) {
        sweep_spectrum_free(s);
        s->bins = NULL;
    }
    return status;
}

double sweep_spectrum_energy(const struct sweep_spectrum *s, double from, double to)
{
    const size_t half = s->length / 2;
    const double n = (double)s->length;
    double energy = 0.0;
    for (size_t b = (size_t)fmax(ceil(from * n), 0.0); b <= half && (double)b < to * n; b++)
        energy += (b == 0 || b == half ? 1.0 : 2.0) * (s->bins[b][0] * s->bins[b][0] + s->bins[b][1] * s->bins[b][1]);
    return energy / n;
}

/* SPDX-License-Identifier: MIT */
#include "render/preview/rate_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/band_filter.h"

int decimator_make(struct decimator *d, size_t every, size_t block, struct band band, struct error *e)
{
    struct low_pass f;
    memset(d, 0, sizeof *d);
    if (low_pass_between(&f, band.pass, band.stop, e))
        return -1;
    *d = (struct decimator){.taps = f.taps, .half = f.half, .every = every, .block = block};
    d->in = calloc(2 * d->half + block, sizeof *d->in);
    if (d->in)
        return 0;
    decimator_free(d);
    return fail(e, ERROR_MEMORY, "out of memory");
}

void decimator_free(struct decimator *d)
{
    free(d->taps);
    free(d->in);
    memset(d, 0, sizeof *d);
}

void decimator_run(struct decimator *d, const float *in, double *out)
{
    const size_t past = 2 * d->half;
    for (size_t n = 0; n < d->block; n++)
        d->in[past + n] = fabs((double)in[n]) <= 1e20 ? (double)in[n] : 0.0;
    for (size_t n = 0; n < d->block; n += d->every) {
        double sum = 0.0;
        for (size_t k = 0; k <= past; k++) /* the taps are symmetric, so no reversal */
            sum += d->taps[k] * d->in[n + k];
        out[n / d->every] = sum;
    }
    memmove(d->in, d->in + d->block, past * sizeof *d->in);
}

int interpolator_make(struct interpolator *i, size_t every, size_t steps, size_t channels, struct band band,
                      struct error *e)
{
    struct low_pass f;
    memset(i, 0, sizeof *i);
    if (low_pass_between(&f, band.pass, band.stop, e))
        return -1;
    *i = (struct interpolator){.half = f.half, .every = every, .steps = steps, .channels = channels};
    i->reach = 2 * i->half / every + 1;
    i->taps = calloc(every * i->reach, sizeof *i->taps);
    i->in = calloc(channels * (i->reach - 1 + steps), sizeof *i->in);
    if (!i->taps || !i->in) {
        low_pass_free(&f);
        interpolator_free(i);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k <= 2 * i->half; k++) /* M makes up for the zeros */
        i->taps[k % every * i->reach + i->reach - 1 - k / every] = (double)every * f.taps[k];
    low_pass_free(&f);
    return 0;
}

void interpolator_free(struct interpolator *i)
{
    free(i->taps);
    free(i->in);
    memset(i, 0, sizeof *i);
}

void interpolator_run(struct interpolator *i, const double *in, float *const *out)
{
    const size_t past = i->reach - 1;
    for (size_t c = 0; c < i->channels; c++) {
        double *samples = i->in + c * (past + i->steps);
        memcpy(samples + past, in + c * i->steps, i->steps * sizeof *samples);
        for (size_t n = 0; n < i->steps * i->every; n++) {
            const double *from = samples + n / i->every, *tap = i->taps + n % i->every * i->reach;
            double sum = 0.0;
            for (size_t k = 0; k < i->reach; k++)
                sum += tap[k] * from[k];
            out[c][n] = (float)sum;
        }
        memmove(samples, samples + i->steps, past * sizeof *samples);
    }
}

/* SPDX-License-Identifier: MIT */
#include "render/play/upsampler.h"

#include <stdlib.h>
#include <string.h>

#include "dsp/band_filter.h"

static const double pass = 0.45, stop = 0.55; /* of the input's rate */

int upsampler_make(struct upsampler *u, size_t factor, size_t block, struct error *e)
{
    struct low_pass f = {.taps = NULL};
    *u = (struct upsampler){.factor = factor};
    if (factor > 1 && low_pass_between(&f, pass / (double)factor, stop / (double)factor, e))
        return -1;
    u->delay = f.half;
    u->before = (2 * f.half + factor - 1) / factor;
    u->taps = calloc(factor * (u->before + 1), sizeof *u->taps);
    u->recent = calloc(u->before + block, sizeof *u->recent);
    if (!u->taps || !u->recent) {
        low_pass_free(&f);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k <= 2 * f.half; k++)
        u->taps[(k % factor) * (u->before + 1) + u->before - k / factor] = f.taps ? (double)factor * f.taps[k] : 1.0;
    low_pass_free(&f);
    return 0;
}

void upsampler_free(struct upsampler *u)
{
    free(u->taps);
    free(u->recent);
}

void upsampler_run(struct upsampler *u, const double *in, size_t frames, double *out)
{
    const size_t taps = u->before + 1;
    memcpy(u->recent + u->before, in, frames * sizeof *in);
    for (size_t n = 0; n < frames; n++)
        for (size_t phase = 0; phase < u->factor; phase++) {
            double sum = 0.0;
            for (size_t k = 0; k < taps; k++)
                sum += u->taps[phase * taps + k] * u->recent[n + k];
            out[n * u->factor + phase] = sum;
        }
    memmove(u->recent, u->recent + frames, u->before * sizeof *u->recent);
}

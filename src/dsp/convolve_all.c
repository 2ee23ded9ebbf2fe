/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/convolve.h"

enum { BLOCK_MIN = 256, BLOCK_MAX = 8192 }; /* range in which transforms and products cost about the same */

struct whole {
    struct convolver *convolver;
    size_t inputs, outputs, frames, out_frames, block;
    int exponent;     /* of the input, which is scaled to near 1 */
    float *samples;   /* [inputs + outputs][block] */
    float **channels; /* [inputs + outputs] */
};

static size_t choose_block(size_t taps)
{
    size_t block = BLOCK_MIN;
    while (block < taps && block < BLOCK_MAX)
        block *= 2;
    return block;
}

static int find_exponent(int *exponent, const double *in, size_t count, struct error *e)
{
    double peak = 0.0;
    for (size_t n = 0; n < count; n++) {
        if (stop_requested_at(n))
            return stop_check(e);
        if (!isfinite(in[n]))
            return fail(e, ERROR_FAILED, "cannot convolve: a sample is not a finite number");
        peak = fmax(peak, fabs(in[n]));
    }
    *exponent = 0;
    if (peak > 0.0)
        frexp(peak, exponent);
    *exponent = *exponent < -1000 ? -1000 : *exponent > 1000 ? 1000 : *exponent; /* both scales stay in range */
    return 0;
}

static int run_blocks(const struct whole *w, const double *in, double *out, struct error *e)
{
    const double scale = ldexp(1.0, -w->exponent), unscale = ldexp(1.0, w->exponent);
    for (size_t start = 0; start < w->out_frames; start += w->block) {
        if (stop_requested())
            return stop_check(e);
        const size_t left = w->out_frames - start, count = left < w->block ? left : w->block;
        for (size_t i = 0; i < w->inputs; i++)
            for (size_t n = 0; n < w->block; n++)
                w->channels[i][n] = start + n < w->frames ? (float)(scale * in[i * w->frames + start + n]) : 0.0f;
        convolver_run(w->convolver, (const float *const *)w->channels, w->channels + w->inputs);
        for (size_t o = 0; o < w->outputs; o++)
            for (size_t n = 0; n < count; n++)
                out[o * w->out_frames + start + n] = unscale * (double)w->channels[w->inputs + o][n];
    }
    return 0;
}

int convolve(double **out, size_t *out_frames, const double *in, size_t inputs, size_t frames,
             const struct convolver_filter *filters, size_t outputs, struct error *e)
{
    struct whole w = {.inputs = inputs, .outputs = outputs, .frames = frames};
    size_t taps = 0;
    *out = NULL;
    *out_frames = 0;
    for (size_t i = 0; i < inputs * outputs; i++)
        taps = filters[i].count > taps ? filters[i].count : taps;
    w.block = choose_block(taps);
    w.out_frames = frames && taps ? frames + taps - 1 : 0;
    /* the result; spectra of the filters, single precision, twice as long for the overlap */
    if (memory_demand((double)outputs * (double)w.out_frames * sizeof(double) +
                          (double)(inputs * outputs) * (double)(taps + w.block) * 4.0 * sizeof(float),
                      e, "%zu channels of %zu frames", outputs, w.out_frames))
        return -1;
    if (find_exponent(&w.exponent, in, inputs * frames, e) ||
        convolver_make(&w.convolver, inputs, outputs, filters, w.block, e))
        return -1;
    double *result = calloc(outputs * w.out_frames + 1, sizeof *result);
    w.samples = calloc((inputs + outputs) * w.block, sizeof *w.samples);
    w.channels = calloc(inputs + outputs, sizeof *w.channels);
    int status = result && w.samples && w.channels ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < inputs + outputs; i++)
        w.channels[i] = w.samples + i * w.block;
    status = status || run_blocks(&w, in, result, e) ? -1 : 0;
    if (!status) {
        *out = result;
        *out_frames = w.out_frames;
    } else {
        free(result);
    }
    free(w.channels);
    free(w.samples);
    convolver_free(w.convolver);
    return status;
}

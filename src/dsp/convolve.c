/* SPDX-License-Identifier: MIT */
#include "dsp/convolve.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <kiss_fftr.h>

#include "base/stop.h"

enum { TILE = 256, GROUP = 16 }; /* bins; partitions that are summed before they are added to the total */
enum { LANES = 16 };             /* rows of bins are padded to this many floats: 64 bytes */
static const size_t BLOCK_MAX = 1 << 20;
static const double SMALL_BIN = 1e-15; /* of the largest: smaller bins give slow, subnormal products */
static const float SMALLEST = 1e-20f, LARGEST = 1e20f;

/* Spectra are planar, [2][stride]: all real parts, then all imaginary parts. */
struct partitions {
    float *spectra; /* [count][2][stride] */
    size_t count;
};

struct convolver {
    size_t inputs, outputs, block;
    size_t length;              /* of a transform: 2 block, or the next length that KissFFT does without allocating */
    size_t bins, stride;        /* length/2 + 1; rounded up to LANES */
    size_t slots, newest;       /* of the delay line: largest number of partitions; slot of the latest block */
    struct partitions *filters; /* [inputs][outputs] */
    float *history;             /* [inputs][slots][2][stride] */
    float *past;                /* [inputs][block]: the block before */
    float *window, *sum;        /* [length], [2][stride] */
    kiss_fft_cpx *spectrum;     /* [bins] */
    kiss_fftr_cfg forward, inverse;
    float gain; /* of the result: filters are scaled to near 1 by a power of two */
};

static float *floats(size_t a, size_t b)
{
    if (b && a > (SIZE_MAX - 64) / sizeof(float) / b)
        return NULL;
    const size_t bytes = (a * b * sizeof(float) + 63) / 64 * 64 + 64;
    float *memory = aligned_alloc(64, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static void to_planar(const struct convolver *c, float *restrict row)
{
    for (size_t b = 0; b < c->bins; b++) {
        row[b] = c->spectrum[b].r;
        row[c->stride + b] = c->spectrum[b].i;
    }
}

static void from_planar(struct convolver *c, const float *restrict row)
{
    for (size_t b = 0; b < c->bins; b++) {
        c->spectrum[b].r = row[b];
        c->spectrum[b].i = row[c->stride + b];
    }
}

static void multiply_add(size_t count, float *restrict re, float *restrict im, const float *restrict x_re,
                         const float *restrict x_im, const float *restrict h_re, const float *restrict h_im)
{
#pragma omp simd
    for (size_t b = 0; b < count; b++) {
        re[b] += x_re[b] * h_re[b] - x_im[b] * h_im[b];
        im[b] += x_re[b] * h_im[b] + x_im[b] * h_re[b];
    }
}

static void add(size_t count, float *restrict to, const float *restrict from)
{
#pragma omp simd
    for (size_t b = 0; b < count; b++)
        to[b] += from[b];
}

/* The tile of `count` bins from `first` of one filter. Partitions are summed in groups, so that rounding errors grow
 * with the roots of the group's size and of the number of groups. */
static void add_filter(struct convolver *c, size_t input, const struct partitions *h, size_t first, size_t count)
{
    const size_t row = 2 * c->stride;
    const float *history = c->history + input * c->slots * row + first, *spectra = h->spectra + first;
    float re[TILE], im[TILE];
    size_t slot = c->newest;
    for (size_t p = 0; p < h->count;) {
        const size_t end = h->count - p < GROUP ? h->count : p + GROUP;
        memset(re, 0, count * sizeof *re);
        memset(im, 0, count * sizeof *im);
        for (; p < end; p++) {
            const float *x = history + slot * row, *taps = spectra + p * row;
            multiply_add(count, re, im, x, x + c->stride, taps, taps + c->stride);
            slot = slot ? slot - 1 : c->slots - 1;
        }
        add(count, c->sum + first, re);
        add(count, c->sum + c->stride + first, im);
    }
}

static float sanitised(float sample)
{
    const float magnitude = fabsf(sample);
    return magnitude >= SMALLEST && magnitude <= LARGEST ? sample : 0.0f;
}

static void take_input(struct convolver *c, size_t input, const float *in)
{
    float *past = c->past + input * c->block, *now = c->window + c->block;
    memcpy(c->window, past, c->block * sizeof *past);
    for (size_t n = 0; n < c->block; n++)
        now[n] = sanitised(in[n]);
    memcpy(past, now, c->block * sizeof *past);
    memset(now + c->block, 0, (c->length - 2 * c->block) * sizeof *now);
    kiss_fftr(c->forward, c->window, c->spectrum);
    to_planar(c, c->history + (input * c->slots + c->newest) * 2 * c->stride);
}

static void give_output(struct convolver *c, size_t output, float *out)
{
    memset(c->sum, 0, 2 * c->stride * sizeof *c->sum);
    for (size_t first = 0; first < c->stride; first += TILE)
        for (size_t input = 0; input < c->inputs; input++)
            add_filter(c, input, &c->filters[input * c->outputs + output], first,
                       c->stride - first < TILE ? c->stride - first : TILE);
    from_planar(c, c->sum);
    kiss_fftri(c->inverse, c->spectrum, c->window);
    for (size_t n = 0; n < c->block; n++)
        out[n] = c->gain * c->window[c->block + n];
}

void convolver_run(struct convolver *c, const float *const *in, float *const *out)
{
    c->newest = c->newest + 1 < c->slots ? c->newest + 1 : 0;
    for (size_t input = 0; input < c->inputs; input++)
        take_input(c, input, in[input]);
    for (size_t output = 0; output < c->outputs; output++)
        give_output(c, output, out[output]);
}

void convolver_reset(struct convolver *c)
{
    memset(c->history, 0, c->inputs * c->slots * 2 * c->stride * sizeof *c->history);
    memset(c->past, 0, c->inputs * c->block * sizeof *c->past);
}

int convolver_take_history(struct convolver *to, const struct convolver *from)
{
    if (to->inputs != from->inputs || to->block != from->block)
        return -1;
    const size_t row = 2 * to->stride, both = to->slots < from->slots ? to->slots : from->slots;
    convolver_reset(to);
    for (size_t input = 0; input < to->inputs; input++)
        for (size_t age = 0; age < both; age++)
            memcpy(to->history + (input * to->slots + (to->newest + to->slots - age) % to->slots) * row,
                   from->history + (input * from->slots + (from->newest + from->slots - age) % from->slots) * row,
                   row * sizeof *to->history);
    memcpy(to->past, from->past, to->inputs * to->block * sizeof *to->past);
    return 0;
}

size_t convolver_block(const struct convolver *c)
{
    return c->block;
}

size_t convolver_inputs(const struct convolver *c)
{
    return c->inputs;
}

size_t convolver_outputs(const struct convolver *c)
{
    return c->outputs;
}

/* The exponent that brings the largest tap below 1; fails when one is not finite. */
static int find_exponent(int *exponent, const struct convolver_filter *filters, size_t count, struct error *e)
{
    double peak = 0.0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < filters[i].count; k++) {
            if (stop_requested_at(k))
                return stop_check(e);
            if (!isfinite(filters[i].taps[k]))
                return fail(e, ERROR_FAILED, "tap %zu of a filter is not a finite number", k);
            peak = fmax(peak, fabs(filters[i].taps[k]));
        }
    *exponent = 0;
    if (peak > 0.0)
        frexp(peak, exponent);
    *exponent = *exponent < -100 ? -100 : *exponent > 100 ? 100 : *exponent; /* the gain is a float */
    return 0;
}

static int set_filter(struct convolver *c, struct partitions *h, const struct convolver_filter *filter, int exponent,
                      struct error *e)
{
    const size_t row = 2 * c->stride;
    h->count = (filter->count + c->block - 1) / c->block;
    h->spectra = floats(h->count, row);
    if (!h->spectra)
        return fail(e, ERROR_MEMORY, "out of memory");
    const double scale = ldexp(1.0 / (double)c->length, -exponent); /* the inverse transform multiplies by the length */
    for (size_t p = 0; p < h->count; p++) {
        if (stop_check(e))
            return -1;
        const double *taps = filter->taps + p * c->block;
        const size_t left = filter->count - p * c->block, count = left < c->block ? left : c->block;
        memset(c->window, 0, c->length * sizeof *c->window);
        for (size_t k = 0; k < count; k++)
            c->window[k] = (float)(taps[k] * scale);
        kiss_fftr(c->forward, c->window, c->spectrum);
        to_planar(c, h->spectra + p * row);
    }
    return 0;
}

static void zero_small_bins(struct convolver *c)
{
    float max = 0.0f;
    for (size_t i = 0; i < c->inputs * c->outputs; i++)
        for (size_t n = 0; n < c->filters[i].count * 2 * c->stride; n++)
            max = fmaxf(max, fabsf(c->filters[i].spectra[n]));
    const float min = (float)(SMALL_BIN * (double)max);
    for (size_t i = 0; i < c->inputs * c->outputs; i++)
        for (size_t n = 0; n < c->filters[i].count * 2 * c->stride; n++)
            if (fabsf(c->filters[i].spectra[n]) < min)
                c->filters[i].spectra[n] = 0.0f;
}

static int set_filters(struct convolver *c, const struct convolver_filter *filters, struct error *e)
{
    int exponent = 0;
    if (find_exponent(&exponent, filters, c->inputs * c->outputs, e))
        return -1;
    c->gain = ldexpf(1.0f, exponent);
    for (size_t i = 0; i < c->inputs * c->outputs; i++)
        if (set_filter(c, &c->filters[i], &filters[i], exponent, e))
            return -1;
    zero_small_bins(c);
    return 0;
}

static size_t taps_max(const struct convolver_filter *filters, size_t count)
{
    size_t max = 0;
    for (size_t i = 0; i < count; i++)
        max = filters[i].count > max ? filters[i].count : max;
    return max;
}

int convolver_make(struct convolver **result, size_t inputs, size_t outputs, const struct convolver_filter *filters,
                   size_t block, struct error *e)
{
    *result = NULL;
    if (!inputs || !outputs || !block || block > BLOCK_MAX)
        return fail(e, ERROR_FAILED, "a convolution of %zu inputs and %zu outputs in blocks of %zu is out of range",
                    inputs, outputs, block);
    struct convolver *c = calloc(1, sizeof *c);
    if (!c)
        return fail(e, ERROR_MEMORY, "out of memory");
    c->inputs = inputs;
    c->outputs = outputs;
    c->block = block;
    /* For 1 point, and for prime factors other than 2, 3 and 5, KissFFT allocates while it runs. */
    const size_t min = block < 2 ? 4 : 2 * block;
    c->length = (size_t)kiss_fftr_next_fast_size_real((int)min);
    c->bins = c->length / 2 + 1;
    c->stride = (c->bins + LANES - 1) / LANES * LANES;
    const size_t max = taps_max(filters, inputs * outputs);
    c->slots = max ? (max + block - 1) / block : 1;
    c->filters = calloc(inputs * outputs, sizeof *c->filters);
    c->history = floats(inputs * c->slots, 2 * c->stride);
    c->past = floats(inputs, block);
    c->window = floats(c->length, 1);
    c->sum = floats(2, c->stride);
    c->spectrum = calloc(c->bins, sizeof *c->spectrum);
    c->forward = kiss_fftr_alloc((int)c->length, 0, NULL, NULL);
    c->inverse = kiss_fftr_alloc((int)c->length, 1, NULL, NULL);
    if (!c->filters || !c->history || !c->past || !c->window || !c->sum || !c->spectrum || !c->forward || !c->inverse) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    if (set_filters(c, filters, e))
        goto fail;
    *result = c;
    return 0;
fail:
    convolver_free(c);
    return -1;
}

void convolver_free(struct convolver *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->filters && i < c->inputs * c->outputs; i++)
        free(c->filters[i].spectra);
    free(c->filters);
    free(c->history);
    free(c->past);
    free(c->window);
    free(c->sum);
    free(c->spectrum);
    kiss_fftr_free(c->forward);
    kiss_fftr_free(c->inverse);
    free(c);
}

/* SPDX-License-Identifier: MIT */
#include "dsp/air_filter.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/fourier.h"
#include "dsp/minimum_phase.h"

static const double PI = 3.14159265358979323846;
static const double TAIL = 1e-5;          /* absolute sum of a kernel beyond its reach */
static const double INTERPOLATION = 1e-6; /* relative error of the decay, interpolated between the instants */
enum { NODES_MAX = 12, SHORTEST = 256, LONGEST = 1 << 22 };

/* [length] each, in the transform's order; one allocation, at re. */
struct spectrum {
    double *re, *im;
};

struct air_filter {
    bool lossless;
    size_t reach;               /* length of the longest kernel, frames */
    size_t block;               /* frames; block + reach fit into a transform */
    size_t nodes;               /* instants in a block */
    double instants[NODES_MAX]; /* frames from the start of the block */
    struct fourier transform;
    double *weights;         /* L_k(n) [nodes][block] */
    struct spectrum *decays; /* e^{-γc t_k} / length, t_k from the start of the block, [nodes] */
    struct spectrum step;    /* e^{-γc block/rate} */
};

void air_filter_free(struct air_filter *f)
{
    if (!f)
        return;
    fourier_free(&f->transform);
    free(f->weights);
    for (size_t k = 0; f->decays && k < f->nodes; k++)
        free(f->decays[k].re);
    free(f->decays);
    free(f->step.re);
    free(f);
}

/* All zero. */
static int spectrum_make(struct spectrum *s, size_t length, struct error *e)
{
    s->re = calloc(2 * length, sizeof *s->re);
    if (!s->re)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->im = s->re + length;
    return 0;
}

/* Frequencies in cycles per sample: the identity up to 0.4, then with a slope that falls to 0 at 0.5. */
static double saturated(double frequency)
{
    const double u = (frequency - 0.4) / 0.1;
    return u <= 0.0 ? frequency : 0.4 + 0.1 * (0.5 * u + sin(PI * u) / (2.0 * PI));
}

/* γc in 1/s, the loss αc and the phase term βc, for frequencies of either sign; *max gets the largest magnitude. -γct
 * is ln|H| and the minimum phase of the kernel at time t, both linear in t. */
static int tabulate(struct spectrum *exponent, double *max, const struct fourier *transform,
                    const struct air_medium *medium, double rate, struct error *e)
{
    const size_t length = transform->length;
    for (size_t b = 0; b <= length / 2; b++) {
        const double frequency = saturated((double)b / (double)length) * rate;
        const double loss = medium->attenuation(medium->context, frequency) * medium->sound_speed;
        if (!(loss >= 0.0) || !isfinite(loss))
            return fail(e, ERROR_FAILED, "the air absorption at %g Hz, %g Np/m, is negative or not finite", frequency,
                        loss / medium->sound_speed);
        exponent->re[fourier_index(transform, b)] = exponent->re[fourier_index(transform, (length - b) % length)] =
            loss;
    }
    minimum_phase(transform, exponent->re, exponent->im);
    *max = 0.0;
    for (size_t i = 0; i < length; i++)
        *max = fmax(*max, hypot(exponent->re[i], exponent->im[i]));
    return stop_check(e);
}

/* scale e^{-γct}. */
static void decay(struct spectrum *out, const struct spectrum *exponent, size_t length, double time, double scale)
{
    for (size_t i = 0; i < length; i++) {
        const double magnitude = scale * exp(-exponent->re[i] * time), phase = exponent->im[i] * time;
        out->re[i] = magnitude * cos(phase);
        out->im[i] = -magnitude * sin(phase);
    }
}

/* The number of frames after which the kernel of this time holds less than TAIL; frames that wrap to negative times
 * count as tail. */
static size_t kernel_reach(const struct fourier *transform, const struct spectrum *exponent, double time,
                           struct spectrum *kernel)
{
    decay(kernel, exponent, transform->length, time, 1.0 / (double)transform->length);
    fourier_inverse(transform, kernel->re, kernel->im);
    size_t n = transform->length;
    for (double tail = fabs(kernel->re[n - 1]); n > 1 && tail < TAIL; tail += fabs(kernel->re[n - 1]))
        n--;
    return n;
}

/* The largest reach over all times up to `duration`, with a transform of this length. */
static int measure(size_t *reach, bool *lossless, size_t length, const struct air_medium *medium, double rate,
                   double duration, struct error *e)
{
    struct fourier transform = {0};
    struct spectrum exponent = {0}, kernel = {0};
    double max;
    int status = -1;
    if (fourier_make(&transform, length, e) || spectrum_make(&exponent, length, e) ||
        spectrum_make(&kernel, length, e) || tabulate(&exponent, &max, &transform, medium, rate, e))
        goto done;
    *lossless = !(max > 0.0);
    *reach = 0;
    for (double time = duration; !*lossless && time * rate >= 1.0; time *= 0.5) {
        const size_t n = kernel_reach(&transform, &exponent, time, &kernel);
        *reach = n > *reach ? n : *reach;
    }
    status = stop_check(e);
done:
    fourier_free(&transform);
    free(exponent.re);
    free(kernel.re);
    return status;
}

/* Number of instants per block, with e^{-z} the decay from its middle to its end and |z| given. Interpolation of
 * e^{-zu}, |u| <= 1, at n Chebyshev points errs by at most |z|^n e^{Re z}/(n! 2^{n-1}), against e^{-Re z} there. */
static size_t nodes_needed(double z)
{
    double error = 2.0 * exp(2.0 * z);
    size_t n = 0;
    while (n < 2 || (error > INTERPOLATION && n < NODES_MAX)) {
        n++;
        error *= 0.5 * z / (double)n;
    }
    return n;
}

/* The instants, and the weights L_k, which sum to 1 at each frame of a block. */
static void make_weights(struct air_filter *f)
{
    for (size_t k = 0; k < f->nodes; k++)
        f->instants[k] = 0.5 * (double)(f->block - 1) * (1.0 - cos(PI * ((double)k + 0.5) / (double)f->nodes));
    for (size_t k = 0; k < f->nodes; k++)
        for (size_t n = 0; n < f->block; n++) {
            double product = 1.0;
            for (size_t j = 0; j < f->nodes && f->block > 1; j++)
                product *= j == k ? 1.0 : ((double)n - f->instants[j]) / (f->instants[k] - f->instants[j]);
            f->weights[k * f->block + n] = f->block > 1 ? product : 1.0 / (double)f->nodes;
        }
}

/* Block length, transform and tables for a known reach. */
static int design(struct air_filter *f, const struct air_medium *medium, double rate, size_t length, struct error *e)
{
    struct spectrum exponent = {0};
    double max;
    int status = -1;
    if (fourier_make(&f->transform, length, e) || spectrum_make(&exponent, length, e) ||
        spectrum_make(&f->step, length, e) || tabulate(&exponent, &max, &f->transform, medium, rate, e))
        goto done;
    const double block = fmin((double)(length - f->reach), floor(2.0 * rate / max));
    f->block = block >= 1.0 ? (size_t)block : 1;
    f->nodes = nodes_needed(0.5 * max * (double)f->block / rate);
    f->weights = malloc(f->nodes * f->block * sizeof *f->weights);
    f->decays = calloc(f->nodes, sizeof *f->decays);
    if (!f->weights || !f->decays) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto done;
    }
    make_weights(f);
    for (size_t k = 0; k < f->nodes; k++) {
        if (spectrum_make(&f->decays[k], length, e))
            goto done;
        decay(&f->decays[k], &exponent, length, f->instants[k] / rate, 1.0 / (double)length);
    }
    decay(&f->step, &exponent, length, (double)f->block / rate, 1.0);
    status = 0;
done:
    free(exponent.re);
    return status;
}

int air_filter_make(struct air_filter **out, const struct air_medium *medium, double rate, double duration,
                    struct error *e)
{
    *out = NULL;
    if (!(rate > 0.0) || !isfinite(rate) || !(duration >= 0.0) || !isfinite(duration))
        return fail(e, ERROR_FAILED, "cannot design an air absorption filter for %g s at %g Hz", duration, rate);
    struct air_filter *f = calloc(1, sizeof *f);
    if (!f)
        return fail(e, ERROR_MEMORY, "out of memory");
    /* a kernel within the first half of its period does not alias with itself */
    size_t length = SHORTEST;
    for (;; length *= 2) {
        if (measure(&f->reach, &f->lossless, length, medium, rate, duration, e))
            goto fail;
        if (f->reach <= length / 2)
            break;
        if (length == LONGEST) {
            fail(e, ERROR_FAILED, "the air absorption varies too steeply with frequency for a filter of %g s at %g Hz",
                 duration, rate);
            goto fail;
        }
    }
    /* twice as long, so that most of a transform is block, not tail */
    if (!f->lossless && design(f, medium, rate, 2 * length, e))
        goto fail;
    *out = f;
    return 0;
fail:
    air_filter_free(f);
    return -1;
}

/* Buffers for filtering a channel. */
struct work {
    struct spectrum input, sum;
    struct spectrum now; /* e^{-γct} at the start of the block */
    double *pending;     /* [length] output from the start of the block */
};

static void work_free(struct work *w)
{
    free(w->input.re);
    free(w->sum.re);
    free(w->now.re);
    free(w->pending);
}

static int work_make(struct work *w, size_t length, struct error *e)
{
    memset(w, 0, sizeof *w);
    w->pending = calloc(length, sizeof *w->pending);
    if (!w->pending)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (spectrum_make(&w->input, length, e) || spectrum_make(&w->sum, length, e) || spectrum_make(&w->now, length, e)) {
        work_free(w);
        return -1;
    }
    for (size_t i = 0; i < length; i++)
        w->now.re[i] = 1.0;
    return 0;
}

static void multiply(struct spectrum *to, const struct spectrum *by, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const double re = to->re[i] * by->re[i] - to->im[i] * by->im[i];
        to->im[i] = to->re[i] * by->im[i] + to->im[i] * by->re[i];
        to->re[i] = re;
    }
}

/* Adds the output of samples [count], at most a block, at the time of w->now, to w->pending. */
static void filter_block(const struct air_filter *f, struct work *w, const double *samples, size_t count)
{
    const size_t length = f->transform.length;
    memset(w->sum.re, 0, length * sizeof *w->sum.re);
    memset(w->sum.im, 0, length * sizeof *w->sum.im);
    for (size_t k = 0; k < f->nodes; k++) {
        const double *weights = f->weights + k * f->block;
        memset(w->input.re, 0, length * sizeof *w->input.re);
        memset(w->input.im, 0, length * sizeof *w->input.im);
        for (size_t n = 0; n < count; n++)
            w->input.re[n] = weights[n] * samples[n];
        fourier_forward(&f->transform, w->input.re, w->input.im);
        multiply(&w->input, &f->decays[k], length);
        for (size_t i = 0; i < length; i++) {
            w->sum.re[i] += w->input.re[i];
            w->sum.im[i] += w->input.im[i];
        }
    }
    multiply(&w->sum, &w->now, length);
    fourier_inverse(&f->transform, w->sum.re, w->sum.im);
    for (size_t i = 0; i < f->block + f->reach; i++)
        w->pending[i] += w->sum.re[i];
}

/* Moves the block's output to samples [count], at most a block, and shifts w->pending by a block. */
static void output_block(const struct air_filter *f, struct work *w, double *samples, size_t count)
{
    memcpy(samples, w->pending, count * sizeof *samples);
    const size_t rest = f->transform.length - f->block;
    memmove(w->pending, w->pending + f->block, rest * sizeof *w->pending);
    memset(w->pending + rest, 0, f->block * sizeof *w->pending);
}

/* Sets bins below 1e-200 to zero, because subnormal numbers are slow. */
static void flush_tiny(struct spectrum *now, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!(fabs(now->re[i]) + fabs(now->im[i]) > 1e-200))
            now->re[i] = now->im[i] = 0.0;
}

int air_filter_apply(const struct air_filter *f, double *samples, size_t frames, size_t onset, struct error *e)
{
    if (f->lossless)
        return 0;
    struct work w;
    const size_t length = f->transform.length;
    if (work_make(&w, length, e))
        return -1;
    for (size_t start = onset; start < frames && !stop_requested(); start += f->block) {
        const size_t count = start + f->block <= frames ? f->block : frames - start;
        filter_block(f, &w, samples + start, count);
        output_block(f, &w, samples + start, count);
        multiply(&w.now, &f->step, length);
        flush_tiny(&w.now, length);
    }
    work_free(&w);
    return stop_check(e);
}

#include "signal/air_filter.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "signal/fourier.h"

static const double PI = 3.14159265358979323846;
static const double TAIL = 1e-5;          /* of a kernel, in absolute values, beyond its reach */
static const double INTERPOLATION = 1e-6; /* relative error of the decay between the instants */
enum { NODES_MOST = 12, SHORTEST = 256, LONGEST = 1 << 22 };

struct air_filter {
    bool lossless;
    size_t reach;                /* half length of the longest kernel, frames */
    size_t block;                /* frames; block + 2 reach fit into a transform */
    size_t nodes;                /* instants in a block */
    double instants[NODES_MOST]; /* frames from the start of the block */
    struct fourier transform;
    double *weights; /* L_k(n) [nodes][block] */
    double
        *decays; /* e^{-αc t_k} / length, t_k from the start of the block, [nodes][length], in the transform's order */
    double *step; /* e^{-αc block/rate} [length], in the same order */
};

size_t air_filter_reach(const struct air_filter *f)
{
    return f ? f->reach : 0;
}

void air_filter_free(struct air_filter *f)
{
    if (!f)
        return;
    fourier_free(&f->transform);
    free(f->weights);
    free(f->decays);
    free(f->step);
    free(f);
}

/* Cycles a sample in, cycles a sample out: itself up to 0.4, then with a slope that falls to 0 at 0.5. */
static double bent(double frequency)
{
    const double u = (frequency - 0.4) / 0.1;
    return u <= 0.0 ? frequency : 0.4 + 0.1 * (0.5 * u + sin(PI * u) / (2.0 * PI));
}

/* αc in 1/s for bins 0..length/2 of a transform. */
static int tabulate(double *loss, size_t length, const struct air_medium *medium, double rate, struct error *e)
{
    for (size_t b = 0; b <= length / 2; b++) {
        const double frequency = bent((double)b / (double)length) * rate;
        loss[b] = medium->attenuation(medium->context, frequency) * medium->sound_speed;
        if (!(loss[b] >= 0.0) || !isfinite(loss[b]))
            return fail(e, ERROR_FAILED, "the air's attenuation at %g Hz is %g Np/m", frequency,
                        loss[b] / medium->sound_speed);
    }
    return 0;
}

/* out [length] in the transform's order: scale e^{-αct}, for either sign of the frequency. */
static void decay(double *out, const struct fourier *transform, const double *loss, double time, double scale)
{
    const size_t length = transform->length;
    for (size_t b = 0; b <= length / 2; b++)
        out[fourier_index(transform, b)] = out[fourier_index(transform, (length - b) % length)] =
            scale * exp(-loss[b] * time);
}

/* Beyond how many frames the kernel of this time holds less than TAIL. */
static size_t kernel_reach(const struct fourier *transform, const double *loss, double time, double *re, double *im)
{
    const size_t length = transform->length;
    decay(re, transform, loss, time, 1.0 / (double)length);
    memset(im, 0, length * sizeof *im);
    fourier_inverse(transform, re, im);
    size_t n = length / 2;
    for (double tail = fabs(re[n]); n > 0 && tail < TAIL; tail += fabs(re[n]) + fabs(re[length - n]))
        n--;
    return n;
}

/* The reach over all times up to `duration`, with a transform of this length. */
static int measure(size_t *reach, bool *lossless, size_t length, const struct air_medium *medium, double rate,
                   double duration, struct error *e)
{
    struct fourier transform = {0};
    double *loss = malloc(3 * length * sizeof *loss);
    int status = -1;
    if (!loss) {
        fail(e, ERROR_MEMORY, "out of memory for the air's filter");
        goto done;
    }
    if (fourier_make(&transform, length, e) || tabulate(loss, length, medium, rate, e))
        goto done;
    double most = 0.0;
    for (size_t b = 0; b <= length / 2; b++)
        most = fmax(most, loss[b]);
    *lossless = !(most > 0.0);
    *reach = 0;
    for (double time = duration; !*lossless && time * rate >= 1.0; time *= 0.5) {
        const size_t n = kernel_reach(&transform, loss, time, loss + length, loss + 2 * length);
        *reach = n > *reach ? n : *reach;
    }
    status = 0;
done:
    fourier_free(&transform);
    free(loss);
    return status;
}

/* Instants that a block needs, whose decay from its middle to its end is e^{-z}. Interpolation of e^{-zu}, |u| <= 1, at
 * n Chebyshev points errs by z^n e^z/(n! 2^{n-1}) at most, against e^{-z} at the far end. */
static size_t nodes_needed(double z)
{
    double error = 2.0 * exp(2.0 * z);
    size_t n = 0;
    while (n < 2 || (error > INTERPOLATION && n < NODES_MOST)) {
        n++;
        error *= 0.5 * z / (double)n;
    }
    return n;
}

/* The instants and L_k, which sum to 1 at every frame of a block. */
static void weigh(struct air_filter *f)
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

/* Block, transform and tables, once the reach is known. */
static int design(struct air_filter *f, const struct air_medium *medium, double rate, size_t length, struct error *e)
{
    double *loss = malloc(length * sizeof *loss), most = 0.0;
    int status = -1;
    if (!loss) {
        fail(e, ERROR_MEMORY, "out of memory for the air's filter");
        goto done;
    }
    if (tabulate(loss, length, medium, rate, e))
        goto done;
    for (size_t b = 0; b <= length / 2; b++)
        most = fmax(most, loss[b]);
    const double block = fmin((double)(length - 2 * f->reach), floor(2.0 * rate / most));
    f->block = block >= 1.0 ? (size_t)block : 1;
    f->nodes = nodes_needed(0.5 * most * (double)f->block / rate);
    f->weights = malloc(f->nodes * f->block * sizeof *f->weights);
    f->decays = malloc(f->nodes * length * sizeof *f->decays);
    f->step = malloc(length * sizeof *f->step);
    if (!f->weights || !f->decays || !f->step) {
        fail(e, ERROR_MEMORY, "out of memory for the air's filter");
        goto done;
    }
    if (fourier_make(&f->transform, length, e))
        goto done;
    weigh(f);
    for (size_t k = 0; k < f->nodes; k++)
        decay(f->decays + k * length, &f->transform, loss, f->instants[k] / rate, 1.0 / (double)length);
    decay(f->step, &f->transform, loss, (double)f->block / rate, 1.0);
    status = 0;
done:
    free(loss);
    return status;
}

int air_filter_make(struct air_filter **out, const struct air_medium *medium, double rate, double duration,
                    struct error *e)
{
    *out = NULL;
    if (!(rate > 0.0) || !isfinite(rate) || !(duration >= 0.0) || !isfinite(duration))
        return fail(e, ERROR_FAILED, "a filter of the air for %g s at %g Hz", duration, rate);
    struct air_filter *f = calloc(1, sizeof *f);
    if (!f)
        return fail(e, ERROR_MEMORY, "out of memory for the air's filter");
    /* a kernel in the middle half of its period does not meet itself around the ends */
    size_t length = SHORTEST;
    for (;; length *= 2) {
        if (measure(&f->reach, &f->lossless, length, medium, rate, duration, e))
            goto fail;
        if (f->reach <= length / 4)
            break;
        if (length == LONGEST) {
            fail(e, ERROR_FAILED, "the air's attenuation changes too sharply with frequency for %g s at %g Hz",
                 duration, rate);
            goto fail;
        }
    }
    /* twice as long: then most of a transform is block, not tail */
    if (!f->lossless && design(f, medium, rate, 2 * length, e))
        goto fail;
    *out = f;
    return 0;
fail:
    air_filter_free(f);
    return -1;
}

/* What filtering a channel needs, [length] each. */
struct work {
    double *re, *im, *sum_re, *sum_im;
    double *now;     /* e^{-αct} at the start of the block */
    double *pending; /* output from `reach` frames before the block on */
};

/* samples [count], at most a block, at the time of w->now: adds their output to w->pending. */
static void filter_block(const struct air_filter *f, const struct work *w, const double *samples, size_t count)
{
    const size_t length = f->transform.length;
    memset(w->sum_re, 0, length * sizeof *w->sum_re);
    memset(w->sum_im, 0, length * sizeof *w->sum_im);
    for (size_t k = 0; k < f->nodes; k++) {
        const double *weights = f->weights + k * f->block, *decays = f->decays + k * length;
        memset(w->re, 0, length * sizeof *w->re);
        memset(w->im, 0, length * sizeof *w->im);
        for (size_t n = 0; n < count; n++)
            w->re[f->reach + n] = weights[n] * samples[n];
        fourier_forward(&f->transform, w->re, w->im);
        for (size_t i = 0; i < length; i++) {
            w->sum_re[i] += decays[i] * w->now[i] * w->re[i];
            w->sum_im[i] += decays[i] * w->now[i] * w->im[i];
        }
    }
    fourier_inverse(&f->transform, w->sum_re, w->sum_im);
    for (size_t i = 0; i < f->block + 2 * f->reach; i++)
        w->pending[i] += w->sum_re[i];
}

/* Moves pending output to samples[from - reach ..], `count` frames of it, where that is between onset and frames. */
static void settle(const struct air_filter *f, const struct work *w, double *samples, size_t frames, size_t onset,
                   size_t from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (from + i >= onset + f->reach && from + i < frames + f->reach)
            samples[from + i - f->reach] = w->pending[i];
    const size_t rest = f->transform.length - count;
    memmove(w->pending, w->pending + count, rest * sizeof *w->pending);
    memset(w->pending + rest, 0, count * sizeof *w->pending);
}

int air_filter_apply(const struct air_filter *f, double *samples, size_t frames, size_t onset, struct error *e)
{
    if (f->lossless)
        return 0;
    const size_t length = f->transform.length;
    double *memory = calloc(6 * length, sizeof *memory);
    if (!memory)
        return fail(e, ERROR_MEMORY, "out of memory for the air's filter");
    const struct work w = {
        memory, memory + length, memory + 2 * length, memory + 3 * length, memory + 4 * length, memory + 5 * length};
    for (size_t i = 0; i < length; i++)
        w.now[i] = 1.0;
    size_t start = onset;
    for (; start < frames && !stop_requested(); start += f->block) {
        filter_block(f, &w, samples + start, start + f->block <= frames ? f->block : frames - start);
        settle(f, &w, samples, frames, onset, start, f->block);
        for (size_t i = 0; i < length; i++) /* what is gone stays gone: denormal numbers are slow */
            w.now[i] = w.now[i] > 1e-200 ? w.now[i] * f->step[i] : 0.0;
    }
    settle(f, &w, samples, frames, onset, start, 2 * f->reach);
    free(memory);
    return stop_check(e);
}

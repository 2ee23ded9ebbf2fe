/* SPDX-License-Identifier: MIT */
/* Divides the spectrum of a recording by that of its sweep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/fourier.h"
#include "dsp/sweep.h"
#include "dsp/sweep_spectrum.h"

static const double INSIDE = 1e-9, OUTSIDE = 1.0; /* regularisation over the power of the sweep */
static const double EDGE_OCTAVES = 1.0 / 6.0;
static const double LARGEST_GAIN =
    4.0; /* outside the band, over that of the inside: noise there grows by 12 dB at most */

struct sweep_inverse {
    struct fourier tables;
    size_t frames, length;
    double (*quotient)[2]; /* [length/2 + 1]: conj(X)/(|X|^2 + r P)/length */
    double (*work)[2];     /* [length/2 + 1] */
    double *re, *im;       /* [length/2] */
};

/* |X|^2 + r P, at least |X| sqrt(P)/LARGEST_GAIN outside the band, where |X| falls before r has grown; see sweep.h */
static double divisor_of(const struct sweep *s, double frequency, double squared)
{
    const double inside = fmin(fmax(frequency, s->low), s->high);
    const double away = frequency > 0.0 ? fabs(log2(frequency / inside)) : INFINITY;
    const double power = s->level * s->level * s->rate * s->rate * sweep_constant(s) / (4.0 * inside);
    const double divisor = squared + power * INSIDE * pow(OUTSIDE / INSIDE, fmin(away / EDGE_OCTAVES, 1.0));
    return away > 0.0 ? fmax(divisor, sqrt(squared * power) / LARGEST_GAIN) : divisor;
}

static void set_quotient(struct sweep_inverse *v, const struct sweep *s, const struct sweep_spectrum *x)
{
    const double spacing = s->rate / (double)v->length, scale = 1.0 / (double)v->length;
    for (size_t b = 0; b <= v->length / 2 && !stop_requested_at(b); b++) {
        const double re = x->bins[b][0], im = x->bins[b][1];
        const double divisor = divisor_of(s, spacing * (double)b, re * re + im * im);
        v->quotient[b][0] = scale * re / divisor;
        v->quotient[b][1] = -scale * im / divisor;
    }
}

int sweep_inverse_open(struct sweep_inverse **inverse, const struct sweep *s, const double *x, size_t length,
                       size_t frames, struct error *e)
{
    *inverse = NULL;
    struct sweep_spectrum spectrum = {0};
    struct sweep_inverse *v = calloc(1, sizeof *v);
    if (!v)
        return fail(e, ERROR_MEMORY, "out of memory");
    v->frames = frames;
    v->length = sweep_transform_length(frames + length);
    const size_t half = v->length / 2;
    if (memory_demand(56.0 * (double)v->length, e, "recording and sweep of %zu samples together", frames + length) ||
        sweep_spectrum_make(&spectrum, x, length, v->length, e) || fourier_make(&v->tables, v->length, e))
        goto failed;
    v->quotient = malloc((half + 1) * sizeof *v->quotient);
    v->work = malloc((half + 1) * sizeof *v->work);
    v->re = malloc(half * sizeof *v->re);
    v->im = malloc(half * sizeof *v->im);
    if (!v->quotient || !v->work || !v->re || !v->im) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto failed;
    }
    set_quotient(v, s, &spectrum);
    sweep_spectrum_free(&spectrum);
    *inverse = v;
    return 0;
failed:
    sweep_spectrum_free(&spectrum);
    sweep_inverse_close(v);
    return -1;
}

void sweep_inverse_close(struct sweep_inverse *v)
{
    if (!v)
        return;
    fourier_free(&v->tables);
    free(v->quotient);
    free(v->work);
    free(v->re);
    free(v->im);
    free(v);
}

size_t sweep_inverse_length(const struct sweep_inverse *v)
{
    return v->length;
}

int sweep_inverse_run(struct sweep_inverse *v, const double *recording, double *response, struct error *e)
{
    const struct real_fourier f = real_fourier_of(&v->tables, v->length);
    const size_t half = v->length / 2;
    memset(v->re, 0, half * sizeof *v->re);
    memset(v->im, 0, half * sizeof *v->im);
    for (size_t n = 0; n < v->frames; n++)
        (n % 2 ? v->im : v->re)[n / 2] = recording[n];
    real_fourier_forward(&f, v->re, v->im);
    for (size_t b = 0; b <= half && !stop_requested_at(b); b++) {
        double y[2];
        const double *q = v->quotient[b];
        real_fourier_bin(&f, v->re, v->im, b, y);
        v->work[b][0] = y[0] * q[0] - y[1] * q[1];
        v->work[b][1] = y[0] * q[1] + y[1] * q[0];
    }
    if (stop_check(e))
        return -1;
    real_fourier_inverse(&f, (const double(*)[2])v->work, v->re, v->im);
    for (size_t n = 0; n < v->length; n++)
        response[n] = (n % 2 ? v->im : v->re)[n / 2];
    return stop_check(e);
}

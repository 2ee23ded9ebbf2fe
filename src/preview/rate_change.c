#include "preview/rate_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* dB; 80 are promised, the rest is margin for the window's approximate design formula. */
static const double STOP_ATTENUATION = 82.0;

/* Below what double precision holds of any sound: what decays without end would become slow there. */
static const double NOTHING = 1e-100;

/* Modified Bessel function of the first kind, order 0, by its power series. */
static double bessel_i0(double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= (0.5 * x / k) * (0.5 * x / k);
        sum += term;
    }
    return sum;
}

/* J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", ISCAS 1974:
 * length - 1 = (A - 7.95)/(2.285 transition), the transition in radians a sample. */
static size_t half_length(struct band band)
{
    return (size_t)ceil(0.5 * (STOP_ATTENUATION - 7.95) / (2.285 * 2.0 * PI * (band.stop - band.pass)));
}

/* Fresh [2 half + 1], symmetric, sum 1; NULL: no memory. */
static double *design(struct band band, size_t half)
{
    const double shape = 0.1102 * (STOP_ATTENUATION - 8.7); /* Kaiser's beta above 50 dB */
    const double cutoff = 0.5 * (band.pass + band.stop);
    double *taps = calloc(2 * half + 1, sizeof *taps);
    double sum = 0.0;
    for (size_t i = 0; taps && i <= 2 * half; i++) {
        const double k = (double)i - (double)half, u = k / (double)half;
        const double window = bessel_i0(shape * sqrt(fmax(0.0, 1.0 - u * u)));
        taps[i] = window * (i == half ? 2.0 * cutoff : sin(2.0 * PI * cutoff * k) / (PI * k));
        sum += taps[i];
    }
    for (size_t i = 0; taps && i <= 2 * half; i++)
        taps[i] /= sum;
    return taps;
}

static int check(struct band band, struct error *e)
{
    if (!(band.pass > 1e-6 && band.pass < band.stop && band.stop < 0.5))
        return fail(e, ERROR_FAILED, "a filter that passes up to %g and stops from %g of the rate on", band.pass,
                    band.stop);
    return 0;
}

int decimator_make(struct decimator *d, size_t every, size_t block, struct band band, struct error *e)
{
    memset(d, 0, sizeof *d);
    if (check(band, e))
        return -1;
    *d = (struct decimator){.half = half_length(band), .every = every, .block = block};
    d->taps = design(band, d->half);
    d->in = calloc(2 * d->half + block, sizeof *d->in);
    if (d->taps && d->in)
        return 0;
    decimator_free(d);
    return fail(e, ERROR_MEMORY, "out of memory for a filter");
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
        for (size_t k = 0; k <= past; k++) /* the taps are symmetric: no need to turn them round */
            sum += d->taps[k] * d->in[n + k];
        out[n / d->every] = sum;
    }
    memmove(d->in, d->in + d->block, past * sizeof *d->in);
}

int interpolator_make(struct interpolator *i, size_t every, size_t steps, size_t channels, struct band band,
                      struct error *e)
{
    memset(i, 0, sizeof *i);
    if (check(band, e))
        return -1;
    *i = (struct interpolator){.half = half_length(band), .every = every, .steps = steps, .channels = channels};
    i->reach = 2 * i->half / every + 1;
    double *taps = design(band, i->half);
    i->taps = calloc(every * i->reach, sizeof *i->taps);
    i->in = calloc(channels * (i->reach - 1 + steps), sizeof *i->in);
    if (!taps || !i->taps || !i->in) {
        free(taps);
        interpolator_free(i);
        return fail(e, ERROR_MEMORY, "out of memory for a filter of %zu channels", channels);
    }
    for (size_t k = 0; k <= 2 * i->half; k++) /* M for what the zeros take */
        i->taps[k % every * i->reach + i->reach - 1 - k / every] = (double)every * taps[k];
    free(taps);
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

static double or_nothing(double value)
{
    return fabs(value) < NOTHING ? 0.0 : value;
}

void high_pass_run(struct high_pass_state *s, double *samples, size_t frames, double corner, double rate)
{
    const double tangent = tan(PI * corner / rate);
    const double r = (1.0 - tangent) / (1.0 + tangent), g = 0.5 * (1.0 + r);
    for (size_t n = 0; n < frames; n++) {
        const double in = samples[n];
        const double middle = or_nothing(g * (in - s->in) + r * s->middle);
        s->out = or_nothing(g * (middle - s->middle) + r * s->out);
        s->in = in;
        s->middle = middle;
        samples[n] = s->out;
    }
}

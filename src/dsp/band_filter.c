/* SPDX-License-Identifier: MIT */
#include "dsp/band_filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/minimum_phase.h"

static const double PI = 3.14159265358979323846;

/* dB; 80 are promised, the rest allows for the window's approximate design formula */
static const double STOP_ATTENUATION = 86.0;
static const double CAUSAL_STOP_ATTENUATION = 106.0;

/* Smaller magnitudes are set to zero: a decay would end in subnormal numbers, which are slow. */
static const double TINY = 1e-100;

static double flush_tiny(double value)
{
    return fabs(value) < TINY ? 0.0 : value;
}

void high_pass_run(struct high_pass_state *s, double *samples, size_t frames, double corner, double rate)
{
    const double tangent = tan(PI * corner / rate);
    const double r = (1.0 - tangent) / (1.0 + tangent), g = 0.5 * (1.0 + r);
    for (size_t n = 0; n < frames; n++) {
        const double in = samples[n];
        const double middle = flush_tiny(g * (in - s->in) + r * s->middle);
        s->out = flush_tiny(g * (middle - s->middle) + r * s->out);
        s->in = in;
        s->middle = middle;
        samples[n] = s->out;
    }
}

void high_pass(double *samples, size_t frames, double corner, double rate)
{
    struct high_pass_state rest = {0.0, 0.0, 0.0};
    if (corner > 0.0)
        high_pass_run(&rest, samples, frames, corner, rate);
}

/* Kaiser window: length - 1 = (A - 7.95)/(2.285 transition), the transition in radians per sample. J. F. Kaiser,
 * "Nonrecursive digital filter design using the I0-sinh window function", ISCAS 1974. */
static size_t half_length(double pass, double stop, double attenuation)
{
    return (size_t)ceil(0.5 * (attenuation - 7.95) / (2.285 * 2.0 * PI * (stop - pass)));
}

size_t low_pass_half_length(double pass, double stop)
{
    return half_length(pass, stop, STOP_ATTENUATION);
}

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

static int design(struct low_pass *f, double pass, double stop, double attenuation, struct error *e)
{
    memset(f, 0, sizeof *f);
    if (!(pass > 0.0 && pass < stop && stop < 0.5))
        return fail(e, ERROR_FAILED,
                    "cannot design a low-pass with pass band up to %g and stop band from %g of the sample rate", pass,
                    stop);
    f->half = f->before = half_length(pass, stop, attenuation);
    f->taps = malloc((2 * f->half + 1) * sizeof *f->taps);
    if (!f->taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    const double shape = 0.1102 * (attenuation - 8.7); /* Kaiser's beta above 50 dB */
    const double cutoff = 0.5 * (pass + stop);
    double sum = 0.0;
    for (size_t i = 0; i <= 2 * f->half; i++) {
        const double k = (double)i - (double)f->half, u = k / (double)f->half;
        const double window = bessel_i0(shape * sqrt(fmax(0.0, 1.0 - u * u))) / bessel_i0(shape);
        f->taps[i] = window * (i == f->half ? 2.0 * cutoff : sin(2.0 * PI * cutoff * k) / (PI * k));
        sum += f->taps[i];
    }
    for (size_t i = 0; i <= 2 * f->half; i++)
        f->taps[i] /= sum;
    return 0;
}

int low_pass_between(struct low_pass *f, double pass, double stop, struct error *e)
{
    return design(f, pass, stop, STOP_ATTENUATION, e);
}

int low_pass_causal(struct low_pass *f, double pass, double stop, struct error *e)
{
    if (design(f, pass, stop, CAUSAL_STOP_ATTENUATION, e))
        return -1;
    f->before = 0;
    if (!minimum_phase_taps(f->taps, f->half, LOW_PASS_FLOOR, e))
        return 0;
    low_pass_free(f);
    return -1;
}

/* The group delay of a filter h is Re(H'/H), H' the spectrum of n h[n]. */
double low_pass_delay(const struct low_pass *f, double frequency)
{
    double re = 0.0, im = 0.0, late_re = 0.0, late_im = 0.0;
    for (size_t k = 0; f->taps && k <= 2 * f->half; k++) {
        const double n = (double)k - (double)f->before, angle = 2.0 * PI * frequency * n;
        re += f->taps[k] * cos(angle);
        im += f->taps[k] * sin(angle);
        late_re += n * f->taps[k] * cos(angle);
        late_im += n * f->taps[k] * sin(angle);
    }
    return f->taps ? (late_re * re + late_im * im) / (re * re + im * im) : 0.0;
}

void low_pass_free(struct low_pass *f)
{
    if (!f)
        return;
    free(f->taps);
    memset(f, 0, sizeof *f);
}

void low_pass_apply(const struct low_pass *f, const double *in, size_t frames, size_t first, double *out,
                    size_t out_frames)
{
    if (!f->taps) {
        for (size_t n = 0; n < out_frames; n++)
            out[n] = first + n < frames ? in[first + n] : 0.0;
        return;
    }
    for (size_t n = 0; n < out_frames && !stop_requested_at(n); n++) {
        size_t centre = first + n;
        size_t past = 2 * f->half - f->before, from = centre > past ? centre - past : 0;
        size_t to = centre + f->before < frames ? centre + f->before + 1 : frames;
        const double *tap = f->taps + (f->before + centre - from); /* the tap of in[from] */
        double sum = 0.0;
        for (size_t i = from; i < to; i++)
            sum += *tap-- * in[i];
        out[n] = sum;
    }
}

enum { ORDER = 8 };

/* One pole pair, direct form II transposed. */
struct section {
    double norm, a1, a2;
    double s1, s2;
};

static struct section section_of(double k, double damping)
{
    const double norm = 1.0 / (1.0 + damping * k + k * k);
    return (struct section){.norm = norm, .a1 = 2.0 * (k * k - 1.0) * norm, .a2 = (1.0 - damping * k + k * k) * norm};
}

static inline double section_step(struct section *s, double in)
{
    const double out = s->norm * in + s->s1;
    s->s1 = -2.0 * s->norm * in - s->a1 * out + s->s2;
    s->s2 = s->norm * in - s->a2 * out;
    return out;
}

void drift_high_pass(double *samples, size_t frames, const size_t fade[2], double corner, double rate)
{
    struct section s = section_of(tan(M_PI * corner / rate), M_SQRT2);
    for (size_t n = fade[0]; n < frames; n++) {
        const double place = (double)(n - fade[0]) / (double)(fade[1] - fade[0]);
        const double faded = samples[n] * (n < fade[1] ? 0.5 - 0.5 * cos(M_PI * place) : 1.0);
        samples[n] = (samples[n] - faded) + section_step(&s, faded);
    }
}

void steep_high_pass(double *samples, size_t frames, double corner, double rate)
{
    const double k = tan(M_PI * corner / rate);
    for (int pair = 0; pair < ORDER / 2; pair++) {
        struct section s = section_of(k, 2.0 * sin(M_PI * (2 * pair + 1) / (2.0 * ORDER)));
        for (size_t n = 0; n < frames; n++)
            samples[n] = section_step(&s, samples[n]);
    }
}

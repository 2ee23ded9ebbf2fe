/* SPDX-License-Identifier: MIT */
/* Makes and recognises exponential sweeps. */
#include "dsp/sweep.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/stop.h"
#include "dsp/sweep_spectrum.h"

static const double PI = 3.14159265358979323846;
static const double FADE_OUT = 0.005; /* s */

int sweep_check(const struct sweep *s, struct error *e)
{
    if (!(s->low >= 1.0 && s->high >= 2.0 * s->low && s->high <= 0.5 * s->rate))
        return fail(e, ERROR_USAGE,
                    "a sweep from %g to %g Hz: it must begin at 1 Hz or more, span an octave or more, and end at half "
                    "the sample rate, %g Hz, or below",
                    s->low, s->high, 0.5 * s->rate);
    if (!(s->seconds >= 0.1 && s->seconds <= 600.0))
        return fail(e, ERROR_USAGE, "a sweep of %g s: it must last from 0.1 to 600 s", s->seconds);
    return 0;
}

double sweep_constant(const struct sweep *s)
{
    return s->seconds / log(s->high / s->low);
}

size_t sweep_frames(const struct sweep *s)
{
    return (size_t)llround(s->seconds * s->rate);
}

/* Of a fade over `length` s, `inside` s from its outer end. */
static double fade(double inside, double length)
{
    return inside < length ? 0.5 - 0.5 * cos(PI * inside / length) : 1.0;
}

int sweep_make(double *samples, const struct sweep *s, struct error *e)
{
    const double constant = sweep_constant(s), most = s->seconds / 20.0;
    const double in = fmin(2.0 / s->low, most), out = fmin(FADE_OUT, most);
    const size_t frames = sweep_frames(s);
    for (size_t n = 0; n < frames && !stop_requested_at(n); n++) {
        const double t = (double)n / s->rate;
        const double phase = 2.0 * PI * s->low * constant * expm1(t / constant);
        samples[n] = s->level * fade(t, in) * fade((double)(frames - 1 - n) / s->rate, out) * sin(phase);
    }
    return stop_check(e);
}

/* ---- Recognition ---- */

/* First and last sample above -80 dB of the peak. */
static bool find_span(size_t span[2], const double *samples, size_t frames)
{
    double peak = 0.0;
    for (size_t n = 0; n < frames; n++)
        peak = fmax(peak, fabs(samples[n]));
    size_t first = 0, last = frames;
    while (first < frames && !(fabs(samples[first]) > 1e-4 * peak))
        first++;
    while (last > first && !(fabs(samples[last - 1]) > 1e-4 * peak))
        last--;
    span[0] = first;
    span[1] = last;
    return last > first + 16;
}

/* Energies of third octaves from `LOWEST` Hz. */
enum { THIRDS = 45 };
static const double LOWEST = 1.0;

static double third_edge(size_t k)
{
    return LOWEST * exp2((double)k / 3.0);
}

/* The part of the spectrum in which third octaves come within 10 dB of the strongest one, a third octave narrower at
 * both ends. */
static bool find_band(double band[2], const struct sweep_spectrum *x, double rate)
{
    double energy[THIRDS] = {0.0}, most = 0.0;
    const double spacing = rate / (double)x->length;
    for (size_t b = 1; b <= x->length / 2; b++) {
        const double k = floor(3.0 * log2(spacing * (double)b / LOWEST));
        if (k >= 0.0 && k < THIRDS)
            energy[(size_t)k] += x->bins[b][0] * x->bins[b][0] + x->bins[b][1] * x->bins[b][1];
    }
    for (size_t k = 0; k < THIRDS; k++)
        most = fmax(most, energy[k]);
    size_t first = 0, last = THIRDS;
    while (first < THIRDS && !(energy[first] > 0.1 * most))
        first++;
    while (last > first && !(energy[last - 1] > 0.1 * most))
        last--;
    band[0] = third_edge(first + 1);
    band[1] = fmin(third_edge(last - 1), 0.45 * rate);
    return band[1] > 1.5 * band[0];
}

/* Straight line through (x, y), weighted; *off is the weighted standard deviation from it. */
struct line_fit {
    double w, x, y, xx, xy, yy;
};

static void fit_add(struct line_fit *f, double x, double y, double w)
{
    f->w += w;
    f->x += w * x;
    f->y += w * y;
    f->xx += w * x * x;
    f->xy += w * x * y;
    f->yy += w * y * y;
}

static void fit_end(const struct line_fit *f, double *slope, double *at_zero, double *off)
{
    const double xx = f->xx - f->x * f->x / f->w, xy = f->xy - f->x * f->y / f->w, yy = f->yy - f->y * f->y / f->w;
    *slope = xy / xx;
    *at_zero = (f->y - *slope * f->x) / f->w;
    *off = sqrt(fmax(yy - xy * xy / xx, 0.0) / f->w);
}

/* The group delay of x is Re(Y/X) with Y the spectrum of t x(t). */
static bool fit_sweep(struct sweep *s, const struct sweep_spectrum *x, const struct sweep_spectrum *ramped,
                      double length)
{
    double band[2], slope, at_zero, off, level = 0.0;
    if (!find_band(band, x, s->rate))
        return false;
    struct line_fit fit = {.w = 0.0};
    const double spacing = s->rate / (double)x->length;
    const size_t from = (size_t)ceil(band[0] / spacing), to = (size_t)(band[1] / spacing);
    for (size_t b = from; b <= to; b++) {
        const double *u = x->bins[b], *v = ramped->bins[b], power = u[0] * u[0] + u[1] * u[1];
        if (power > 0.0)
            fit_add(&fit, log(spacing * (double)b), (u[0] * v[0] + u[1] * v[1]) / power, 1.0 / (double)b);
    }
    fit_end(&fit, &slope, &at_zero, &off);
    if (!(slope > 0.0 && off <= 0.01 * length))
        return false;
    s->low = exp(-at_zero / slope);
    s->high = fmin(s->low * exp(length / slope), 0.5 * s->rate);
    s->seconds = slope * log(s->high / s->low);
    for (size_t b = from; b <= to; b++)
        level += (x->bins[b][0] * x->bins[b][0] + x->bins[b][1] * x->bins[b][1]) * 4.0 / slope;
    level *= spacing / (s->rate * s->rate); /* the integral of A^2/f over the band is A^2 ln(to/from) */
    s->level = sqrt(level / log(band[1] / band[0]));
    return true;
}

int sweep_recognise(struct sweep *s, size_t *first, const double *samples, size_t frames, double rate, const char *name,
                    struct error *e)
{
    size_t span[2];
    static const char none[] =
        "%s: is no single exponential sweep with silence around it; use the file that was played, "
        "or FROM,TO,SECONDS such as 20,20000,10";
    if (!find_span(span, samples, frames))
        return fail(e, ERROR_INPUT, none, name);
    const size_t length = span[1] - span[0];
    struct sweep_spectrum x = {0}, ramped = {0};
    double *ramp = malloc(length * sizeof *ramp);
    int status = ramp ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", name);
    for (size_t n = 0; !status && n < length; n++)
        ramp[n] = samples[span[0] + n] * (double)n / rate;
    status = status || sweep_spectrum_make(&x, samples + span[0], length, 2 * length, e) ||
             sweep_spectrum_make(&ramped, ramp, length, 2 * length, e);
    *s = (struct sweep){.rate = rate};
    *first = span[0];
    if (!status && (!fit_sweep(s, &x, &ramped, (double)length / rate) || sweep_check(s, NULL)))
        status = fail(e, ERROR_INPUT, none, name);
    sweep_spectrum_free(&x);
    sweep_spectrum_free(&ramped);
    free(ramp);
    return status ? -1 : 0;
}

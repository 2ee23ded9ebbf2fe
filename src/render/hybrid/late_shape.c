/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double periods = 8.0;         /* periods of the bandwidth in a window */
static const double correction_most = 4.0; /* factor in either direction */
static const double transition = 0.5;      /* of a band's width in octaves: between two filters */
enum { ROUNDS = 3 };

size_t late_shape_frame(const struct late_shape *s, size_t bin)
{
    return (size_t)floor((double)bin * s->h->bin * s->sound->rate + 0.5);
}

int late_shape_make(struct late_shape *s, size_t length, const struct late_sound *sound, const struct late_histogram *h,
                    struct error *e)
{
    *s = (struct late_shape){.length = length, .sound = sound, .h = h};
    s->gain = malloc((length / 2 + 1) * sizeof *s->gain);
    if (!s->gain)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (fourier_make(&s->tables, length, e))
        return -1;
    s->transform = real_fourier_of(&s->tables, length);
    return 0;
}

void late_shape_free(struct late_shape *s)
{
    fourier_free(&s->tables);
    free(s->gain);
    memset(s, 0, sizeof *s);
}

bool late_work_make(struct late_work *w, const struct late_shape *s)
{
    w->re = malloc(s->length / 2 * sizeof *w->re);
    w->im = malloc(s->length / 2 * sizeof *w->im);
    w->spectrum = malloc((s->length / 2 + 1) * sizeof *w->spectrum);
    w->correction = malloc((s->h->bins + 1) * sizeof *w->correction);
    return w->re && w->im && w->spectrum && w->correction;
}

void late_work_free(struct late_work *w)
{
    free(w->re);
    free(w->im);
    free(w->spectrum);
    free(w->correction);
    memset(w, 0, sizeof *w);
}

/* From 0 below a border to 1 above it, sin² over log frequency. */
static double rise(double frequency, double border, double octaves)
{
    const double place = frequency > 0.0 ? log2(frequency / border) / octaves + 0.5 : 0.0;
    const double sine = sin(0.5 * pi * fmin(fmax(place, 0.0), 1.0));
    return sine * sine;
}

static double end_of_band(const double top[2], double frequency)
{
    const double place = fmin(fmax((frequency - top[0]) / (top[1] - top[0]), 0.0), 1.0);
    return place < 1.0 ? pow(cos(0.5 * pi * place), 2.0) : 0.0;
}

/* Width of the bands in octaves; the last one may be cut off. */
static double width_of(const struct late_bands *b)
{
    return log2(b->upper[0] / b->lower[0]);
}

/* Number of bins in a window of the chosen band. */
static size_t window_bins(const struct late_shape *s)
{
    const struct late_bands *b = &s->h->bands;
    const double bins = ceil(periods / (b->upper[s->band] - b->lower[s->band]) / s->h->bin);
    return bins > 1.0 ? (size_t)bins : 1;
}

double late_shape_gain(const struct late_bands *b, size_t band, double frequency)
{
    const double octaves = transition * width_of(b);
    double gain = 1.0;
    if (band > 0)
        gain *= rise(frequency, b->lower[band], octaves);
    if (band + 1 < b->count)
        gain *= 1.0 - rise(frequency, b->upper[band], octaves);
    return gain;
}

void late_shape_choose(struct late_shape *s, size_t band)
{
    const double spacing = s->sound->rate / (double)s->length;
    s->band = band;
    s->window = window_bins(s);
    s->power = 0.0;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k <= s->length / 2; k++) {
        const double frequency = (double)k * spacing;
        s->gain[k] = end_of_band(s->sound->top, frequency) * late_shape_gain(&s->h->bands, band, frequency);
    }
    memset(s->powers, 0, sizeof s->powers);
    for (size_t k = 0; k <= s->length / 2; k++) {
        const double power = s->gain[k] * s->gain[k] / (0.5 * (double)s->length);
        s->power += power;
        if (power > 0.0)
            near_rise_share(s->powers, power, (double)k * spacing);
    }
}

/* Of white noise of variance 1 with a rise (NULL: none) behind the filter of the chosen band. */
static double late_shape_power(const struct late_shape *s, const struct near_rise *rise)
{
    double sum = 0.0;
    if (!rise || rise->none)
        return s->power;
    for (size_t i = 0; i < RISE_POINTS; i++)
        sum += s->powers[i] * rise->at[i];
    return sum;
}

void late_shape_filter(const struct late_shape *s, struct late_work *w, double *samples)
{
    for (size_t i = 0; i < s->length; i++)
        (i % 2 ? w->im : w->re)[i / 2] = samples[i];
    real_fourier_forward(&s->transform, w->re, w->im);
    for (size_t k = 0; k <= s->length / 2; k++) {
        real_fourier_bin(&s->transform, w->re, w->im, k, w->spectrum[k]);
        w->spectrum[k][0] *= s->gain[k];
        w->spectrum[k][1] *= s->gain[k];
    }
    real_fourier_inverse(&s->transform, (const double(*)[2])w->spectrum, w->re, w->im);
    for (size_t i = 0; i < s->length; i++)
        samples[i] = (i % 2 ? w->im : w->re)[i / 2] / (double)s->length;
}

static size_t window_count(const struct late_shape *s)
{
    return (s->h->bins + s->window - 1) / s->window;
}

/* Linear between the centres of windows. */
double late_shape_correction(const struct late_shape *s, const struct late_work *w, size_t frame)
{
    const double place = ((double)frame + 0.5) / (s->sound->rate * s->h->bin * (double)s->window) - 0.5;
    const size_t last = window_count(s) - 1;
    if (!(place > 0.0))
        return w->correction[0];
    const size_t below = (size_t)place;
    if (below >= last)
        return w->correction[last];
    return w->correction[below] + (place - (double)below) * (w->correction[below + 1] - w->correction[below]);
}

static double window_energy(const struct late_shape *s, size_t window, size_t receiver)
{
    double sum = 0.0;
    for (size_t bin = window * s->window; bin < (window + 1) * s->window && bin < s->h->bins; bin++)
        sum += *late_energy(s->h, receiver, bin, s->band);
    return sum;
}

void late_shape_correct(const struct late_shape *s, struct late_work *w, const double *pressure, size_t receiver,
                        const struct near_rise *rise)
{
    const size_t windows = window_count(s);
    const double power = late_shape_power(s, rise);
    for (size_t i = 0; i < windows; i++)
        w->correction[i] = 1.0;
    for (int round = 0; round < ROUNDS; round++) {
        double before = w->correction[0];
        for (size_t window = 0; window < windows; window++) {
            const size_t first = late_shape_frame(s, window * s->window),
                         end = late_shape_frame(s, (window + 1) * s->window);
            double energy = 0.0;
            const double target = power * window_energy(s, window, receiver);
            for (size_t i = first; i < end && i < s->length; i++)
                energy += pow(pressure[i] * late_shape_correction(s, w, i), 2.0);
            before = w->correction[window];
            if (target > 0.0 && energy > 0.0)
                w->correction[window] =
                    fmin(fmax(before * sqrt(target / energy), 1.0 / correction_most), correction_most);
        }
    }
}

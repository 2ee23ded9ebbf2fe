/* SPDX-License-Identifier: MIT */
/* Distortion by order, and levels by octave, from the recording of a sweep. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "dsp/sweep.h"
#include "dsp/sweep_spectrum.h"

static const double PI = 3.14159265358979323846;
static const double LEAD = 0.02;     /* s: of a window before its peak, at most */
static const double INSIDE = 1.1225; /* 1/6 octave: distance of the band from the edges of the sweep */

/* ---- Distortion ---- */

/* Energy within `band`, Hz, of the window [from, from + count) of a periodic response, faded in over `lead` samples, in
 * which nothing has arrived, and out over its second half: the ringing of the band limits, which grows towards the next
 * window, would leak into the band from an edge. */
static int window_energy(double *energy, const double *response, size_t length, double from, size_t count, size_t lead,
                         const double band[2], double rate, struct error *e)
{
    double *window = malloc(count * sizeof *window);
    struct sweep_spectrum spectrum = {0};
    if (!window)
        return fail(e, ERROR_MEMORY, "out of memory");
    const double start = fmod(fmod(round(from), (double)length) + (double)length, (double)length);
    const double in = 0.8 * (double)lead, out = 0.5 * (double)count;
    for (size_t n = 0; n < count; n++) {
        const double from_end = (double)(count - 1 - n), at_start = (double)n;
        const double weight = (at_start < in ? 0.5 - 0.5 * cos(PI * (at_start + 0.5) / in) : 1.0) *
                              (from_end < out ? 0.5 - 0.5 * cos(PI * (from_end + 0.5) / out) : 1.0);
        window[n] = weight * response[((size_t)start + n) % length];
    }
    const int status = sweep_spectrum_make(&spectrum, window, count, count, e);
    if (!status)
        *energy = sweep_spectrum_energy(&spectrum, band[0] / rate, band[1] / rate);
    sweep_spectrum_free(&spectrum);
    free(window);
    return status;
}

/* One order: its window begins `lead` before its peak and ends where the one of the order below begins. */
static int find_order(struct sweep_distortion *d, size_t order, const struct sweep *s, const double *response,
                      size_t length, size_t direct, size_t end, struct error *e)
{
    const double constant = sweep_constant(s), n = (double)order;
    const double band[2] = {n * s->low * INSIDE, s->high / INSIDE};
    const double next = constant * log((n + 1.0) / n); /* s: distance of the order above */
    const double lead = s->rate * fmin(LEAD, 0.25 * next), width = s->rate * constant * log(n / (n - 1.0));
    const size_t count = (size_t)width;
    double linear, harmonic, noise;
    if (!(band[1] > 2.0 * band[0]) || count < 64)
        return 0;
    const double at = (double)direct - lead;
    if (window_energy(&linear, response, length, at, count, (size_t)lead, band, s->rate, e) ||
        window_energy(&harmonic, response, length, at - s->rate * constant * log(n), count, (size_t)lead, band, s->rate,
                      e))
        return -1;
    d->level[order] = 10.0 * log10(harmonic / linear);
    if (end < direct + 2 * count)
        return 0;
    if (window_energy(&noise, response, length, (double)(end - count), count, (size_t)lead, band, s->rate, e))
        return -1;
    d->floor[order] = 10.0 * log10(noise / linear);
    return 0;
}

int sweep_distortion_find(struct sweep_distortion *d, const struct sweep *s, const double *response, size_t length,
                          size_t direct, size_t end, struct error *e)
{
    for (size_t order = 0; order <= SWEEP_ORDERS; order++)
        d->level[order] = d->floor[order] = NAN;
    for (size_t order = 2; order <= SWEEP_ORDERS; order++)
        if (find_order(d, order, s, response, length, direct, end, e))
            return -1;
    return 0;
}

/* ---- Levels by octave ---- */

double sweep_octave(size_t band)
{
    return 1000.0 * exp2((double)band - 5.0);
}

int sweep_noise_levels(double power[SWEEP_OCTAVES], const double *samples, size_t frames, double rate, struct error *e)
{
    struct sweep_spectrum spectrum = {0};
    double *window = frames ? malloc(frames * sizeof *window) : NULL;
    for (size_t k = 0; k < SWEEP_OCTAVES; k++)
        power[k] = NAN;
    if (!frames)
        return 0;
    if (!window)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t n = 0; n < frames; n++)
        window[n] = samples[n] * (0.5 - 0.5 * cos(2.0 * PI * ((double)n + 0.5) / (double)frames));
    const int status = sweep_spectrum_make(&spectrum, window, frames, frames, e);
    for (size_t k = 0; !status && k < SWEEP_OCTAVES; k++) {
        const double from = sweep_octave(k) * M_SQRT1_2, to = sweep_octave(k) * M_SQRT2;
        if (to <= 0.5 * rate) /* the mean square of the window is 3/8 */
            power[k] = sweep_spectrum_energy(&spectrum, from / rate, to / rate) / (0.375 * (double)frames);
    }
    sweep_spectrum_free(&spectrum);
    free(window);
    return status;
}

int sweep_signal_levels(double power[SWEEP_OCTAVES], const struct sweep *s, const double *recording, size_t frames,
                        struct error *e)
{
    struct sweep_spectrum spectrum;
    if (sweep_spectrum_make(&spectrum, recording, frames, frames, e))
        return -1;
    const double within = s->rate * sweep_constant(s) * log(2.0); /* samples in which the sweep is in an octave */
    for (size_t k = 0; k < SWEEP_OCTAVES; k++) {
        const double from = sweep_octave(k) * M_SQRT1_2, to = sweep_octave(k) * M_SQRT2;
        const bool swept = from >= s->low / INSIDE && to <= s->high * INSIDE && to <= 0.5 * s->rate;
        power[k] = swept ? sweep_spectrum_energy(&spectrum, from / s->rate, to / s->rate) / within : NAN;
    }
    sweep_spectrum_free(&spectrum);
    return 0;
}

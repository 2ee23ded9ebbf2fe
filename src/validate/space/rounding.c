/* SPDX-License-Identifier: MIT */
/* Rounding noise of a field in single precision: a complete response of a lossy cube in single
 * compared with double precision, in each order and octave, relative to the channel's own
 * signal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "dsp/fourier.h"
#include "render/render.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { ORDER = 4, OCTAVES = 6 };

static const double centres[OCTAVES] = {31.5, 63, 125, 250, 500, 1000};

/* Adds the energy of samples in each octave. */
static int add_octaves(double energy[OCTAVES], const double *samples, size_t frames, double rate, struct error *e)
{
    struct fourier tables;
    size_t length = 64;
    while (length < frames)
        length *= 2;
    double *parts = calloc(length, sizeof *parts);
    if (!parts || fourier_make(&tables, length, e)) {
        free(parts);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    const struct real_fourier transform = real_fourier_of(&tables, length);
    double *re = parts, *im = parts + length / 2;
    for (size_t n = 0; n < frames; n++)
        (n % 2 ? im : re)[n / 2] = samples[n];
    real_fourier_forward(&transform, re, im);
    for (size_t k = 1; k < length / 2; k++) {
        double value[2];
        real_fourier_bin(&transform, re, im, k, value);
        for (int i = 0; i < OCTAVES; i++)
            if (fabs(log2((double)k * rate / (double)length / centres[i])) <= 0.5)
                energy[i] += value[0] * value[0] + value[1] * value[1];
    }
    fourier_free(&tables);
    free(parts);
    return 0;
}

static int render(struct rendering *rendering, struct validation *v, int scheme, enum precision precision,
                  struct error *e)
{
    struct space_box b;
    space_box_init(&b, (double[]){1.2, 1.2, 1.2}, 12.0);
    b.room.receiver_count = 1;
    b.room.duration = 0.3;
    b.room.grid.scheme = scheme ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
    b.room.grid.rate = scheme ? 8000.0 : 16000.0; /* valid to 1.7 and 1.2 kHz */
    b.room.grid.precision = precision;
    memcpy(b.source.position, (double[]){0.31, 0.42, 0.37}, sizeof b.source.position);
    b.receivers[0] =
        (struct receiver){.name = "R", .kind = RECEIVER_AMBISONIC, .order = ORDER, .position = {0.77, 0.71, 0.66}};
    if (space_box_make(&b, e))
        return -1;
    const int status = render_sources(rendering, b.model, 0, 1, &v->choice, NULL, e);
    space_box_free(&b);
    return status;
}

static int check_scheme(struct validation *v, struct report *r, int scheme, struct error *e)
{
    static const double bound[SPACE_SCHEMES][ORDER + 1] = {{-110, -97, -79, -65, -56}, {-110, -97, -79, -65, -56}};
    struct rendering single, precise;
    if (render(&precise, v, scheme, PRECISION_DOUBLE, e))
        return -1;
    if (render(&single, v, scheme, PRECISION_SINGLE, e)) {
        rendering_free(&precise);
        return -1;
    }
    const size_t frames = precise.response.frames;
    int status = 0;
    for (int n = 0; n <= ORDER && !status; n++) {
        double noise[OCTAVES] = {0.0}, signal[OCTAVES] = {0.0}, worst = 0.0;
        for (size_t c = (size_t)(n * n); c < harmonics_count(n) && !status; c++) {
            double *difference = single.response.samples + c * frames;
            const double *exact = precise.response.samples + c * frames;
            for (size_t i = 0; i < frames; i++)
                difference[i] -= exact[i];
            status = add_octaves(noise, difference, frames, precise.response.rate, e) ||
                     add_octaves(signal, exact, frames, precise.response.rate, e);
        }
        for (int i = 0; i < OCTAVES; i++)
            worst = nan_max(worst, noise[i] / signal[i]);
        if (!status)
            report_bound(r, "rounding", 10.0 * log10(worst), bound[scheme][n],
                         "%s, single precision, order %d, octaves 31 Hz to 1 kHz: noise relative to the signal of the "
                         "order, dB (%.0f %.0f %.0f %.0f %.0f %.0f)",
                         space_scheme_of(scheme).name, n, 10.0 * log10(noise[0] / signal[0]),
                         10.0 * log10(noise[1] / signal[1]), 10.0 * log10(noise[2] / signal[2]),
                         10.0 * log10(noise[3] / signal[3]), 10.0 * log10(noise[4] / signal[4]),
                         10.0 * log10(noise[5] / signal[5]));
    }
    rendering_free(&single);
    rendering_free(&precise);
    return status;
}

int check_space_rounding(struct validation *v, struct report *r, struct error *e)
{
    for (int scheme = 0; scheme < SPACE_SCHEMES; scheme++)
        if (check_scheme(v, r, scheme, e))
            return -1;
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Losses of air in a rigid room: energy per octave relative to the same room without losses.
 *
 * With the filter on the impulse response, the energy must fall as the band integral of
 * e^{-2α(f)ct}, α by ISO 9613-1; in the scheme, as that of e^{-ω²τt}, which follows ISO 9613-1 in
 * one octave and is compared with it in the others. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "dsp/fourier.h"
#include "render/render.h"
#include "room/grid/air.h"
#include "validate/cartesian7/checks.h"

enum { WINDOW = 2048, BANDS = 6 /* 125 Hz to 4 kHz */, INSTANTS = 4, RECEIVERS = 4 };
static const double instants[INSTANTS] = {0.1, 0.3, 0.5, 0.7}; /* s, centres of the windows */
static const double rate = 48000.0, width = 2e-5;              /* Hz; s, of the pulse sent as a signal */

/* The room and the arrays it points to. */
struct rigid_room {
    struct room room;
    struct material material;
    struct source source;
    struct receiver receivers[RECEIVERS];
};

static void make_room(struct rigid_room *r, enum signal_kind signal, bool losses)
{
    *r = (struct rigid_room){
        .material = {.name = "rigid", .kind = MATERIAL_RIGID},
        .source = {.name = "S", .gain = 1.0, .position = {0.31, 0.42, 0.23}, .signal = signal, .width = width}};
    for (int i = 0; i < RECEIVERS; i++)
        r->receivers[i] =
            (struct receiver){.name = "R", .position = {0.75 - 0.11 * i, 0.17 + 0.13 * i, 0.6 - 0.07 * i}};
    r->room = (struct room){.path = "rigid room",
                            .size = {0.93, 0.81, 0.71},
                            .materials = &r->material,
                            .material_count = 1,
                            .duration = instants[INSTANTS - 1] + WINDOW / rate,
                            .sources = &r->source,
                            .source_count = 1,
                            .receivers = r->receivers,
                            .receiver_count = RECEIVERS};
    r->room.air.temperature = 20.0;
    r->room.air.humidity = 30.0;
    r->room.air.pressure = 101.325;
    r->room.air.losses = losses;
    r->room.grid.rate = rate;
    r->room.grid.precision = PRECISION_DOUBLE;
    r->room.grid.courant = 0.57; /* the same grid with and without losses */
    r->room.output.dispersion = 0.02;
    r->room.output.filter = FILTER_NONE;
}

/* Spectra of a response around each instant: power by bin. */
struct spectra {
    double *power; /* [INSTANTS][WINDOW/2] */
    double viscothermal_time, matched, sound_speed, valid_frequency;
};

static int measure(struct spectra *s, const struct response *response, struct error *e)
{
    struct fourier f;
    double *re = malloc(2 * WINDOW * sizeof *re), *im = re ? re + WINDOW : NULL;
    s->power = calloc(INSTANTS * WINDOW / 2, sizeof *s->power);
    if (!re || !s->power || fourier_make(&f, WINDOW, e)) {
        free(re);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < INSTANTS * response->channels; i++) {
        const size_t instant = i % INSTANTS, channel = i / INSTANTS;
        const double *from = response->samples + channel * response->frames +
                             (size_t)lround(instants[instant] * response->rate) - WINDOW / 2;
        for (size_t n = 0; n < WINDOW; n++) {
            re[n] = from[n] * (0.5 - 0.5 * cos(2.0 * M_PI * ((double)n + 0.5) / WINDOW));
            im[n] = 0.0;
        }
        fourier_forward(&f, re, im);
        for (size_t b = 0; b < WINDOW / 2; b++) {
            const size_t at = fourier_index(&f, b);
            s->power[instant * WINDOW / 2 + b] += re[at] * re[at] + im[at] * im[at];
        }
    }
    fourier_free(&f);
    free(re);
    return 0;
}

static int render(struct spectra *s, struct validation *v, enum signal_kind signal, bool losses, struct error *e)
{
    struct rigid_room r;
    struct model *m = NULL;
    struct rendering rendering;
    make_room(&r, signal, losses);
    *s = (struct spectra){.power = NULL};
    if (model_make(&m, &r.room, e))
        return -1;
    s->viscothermal_time = m->grid.viscosity / m->grid.courant_squared / m->grid.rate;
    s->matched = m->grid.matched;
    s->valid_frequency = m->grid.valid_frequency;
    s->sound_speed = m->grid.sound_speed;
    int status = render_sources(&rendering, m, 0, 1, &v->choice, NULL, e);
    if (!status) {
        status = measure(s, &rendering.response, e);
        rendering_free(&rendering);
    }
    model_free(m);
    return status;
}

/* Decay exponent of the energy in 1/s by ISO 9613-1: e^{-this t}. */
static double by_iso(const struct spectra *lossy, double frequency)
{
    const struct air_conditions air = {20.0, 30.0, 101.325};
    return 2.0 * air_absorption(frequency, &air) * lossy->sound_speed;
}

static double by_scheme(const struct spectra *lossy, double frequency)
{
    const double omega = 2.0 * M_PI * frequency;
    return omega * omega * lossy->viscothermal_time;
}

/* Energy in an octave relative to its expected value, which follows from the lossless response. */
static double share(const struct spectra *lossy, const struct spectra *lossless, double centre, size_t instant,
                    double (*exponent)(const struct spectra *, double))
{
    double left = 0.0, expected = 0.0;
    for (size_t b = 1; b < WINDOW / 2; b++) {
        const double frequency = (double)b * rate / WINDOW;
        if (frequency < centre * M_SQRT1_2 || frequency >= centre * M_SQRT2)
            continue;
        left += lossy->power[instant * WINDOW / 2 + b];
        expected += lossless->power[instant * WINDOW / 2 + b] * exp(-exponent(lossy, frequency) * instants[instant]);
    }
    return left / expected;
}

static double worst_share(const struct spectra *lossy, const struct spectra *lossless, double centre,
                          double (*exponent)(const struct spectra *, double))
{
    double worst = 0.0;
    for (size_t i = 0; i < INSTANTS; i++)
        worst = nan_max(worst, fabs(share(lossy, lossless, centre, i, exponent) - 1.0));
    return worst;
}

/* An impulse, to which the filter is applied, and a short pulse as a signal, for which the
 * scheme includes the losses. */
static int compare(struct validation *v, struct report *r, bool filter, struct error *e)
{
    const enum signal_kind signal = filter ? SIGNAL_IMPULSE : SIGNAL_GAUSSIAN;
    struct spectra lossless = {.power = NULL}, lossy = {.power = NULL};
    const int status = render(&lossless, v, signal, false, e) || render(&lossy, v, signal, true, e);
    for (int b = 0; b < BANDS && !status; b++) {
        const double centre = octave_band_centre[b + 1], last = share(&lossy, &lossless, centre, INSTANTS - 1, by_iso);
        if (filter)
            report_bound(
                r, "bands", worst_share(&lossy, &lossless, centre, by_iso), 0.05,
                "filter, %g Hz octave, 0.1 to 0.7 s: error of the energy relative to the band integral of ISO 9613-1",
                centre);
        else if (centre <= lossy.valid_frequency)
            report_bound(r, "bands", worst_share(&lossy, &lossless, centre, by_scheme), 0.05,
                         "scheme, %g Hz octave, 0.1 to 0.7 s: error of the energy relative to the band integral of the "
                         "scheme's own law",
                         centre);
        if (!filter && centre == lossy.matched)
            report_bound(r, "bands", fabs(last - 1.0), 0.05,
                         "    error relative to ISO 9613-1, which the scheme matches in this octave");
        else if (!filter)
            report_figure(r, "bands", last, "    energy at 0.7 s in the %g Hz octave over the value of ISO 9613-1",
                          centre);
    }
    free(lossless.power);
    free(lossy.power);
    return status ? -1 : 0;
}

int check_air_bands(struct validation *v, struct report *r, struct error *e)
{
    return compare(v, r, true, e) || compare(v, r, false, e);
}

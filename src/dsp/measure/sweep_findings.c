/* SPDX-License-Identifier: MIT */
#include "dsp/measure/sweep_findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dsp/measure/clipping.h"

static const double STRAIGHT = 10.0;  /* per mille: nonlinearity of a straight decay (ISO 3382-2, annex B) */
static const double T30_RANGE = 45.0; /* dB: T30 ends at -35 dB, 10 dB above the noise (ISO 3382-1) */
static const double HARMLESS = -60.0; /* dB: distortion */

struct work {
    const struct sweep_recording *in;
    const struct sweep_response *response;
    double spread; /* dB; NaN: not known */
    const char *name;
};

#define WARN(...) lines_add(&f->warnings, &f->warning_count, e, __VA_ARGS__)
#define NOTE(...) lines_add(&f->notes, &f->note_count, e, __VA_ARGS__)

static int warn_of_clipping(struct sweep_findings *f, const struct work *w, struct error *e)
{
    for (size_t c = 0; c < w->in->channels; c++) {
        const struct clipping found = clipping_of(w->in->samples + c * w->in->frames, w->in->frames);
        if (found.samples > 0 &&
            WARN("channel %zu is clipped (%zu samples at full scale), so response and distortion are wrong; record it "
                 "again with less gain",
                 c + 1, found.samples))
            return -1;
    }
    return 0;
}

static int warn_of_repeats(struct sweep_findings *f, const struct work *w, struct error *e)
{
    const struct sweep_response *r = w->response;
    const double spread = isnan(w->spread) ? r->difference : w->spread;
    if (isnan(spread) &&
        NOTE("a single sweep cannot be checked against another one; two show whether anything disturbed it"))
        return -1;
    if (spread > SWEEP_DIFFERENCE_WARNED &&
        WARN("the sweeps differ by %.1f dB re their mean: there was noise, or air or people moved; T30 at high "
             "frequencies may be too short",
             spread))
        return -1;
    return r->drift == 0.0
               ? 0
               : WARN("the clocks of player and recorder differ by %.0f ppm, which smears the response; use "
                      "one device for both",
                      1e6 * r->drift);
}

static int warn_of_distortion(struct sweep_findings *f, const struct work *w, struct error *e)
{
    for (size_t k = 0; k < w->response->channels; k++)
        for (size_t n = 2; n <= SWEEP_ORDERS; n++)
            if (w->response->distortion[k].level[n] > -20.0 &&
                !(w->response->distortion[k].level[n] < w->response->distortion[k].floor[n] + 3.0) &&
                WARN("channel %zu: distortion of order %zu is at %.1f dB: loudspeaker, amplifier or microphone are "
                     "overdriven; lower the level",
                     k + 1, n, w->response->distortion[k].level[n]))
                return -1;
    return 0;
}

/* "63", "16k"; octave 0 is that of 63 Hz. */
static const char *octave_name(char text[16], size_t octave)
{
    const double centre = octave ? 62.5 * exp2((double)octave) : 63.0;
    snprintf(text, 16, centre < 1000.0 ? "%g" : "%gk", centre < 1000.0 ? centre : centre / 1000.0);
    return text;
}

/* Octaves within the sweep whose decay is cut by noise before T30 can be read. */
static int warn_of_noise(struct sweep_findings *f, const struct work *w, struct error *e)
{
    for (size_t k = 0; k < w->response->channels; k++) {
        const struct metrics *x = &f->metrics[k];
        char list[128] = "", text[16];
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            if (x->band[b].validity == METRICS_VALID && x->band[b].t30.reason == METRICS_NOISE) {
                const size_t used = strlen(list);
                snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", octave_name(text, b));
            }
        if (*list &&
            WARN(
                "channel %zu: noise hides T30 at %s Hz; raise the level or the gain, or use more sweeps or longer ones",
                k + 1, list))
            return -1;
    }
    return 0;
}

/* s: the largest T30 that a straight decay well above its end gives; 0: none. */
static double longest_decay(const struct metrics *m)
{
    double longest = 0.0;
    for (size_t b = 0; b < METRICS_OCTAVES; b++) {
        const struct metrics_band *band = &m->band[b];
        if (band->validity == METRICS_VALID && band->t30.nonlinearity <= STRAIGHT && band->range >= T30_RANGE)
            longest = fmax(longest, band->t30.time); /* NaN: not known */
    }
    return longest;
}

static bool is_distorted(const struct sweep_distortion *d)
{
    for (size_t n = 2; n <= SWEEP_ORDERS; n++)
        if (d->level[n] > HARMLESS)
            return true;
    return false;
}

/* The reverberation of the second harmonic reaches into the response if it lands less than half of T30 earlier. Weak
 * harmonics lie below the range of T30 in any case. */
static int warn_of_short_sweep(struct sweep_findings *f, const struct work *w, struct error *e)
{
    const double early = sweep_constant(&w->in->made) * log(2.0);
    double longest = 0.0;
    for (size_t k = 0; k < w->response->channels; k++)
        if (is_distorted(&w->response->distortion[k]))
            longest = fmax(longest, longest_decay(&f->metrics[k]));
    return early >= 0.5 * longest
               ? 0
               : WARN("the second harmonic lands %.2f s before the response, and its reverberation of "
                      "%.1f s runs into it; use a sweep of %.0f s or more",
                      early, longest, ceil(w->in->made.seconds * 0.5 * longest / early));
}

/* Another sweep than the one that was recorded leaves a sweep, and noise leaves noise at all times: before t = 0, where
 * harmonics are, as much as behind it. */
static int refuse_other_sweep(const struct sweep_findings *f, const struct work *w, struct error *e)
{
    static const double most = -3.0; /* dB: no loudspeaker distorts like this */
    for (size_t k = 0; k < w->response->channels; k++) {
        bool other = f->metrics[k].swept;
        for (size_t n = 2; n <= SWEEP_ORDERS; n++)
            other = other || w->response->distortion[k].level[n] > most;
        if (other)
            return fail(
                e, ERROR_INPUT,
                "%s: does not contain this sweep, or noise hides it in channel %zu; check the sweep, the input and "
                "the level",
                w->name, k + 1);
    }
    return 0;
}

static int find_metrics(struct sweep_findings *f, const struct work *w, struct error *e)
{
    const struct sweep *s = &w->in->made;
    const struct sweep_response *r = w->response;
    const struct metrics_settings settings = {.valid_low = s->low, .valid_high = s->high, .delay = -r->start};
    f->metrics = calloc(r->channels, sizeof *f->metrics);
    if (!f->metrics)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < r->channels; k++)
        if (metrics_measure(&f->metrics[k], r->samples + k * r->frames, r->frames, s->rate, &settings, e))
            return -1;
    return 0;
}

int sweep_findings_make(struct sweep_findings *f, const struct sweep_recording *in, const struct sweep_response *r,
                        double spread, const char *name, struct error *e)
{
    const struct work w = {in, r, spread, name};
    *f = (struct sweep_findings){0};
    return find_metrics(f, &w, e) || refuse_other_sweep(f, &w, e) || warn_of_clipping(f, &w, e) ||
                   warn_of_repeats(f, &w, e) || warn_of_distortion(f, &w, e) || warn_of_noise(f, &w, e) ||
                   warn_of_short_sweep(f, &w, e)
               ? -1
               : 0;
}

void sweep_findings_free(struct sweep_findings *f)
{
    free(f->metrics);
    lines_free(f->notes, f->note_count);
    lines_free(f->warnings, f->warning_count);
    memset(f, 0, sizeof *f);
}

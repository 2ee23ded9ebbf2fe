/* SPDX-License-Identifier: MIT */
#include "render/response.h"

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/air_filter.h"
#include "dsp/band_filter.h"
#include "dsp/deconvolve.h"
#include "dsp/resample.h"

void traces_free(struct traces *t)
{
    if (!t)
        return;
    free(t->samples);
    memset(t, 0, sizeof *t);
}

void response_free(struct response *r)
{
    if (!r)
        return;
    free(r->samples);
    memset(r, 0, sizeof *r);
}

int response_set_frames(struct response *r, size_t frames, struct error *e)
{
    const size_t kept = frames < r->frames ? frames : r->frames;
    double *samples = calloc(r->channels * frames + 1, sizeof *samples);
    if (!samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < r->channels && kept; c++)
        memcpy(samples + c * frames, r->samples + c * r->frames, kept * sizeof *samples);
    free(r->samples);
    r->samples = samples;
    r->frames = frames;
    return 0;
}

static double output_rate(const struct response_settings *s, double rate)
{
    return s->output_rate > 0.0 ? s->output_rate : rate;
}

/* libsamplerate's best sinc passes up to 0.485 of the lower rate. Content above that would ring
 * ahead of each arrival, whatever the phase of the low-pass, which therefore ends below. */
#define CARRIED_PASS 0.44
#define CARRIED_STOP 0.47

/* Edges of the low-pass relative to the grid rate; stop 0: no low-pass. */
struct limits {
    double pass, stop;
};

static struct limits limits_of(const struct response_settings *s, double rate)
{
    const double carried = fmin(1.0, output_rate(s, rate) / rate);
    struct limits l = {s->valid_frequency / rate, LOW_PASS_STOP_RATIO * s->valid_frequency / rate};
    if (carried < 1.0) {
        l.pass = fmin(l.pass, CARRIED_PASS * carried);
        l.stop = fmin(l.stop, CARRIED_STOP * carried);
    }
    return s->filter == FILTER_NONE || !(l.stop < 0.5) ? (struct limits){0} : l;
}

size_t response_ringing(const struct response_settings *s, double rate)
{
    const struct limits l = limits_of(s, rate);
    return s->filter == FILTER_LINEAR_PHASE && l.stop > 0.0 ? low_pass_half_length(l.pass, l.stop) : 0;
}

const char *response_phase(enum output_filter filter)
{
    return filter == FILTER_NONE           ? NULL
           : filter == FILTER_LINEAR_PHASE ? "linear phase, delay removed"
                                           : "minimum phase";
}

static int make_low_pass(struct low_pass *f, const struct response_settings *s, double rate, struct error *e)
{
    const struct limits l = limits_of(s, rate);
    memset(f, 0, sizeof *f);
    if (s->filter != FILTER_NONE && !(s->valid_frequency > 1e-6 * rate))
        return fail(e, ERROR_INPUT,
                    "the grid is valid up to %g Hz only, which is too low to filter; allow more output.dispersion or "
                    "raise grid.rate",
                    s->valid_frequency);
    if (!(l.stop > 0.0))
        return 0;
    return s->filter == FILTER_LINEAR_PHASE ? low_pass_between(f, l.pass, l.stop, e)
                                            : low_pass_causal(f, l.pass, l.stop, e);
}

static struct response_band band_of(const struct low_pass *f, const struct response_settings *s, double rate)
{
    const struct limits l = limits_of(s, rate);
    return (struct response_band){l.pass * rate, {low_pass_delay(f, 0.0) / rate, low_pass_delay(f, l.pass) / rate}};
}

/* Grid frames from t = 0 that the resampler reads. */
static size_t filtered_frames(const struct response_settings *s, double rate)
{
    return s->frames + resample_reach(rate, output_rate(s, rate));
}

size_t response_steps(const struct excitation *x, const struct response_settings *s, double rate)
{
    return x->onset + filtered_frames(s, rate) + (x->deconvolve ? x->length : 0) + response_ringing(s, rate);
}

/* Stages and buffers shared by all channels. */
struct chain {
    const struct excitation *excitation;
    const struct response_settings *settings;
    double rate;
    size_t steps, filtered_frames;
    struct low_pass low_pass;
    struct deconvolver *deconvolver; /* NULL: the excitation is not removed */
    double *raw;                     /* [steps] */
    double *deconvolved;             /* [deconvolved_frames] */
    size_t lead;                     /* frames before t = 0: the support of the low-pass */
    size_t deconvolved_frames;       /* lead + filtered_frames + the low-pass's taps after a frame */
    double *filtered;                /* [RESAMPLE_TOGETHER][filtered_frames], from t = 0 on */
    double *converted;               /* [RESAMPLE_TOGETHER][converted_frames] */
    size_t converted_frames;
};

static void chain_close(struct chain *c)
{
    low_pass_free(&c->low_pass);
    deconvolver_close(c->deconvolver);
    free(c->raw);
    free(c->deconvolved);
    free(c->filtered);
    free(c->converted);
}

static int chain_open(struct chain *c, const struct excitation *x, const struct response_settings *s, double rate,
                      struct error *e)
{
    memset(c, 0, sizeof *c);
    c->excitation = x;
    c->settings = s;
    c->rate = rate;
    c->steps = response_steps(x, s, rate);
    const struct emitted emitted = {x->samples, x->length, x->low, x->high, x->gain};
    c->filtered_frames = filtered_frames(s, rate);
    if (make_low_pass(&c->low_pass, s, rate, e))
        goto fail;
    const struct low_pass *causal = s->filter == FILTER_LINEAR_PHASE ? NULL : &c->low_pass;
    if (x->deconvolve && deconvolver_open(&c->deconvolver, &emitted, c->steps, rate, causal, e))
        goto fail;
    c->raw = malloc(c->steps * sizeof *c->raw);
    c->lead = 2 * c->low_pass.half - c->low_pass.before;
    c->deconvolved_frames = c->lead + c->filtered_frames + c->low_pass.before;
    c->deconvolved = malloc(c->deconvolved_frames * sizeof *c->deconvolved);
    c->converted_frames = resample_frames(c->filtered_frames, rate, output_rate(s, rate));
    c->filtered = malloc(RESAMPLE_TOGETHER * c->filtered_frames * sizeof *c->filtered);
    c->converted = malloc(RESAMPLE_TOGETHER * c->converted_frames * sizeof *c->converted);
    if (!c->raw || !c->deconvolved || !c->filtered || !c->converted) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    return 0;
fail:
    chain_close(c);
    return -1;
}

void response_take_drift(double *record, size_t frames, size_t onset, double rate)
{
    static const double begins = 0.1, ends = 0.3; /* s after t = 0: the fade */
    const size_t fade[2] = {onset + (size_t)(begins * rate), onset + (size_t)ceil(ends * rate)};
    drift_high_pass(record, frames, fade, 5.0, rate);
}

static int apply_air(const struct chain *c, double *samples, size_t frames, size_t onset, struct error *e)
{
    if (!c->settings->air || !c->excitation->is_response)
        return 0;
    return air_filter_apply(c->settings->air, samples, frames, onset, e);
}

/* One channel, from the solver's record to a row of c->filtered. */
static int chain_filter(struct chain *c, const double *trace, double *filtered, struct error *e)
{
    double *response = c->raw;
    size_t frames = c->steps, onset = c->excitation->onset;
    memcpy(c->raw, trace, c->steps * sizeof *c->raw);
    if (c->settings->filter != FILTER_NONE)
        high_pass(c->raw, c->steps, c->settings->high_pass, c->rate);
    if (c->deconvolver) {
        /* frames before t = 0, for the low-pass */
        response = c->deconvolved;
        frames = c->deconvolved_frames;
        onset = c->lead;
        deconvolver_run(c->deconvolver, c->raw, response, onset, frames - onset, c->excitation->onset);
    }
    if (c->settings->drifts)
        response_take_drift(response, frames, onset, c->rate);
    if (apply_air(c, response, frames, onset, e))
        return -1;
    low_pass_apply(&c->low_pass, response, frames, onset, filtered, c->filtered_frames);
    return stop_check(e);
}

/* At most RESAMPLE_TOGETHER channels, from the solver's record to the response. */
static int chain_run(struct chain *c, struct response *r, const struct traces *t, size_t first, size_t count,
                     struct error *e)
{
    double *converted[RESAMPLE_TOGETHER];
    const double *filtered[RESAMPLE_TOGETHER];
    for (size_t k = 0; k < count; k++) {
        converted[k] = c->converted + k * c->converted_frames;
        filtered[k] = c->filtered + k * c->filtered_frames;
        if (chain_filter(c, t->samples + (first + k) * t->frames, c->filtered + k * c->filtered_frames, e))
            return -1;
    }
    if (resample_together(converted, filtered, count, c->filtered_frames, t->rate, r->rate, e))
        return -1;
    for (size_t k = 0; k < count; k++)
        for (size_t n = 0; n < r->frames; n++)
            r->samples[(first + k) * r->frames + n] = n < c->converted_frames ? r->scale * converted[k][n] : 0.0;
    return 0;
}

static int check(const struct traces *t, const struct excitation *x, const struct response_settings *s, struct error *e)
{
    if (!t->channels || !s->frames)
        return fail(e, ERROR_FAILED, "a response of %zu channels and %zu frames is empty", t->channels, s->frames);
    if (!(t->rate > 0.0) || !isfinite(t->rate) || !isfinite(s->output_rate))
        return fail(e, ERROR_FAILED, "a response at %g Hz from a grid at %g Hz is invalid", s->output_rate, t->rate);
    size_t steps = response_steps(x, s, t->rate);
    if (t->frames < steps)
        return fail(e, ERROR_FAILED, "the record ends after %zu steps, but the response needs %zu", t->frames, steps);
    return 0;
}

/* A run of channels, with a chain of its own. */
static int make_channels(struct response *r, const struct traces *t, const struct excitation *x,
                         const struct response_settings *s, size_t first, size_t end, struct error *e)
{
    struct chain c;
    if (chain_open(&c, x, s, t->rate, e))
        return -1;
    int status = 0;
    for (; first < end && !status; first += RESAMPLE_TOGETHER)
        status = chain_run(&c, r, t, first, end - first < RESAMPLE_TOGETHER ? end - first : RESAMPLE_TOGETHER, e);
    chain_close(&c);
    return status;
}

size_t response_runs(size_t channels)
{
    const size_t threads = omp_in_parallel() ? 1 : (size_t)omp_get_max_threads();
    return channels < threads ? channels : threads;
}

static int make_all(struct response *r, const struct traces *t, const struct excitation *x,
                    const struct response_settings *s, struct error *e)
{
    const size_t runs = response_runs(t->channels);
    int failures = 0;
#pragma omp parallel for schedule(static, 1)
    for (size_t i = 0; i < runs; i++) {
        struct error inner;
        if (!make_channels(r, t, x, s, i * t->channels / runs, (i + 1) * t->channels / runs, &inner))
            continue;
#pragma omp critical(response_failed)
        if (!failures++)
            *e = inner;
    }
    return failures ? -1 : 0;
}

static int find_band(struct response *r, const struct response_settings *s, double rate, struct error *e)
{
    struct low_pass low_pass;
    const int status = make_low_pass(&low_pass, s, rate, e);
    if (!status)
        r->band = band_of(&low_pass, s, rate);
    low_pass_free(&low_pass);
    return status;
}

int response_make(struct response *r, const struct traces *t, const struct excitation *x,
                  const struct response_settings *s, struct error *e)
{
    memset(r, 0, sizeof *r);
    if (check(t, x, s, e) || find_band(r, s, t->rate, e))
        return -1;
    r->channels = t->channels;
    r->rate = output_rate(s, t->rate);
    r->frames = resample_frames(s->frames, t->rate, r->rate);
    r->is_filter = x->is_response;
    r->scale = r->is_filter ? t->rate / r->rate : 1.0;
    if (r->frames <= SIZE_MAX / sizeof(double) / r->channels)
        r->samples = malloc(r->channels * r->frames * sizeof *r->samples);
    const int status = r->samples ? make_all(r, t, x, s, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (status)
        response_free(r);
    return status;
}

double response_peak(const struct response *r)
{
    double peak = 0.0;
    for (size_t n = 0; n < r->channels * r->frames; n++) {
        double magnitude = fabs(r->samples[n]);
        if (!isfinite(magnitude))
            return NAN;
        if (magnitude > peak)
            peak = magnitude;
    }
    return peak;
}

/* SPDX-License-Identifier: MIT */
/* Sweeps, and impulse responses from recordings of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "dsp/measure/sweep_findings.h"

_Static_assert(AULA_DISTORTION_ORDERS == SWEEP_ORDERS, "aula.h and the sweeps have the same orders");

static const double LEVEL_MIN = -80.0;                 /* dB re full scale */
static const double PAUSE_MIN = 0.2, PAUSE_MAX = 60.0; /* s */
enum { REPEATS_MAX = 1000 };

struct aula_deconvolution {
    struct sweep made;
    struct sweep_response response;
    struct sweep_findings findings;
};

static int take_sweep(struct call *call, struct sweep *to, const struct aula_sweep *from)
{
    struct error *e = &call->error;
    for (size_t i = 0; i < sizeof from->reserved / sizeof *from->reserved; i++)
        if (from->reserved[i] != 0.0)
            return fail(e, ERROR_USAGE, "sweep.reserved is not 0; zero the struct before filling it");
    if (!(from->level >= LEVEL_MIN && from->level <= 0.0))
        return fail(e, ERROR_USAGE, "level is %g; must be from %g to 0 dB re full scale", from->level, LEVEL_MIN);
    if (!(from->rate > 0.0 && isfinite(from->rate)))
        return fail(e, ERROR_USAGE, "rate is %g Hz; pass the sampling rate", from->rate);
    *to = (struct sweep){.low = from->low,
                         .high = from->high,
                         .seconds = from->seconds,
                         .level = pow(10.0, from->level / 20.0),
                         .rate = from->rate};
    return sweep_check(to, e);
}

/* The samples of a sweep, to be freed. */
static int make_samples(double **samples, size_t *length, const struct sweep *s, struct error *e)
{
    *length = sweep_frames(s);
    *samples = malloc(*length * sizeof **samples);
    return *samples ? sweep_make(*samples, s, e) : fail(e, ERROR_MEMORY, "out of memory");
}

static int make_sweep(struct call *call, struct aula_sound **out, const struct aula_sweep *sweep)
{
    struct sweep s;
    if (!out)
        return call_refuse_null(call, "samples", "the address of a pointer");
    *out = NULL;
    if (!sweep)
        return call_refuse_null(call, "sweep", "the frequencies and the length of a sweep");
    if (take_sweep(call, &s, sweep))
        return -1;
    struct aula_sound *sound = calloc(1, sizeof *sound);
    if (!sound)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    sound->audio = (struct audio){.channels = 1, .rate = s.rate};
    if (make_samples(&sound->audio.samples, &sound->audio.frames, &s, &call->error)) {
        aula_sound_close(sound);
        return -1;
    }
    *out = sound;
    return 0;
}

int aula_sweep_make(struct aula_sound **samples, const struct aula_sweep *sweep, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make_sweep(&call, samples, sweep));
}

/* ---- Deconvolution ---- */

static int take_zero(struct call *call, struct sweep_recording *in, const struct aula_recording *r)
{
    struct error *e = &call->error;
    in->delay = NAN;
    switch (r->zero) {
    case AULA_ZERO_DIRECT:
        return 0;
    case AULA_ZERO_DELAY:
        in->delay = r->delay;
        return isfinite(r->delay) ? 0 : fail(e, ERROR_USAGE, "delay is %g; pass a delay in s", r->delay);
    case AULA_ZERO_LOOPBACK:
        in->loopback = r->loopback + 1;
        if (r->channels < 2)
            return fail(e, ERROR_USAGE, "recording: its only channel is the loopback; add that of the microphone");
        return r->loopback < r->channels
                   ? 0
                   : fail(e, ERROR_USAGE, "loopback is %zu; there are only %zu channels, counted from 0", r->loopback,
                          r->channels);
    }
    return fail(e, ERROR_USAGE, "zero is %d; pass one of enum aula_time_zero", (int)r->zero);
}

static int take_repeats(struct call *call, struct sweep_recording *in, const struct aula_recording *r)
{
    in->repeats = r->repeats ? r->repeats : 1;
    if (in->repeats > REPEATS_MAX)
        return fail(&call->error, ERROR_USAGE, "repeats is %zu; must be from 1 to %d", r->repeats, REPEATS_MAX);
    if (in->repeats > 1 && !(r->pause >= PAUSE_MIN && r->pause <= PAUSE_MAX))
        return fail(&call->error, ERROR_USAGE, "pause is %g; must be from %g to %g s", r->pause, PAUSE_MIN, PAUSE_MAX);
    return 0;
}

/* By its parameters, or by samples that hold it. *samples is to be freed. */
static int take_played(struct call *call, struct sweep_recording *in, double **samples, const struct aula_recording *r)
{
    struct error *e = &call->error;
    size_t first;
    if (!r->sweep == !r->played)
        return fail(e, ERROR_USAGE, "pass the sweep that was played, as sweep or as played, not both");
    if (r->sweep) {
        if (take_sweep(call, &in->made, r->sweep))
            return -1;
        if (in->made.rate != r->rate)
            return fail(e, ERROR_USAGE, "the sweep is at %g Hz, but the recording at %g Hz; resample one of them",
                        in->made.rate, r->rate);
        return make_samples(samples, &in->length, &in->made, e);
    }
    if (call_check_samples(call, "played", r->played, 1, r->played_frames, r->rate) ||
        sweep_recognise(&in->made, &first, r->played, r->played_frames, r->rate, "played", e))
        return -1;
    const size_t frames = sweep_frames(&in->made), rest = r->played_frames - first;
    in->length = frames < rest ? frames : rest;
    *samples = malloc(in->length * sizeof **samples);
    if (!*samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(*samples, r->played + first, in->length * sizeof **samples);
    return 0;
}

static int deconvolve(struct call *call, struct aula_deconvolution **out, const struct aula_recording *r)
{
    struct error *e = &call->error;
    static const char name[] = "recording";
    double *played = NULL;
    if (!out)
        return call_refuse_null(call, "deconvolution", "the address of a pointer");
    *out = NULL;
    if (!r)
        return call_refuse_null(call, name, "a recording of a sweep");
    struct sweep_recording in = {.samples = r->samples, .channels = r->channels, .frames = r->frames};
    if (call_check_reserved(call, r->reserved, sizeof r->reserved / sizeof *r->reserved, name) ||
        call_check_samples(call, r->samples ? "recording" : "samples", r->samples, r->channels, r->frames, r->rate) ||
        take_zero(call, &in, r) || take_repeats(call, &in, r))
        return -1;
    struct aula_deconvolution *d = calloc(1, sizeof *d);
    int status = d ? take_played(call, &in, &played, r) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        d->made = in.made;
        in.sweep = played;
        in.period = in.repeats > 1 ? in.length + (size_t)llround(r->pause * r->rate) : 0;
        status = sweep_response_make(&d->response, &in, name, e) ||
                 sweep_findings_make(&d->findings, &in, &d->response, NAN, name, e);
    }
    free(played);
    if (status) {
        aula_deconvolution_close(d);
        return -1;
    }
    *out = d;
    return 0;
}

int aula_deconvolve(struct aula_deconvolution **deconvolution, const struct aula_recording *recording,
                    struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, deconvolve(&call, deconvolution, recording));
}

void aula_deconvolution_close(struct aula_deconvolution *d)
{
    if (!d)
        return;
    sweep_response_free(&d->response);
    sweep_findings_free(&d->findings);
    free(d);
}

const char *aula_deconvolution_warning(const struct aula_deconvolution *d, size_t index)
{
    return d && index < d->findings.warning_count ? d->findings.warnings[index] : NULL;
}

size_t aula_deconvolution_channels(const struct aula_deconvolution *d)
{
    return d ? d->response.channels : 0;
}

size_t aula_deconvolution_frames(const struct aula_deconvolution *d)
{
    return d ? d->response.frames : 0;
}

double aula_deconvolution_rate(const struct aula_deconvolution *d)
{
    return d ? d->made.rate : NAN;
}

const double *aula_deconvolution_samples(const struct aula_deconvolution *d, size_t channel)
{
    return channel < aula_deconvolution_channels(d) ? d->response.samples + channel * d->response.frames : NULL;
}

double aula_deconvolution_start(const struct aula_deconvolution *d)
{
    return d ? d->response.start : NAN;
}

int aula_deconvolution_band(const struct aula_deconvolution *d, double band[2])
{
    if (band) {
        band[0] = d ? d->made.low : NAN;
        band[1] = d ? d->made.high : NAN;
    }
    return d && band ? 0 : -1;
}

double aula_deconvolution_difference(const struct aula_deconvolution *d)
{
    return d ? d->response.difference : NAN;
}

double aula_deconvolution_drift(const struct aula_deconvolution *d)
{
    return d ? d->response.drift : NAN;
}

int aula_deconvolution_distortion(const struct aula_deconvolution *d, size_t channel, size_t order, double *level,
                                  double *noise)
{
    const bool there = channel < aula_deconvolution_channels(d) && order >= 2 && order <= SWEEP_ORDERS;
    if (level)
        *level = there ? d->response.distortion[channel].level[order] : NAN;
    if (noise)
        *noise = there ? d->response.distortion[channel].floor[order] : NAN;
    return there ? 0 : -1;
}

static int measure(struct call *call, struct aula_metrics **out, const struct aula_deconvolution *d)
{
    if (!out)
        return call_refuse_null(call, "metrics", "the address of a pointer");
    *out = NULL;
    if (!d)
        return call_refuse_null(call, "deconvolution", "the result of aula_deconvolve");
    const struct sweep_response *r = &d->response;
    const struct recording recording = {
        .audio = {.samples = r->samples, .channels = r->channels, .frames = r->frames, .rate = d->made.rate},
        .measured = true,
        .valid_low = d->made.low,
        .valid_high = d->made.high,
        .scale = 1.0,
        .volume = NAN,
        .sound_speed = NAN,
        .delay = -r->start,
    };
    return metrics_of_recording(call, out, &recording, NULL, "response");
}

int aula_metrics_of_deconvolution(struct aula_metrics **metrics, const struct aula_deconvolution *deconvolution,
                                  struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, measure(&call, metrics, deconvolution));
}

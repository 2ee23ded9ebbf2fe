/* SPDX-License-Identifier: MIT */
#include "dsp/measure/sweep_session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "dsp/measure/clipping.h"

static const double BLOCK_TIME = 0.01; /* s in which sweeps are compared */
enum { CHUNK = 1024 };                 /* frames of an exchange */
static const double SETTLING = 0.2;    /* share of the silence in which a device may still be starting */

/* One attempt. */
struct attempt {
    const struct sweep_session *s;
    const struct sweep_stream *stream;
    size_t number;            /* from 0 */
    size_t most, planned;     /* windows: at most, so far */
    size_t *starts;           /* [most] frame at which each begins */
    float **windows;          /* [most] records [period][inputs] */
    bool *unclipped, *used;   /* [most] */
    size_t complete, clipped; /* windows */
    float *silence;           /* [silence][inputs] */
    double *noise;            /* [inputs] mean square */
    float *out, *in;          /* [CHUNK][outputs], [CHUNK][inputs] */
    size_t played, recorded;  /* frames */
    size_t dropped;
    bool ended;
    double spread; /* dB */
};

static void attempt_close(struct attempt *a)
{
    for (size_t k = 0; a->windows && k < a->most; k++)
        free(a->windows[k]);
    free(a->windows);
    free(a->starts);
    free(a->unclipped);
    free(a->used);
    free(a->silence);
    free(a->noise);
    free(a->out);
    free(a->in);
}

static int attempt_open(struct attempt *a, const struct sweep_session *s, const struct sweep_stream *stream,
                        size_t number, struct error *e)
{
    *a = (struct attempt){.s = s, .stream = stream, .number = number, .most = s->repeats > 1 ? 2 * s->repeats + 2 : 3};
    a->planned = s->repeats;
    a->starts = calloc(a->most, sizeof *a->starts);
    a->windows = calloc(a->most, sizeof *a->windows);
    a->unclipped = calloc(a->most, sizeof *a->unclipped);
    a->used = calloc(a->most, sizeof *a->used);
    a->spread = NAN;
    a->silence = calloc(s->silence * s->inputs + 1, sizeof *a->silence);
    a->noise = calloc(s->inputs, sizeof *a->noise);
    a->out = calloc(CHUNK * s->outputs, sizeof *a->out);
    a->in = calloc(CHUNK * s->inputs, sizeof *a->in);
    if (!a->starts || !a->windows || !a->unclipped || !a->used || !a->silence || !a->noise || !a->out || !a->in)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < a->planned; k++)
        a->starts[k] = s->silence + k * s->period;
    return 0;
}

/* ---- Playing and recording ---- */

/* Samples of the frames from a->played on. */
static void fill(const struct attempt *a)
{
    const struct sweep_session *s = a->s;
    memset(a->out, 0, CHUNK * s->outputs * sizeof *a->out);
    for (size_t k = 0; k < a->planned; k++)
        for (size_t i = 0; i < CHUNK; i++) {
            const size_t frame = a->played + i;
            if (frame < a->starts[k] || frame >= a->starts[k] + s->length)
                continue;
            const float sample = (float)s->sweep[frame - a->starts[k]];
            a->out[i * s->outputs + s->speaker - 1] = sample;
            if (s->loopback)
                a->out[i * s->outputs + s->loopback - 1] = sample;
        }
}

/* Files `count` recorded frames under the silence and the windows. The memory of a window is made when it begins. */
static int file_frames(struct attempt *a, size_t count, struct error *e)
{
    const struct sweep_session *s = a->s;
    const size_t bytes = s->inputs * sizeof *a->in;
    for (size_t i = 0; i < count; i++) {
        const size_t frame = a->recorded + i, k = a->complete;
        if (frame < s->silence)
            memcpy(a->silence + frame * s->inputs, a->in + i * s->inputs, bytes);
        if (k >= a->planned || frame < a->starts[k])
            continue;
        if (!a->windows[k]) {
            if (memory_demand((double)s->period * (double)bytes, e, "recorded sweeps"))
                return -1;
            a->windows[k] = calloc(s->period, bytes);
            if (!a->windows[k])
                return fail(e, ERROR_MEMORY, "out of memory");
            if (s->tell)
                s->tell(s->context, a->number + 1, k + 1, a->planned);
        }
        memcpy(a->windows[k] + (frame - a->starts[k]) * s->inputs, a->in + i * s->inputs, bytes);
        a->complete += frame + 1 == a->starts[k] + s->period;
    }
    a->recorded += count;
    return 0;
}

/* ---- Judging ---- */

static void measure_noise(struct attempt *a)
{
    const struct sweep_session *s = a->s;
    const size_t from = (size_t)(SETTLING * (double)s->silence);
    for (size_t c = 0; c < s->inputs; c++) {
        double squares = 0.0;
        for (size_t n = from; n < s->silence; n++)
            squares += pow((double)a->silence[n * s->inputs + c], 2.0);
        a->noise[c] = s->silence > from ? squares / (double)(s->silence - from) : 0.0;
    }
}

/* A channel of a window in fresh memory. */
static double *channel_of(const struct attempt *a, size_t window, size_t channel)
{
    double *samples = malloc(a->s->period * sizeof *samples);
    for (size_t n = 0; samples && n < a->s->period; n++)
        samples[n] = (double)a->windows[window][n * a->s->inputs + channel];
    return samples;
}

/* Refuses a silent input; notes whether the window is clipped. */
static int check_window(struct attempt *a, size_t window, struct error *e)
{
    a->unclipped[window] = a->used[window] = true;
    for (size_t c = 0; c < a->s->inputs; c++) {
        double *samples = channel_of(a, window, c), peak = 0.0;
        if (!samples)
            return fail(e, ERROR_MEMORY, "out of memory");
        for (size_t n = 0; n < a->s->period; n++)
            peak = fmax(peak, fabs(samples[n]));
        const struct clipping clipping = clipping_of(samples, a->s->period);
        free(samples);
        if (!(peak > 0.0))
            return fail(e, ERROR_FAILED,
                        "input %zu records nothing but zeros; check its cable, its switch and --input-device", c + 1);
        if (!clipping.samples)
            continue;
        a->unclipped[window] = a->used[window] = false;
        if (++a->clipped > 1)
            return fail(e, ERROR_FAILED,
                        "input %zu is clipped (%zu samples at full scale); turn its gain down, or lower --level", c + 1,
                        clipping.samples);
        return 0;
    }
    return 0;
}

static size_t used_windows(const struct attempt *a)
{
    size_t used = 0;
    for (size_t k = 0; k < a->complete; k++)
        used += a->used[k];
    return used;
}

/* Plans another sweep, or refuses. */
static int play_another(struct attempt *a, struct error *e)
{
    if (a->planned == a->most)
        return fail(e, ERROR_FAILED,
                    "of %zu sweeps only %zu are unclipped and agree; make the room quiet, keep everything still, and "
                    "use one sound card for input and output, since two clocks drift apart",
                    a->complete, used_windows(a));
    a->starts[a->planned] = a->played;
    a->planned++;
    return 0;
}

/* When all planned windows are complete. */
static int judge(struct attempt *a, struct error *e)
{
    const struct sweep_session *s = a->s;
    memcpy(a->used, a->unclipped, a->most * sizeof *a->used);
    if (s->repeats > 1 &&
        sweep_agreement_find(&a->spread, (const float *const *)a->windows, a->used, a->complete, s->repeats, s->inputs,
                             s->period, (size_t)(BLOCK_TIME * s->rate), a->noise, e))
        return -1;
    if (used_windows(a) < s->repeats)
        return play_another(a, e);
    a->ended = true;
    return 0;
}

/* Until it has ended or a block was dropped. */
static int attempt_run(struct attempt *a, struct error *e)
{
    while (!a->ended) {
        size_t played = CHUNK, recorded = CHUNK, judged = a->complete;
        if (stop_check(e))
            return -1;
        fill(a);
        if (a->stream->exchange(a->stream->context, a->out, &played, a->in, &recorded, &a->dropped, e))
            return -1;
        if (a->dropped)
            return 0;
        a->played += played;
        if (file_frames(a, recorded, e))
            return -1;
        if (a->complete == judged)
            continue;
        if (judged == 0)
            measure_noise(a);
        if (check_window(a, judged, e) || (a->complete == a->planned && judge(a, e)))
            return -1;
    }
    return 0;
}

/* ---- The result ---- */

static int take_result(struct sweep_take *t, const struct attempt *a, struct error *e)
{
    const struct sweep_session *s = a->s;
    const size_t from = (size_t)(SETTLING * (double)s->silence);
    t->noise_frames = s->silence - from;
    t->used = used_windows(a);
    t->refused += a->complete - t->used;
    t->spread = a->spread;
    t->mean = calloc(s->inputs * s->period, sizeof *t->mean);
    t->noise = calloc(s->inputs * t->noise_frames + 1, sizeof *t->noise);
    if (!t->mean || !t->noise)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < s->inputs; c++) {
        for (size_t k = 0; k < a->complete; k++)
            for (size_t n = 0; a->used[k] && n < s->period; n++)
                t->mean[c * s->period + n] += (double)a->windows[k][n * s->inputs + c] / (double)t->used;
        for (size_t n = 0; n < t->noise_frames; n++)
            t->noise[c * t->noise_frames + n] = (double)a->silence[(from + n) * s->inputs + c];
    }
    return stop_check(e);
}

int sweep_session_run(struct sweep_take *t, const struct sweep_session *s, const struct sweep_stream *stream,
                      struct error *e)
{
    memset(t, 0, sizeof *t);
    int status = 0;
    for (bool ended = false; !status && !ended && t->takes < SWEEP_TAKES_MAX; t->takes++) {
        struct attempt a;
        status = attempt_open(&a, s, stream, t->takes, e) || stream->open(stream->context, t->takes, e);
        if (!status) {
            status = attempt_run(&a, e);
            stream->close(stream->context);
        }
        t->dropped += a.dropped;
        ended = a.ended;
        if (!status && ended)
            status = take_result(t, &a, e);
        attempt_close(&a);
    }
    if (!status && !t->mean)
        status =
            fail(e, ERROR_FAILED,
                 "the sound card dropped blocks in each of %d takes; raise --latency, close other programs, or use "
                 "another device",
                 SWEEP_TAKES_MAX);
    if (status)
        sweep_take_free(t);
    return status ? -1 : 0;
}

void sweep_take_free(struct sweep_take *t)
{
    if (!t)
        return;
    free(t->mean);
    free(t->noise);
    memset(t, 0, sizeof *t);
}

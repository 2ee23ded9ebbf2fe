/* SPDX-License-Identifier: MIT */
#include "io/playback/player.h"

#include <math.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/stop.h"
#include "io/playback/player_stream.h"
#include "io/playback/ring.h"
#include "io/playback/sound_system.h"

struct player {
    struct player_stream *stream;
    struct player_rings rings;
    size_t outputs, inputs;
    bool started, reopened;
    /* watchdog: count of callbacks and time at its last look, s without a callback */
    unsigned long long beats;
    double looked, silent;
};

static bool make_rings(struct player *p, double frames)
{
    if (p->outputs > 0)
        p->rings.output = ring_make((size_t)frames, p->outputs);
    if (p->inputs > 0)
        p->rings.input = ring_make((size_t)frames, p->inputs);
    return (p->outputs == 0 || p->rings.output) && (p->inputs == 0 || p->rings.input);
}

static void forget(struct player *p)
{
    ring_free(p->rings.output);
    ring_free(p->rings.input);
    free(p);
}

/* At least two buffers of the device, whatever the settings. */
static double ring_frames(const struct player *p, const struct player_settings *settings)
{
    double rate = player_stream_rate(p->stream), seconds = settings->buffered > 0.0 ? settings->buffered : 0.5;
    double device = 2.0 * (double)settings->frames;
    return fmax(fmax(ceil(seconds * rate), device), 64.0);
}

int player_open(struct player **player, const struct player_settings *settings, struct error *e)
{
    *player = NULL;
    if (settings->outputs == 0 && settings->inputs == 0)
        return fail(e, ERROR_USAGE, "a player needs an output or an input");
    if (!(settings->rate >= 0.0 && settings->rate <= 1e6) || !(settings->latency >= 0.0 && settings->latency <= 10.0) ||
        !(settings->buffered >= 0.0 && settings->buffered <= 600.0) || settings->frames > 1u << 20)
        return fail(e, ERROR_USAGE, "a rate of %g Hz, a latency of %g s or a buffer of %g s is out of range",
                    settings->rate, settings->latency, settings->buffered);
    struct player *p = calloc(1, sizeof *p);
    if (!p)
        return fail(e, ERROR_MEMORY, "out of memory");
    p->outputs = settings->outputs;
    p->inputs = settings->inputs;
    if (player_stream_open(&p->stream, settings, &p->rings, e)) {
        if (!sound_system_abandoned())
            free(p);
        return -1;
    }
    if (!make_rings(p, ring_frames(p, settings))) {
        fail(e, ERROR_MEMORY, "out of memory");
        player_close(p);
        return -1;
    }
    *player = p;
    return 0;
}

static void watch(struct player *p)
{
    p->beats = atomic_load(&p->rings.beats);
    p->looked = clock_seconds();
    p->silent = 0.0;
}

int player_start(struct player *p, struct error *e)
{
    if (p->started)
        return 0;
    if (player_stream_start(p->stream, e))
        return -1;
    p->started = true;
    watch(p);
    return 0;
}

size_t player_write(struct player *p, const float *interleaved, size_t frames)
{
    if (!p->rings.output)
        return 0;
    size_t count = ring_write(p->rings.output, interleaved, frames);
    if (count > 0) {
        atomic_store(&p->rings.ending, false);
        atomic_store(&p->rings.playing, true);
    }
    return count;
}

size_t player_space(const struct player *p)
{
    return p->rings.output ? ring_space(p->rings.output) : 0;
}

size_t player_read(struct player *p, float *interleaved, size_t frames)
{
    return p->rings.input ? ring_read(p->rings.input, interleaved, frames) : 0;
}

size_t player_recorded(const struct player *p)
{
    return p->rings.input ? ring_filled(p->rings.input) : 0;
}

static double limit(const struct player *p)
{
    return 1.0 + 4.0 * player_stream_latency(p->stream);
}

/* One look never decides, however late it is: the program may have been stopped (Ctrl-Z). */
static bool alive(struct player *p)
{
    if (!p->started)
        return false;
    double now = clock_seconds(), waited = fmin(now - p->looked, 0.5 * limit(p));
    unsigned long long beats = atomic_load(&p->rings.beats);
    p->silent = beats == p->beats ? p->silent + waited : 0.0;
    p->beats = beats;
    p->looked = now;
    return p->silent < limit(p);
}

struct player_status player_status(struct player *p)
{
    return (struct player_status){
        .alive = alive(p),
        .reopened = p->reopened,
        .underruns = atomic_load(&p->rings.underruns),
        .overruns = atomic_load(&p->rings.overruns),
        .played = atomic_load(&p->rings.played),
        .load = player_stream_load(p->stream),
        .latency = player_stream_latency(p->stream),
        .rate = player_stream_rate(p->stream),
        .device = player_stream_device(p->stream),
    };
}

/* Behind PulseAudio, and on slow servers, buffers may be too short for the device to call at all. */
static int reopen(struct player *p, struct error *e)
{
    const double latency = fmin(fmax(0.2, 2.0 * player_stream_latency(p->stream)), 10.0);
    p->reopened = true;
    if (player_stream_reopen(p->stream, latency, e))
        return fail(e, ERROR_FAILED,
                    "the sound card \"%s\" no longer responds (unplugged, or its server ended); choose another with "
                    "--device, or " SOUND_ADVICE,
                    player_stream_device(p->stream));
    watch(p);
    return 0;
}

int player_check(struct player *p, struct error *e)
{
    if (!p->started || alive(p))
        return 0;
    if (!p->reopened)
        return reopen(p, e);
    return fail(e, ERROR_FAILED,
                "the sound card \"%s\" stopped again at a latency of %.0f ms; raise --latency, choose another with "
                "--device, or " SOUND_ADVICE,
                player_stream_device(p->stream), 1e3 * player_stream_latency(p->stream));
}

/* Waits a few milliseconds, then checks the device and requests to stop. */
static int wait_a_little(struct player *p, struct error *e)
{
    poll_sleep();
    if (stop_requested())
        return fail(e, ERROR_STOPPED, "stopped while playing");
    return player_check(p, e);
}

int player_play(struct player *p, const float *interleaved, size_t frames, struct error *e)
{
    if (frames > 0 && p->outputs == 0)
        return fail(e, ERROR_USAGE, "this player has no outputs");
    while (frames > 0) {
        size_t count = player_write(p, interleaved, frames);
        interleaved += count * p->outputs;
        frames -= count;
        if (frames > 0 && (player_start(p, e) || wait_a_little(p, e)))
            return -1;
    }
    return stop_requested() ? fail(e, ERROR_STOPPED, "stopped while playing") : 0;
}

/* When the last of the frames that were written is with the device. */
static double played_at(const struct player *p)
{
    return clock_seconds() + (double)ring_filled(p->rings.output) / player_stream_rate(p->stream);
}

int player_drain(struct player *p, double seconds, struct error *e)
{
    if (!p->rings.output)
        return 0;
    atomic_store(&p->rings.ending, true);
    if (player_start(p, e))
        return -1;
    double end = played_at(p) + seconds;
    while (ring_filled(p->rings.output) > 0) {
        const bool reopened = p->reopened;
        if (wait_a_little(p, e))
            return -1;
        if (p->reopened != reopened)
            end = played_at(p) + seconds;
        if (!(clock_seconds() < end))
            return fail(e, ERROR_FAILED, "the sound card \"%s\" plays too slowly; " SOUND_ADVICE,
                        player_stream_device(p->stream));
    }
    /* frames in the device: its latency and two callbacks */
    unsigned long long beats = atomic_load(&p->rings.beats);
    double heard = fmin(clock_seconds() + player_stream_latency(p->stream), end);
    while (clock_seconds() < heard || (atomic_load(&p->rings.beats) < beats + 2 && clock_seconds() < end))
        if (wait_a_little(p, e))
            return -1;
    return 0;
}

static void close_player(struct player *p, bool drop)
{
    if (p && player_stream_close(p->stream, drop))
        forget(p);
}

void player_close(struct player *p)
{
    close_player(p, false);
}

void player_drop(struct player *p)
{
    close_player(p, true);
}

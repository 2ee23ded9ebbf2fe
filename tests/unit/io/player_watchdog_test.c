/* SPDX-License-Identifier: MIT */
/* A player on a device of this test's own, in simulated time: it calls only with as much latency as it needs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/playback/player.h"
#include "io/playback/player_stream.h"
#include "support/random_cases.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

static const double rate = 48000.0;
enum { CHUNK = 96 }; /* frames of a nap */

static struct {
    double now;             /* s */
    double needed, latency; /* s */
    bool open, running, gone;
    int opened;
    struct player_rings *rings;
} device;

/* ---- the clock */

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    *now = (struct timespec){(time_t)device.now, (long)((device.now - floor(device.now)) * 1e9)};
    return 0;
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)wanted;
    (void)left;
    float block[2 * CHUNK];
    device.now += CHUNK / rate;
    if (device.running && !device.gone && device.latency >= device.needed) {
        atomic_fetch_add(&device.rings->played, ring_read(device.rings->output, block, CHUNK));
        atomic_fetch_add(&device.rings->beats, 1);
    }
    return 0;
}

/* ---- the stream, in place of PortAudio's */

int __wrap_player_stream_open(struct player_stream **s, const struct player_settings *settings,
                              struct player_rings *rings, struct error *e);
int __wrap_player_stream_open(struct player_stream **s, const struct player_settings *settings,
                              struct player_rings *rings, struct error *e)
{
    (void)e;
    device.open = true;
    device.opened++;
    device.latency = settings->latency > 0.0 ? settings->latency : 0.01;
    device.rings = rings;
    *s = (struct player_stream *)&device;
    return 0;
}

int __wrap_player_stream_start(struct player_stream *s, struct error *e);
int __wrap_player_stream_start(struct player_stream *s, struct error *e)
{
    (void)s;
    (void)e;
    assert_true(device.open);
    device.running = true;
    return 0;
}

int __wrap_player_stream_reopen(struct player_stream *s, double latency, struct error *e);
int __wrap_player_stream_reopen(struct player_stream *s, double latency, struct error *e)
{
    (void)s;
    assert_true(device.open);
    device.opened++;
    if (device.gone) {
        device.running = false;
        return (fail)(e, ERROR_FAILED, "gone");
    }
    device.latency = latency;
    return 0;
}

bool __wrap_player_stream_close(struct player_stream *s, bool drop);
bool __wrap_player_stream_close(struct player_stream *s, bool drop)
{
    (void)s, (void)drop;
    device.open = device.running = false;
    return true;
}

double __wrap_player_stream_rate(const struct player_stream *s);
double __wrap_player_stream_rate(const struct player_stream *s)
{
    (void)s;
    return rate;
}

double __wrap_player_stream_latency(const struct player_stream *s);
double __wrap_player_stream_latency(const struct player_stream *s)
{
    (void)s;
    return device.latency;
}

double __wrap_player_stream_load(const struct player_stream *s);
double __wrap_player_stream_load(const struct player_stream *s)
{
    (void)s;
    return 0.0;
}

const char *__wrap_player_stream_device(const struct player_stream *s);
const char *__wrap_player_stream_device(const struct player_stream *s)
{
    (void)s;
    return "pulse";
}

/* ---- the tests */

/* Plays `seconds` to the end; the status, and the error. */
static int play(struct player **p, double asked, double seconds, struct error *e)
{
    const struct player_settings settings = {.outputs = 2, .rate = rate, .latency = asked};
    const size_t frames = (size_t)(seconds * rate);
    float *sound = calloc(2 * frames, sizeof *sound);
    assert_non_null(sound);
    *e = (struct error){0};
    assert_int_equal(player_open(p, &settings, e), 0);
    const int status = player_play(*p, sound, frames, e) || player_drain(*p, 2.0, e);
    free(sound);
    return status;
}

static void begin(double needed)
{
    device.now = 1000.0;
    device.needed = needed;
    device.gone = false;
    device.opened = 0;
}

static void a_device_that_needs_more_latency_is_opened_again_once_and_plays_all(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int trial = 0; trial < 20; trial++) {
        const double asked = 0.02 + 0.3 * random_unit(&r), enough = fmax(0.2, 2.0 * asked);
        const double seconds = 0.1 + random_unit(&r); /* with 0.5 s of ring: the end is in it, or not */
        struct player *p;
        struct error e;
        begin(asked + (enough - asked) * random_unit(&r) + 1e-9);
        assert_int_equal(play(&p, asked, seconds, &e), 0);
        const struct player_status status = player_status(p);
        assert_true(status.reopened);
        assert_int_equal(device.opened, 2);
        assert_int_equal(status.played, (size_t)(seconds * rate));
        assert_true(fabs(status.latency - enough) < 1e-12);
        player_close(p);
    }
}

static void a_device_that_calls_in_time_is_opened_once(void **state)
{
    (void)state;
    struct player *p;
    struct error e;
    begin(0.0);
    assert_int_equal(play(&p, 0.0, 3.0, &e), 0);
    assert_false(player_status(p).reopened);
    assert_int_equal(device.opened, 1);
    player_close(p);
}

static void a_device_that_stops_again_is_lost_and_the_message_names_the_latency(void **state)
{
    (void)state;
    struct player *p;
    struct error e;
    begin(5.0);
    assert_int_not_equal(play(&p, 0.15, 1.0, &e), 0);
    assert_int_equal(e.code, ERROR_FAILED);
    assert_int_equal(device.opened, 2);
    assert_non_null(strstr(e.message, "\"pulse\" stopped again at a latency of 300 ms; raise --latency"));
    assert_null(strstr(e.message, "unplugged"));
    assert_true(device.now < 1000.0 + (1.0 + 4.0 * 0.15) + (1.0 + 4.0 * 0.3) + 0.2);
    player_close(p);
}

static void a_device_that_cannot_be_opened_again_is_unplugged(void **state)
{
    (void)state;
    struct player *p;
    struct error e;
    begin(0.0);
    device.gone = true;
    assert_int_not_equal(play(&p, 0.0, 1.0, &e), 0);
    assert_int_equal(device.opened, 2);
    assert_non_null(strstr(e.message, "\"pulse\" no longer responds (unplugged"));
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_needs_more_latency_is_opened_again_once_and_plays_all),
        cmocka_unit_test(a_device_that_calls_in_time_is_opened_once),
        cmocka_unit_test(a_device_that_stops_again_is_lost_and_the_message_names_the_latency),
        cmocka_unit_test(a_device_that_cannot_be_opened_again_is_unplugged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Sessions of sweeps on an imitated sound card that drops blocks, clips, clicks and hums: the mean is that of a sound
 * card without faults, or there is a refusal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/measure/sweep_session.h"
#include "dsp/sweep.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const double rate = 8000.0;
static const struct sweep sweep = {100.0, 3500.0, 0.5, 0.25, rate};
enum { SILENCE = 2000, PERIOD = 6000, DELAY = 37, TAKES = 8, LINE = 1 << 16 };
static struct random chance;
static struct error e;

/* What happens at a frame of a take; SIZE_MAX: nothing. */
struct fault {
    size_t drop;        /* a block is lost and reported */
    size_t gap, frames; /* frames are lost without a word */
    size_t click;       /* a click of a half of full scale */
    size_t clip;        /* the gain is 16 from here on, for half a period */
    size_t drift;       /* a frame is lost after each of so many frames; 0: never */
};
static const struct fault none = {SIZE_MAX, SIZE_MAX, 0, SIZE_MAX, SIZE_MAX, 0};

static struct card {
    struct fault fault[TAKES];
    size_t take, opened, closed, now, stop_at;
    double noise, gain;
    float line[LINE]; /* what was played */
} card;

static void reset(void)
{
    memset(&card, 0, sizeof card);
    for (size_t i = 0; i < TAKES; i++)
        card.fault[i] = none;
    card.noise = 1e-4;
    card.gain = 0.5;
    card.stop_at = SIZE_MAX;
}

static int open_card(void *context, size_t take, struct error *error)
{
    (void)context;
    (void)error;
    assert_int_equal(take, card.opened);
    assert_true(take < TAKES);
    card.take = take;
    card.opened++;
    card.now = 0;
    memset(card.line, 0, sizeof card.line);
    return 0;
}

static void close_card(void *context)
{
    (void)context;
    card.closed++;
}

static float heard(size_t frame)
{
    const struct fault *f = &card.fault[card.take];
    const size_t late = DELAY + (frame >= f->gap ? f->frames : 0) + (f->drift ? frame / f->drift : 0);
    double x = card.gain * (frame < late ? 0.0 : (double)card.line[(frame - late) % LINE]);
    if (frame >= f->clip && frame < f->clip + PERIOD / 2)
        x *= 16.0;
    if (frame == f->click)
        x += 0.5;
    x += card.noise * (2.0 * random_unit(&chance) - 1.0);
    return (float)fmin(fmax(x, -1.0), 1.0);
}

/* Some frames at a time, as a card does. Input 2 is a loopback of output 2. */
static int exchange(void *context, const float *out, size_t *played, float *in, size_t *recorded, size_t *dropped,
                    struct error *error)
{
    (void)context;
    const size_t count = random_between(&chance, 1, *played < *recorded ? *played : *recorded);
    for (size_t i = 0; i < count; i++, card.now++) {
        card.line[card.now % LINE] = out[2 * i];
        assert_true(out[2 * i] == out[2 * i + 1]);
        in[2 * i] = heard(card.now);
        in[2 * i + 1] = out[2 * i + 1];
        if (card.now == card.fault[card.take].drop)
            *dropped += 1;
        if (card.now == card.stop_at)
            return (fail)(error, ERROR_STOPPED, "stopped");
    }
    *played = *recorded = count;
    return 0;
}

static int run(struct sweep_take *t, size_t repeats)
{
    static double x[PERIOD];
    assert_int_equal(sweep_make(x, &sweep, &e), 0);
    const struct sweep_session s = {.sweep = x,
                                    .length = sweep_frames(&sweep),
                                    .silence = SILENCE,
                                    .period = PERIOD,
                                    .rate = rate,
                                    .outputs = 2,
                                    .inputs = 2,
                                    .speaker = 1,
                                    .loopback = 2,
                                    .repeats = repeats};
    const struct sweep_stream stream = {NULL, open_card, exchange, close_card};
    const int status = sweep_session_run(t, &s, &stream, &e);
    assert_int_equal(card.opened, card.closed);
    return status;
}

/* Largest difference of the mean from half the sweep, `late` frames late. */
static double mean_difference(const struct sweep_take *t, size_t late)
{
    double x[PERIOD] = {0.0}, most = 0.0;
    assert_int_equal(sweep_make(x, &sweep, &e), 0);
    for (size_t n = 0; n < PERIOD; n++)
        most = fmax(most, fabs(t->mean[n] - (n < late ? 0.0 : 0.5 * x[n - late])));
    return most;
}

static void check_mean(const struct sweep_take *t)
{
    double x[PERIOD] = {0.0};
    assert_int_equal(sweep_make(x, &sweep, &e), 0);
    assert_within(mean_difference(t, DELAY), 0.0, 2e-4);
    for (size_t n = 0; n < PERIOD; n++)
        assert_within(t->mean[PERIOD + n], x[n], 1e-6);
}

static void sweeps_are_averaged(void **state)
{
    (void)state;
    for (size_t repeats = 1; repeats <= 4; repeats++) {
        struct sweep_take t;
        reset();
        assert_int_equal(run(&t, repeats), 0);
        assert_int_equal(t.used, repeats);
        assert_int_equal(t.takes, 1);
        assert_int_equal(t.dropped + t.refused, 0);
        check_mean(&t);
        assert_true(repeats == 1 ? isnan(t.spread) : t.spread < -60.0);
        double squares = 0.0;
        for (size_t n = 0; n < t.noise_frames; n++)
            squares += t.noise[n] * t.noise[n];
        assert_within(sqrt(3.0 * squares / (double)t.noise_frames), card.noise, 0.1 * card.noise);
        sweep_take_free(&t);
    }
}

static void a_take_with_a_dropped_block_is_repeated(void **state)
{
    (void)state;
    for (int i = 0; i < case_count(20); i++) {
        struct sweep_take t;
        reset();
        const size_t bad = random_between(&chance, 1, SWEEP_TAKES_MAX - 1);
        for (size_t k = 0; k < bad; k++) {
            card.fault[k].drop = random_between(&chance, 0, SILENCE + 2 * PERIOD - 2);
            card.fault[k].gap = card.fault[k].drop;
            card.fault[k].frames = 256;
        }
        assert_int_equal(run(&t, 2), 0);
        assert_int_equal(t.takes, bad + 1);
        assert_int_equal(t.dropped, bad);
        check_mean(&t);
        sweep_take_free(&t);
    }
}

static void blocks_dropped_in_every_take_are_refused(void **state)
{
    (void)state;
    struct sweep_take t;
    reset();
    for (size_t k = 0; k < TAKES; k++)
        card.fault[k].drop = random_between(&chance, 0, SILENCE + 2 * PERIOD - 2);
    assert_int_not_equal(run(&t, 2), 0);
    assert_int_equal(card.opened, SWEEP_TAKES_MAX);
    assert_int_equal(e.code, ERROR_FAILED);
    assert_non_null(strstr(e.message, "dropped blocks in each of 4 takes; raise --latency"));
    assert_null(t.mean);
}

/* Frames that vanish without a report shift all that follows: the sweeps of one alignment are used. */
static void a_gap_that_is_not_reported_is_found(void **state)
{
    (void)state;
    for (int i = 0; i < case_count(20); i++) {
        struct sweep_take t;
        reset();
        const size_t repeats = random_between(&chance, 2, 4), lost = random_between(&chance, 16, 512);
        card.fault[0].frames = lost;
        card.fault[0].gap = SILENCE + random_between(&chance, 500, PERIOD * repeats - 2500);
        assert_int_equal(run(&t, repeats), 0);
        assert_int_equal(t.used, repeats);
        assert_true(t.refused >= 1);
        const double x = mean_difference(&t, DELAY), y = mean_difference(&t, DELAY + lost);
        assert_true(fmin(x, y) < 2e-4); /* of before it, or of behind it, and no mixture */
        sweep_take_free(&t);
    }
}

static void a_click_or_a_clipped_sweep_is_played_again(void **state)
{
    (void)state;
    for (int i = 0; i < case_count(20); i++) {
        struct sweep_take t;
        reset();
        const size_t repeats = random_between(&chance, 2, 4), which = random_between(&chance, 0, repeats - 1);
        if (i % 2)
            card.fault[0].click =
                SILENCE + which * PERIOD + 4200 + random_between(&chance, 0, 1500); /* after a sweep */
        else
            card.fault[0].clip = SILENCE + which * PERIOD;
        assert_int_equal(run(&t, repeats), 0);
        assert_int_equal(t.used, repeats);
        assert_int_equal(t.refused, 1);
        check_mean(&t);
        sweep_take_free(&t);
    }
}

static void an_input_that_clips_or_is_silent_is_refused(void **state)
{
    (void)state;
    struct sweep_take t;
    reset();
    card.gain = 40.0;
    assert_int_not_equal(run(&t, 4), 0);
    assert_non_null(strstr(e.message, "input 1 is clipped"));
    assert_true(card.now < SILENCE + 2 * PERIOD + 1024); /* two of four sweeps are enough to know */
    reset();
    card.noise = 0.0;
    card.gain = 0.0;
    assert_int_not_equal(run(&t, 2), 0);
    assert_non_null(strstr(e.message, "input 1 records nothing but zeros"));
    assert_null(t.mean);
}

/* A recorder whose clock differs from the player's. */
static void drift_is_refused(void **state)
{
    (void)state;
    struct sweep_take t;
    reset();
    card.fault[0].drift = PERIOD / 16;
    assert_int_not_equal(run(&t, 3), 0);
    assert_int_equal(e.code, ERROR_FAILED);
    assert_non_null(strstr(e.message, "of 8 sweeps only 1 are unclipped and agree"));
    assert_null(t.mean);
}

static void a_stop_ends_it(void **state)
{
    (void)state;
    struct sweep_take t;
    reset();
    card.stop_at = SILENCE + 100;
    assert_int_not_equal(run(&t, 2), 0);
    assert_int_equal(e.code, ERROR_STOPPED);
    assert_null(t.mean);
}

int main(void)
{
    chance = random_cases("sweep_session_test");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_averaged),
        cmocka_unit_test(a_take_with_a_dropped_block_is_repeated),
        cmocka_unit_test(blocks_dropped_in_every_take_are_refused),
        cmocka_unit_test(a_gap_that_is_not_reported_is_found),
        cmocka_unit_test(a_click_or_a_clipped_sweep_is_played_again),
        cmocka_unit_test(an_input_that_clips_or_is_silent_is_refused),
        cmocka_unit_test(drift_is_refused),
        cmocka_unit_test(a_stop_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

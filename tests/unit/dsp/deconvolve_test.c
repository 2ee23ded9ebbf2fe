/* SPDX-License-Identifier: MIT */
/* Responses of sources that emitted a sweep, and losses of air in responses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/air_filter.h"
#include "render/excitation.h"
#include "render/response.h"
#include "support/random_cases.h"
#include "support/responses.h"
#include "support/signals.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static struct random chance;

/* Sum of cosines over the band, with raised-cosine edges of 1/6 octave: the zero-phase pulse that a unit sample
 * becomes. */
static void band_pulse(double *out, int reach, double low, double high, double rate)
{
    enum { LINES = 60000 };
    for (int n = 0; n <= reach; n++)
        out[n] = 0.0;
    for (int k = 0; k < LINES; k++) {
        double f = low + (high - low) * (k + 0.5) / LINES;
        double inside = fmin(log2(f / low), log2(high / f)) * 6.0;
        double weight = (inside < 1.0 ? 0.5 - 0.5 * cos(M_PI * inside) : 1.0) * 2.0 * (high - low) / LINES / rate;
        /* cos(n a) by recurrence */
        double step = 2.0 * cos(2.0 * M_PI * f / rate), before = cos(2.0 * M_PI * f / rate), now = 1.0;
        for (int n = 0; n <= reach; n++) {
            out[n] += weight * now;
            double next = step * now - before;
            before = now;
            now = next;
        }
    }
}

static void a_sweep_taken_out_gives_the_response_in_its_band(void **state)
{
    (void)state;
    double rate = 8000.0;
    struct excitation x;
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    s.low = 100.0;
    s.high = 2000.0;
    s.gain = 0.2;
    assert_int_equal(excitation_make(&x, &s, rate, 2000.0, NULL, 0, &e), 0);
    enum { TAPS = 9 };
    double gains[TAPS];
    size_t delays[TAPS];
    struct response_settings settings = {FILTER_LINEAR_PHASE, 2000.0, 0.0, 0.0, 3000, NULL, false};
    size_t frames = response_steps(&x, &settings, rate);
    double *samples = zeros(frames);
    for (int k = 0; k < TAPS; k++) {
        gains[k] = random_uniform(&chance, -1.0, 1.0);
        delays[k] = (size_t)(500.0 + 400.0 * random_uniform(&chance, -1.0, 1.0));
        for (size_t n = 0; n < x.length; n++)
            samples[n + delays[k]] += gains[k] * x.samples[n];
    }
    struct response r = respond(samples, frames, rate, &x, &settings);
    double unit[3001], peak = 0.0, worst = 0.0;
    band_pulse(unit, 3000, 100.0, 2000.0, rate);
    for (int n = 0; n < 3000; n++) {
        double expected = 0.0;
        for (int k = 0; k < TAPS; k++)
            expected += s.gain * gains[k] * unit[abs(n - (int)delays[k])];
        peak = fmax(peak, fabs(expected));
        worst = fmax(worst, fabs(r.samples[n] - expected));
    }
    assert_within(worst / peak, 0.0, 1e-4);
    response_free(&r);
    free(samples);
    excitation_free(&x);
}

static void a_sweep_and_an_impulse_give_the_same_response(void **state)
{
    (void)state;
    /* inside the sweep's band, through the band filter, with an offset that the room would leave */
    double rate = 16000.0;
    struct excitation x, impulse = {.length = 1, .is_response = true, .gain = 1.0};
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    s.low = 40.0;
    s.high = 3000.0;
    assert_int_equal(excitation_make(&x, &s, rate, 2000.0, NULL, 0, &e), 0);
    struct response_settings settings = {FILTER_VALID, 1200.0, RESPONSE_HIGH_PASS, 22050.0, 20000, NULL, false};
    size_t frames = response_steps(&x, &settings, rate);
    double *swept = zeros(frames), *struck = zeros(frames), running = 0.0;
    for (size_t n = 0; n < x.length; n++)
        swept[n + 9000] = x.samples[n];
    struck[9000] = 1.0;
    for (size_t n = 9000; n < frames; n++) { /* a rigid room's permanent offset */
        running += n - 9000 < x.length ? x.samples[n - 9000] : 0.0;
        swept[n] += 0.01 * running;
    }
    struct response a = respond(swept, frames, rate, &x, &settings);
    struct response b = respond(struck, frames, rate, &impulse, &settings);
    assert_int_equal(a.frames, b.frames);
    const double tones[] = {100.0, 300.0, 700.0, 1200.0};
    for (int k = 0; k < 4; k++) {
        /* the room: 1 + 0.01/(1 - e^{-iw}) */
        double w = 2.0 * M_PI * tones[k] / rate, half = 0.005;
        double expected = hypot(1.0 + half, half / tan(0.5 * w));
        assert_within(magnitude_at(a.samples, a.frames, tones[k] / 22050.0) /
                          magnitude_at(b.samples, b.frames, tones[k] / 22050.0),
                      expected, 2e-3);
    }
    response_free(&a);
    response_free(&b);
    free(swept);
    free(struck);
    excitation_free(&x);
}

static void short_records_are_refused_and_nothing_is_left(void **state)
{
    (void)state;
    struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct response_settings s = {FILTER_VALID, 3352.0, RESPONSE_HIGH_PASS, 48000.0, 1000, NULL, false};
    size_t frames = response_steps(&x, &s, 44100.0);
    double *samples = zeros(frames);
    struct traces t = {.samples = samples, .channels = 1, .frames = frames - 1, .rate = 44100.0};
    struct response r;
    struct error e;
    assert_int_not_equal(response_make(&r, &t, &x, &s, &e), 0);
    assert_int_equal(e.code, ERROR_FAILED);
    assert_null(r.samples);
    t.frames = frames;
    t.channels = 0;
    assert_int_not_equal(response_make(&r, &t, &x, &s, &e), 0);
    free(samples);
}

/* Absorption of 1 Np/s at 1 kHz, proportional to the square of the frequency up to about 3 kHz. */
static double absorption(const void *context, double frequency)
{
    (void)context;
    const double u = frequency / 1000.0;
    return u * u / (1.0 + u * u / 9.0) / 343.2;
}

static struct air_filter *air_of(double rate)
{
    const struct air_medium medium = {absorption, NULL, 343.2};
    struct air_filter *f;
    assert_int_equal(air_filter_make(&f, &medium, rate, 2.0, NULL), 0);
    return f;
}

static void the_record_that_is_asked_for_is_exactly_enough(void **state)
{
    (void)state;
    /* what comes after response_steps must not be able to change the response; the last step before it may */
    struct excitation x = {.length = 1, .onset = 5, .is_response = true, .gain = 1.0};
    struct air_filter *air = air_of(44100.0);
    for (int with_air = 0; with_air < 2; with_air++) {
        struct response_settings s = {FILTER_VALID, 3352.0, RESPONSE_HIGH_PASS, 0.0, 700, with_air ? air : NULL, false};
        size_t frames = response_steps(&x, &s, 44100.0);
        double *samples = zeros(frames + 50);
        for (size_t n = 0; n < frames; n++)
            samples[n] = random_uniform(&chance, -1.0, 1.0);
        struct response a = respond(samples, frames, 44100.0, &x, &s);
        for (size_t n = frames; n < frames + 50; n++)
            samples[n] = 1e6;
        struct response b = respond(samples, frames + 50, 44100.0, &x, &s);
        assert_memory_equal(a.samples, b.samples, a.frames * sizeof(double));
        samples[frames - 1] += 1e6;
        struct response c = respond(samples, frames, 44100.0, &x, &s);
        assert_true(memcmp(a.samples, c.samples, a.frames * sizeof(double)) != 0);
        response_free(&a);
        response_free(&b);
        response_free(&c);
        free(samples);
    }
    air_filter_free(air);
}

static void the_air_takes_from_responses_and_from_nothing_else(void **state)
{
    (void)state;
    const double rate = 16000.0;
    struct air_filter *air = air_of(rate);
    struct excitation x = {.length = 1, .onset = 500, .is_response = true, .gain = 1.0};
    struct response_settings with = {FILTER_VALID, 1200.0, RESPONSE_HIGH_PASS, 0.0, 10000, air, false};
    struct response_settings without = with;
    without.air = NULL;
    const size_t frames = response_steps(&x, &with, rate);
    assert_int_equal(frames, response_steps(&x, &without, rate)); /* causal: no look-ahead */
    double *samples = zeros(frames);
    samples[8500] = 1.0; /* half a second after the emission */
    struct response a = respond(samples, frames, rate, &x, &with), b = respond(samples, frames, rate, &x, &without);
    for (double f = 100.0; f <= 1200.0; f += 100.0)
        assert_within(magnitude_at(a.samples, a.frames, f / rate) / magnitude_at(b.samples, b.frames, f / rate),
                      exp(-absorption(NULL, f) * 343.2 * 0.5), 1e-4);
    response_free(&a);
    x.is_response = false;
    assert_int_equal(response_steps(&x, &with, rate), response_steps(&x, &without, rate));
    a = respond(samples, frames, rate, &x, &with);
    assert_memory_equal(a.samples, b.samples, a.frames * sizeof *a.samples);
    response_free(&a);
    response_free(&b);
    free(samples);
    air_filter_free(air);
}

static void the_air_takes_as_much_from_a_sweep_as_from_an_impulse(void **state)
{
    (void)state;
    const double rate = 16000.0;
    struct air_filter *air = air_of(rate);
    struct excitation x, impulse = {.length = 1, .is_response = true, .gain = 1.0};
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    s.low = 40.0;
    s.high = 3000.0;
    assert_int_equal(excitation_make(&x, &s, rate, 2000.0, NULL, 0, &e), 0);
    struct response_settings settings = {FILTER_VALID, 1200.0, RESPONSE_HIGH_PASS, 0.0, 16000, air, false};
    const size_t frames = response_steps(&x, &settings, rate);
    double *swept = zeros(frames), *struck = zeros(frames);
    for (size_t n = 0; n < x.length; n++)
        swept[n + 9000] = x.samples[n];
    struck[9000] = 1.0;
    struct response a = respond(swept, frames, rate, &x, &settings);
    struct response b = respond(struck, response_steps(&impulse, &settings, rate), rate, &impulse, &settings);
    for (double f = 100.0; f <= 1200.0; f += 100.0) {
        const double of_impulse = magnitude_at(b.samples, b.frames, f / rate);
        assert_within(magnitude_at(a.samples, a.frames, f / rate), of_impulse, 2e-3);
    }
    response_free(&a);
    response_free(&b);
    free(swept);
    free(struck);
    excitation_free(&x);
    air_filter_free(air);
}

int main(void)
{
    chance = random_cases("signal");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_taken_out_gives_the_response_in_its_band),
        cmocka_unit_test(a_sweep_and_an_impulse_give_the_same_response),
        cmocka_unit_test(short_records_are_refused_and_nothing_is_left),
        cmocka_unit_test(the_record_that_is_asked_for_is_exactly_enough),
        cmocka_unit_test(the_air_takes_from_responses_and_from_nothing_else),
        cmocka_unit_test(the_air_takes_as_much_from_a_sweep_as_from_an_impulse),
    };
    return cmocka_run_group_tests_name("signal", tests, NULL, NULL);
}

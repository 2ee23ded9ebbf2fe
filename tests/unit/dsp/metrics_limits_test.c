/* SPDX-License-Identifier: MIT */
/* Figures that a response cannot give, and why: too short, noise, no response, shorter than a filter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "dsp/measure/metrics_table.h"
#include "support/decays.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

enum { FRAMES = 96000, START = 480, CASES = 20 };
static const double rate = 24000.0;
static const struct metrics_settings plain = {0}, simulated = {.noiseless = true};

static struct metrics measured(const double *samples, size_t frames, const struct metrics_settings *settings)
{
    return metrics_of(samples, frames, rate, settings);
}

/* Decays that end 30 to 40 dB below their start have no T30; records of the length that the message asks for do. */
static void a_response_that_is_too_short_says_how_long_it_would_have_to_be(void **state)
{
    (void)state;
    struct random r = random_cases("too short");
    for (int c = 0; c < CASES; c++) {
        const double time = random_uniform(&r, 0.8, 1.5), f = 1000.0 * random_uniform(&r, 0.97, 1.03);
        const size_t frames = START + (size_t)(rate * time / 60.0 * random_uniform(&r, 30.0, 40.0));
        double *samples = zeros(FRAMES);
        add_tone(samples, FRAMES, rate, START, f, 2.0 * M_PI * random_unit(&r), 0.004,
                 &(struct slopes){1.0, time, 1.0});
        const struct metrics m = measured(samples, frames, c % 2 ? &plain : &simulated);
        const struct metrics_decay *t30 = &m.band[4].t30;
        assert_int_equal(t30->reason, METRICS_SHORT);
        const double exact = (double)START / rate + 0.75 * time; /* 45 dB */
        if (!(fabs(t30->length - exact) <= 0.02))
            fail_msg("T %g s of %g s: %g s said, %g s exact", time, (double)frames / rate, t30->length, exact);
        const struct metrics longer = measured(samples, (size_t)((t30->length + 0.03) * rate), &plain);
        assert_int_equal(longer.band[4].t30.reason, METRICS_NONE);
        assert_true(isnan(longer.band[4].t30.length));
        free(samples);
    }
}

/* A record that stops where the slower of two slopes begins has a tail that looks flat beside the first; where the
 * response is known to be free of noise, noise is never the reason. */
static void a_simulated_response_is_never_said_to_be_noisy(void **state)
{
    (void)state;
    struct random r = random_cases("simulated");
    int noisy = 0;
    for (int c = 0; c < CASES; c++) {
        double *samples = zeros(FRAMES);
        const struct slopes s = {0.995, random_uniform(&r, 0.15, 0.3), random_uniform(&r, 2.0, 4.0)};
        add_noise_decay(samples, FRAMES, rate, START, &s, &r);
        const size_t frames = START + (size_t)(rate * random_uniform(&r, 0.3, 0.6));
        const struct metrics m = measured(samples, frames, &simulated), unknown = measured(samples, frames, &plain);
        for (int i = 0; i < METRICS_BANDS; i++) {
            const struct metrics_decay *times[] = {&m.band[i].edt, &m.band[i].t20, &m.band[i].t30};
            for (int k = 0; k < 3; k++) {
                assert_int_not_equal(times[k]->reason, METRICS_NOISE);
                if (times[k]->reason == METRICS_SHORT && !isnan(times[k]->length) &&
                    !(times[k]->length > (double)frames / rate))
                    fail_msg("band %d: %g s is enough where %g s is not", i, times[k]->length, (double)frames / rate);
            }
            noisy += unknown.band[i].t30.reason == METRICS_NOISE;
        }
        free(samples);
    }
    print_message("noise where it is not known that there is none: %d of %d\n", noisy, CASES * METRICS_BANDS);
}

/* A tail that continues to fall, only slower, does not count as noise where nothing is known, either. */
static void a_slower_decay_is_no_noise(void **state)
{
    (void)state;
    struct random r = random_cases("slower decay");
    for (int c = 0; c < CASES; c++) {
        double *samples = zeros(FRAMES);
        const struct slopes s = {random_uniform(&r, 0.998, 0.999), random_uniform(&r, 0.1, 0.15),
                                 random_uniform(&r, 1.2, 1.8)};
        add_noise_decay(samples, FRAMES, rate, START, &s, &r);
        const double end = random_uniform(&r, 0.35, 0.45) * s.second / 1.8;
        const struct metrics m = measured(samples, START + (size_t)(rate * end), &plain);
        const struct metrics_decay *t30 = &m.band[7].t30; /* the widest octave: enough squares to tell */
        if (!(t30->reason == METRICS_SHORT && t30->length > end && t30->length < 3.0))
            fail_msg("slopes %g %g s, ends after %g s: %s (%g s)", s.first, s.second, end,
                     metrics_reason_text(t30->reason), t30->length);
        free(samples);
    }
}

/* A long steady end of noise is reported as noise, for any length. */
static void steady_noise_is_said_to_be_noise(void **state)
{
    (void)state;
    struct random r = random_cases("steady noise");
    for (int c = 0; c < CASES; c++) {
        double *samples = zeros(FRAMES);
        const struct slopes s = {1.0, random_uniform(&r, 0.5, 1.2), 1.0};
        add_noise_decay(samples, FRAMES, rate, START, &s, &r);
        add_noise_floor(samples, FRAMES, random_uniform(&r, -38.0, -30.0), &r);
        const struct metrics m = measured(samples, FRAMES, &plain);
        for (int i = 3; i < METRICS_BANDS; i++) {
            assert_int_equal(m.band[i].t30.reason, METRICS_NOISE);
            assert_true(isnan(m.band[i].t30.length));
        }
        free(samples);
    }
}

/* A mode below the octave that still rings where the record ends has a kink there, which excites the octave's filter.
 * That is not noise: the decay in the octave is measured over the same range. */
static void a_tone_below_a_band_that_the_end_cuts_is_no_noise(void **state)
{
    (void)state;
    struct random r = random_cases("cut tone");
    for (int c = 0; c < CASES; c++) {
        const double time = random_uniform(&r, 0.8, 1.2), phase = 2.0 * M_PI * random_unit(&r);
        const size_t frames = START + (size_t)(1.6 * time * rate);
        double *samples = zeros(FRAMES);
        add_tone(samples, FRAMES, rate, START, random_uniform(&r, 60.0, 66.0), 0.0, 0.06,
                 &(struct slopes){1.0, time, 1.0});
        add_tone(samples, FRAMES, rate, START, random_uniform(&r, 10.0, 16.0), phase, 0.3,
                 &(struct slopes){1.0, 1e3, 1.0}); /* rings on */
        const struct metrics m = measured(samples, frames, &plain);
        if (!(fabs(m.band[0].t30.time / time - 1.0) <= 0.02))
            fail_msg("T %g s: T30 %g s (%s)", time, m.band[0].t30.time, metrics_reason_text(m.band[0].t30.reason));
        free(samples);
    }
}

/* Bursts of noise between pauses, the first one soft: similar to speech. */
static void add_voice(double *samples, size_t frames, struct random *r)
{
    double gain = 0.05, length;
    for (double at = 0.05; at < 0.96 * (double)frames / rate; at += length + random_uniform(r, 0.0, 0.1)) {
        length = random_uniform(r, 0.1, 0.3);
        for (size_t n = (size_t)(at * rate); n < frames && n < (size_t)((at + length) * rate); n++)
            samples[n] += gain * sin(M_PI * ((double)n / rate - at) / length) * random_normal(r);
        gain = pow(10.0, -random_unit(r));
    }
}

static void no_figure_is_shown_that_cannot_be(void **state)
{
    (void)state;
    struct random r = random_cases("voices");
    int unlike = 0;
    for (int c = 0; c < 4 * CASES; c++) {
        double *samples = zeros(FRAMES);
        add_voice(samples, 3 * FRAMES / 4, &r);
        const struct metrics m = measured(samples, 3 * FRAMES / 4, &plain);
        for (int i = 0; i < METRICS_BANDS; i++) {
            const struct metrics_band *b = &m.band[i];
            if (!isnan(b->d50) && !(b->d50 >= 0.0 && b->d50 <= 1.0))
                fail_msg("band %d: D50 %g", i, b->d50);
            assert_true(isnan(b->d50) == (b->reason != METRICS_NONE));
            if (b->reason != METRICS_UNLIKE)
                continue;
            unlike++;
            assert_true(isnan(b->c50) && isnan(b->c80) && isnan(b->ts) && isnan(b->edt.time));
            assert_int_equal(b->t30.reason, METRICS_UNLIKE);
        }
        free(samples);
    }
    print_message("bands that cannot be a response's: %d of %d\n", unlike, 4 * CASES * METRICS_BANDS);
    assert_true(unlike > 0);
}

/* The direct sound of a record that ends soon after it is in the last tenth, as is the sound of a boomy room where the
 * record ends early: neither is an offset. A constant from the beginning is. */
static void the_direct_sound_is_found_wherever_the_record_ends(void **state)
{
    (void)state;
    struct random r = random_cases("ends");
    for (int c = 0; c < 3 * CASES; c++) {
        double *samples = zeros(FRAMES);
        const size_t at = (size_t)(rate * random_uniform(&r, 0.02, 0.1)),
                     after = (size_t)(rate * random_uniform(&r, 0.003, 0.02));
        const double mode = random_uniform(&r, 5.0, 12.0), boom = c % 3 == 1 ? random_uniform(&r, 0.2, 0.5) : 0.0;
        const double offset = c % 3 == 2 ? random_uniform(&r, -3.0, 3.0) : 0.0;
        const size_t frames = c % 3 ? at + 4 * after + (size_t)rate / 10 : at + after;
        for (size_t n = 0; n < frames; n++)
            samples[n] = offset;
        for (size_t n = at; n < frames; n++) {
            const double time = (double)(n - at) / rate;
            samples[n] += (1.0 - boom) * exp(-time / (c % 3 ? 0.002 : 0.01)) + boom * cos(2.0 * M_PI * mode * time);
        }
        const struct metrics m = measured(samples, frames, &(struct metrics_settings){.valid_high = 900.0});
        if (!(fabs(m.arrival - (double)at / rate) <= 0.0006))
            fail_msg("case %d: direct sound after %g s of %g s, found after %g s", c, (double)at / rate,
                     (double)frames / rate, m.arrival);
        free(samples);
    }
}

/* Clarity compares two parts of the energy: where one of them is below the measured range there is none, with the
 * reason. The part after the end of a very dry decay, or of a record, was not measured. */
static void clarity_is_of_what_was_measured(void **state)
{
    (void)state;
    struct random r = random_cases("clarity");
    int missing = 0;
    for (int c = 0; c < CASES; c++) {
        double *samples = zeros(FRAMES);
        add_noise_decay(samples, FRAMES, rate, START, &(struct slopes){1.0, random_uniform(&r, 0.01, 0.05), 1.0}, &r);
        if (c % 2)
            add_noise_floor(samples, FRAMES, random_uniform(&r, -80.0, -50.0), &r);
        const size_t frames = c % 4 < 2 ? FRAMES : START + (size_t)(rate * random_uniform(&r, 0.0, 0.07));
        const struct metrics m = measured(samples, frames, c % 2 ? &plain : &simulated);
        for (int i = 0; i < METRICS_BANDS; i++) {
            const struct metrics_band *b = &m.band[i];
            const double max = fmin(b->range > 0.0 ? b->range : INFINITY, 100.0);
            assert_true(isnan(b->c50) == (b->reason || b->c50_reason) && isnan(b->c80) == (b->reason || b->c80_reason));
            if (!isnan(b->c50) && !(fabs(b->c50) <= max))
                fail_msg("case %d band %d: C50 %g dB, measured %g dB", c, i, b->c50, max);
            if (!isnan(b->c80) && !(fabs(b->c80) <= max && (double)frames / rate > 0.08))
                fail_msg("case %d band %d: C80 %g dB, measured %g dB", c, i, b->c80, max);
            if (!isnan(b->ts) && !(b->ts >= 0.0))
                fail_msg("case %d band %d: Ts %g s", c, i, b->ts);
            missing += b->c80_reason == METRICS_SPLIT;
        }
        free(samples);
    }
    assert_true(missing > 0);
}

static void a_sample_or_two_give_no_figures(void **state)
{
    (void)state;
    struct random r = random_cases("fragments");
    for (size_t frames = 1; frames <= 16; frames *= 2) {
        double *samples = zeros(frames);
        for (size_t n = 0; n < frames; n++)
            samples[n] = n ? 0.1 * random_normal(&r) : 1.0;
        const struct metrics m = measured(samples, frames, &(struct metrics_settings){.calibrated = true});
        for (int i = 0; i < METRICS_BANDS; i++) {
            const struct metrics_band *b = &m.band[i];
            if (!(isnan(b->c50) && isnan(b->d50) && isnan(b->ts) && isnan(b->g) && b->reason))
                fail_msg("%zu samples, band %d: D50 %g, Ts %g s, G %g dB", frames, i, b->d50, b->ts, b->g);
        }
        assert_true(isnan(m.sti));
        free(samples);
    }
}

static void assert_same_figures(const struct metrics_band *a, const struct metrics_band *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t f = 0; f < band_metric_count; f++) {
            const double one = metric_of_band(&band_metrics[f], &a[i]), other = metric_of_band(&band_metrics[f], &b[i]);
            assert_true(isnan(one) ? isnan(other) : one == other);
        }
}

/* Whatever was measured on it before: other records, valid bands, lengths and rates. */
static void a_bench_changes_no_figure(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct metrics_bench *bench = metrics_bench_make();
    assert_non_null(bench);
    for (int i = 0; i < 12; i++) {
        const size_t frames = i % 4 == 3 ? 9000 : 12000;
        const double hertz = i < 6 ? 16000.0 : 24000.0;
        double *samples = zeros(frames);
        for (size_t n = 0; n < frames; n++)
            samples[n] = random_normal(&r) * exp(-20.0 * (double)n / hertz);
        struct metrics_settings s = {.valid_high = random_uniform(&r, 500.0, 7000.0), .third_octaves = i % 2 == 1};
        struct metrics alone, on_it;
        struct error e;
        assert_int_equal(metrics_measure(&alone, samples, frames, hertz, &s, &e), 0);
        s.bench = bench;
        assert_int_equal(metrics_measure(&on_it, samples, frames, hertz, &s, &e), 0);
        assert_same_figures(alone.band, on_it.band, METRICS_BANDS);
        assert_same_figures(alone.third, on_it.third, METRICS_THIRDS);
        assert_memory_equal(alone.transfer, on_it.transfer, sizeof alone.transfer);
        free(samples);
    }
    metrics_bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_response_that_is_too_short_says_how_long_it_would_have_to_be),
        cmocka_unit_test(a_simulated_response_is_never_said_to_be_noisy),
        cmocka_unit_test(a_slower_decay_is_no_noise),
        cmocka_unit_test(steady_noise_is_said_to_be_noise),
        cmocka_unit_test(a_tone_below_a_band_that_the_end_cuts_is_no_noise),
        cmocka_unit_test(no_figure_is_shown_that_cannot_be),
        cmocka_unit_test(clarity_is_of_what_was_measured),
        cmocka_unit_test(a_sample_or_two_give_no_figures),
        cmocka_unit_test(a_bench_changes_no_figure),
        cmocka_unit_test(the_direct_sound_is_found_wherever_the_record_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

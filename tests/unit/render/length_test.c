/* SPDX-License-Identifier: MIT */
/* The length that a response needs, and how far it has decayed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/band_filter.h"
#include "dsp/decay_level.h"
#include "render/length.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

enum { FRAMES = 48000 };

/* Noise that decays by `decay` dB over the record, from `start` on. */
static double *make_decay(struct random *r, double decay, size_t start)
{
    double *samples = calloc(FRAMES, sizeof *samples);
    assert_non_null(samples);
    for (size_t n = start; n < FRAMES; n++)
        samples[n] = (random_unit(r) - 0.5) * pow(10.0, -decay / 20.0 * (double)(n - start) / (double)(FRAMES - start));
    return samples;
}

static void the_level_at_the_end_is_that_of_the_decay(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (double decay = 5.0; decay <= 90.0; decay += 5.0)
        for (size_t start = 0; start < FRAMES; start += FRAMES / 3) {
            double *samples = make_decay(&r, decay, start);
            assert_within(decay_level(samples, FRAMES, start), -decay, decay < 25.0 ? 3.0 : 1.5);
            free(samples);
        }
}

static void what_does_not_decay_is_no_decay(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double *samples = make_decay(&r, 0.0, 0);
    assert_within(decay_level(samples, FRAMES, 0), 0.0, 0.5);
    free(samples);
    samples = make_decay(&r, -20.0, 0); /* it grows */
    assert_within(decay_level(samples, FRAMES, 0), 0.0, 0.5);
    for (size_t n = 0; n < FRAMES; n++) /* a pulse and a floor of noise 80 dB below its energy */
        samples[n] = (n == 0 ? 1e4 : 0.0) + (random_unit(&r) - 0.5) * sqrt(12.0 / FRAMES);
    assert_within(decay_level(samples, FRAMES, 10), -80.0, 0.5);
    memset(samples, 0, FRAMES * sizeof *samples);
    assert_true(decay_level(samples, FRAMES, 0) == -INFINITY);
    samples[0] = 1.0; /* only the direct sound */
    assert_true(decay_level(samples, FRAMES, 10) == -INFINITY);
    samples[FRAMES - 1] = NAN;
    assert_true(isnan(decay_level(samples, FRAMES, 0)));
    assert_true(decay_level(samples, FRAMES, FRAMES - 15) == 0.0); /* too few to have decayed */
    assert_true(isnan(decay_level(samples, FRAMES, FRAMES + 1)));
    free(samples);
}

static void tries_grow_by_a_quarter_in_tenths_up_to_the_limit(void **state)
{
    (void)state;
    assert_true(length_rounded(0.0) == 0.1 && length_rounded(0.1) == 0.1 && length_rounded(0.11) == 0.2);
    assert_true(length_rounded(0.3) == 0.3 && length_rounded(0.7) == 0.7 && length_rounded(1.2345) == 1.3);
    struct length l = {.seconds = 1.0, .chosen = true, .signal = 0.6, .max = 1.65};
    assert_true(length_extend(&l) && l.seconds == 1.1); /* 0.4 of decay become 0.5 */
    assert_true(length_extend(&l) && l.seconds == 1.3);
    assert_true(length_extend(&l) && l.seconds == 1.5);
    assert_true(length_extend(&l) && l.seconds == 1.65);
    assert_false(length_extend(&l));
    assert_true(l.seconds == 1.65);
    l = (struct length){.seconds = 1.0, .max = 5.0}; /* given */
    assert_false(length_extend(&l));
}

/* Level of a tone behind the filter, dB, once it has settled. */
static double tone_level(double frequency, double corner, double rate)
{
    double energy = 0.0;
    double *samples = malloc(FRAMES * sizeof *samples);
    assert_non_null(samples);
    for (size_t n = 0; n < FRAMES; n++)
        samples[n] = sin(2.0 * M_PI * frequency / rate * (double)n);
    steep_high_pass(samples, FRAMES, corner, rate);
    for (size_t n = FRAMES / 2; n < FRAMES; n++)
        energy += samples[n] * samples[n];
    free(samples);
    return 10.0 * log10(4.0 * energy / FRAMES);
}

static void the_steep_filter_takes_what_lies_an_octave_below(void **state)
{
    (void)state;
    for (double rate = 1000.0; rate <= 96000.0; rate *= 4.0) {
        assert_within(tone_level(63.0, 63.0, rate), -3.01, 0.1);
        assert_within(tone_level(31.5, 63.0, rate), -48.2, 1.0);
        assert_within(tone_level(126.0, 63.0, rate), 0.0, 0.1);
    }
    double pulse[4800] = {1.0}; /* at 8 kHz */
    steep_high_pass(pulse, 4800, 63.0, 8000.0);
    double whole = 0.0, late = 0.0;
    for (size_t n = 0; n < 4800; n++) {
        whole += pulse[n] * pulse[n];
        late += (double)n > 6.0 / 63.0 * 8000.0 ? pulse[n] * pulse[n] : 0.0;
    }
    assert_true(late < 1e-6 * whole);
}

static void the_drift_filter_takes_offset_and_ramp_and_keeps_what_comes_before(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    const double rate = random_log_uniform(&r, 1000.0, 20000.0), offset = random_normal(&r), slope = random_normal(&r);
    const size_t fade[2] = {(size_t)(0.1 * rate), (size_t)(0.3 * rate)}, settled = (size_t)rate;
    double *drift = make_decay(&r, 0.0, 0), *before = malloc(fade[0] * sizeof *before);
    assert_non_null(before);
    memcpy(before, drift, fade[0] * sizeof *before);
    for (size_t n = fade[0]; n < FRAMES; n++)
        drift[n] = offset + slope * (double)n / rate;
    drift_high_pass(drift, FRAMES, fade, 5.0, rate);
    assert_memory_equal(drift, before, fade[0] * sizeof *before);
    for (size_t n = 2 * settled; n < FRAMES; n++)
        assert_within(drift[n], 0.0, 1e-8);
    for (double f = 20.0; f < 0.4 * rate; f *= 1.7) { /* a tone keeps its level */
        double energy = 0.0;
        for (size_t n = 0; n < FRAMES; n++)
            drift[n] = sin(2.0 * M_PI * f / rate * (double)n);
        drift_high_pass(drift, FRAMES, fade, 5.0, rate);
        for (size_t n = FRAMES / 2; n < FRAMES; n++)
            energy += drift[n] * drift[n];
        assert_within(10.0 * log10(4.0 * energy / FRAMES), 0.0, 0.05);
    }
    free(drift);
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_level_at_the_end_is_that_of_the_decay),
        cmocka_unit_test(what_does_not_decay_is_no_decay),
        cmocka_unit_test(the_steep_filter_takes_what_lies_an_octave_below),
        cmocka_unit_test(the_drift_filter_takes_offset_and_ramp_and_keeps_what_comes_before),
        cmocka_unit_test(tries_grow_by_a_quarter_in_tenths_up_to_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

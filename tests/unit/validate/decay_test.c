/* SPDX-License-Identifier: MIT */
/* Reverberation time from records with known decay. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/random_cases.h"
#include "validate/cartesian7/decay.h"

#include <cmocka.h>

enum { CHANNELS = 48, FRAMES = 12000, PARTIALS = 80 };
static const double rate = 8000.0;

static double *records(void)
{
    double *samples = calloc((size_t)CHANNELS * FRAMES, sizeof *samples);
    assert_non_null(samples);
    return samples;
}

/* Adds modes of random frequency and phase between low and high (Hz) that decay by 60 dB in `time` s. */
static void add_modes(double *samples, double low, double high, double time, struct random *r)
{
    for (int c = 0; c < CHANNELS; c++)
        for (int m = 0; m < PARTIALS; m++) {
            const double frequency = low + (high - low) * random_unit(r), phase = 2.0 * M_PI * random_unit(r);
            for (int n = 0; n < FRAMES; n++)
                samples[c * FRAMES + n] +=
                    exp(-3.0 * M_LN10 * n / (rate * time)) * sin(2.0 * M_PI * frequency * n / rate + phase);
        }
}

static struct decay measured(const double *samples, size_t frames, double centre)
{
    struct decay d;
    struct error e;
    assert_int_equal(decay_measure(&d, samples, CHANNELS, frames, rate, centre, &e), 0);
    return d;
}

static void assert_time(struct decay d, double time)
{
    if (!(fabs(d.time / time - 1.0) <= 0.05))
        fail_msg("T30 %g s in place of %g s", d.time, time);
    if (!(d.correlation >= 0.99 && d.correlation <= 1.0 + 1e-12))
        fail_msg("correlation %g", d.correlation);
}

/* A ramp and an offset far above the sound do not change the result. */
static void each_octave_has_its_own_decay(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double *samples = records();
    add_modes(samples, 90.0, 175.0, 0.9, &r);
    add_modes(samples, 360.0, 700.0, 0.3, &r);
    for (int i = 0; i < CHANNELS * FRAMES; i++)
        samples[i] += 100.0 + 0.05 * (i % FRAMES);
    assert_time(measured(samples, FRAMES, 125.0), 0.9);
    assert_time(measured(samples, FRAMES, 500.0), 0.3);
    free(samples);
}

static void short_silent_and_broken_records_have_none(void **state)
{
    (void)state;
    struct random r = {1};
    double *samples = records();
    assert_true(isnan(measured(samples, FRAMES, 125.0).time));
    add_modes(samples, 90.0, 175.0, 3.0, &r); /* 30 dB in the record */
    assert_true(isnan(measured(samples, FRAMES, 125.0).time));
    samples[FRAMES / 2] = NAN;
    assert_true(isnan(measured(samples, FRAMES, 125.0).time));
    assert_true(isnan(measured(samples, FRAMES, 125.0).correlation));
    free(samples);
}

static void an_exponential_is_a_straight_line(void **state)
{
    (void)state;
    double energy[8000];
    struct decay d;
    for (int n = 0; n < 8000; n++)
        energy[n] = exp(-6.0 * M_LN10 * n / (rate * 0.7));
    decay_fit(&d, energy, 8000, rate);
    assert_true(fabs(d.time - 0.7) <= 1e-4);
    assert_true(fabs(d.correlation - 1.0) <= 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_octave_has_its_own_decay),
        cmocka_unit_test(short_silent_and_broken_records_have_none),
        cmocka_unit_test(an_exponential_is_a_straight_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The limiter of a preview: samples within bounds pass bit for bit, no output exceeds them, the gain makes no step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/preview/level.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { CHANNELS = 2, RATE = 48000 };

static struct limiter *fresh_limiter(void)
{
    struct limiter *l = NULL;
    struct error e;
    assert_int_equal(limiter_make(&l, CHANNELS, RATE, &e), 0);
    assert_non_null(l);
    return l;
}

/* Noise up to `peak`, [frames][CHANNELS]. */
static float *noise(struct random *r, size_t frames, double peak)
{
    float *samples = calloc(frames * CHANNELS, sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < frames * CHANNELS; i++)
        samples[i] = (float)(peak * (2.0 * random_unit(r) - 1.0));
    return samples;
}

static float *copy(const float *samples, size_t frames)
{
    float *made = malloc(frames * CHANNELS * sizeof *made);
    assert_non_null(made);
    memcpy(made, samples, frames * CHANNELS * sizeof *made);
    return made;
}

/* Runs in blocks of random lengths; adds the reports up. */
static struct limiter_report run(struct limiter *l, struct random *r, float *samples, size_t frames)
{
    struct limiter_report all = {0.0f, 1.0f, 0};
    for (size_t done = 0; done < frames;) {
        const size_t max = frames - done < 700 ? frames - done : 700, count = random_between(r, 1, max);
        const struct limiter_report one = limiter_run(l, samples + done * CHANNELS, count);
        all.peak = fmaxf(all.peak, one.peak);
        all.gain = fminf(all.gain, one.gain);
        all.limited += one.limited;
        done += count;
    }
    return all;
}

static void what_stays_below_the_ceiling_passes_bit_for_bit(void **state)
{
    (void)state;
    enum { FRAMES = 30000 };
    struct random random = random_cases(__func__);
    struct limiter *l = fresh_limiter();
    const size_t delay = limiter_delay(l);
    assert_true(delay > 0 && delay <= RATE / 200); /* 5 ms at most: one may play along */
    float *in = noise(&random, FRAMES, LIMITER_CEILING);
    in[12345] = (float)LIMITER_CEILING * (1.0f - 0x1p-23f);
    float *out = copy(in, FRAMES);
    const struct limiter_report report = run(l, &random, out, FRAMES);
    for (size_t i = 0; i < delay * CHANNELS; i++)
        assert_true(out[i] == 0.0f);
    assert_memory_equal(out + delay * CHANNELS, in, (FRAMES - delay) * CHANNELS * sizeof *in);
    assert_true(report.gain == 1.0f && report.limited == 0);
    assert_true(report.peak <= LIMITER_CEILING && report.peak > 0.9f);
    free(in);
    free(out);
    limiter_free(l);
}

/* Peaks of any height and spacing, on a bed of noise. */
static float *rough(struct random *r, size_t frames)
{
    float *samples = noise(r, frames, 0.5);
    for (size_t n = 0; n < frames; n += random_between(r, 1, 3000)) {
        const double height = pow(10.0, 4.0 * random_unit(r) - 1.0);
        for (size_t k = n; k < frames && k < n + random_between(r, 1, 40); k++)
            samples[k * CHANNELS + random_between(r, 0, CHANNELS - 1)] = (float)(height * (random_unit(r) - 0.5));
    }
    return samples;
}

static void no_sample_that_comes_out_is_above_the_ceiling(void **state)
{
    (void)state;
    enum { FRAMES = 400000 };
    struct random random = random_cases(__func__);
    struct limiter *l = fresh_limiter();
    float *samples = rough(&random, FRAMES);
    const struct limiter_report report = run(l, &random, samples, FRAMES);
    double worst = 0.0;
    for (size_t i = 0; i < FRAMES * CHANNELS; i++)
        worst = !(fabs((double)samples[i]) <= worst) ? fabs((double)samples[i]) : worst;
    print_message("in: peak %g; out: %.9g; least gain %g\n", (double)report.peak, worst, (double)report.gain);
    assert_true(report.peak > 100.0f && report.gain < 0.01f && report.limited > 1000);
    assert_true(worst <= LIMITER_CEILING * (1.0 + 1e-6));
    assert_true(worst > 0.9 * LIMITER_CEILING); /* and no more is taken than has to be */
    free(samples);
    limiter_free(l);
}

static void broken_and_enormous_samples_are_kept_within_bounds(void **state)
{
    (void)state;
    static const float bad[] = {INFINITY, -INFINITY, NAN, 1e38f, -1e20f, 1e12f, 1e11f, -3e9f};
    enum { EVERY = 2000, FRAMES = EVERY * (int)(sizeof bad / sizeof *bad) };
    struct random random = random_cases(__func__);
    struct limiter *l = fresh_limiter();
    float *samples = noise(&random, FRAMES, 0.5);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        samples[(i * EVERY + 77) * CHANNELS + i % CHANNELS] = bad[i];
    run(l, &random, samples, FRAMES);
    for (size_t i = 0; i < FRAMES * CHANNELS; i++)
        assert_true(fabsf(samples[i]) <= 1.0f); /* false for NaN */
    free(samples);
    limiter_free(l);
}

/* A steady level with one loud passage: the gain, output over input, changes without steps, is the same for both
 * channels, and returns to exactly 1. */
static void the_gain_moves_smoothly_and_comes_back_to_one(void **state)
{
    (void)state;
    enum { FRAMES = 12 * RATE, LOUD = RATE, QUIET = RATE + 4800 };
    struct random random = random_cases(__func__);
    struct limiter *l = fresh_limiter();
    const size_t delay = limiter_delay(l);
    float *in = calloc(FRAMES * CHANNELS, sizeof *in);
    assert_non_null(in);
    for (size_t n = 0; n < FRAMES; n++) {
        in[n * CHANNELS] = n >= LOUD && n < QUIET ? 4.0f : 0.5f;
        in[n * CHANNELS + 1] = -0.25f;
    }
    float *out = copy(in, FRAMES);
    const struct limiter_report report = run(l, &random, out, FRAMES);
    double before = 1.0, min = 1.0, fall = 0.0, rise = 0.0;
    for (size_t n = delay; n < FRAMES; n++) {
        const double gain = (double)out[n * CHANNELS] / (double)in[(n - delay) * CHANNELS];
        const double other = (double)out[n * CHANNELS + 1] / (double)in[(n - delay) * CHANNELS + 1];
        assert_true(fabs(gain - other) <= 1e-6);
        min = fmin(min, gain);
        fall = fmax(fall, before - gain);
        rise = fmax(rise, gain - before);
        before = gain;
    }
    print_message("least %.6f, steepest fall %.2g and rise %.2g a frame\n", min, fall, rise);
    assert_true(fabs(min - LIMITER_CEILING / 4.0) <= 1e-5);
    assert_true(fabs((double)report.gain - min) <= 1e-5);
    assert_true(fall <= 1.1 * 0.75 / (double)delay);
    assert_true(rise <= 0.75 / (0.1 * RATE)); /* a tenth of a second and more */
    assert_true(report.limited > QUIET - LOUD && report.limited < QUIET - LOUD + 2 * RATE);
    assert_memory_equal(out + (FRAMES - RATE) * CHANNELS, in + (FRAMES - RATE - delay) * CHANNELS,
                        RATE * CHANNELS * sizeof *in);
    free(in);
    free(out);
    limiter_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_below_the_ceiling_passes_bit_for_bit),
        cmocka_unit_test(no_sample_that_comes_out_is_above_the_ceiling),
        cmocka_unit_test(broken_and_enormous_samples_are_kept_within_bounds),
        cmocka_unit_test(the_gain_moves_smoothly_and_comes_back_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* A preview with responses that become finer: no clipping, no jump of level, the right status. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/preview/dry_sound.h"
#include "render/preview/level.h"
#include "render/preview/mixer.h"
#include "support/allocations.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { RATE = 48000, BLOCK = 512, RECEIVERS = 2, TAPS = 6000 };

/* A room: decaying noise for each receiver, [RECEIVERS][TAPS]. */
static double *room(struct random *r, double level)
{
    double *taps = malloc(RECEIVERS * TAPS * sizeof *taps);
    assert_non_null(taps);
    for (size_t i = 0; i < RECEIVERS * TAPS; i++)
        taps[i] = level * (2.0 * random_unit(r) - 1.0) * exp(-6.0 * (double)(i % TAPS) / TAPS);
    return taps;
}

static void as_filters(struct convolver_filter filters[RECEIVERS], const double *taps)
{
    for (size_t r = 0; r < RECEIVERS; r++)
        filters[r] = (struct convolver_filter){taps + r * TAPS, TAPS};
}

static struct convolver *convolver_of(const double *taps)
{
    struct convolver_filter filters[RECEIVERS];
    struct convolver *c;
    struct error e;
    as_filters(filters, taps);
    assert_int_equal(convolver_make(&c, 1, RECEIVERS, filters, BLOCK, &e), 0);
    return c;
}

/* The common gain of both ears' receivers. */
static double gain_of(const double *taps, const float *dry, size_t frames)
{
    struct convolver_filter filters[RECEIVERS];
    struct error e;
    double gain = NAN;
    as_filters(filters, taps);
    assert_int_equal(level_gain(&gain, filters, RECEIVERS, dry, frames, RATE, &e), 0);
    assert_true(isfinite(gain) && gain > 0.0);
    return gain;
}

static struct mixer *fresh_mixer(void)
{
    const struct mixer_settings s = {.receivers = RECEIVERS, .block = BLOCK, .rate = RATE};
    struct mixer *m = NULL;
    struct error e;
    assert_int_equal(mixer_make(&m, &s, &e), 0);
    return m;
}

static void offer(struct mixer *m, const double *taps, double gain)
{
    struct error e;
    assert_int_equal(mixer_offer(m, convolver_of(taps), gain, &e), 0);
}

/* A looping dry sound. */
struct loop {
    const float *dry;
    size_t frames, position;
};

/* Plays `blocks` blocks into out [blocks * BLOCK][MIXER_EARS], with any former content, or NULL. */
static void play(struct mixer *m, struct loop *loop, size_t blocks, float *out)
{
    float in[BLOCK], heard[BLOCK * MIXER_EARS];
    for (size_t b = 0; b < blocks; b++) {
        for (size_t n = 0; n < BLOCK; n++) {
            in[n] = loop->dry[loop->position];
            loop->position = (loop->position + 1) % loop->frames;
        }
        memset(heard, 0xff, sizeof heard); /* NaN */
        making_sound = true;
        mixer_run(m, in, heard);
        making_sound = false;
        assert_int_equal(allocations, 0);
        for (size_t i = 0; i < BLOCK * MIXER_EARS; i++)
            assert_true(fabsf(heard[i]) <= 1.0f);
        if (out)
            memcpy(out + b * BLOCK * MIXER_EARS, heard, sizeof heard);
    }
}

/* Bursts of noise that occasionally reach full scale, as recorded voices do. */
static float *bursts(struct random *r, size_t frames)
{
    float *dry = calloc(frames, sizeof *dry);
    assert_non_null(dry);
    double peak = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double envelope = pow(0.5 + 0.5 * sin(2.0 * M_PI * 3.0 * (double)n / RATE), 2.0);
        dry[n] = (float)(envelope * (2.0 * random_unit(r) - 1.0));
        peak = fmax(peak, fabs((double)dry[n]));
    }
    for (size_t n = 0; n < frames; n++)
        dry[n] *= (float)(0.994 / peak);
    return dry;
}

static double power_of(const float *out, size_t frames)
{
    double power = 0.0;
    for (size_t i = 0; i < frames * MIXER_EARS; i++)
        power += (double)out[i] * (double)out[i];
    return power / (double)(frames * MIXER_EARS);
}

static void the_gain_found_makes_wet_as_loud_as_dry_with_its_peaks_in_bounds(void **state)
{
    (void)state;
    enum { FRAMES = RATE, BLOCKS = 3 * RATE / BLOCK };
    struct random random = random_cases(__func__);
    float *dry = bursts(&random, FRAMES), *out = malloc(BLOCKS * BLOCK * MIXER_EARS * sizeof *out);
    assert_non_null(out);
    double *taps = room(&random, pow(10.0, 2.0 * random_unit(&random) - 1.0)), dry_power = 0.0;
    for (size_t n = 0; n < FRAMES; n++)
        dry_power += (double)dry[n] * (double)dry[n] / FRAMES;
    for (int loud = 0; loud < 2; loud++) {
        /* a loud sound is held down by its peak, a soft one comes out as loud as it is */
        const double scale = loud ? 1.0 : 0.3;
        for (size_t n = 0; n < FRAMES; n++)
            dry[n] *= (float)scale;
        struct mixer *m = fresh_mixer();
        offer(m, taps, gain_of(taps, dry, FRAMES));
        struct loop loop = {dry, FRAMES, 0};
        play(m, &loop, BLOCKS, out);
        const struct mixer_status status = mixer_status(m);
        const double ratio = 10.0 * log10(power_of(out + RATE * MIXER_EARS, RATE) / (dry_power * scale * scale));
        print_message("wet over dry %+.3f dB, peak %.4f\n", ratio, status.peak);
        assert_true(status.peak <= LIMITER_CEILING * pow(10.0, -0.05 * LEVEL_HEADROOM) * (1.0 + 1e-4));
        assert_true(status.reduction == 0.0 && status.limited == 0.0);
        assert_true(ratio <= 0.1 && (loud || ratio >= -0.1));
        for (size_t n = 0; n < FRAMES; n++)
            dry[n] /= (float)scale;
        mixer_free(m);
    }
    free(taps);
    free(out);
    free(dry);
}

/* The level in dB of a tone over `frames` frames, by its power. */
static double level_db(const float *out, size_t frames)
{
    return 10.0 * log10(power_of(out, frames) + 1e-30);
}

/* A stage whose gain is 18 dB lower, then one that is 12 dB higher: the envelope of a tone that both pass equally
 * changes no faster than the slope, and not at all during the fade. */
static void the_level_moves_steadily_from_stage_to_stage(void **state)
{
    (void)state;
    enum { PERIOD = 96, BLOCKS = 900, FIRST = 200, SECOND = 500 }; /* 500 Hz */
    float dry[PERIOD];
    for (size_t n = 0; n < PERIOD; n++)
        dry[n] = 0.05f * (float)sin(2.0 * M_PI * (double)n / PERIOD);
    double *direct = calloc(RECEIVERS * TAPS, sizeof *direct), *more = calloc(RECEIVERS * TAPS, sizeof *more);
    float *out = malloc(BLOCKS * BLOCK * MIXER_EARS * sizeof *out);
    assert_non_null(direct);
    assert_non_null(more);
    assert_non_null(out);
    for (size_t r = 0; r < RECEIVERS; r++)
        direct[r * TAPS] = more[r * TAPS] = 1.0;
    struct mixer *m = fresh_mixer();
    struct loop loop = {dry, PERIOD, 0};
    const double gains[] = {4.0, 4.0 * pow(10.0, -18.0 / 20.0), 4.0 * pow(10.0, -6.0 / 20.0)};
    offer(m, direct, gains[0]);
    play(m, &loop, FIRST, out);
    offer(m, more, gains[1]);
    play(m, &loop, SECOND - FIRST, out + FIRST * BLOCK * MIXER_EARS);
    offer(m, direct, gains[2]);
    play(m, &loop, BLOCKS - SECOND, out + SECOND * BLOCK * MIXER_EARS);
    const size_t periods = BLOCKS * BLOCK / PERIOD, settled = (size_t)(0.2 * RATE) / PERIOD;
    double steepest = 0.0, before = level_db(out + settled * PERIOD * MIXER_EARS, PERIOD);
    for (size_t p = settled + 1; p < periods; p++) {
        const double now = level_db(out + p * PERIOD * MIXER_EARS, PERIOD);
        steepest = fmax(steepest, fabs(now - before) * (double)RATE / PERIOD);
        before = now;
    }
    const double dry_db = 10.0 * log10(0.05 * 0.05 / 2.0);
    const size_t ends[] = {FIRST, SECOND, BLOCKS};
    for (size_t i = 0; i < 3; i++) {
        const double level = level_db(out + (ends[i] * BLOCK - 10 * PERIOD) * MIXER_EARS, 10 * PERIOD) - dry_db;
        print_message("stage %zu: %+.3f dB\n", i + 1, level);
        assert_true(fabs(level - 20.0 * log10(gains[i])) <= 0.02);
    }
    print_message("steepest %.2f dB/s\n", steepest);
    assert_true(steepest <= 1.05 * MIXER_SLOPE && steepest >= 0.9 * MIXER_SLOPE);
    mixer_free(m);
    free(direct);
    free(more);
    free(out);
}

/* Finer stages add energy that coarse ones lack. With the gain that each needs the limiter never acts, although the
 * coarse one's gain would make the fine one twice too loud. */
static void a_finer_stage_that_is_louder_never_needs_the_limiter(void **state)
{
    (void)state;
    enum { FRAMES = RATE };
    struct random random = random_cases(__func__);
    float *dry = bursts(&random, FRAMES);
    double *fine = room(&random, 1.0), *coarse = malloc(RECEIVERS * TAPS * sizeof *coarse);
    assert_non_null(coarse);
    for (size_t i = 0; i < RECEIVERS * TAPS; i++) /* the coarse one: a part of the fine one */
        coarse[i] = 0.25 * fine[i];
    const double gains[] = {gain_of(coarse, dry, FRAMES), gain_of(fine, dry, FRAMES)};
    assert_true(gains[0] > 3.9 * gains[1]);
    struct mixer *m = fresh_mixer();
    struct loop loop = {dry, FRAMES, 0};
    offer(m, coarse, gains[0]);
    play(m, &loop, 2 * RATE / BLOCK, NULL);
    offer(m, fine, gains[1]);
    play(m, &loop, 4 * RATE / BLOCK, NULL);
    const struct mixer_status status = mixer_status(m);
    print_message("peak %.4f\n", status.peak);
    assert_true(status.heard && status.peak > 0.1);
    assert_true(status.peak <= LIMITER_CEILING && status.reduction == 0.0);
    mixer_free(m);
    free(dry);
    free(fine);
    free(coarse);
}

/* Two responses arrive while the level still moves towards the first of them. */
static void of_those_that_wait_the_newest_is_heard(void **state)
{
    (void)state;
    enum { PERIOD = 96, BLOCKS = 3 * RATE / BLOCK };
    float dry[PERIOD], last[PERIOD * MIXER_EARS];
    for (size_t n = 0; n < PERIOD; n++)
        dry[n] = 0.05f * (float)sin(2.0 * M_PI * (double)n / PERIOD);
    double *taps = calloc(RECEIVERS * TAPS, sizeof *taps);
    float *out = malloc(BLOCKS * BLOCK * MIXER_EARS * sizeof *out);
    assert_non_null(taps);
    assert_non_null(out);
    struct mixer *m = fresh_mixer();
    struct loop loop = {dry, PERIOD, 0};
    for (int i = 0; i < 3; i++) { /* gains 1, 1/4, 1/2 of responses 1, 3, 5 */
        for (size_t r = 0; r < RECEIVERS; r++)
            taps[r * TAPS] = 1.0 + 2.0 * i;
        offer(m, taps, i == 0 ? 1.0 : i == 1 ? 0.25 : 0.5);
        play(m, &loop, RATE / 5 / BLOCK, NULL);
    }
    play(m, &loop, BLOCKS, out);
    memcpy(last, out + (BLOCKS * BLOCK - PERIOD) * MIXER_EARS, sizeof last);
    const double factor = sqrt(2.0 * power_of(last, PERIOD)) / 0.05;
    print_message("%.4f times the dry sound\n", factor);
    assert_true(fabs(factor - 2.5) <= 1e-3);
    mixer_free(m);
    free(taps);
    free(out);
}

static void too_loud_is_said_until_it_was_shown_and_summed_up_at_the_end(void **state)
{
    (void)state;
    enum { FRAMES = RATE };
    struct random random = random_cases(__func__);
    float *dry = bursts(&random, FRAMES);
    double *taps = room(&random, 1.0);
    struct mixer *m = fresh_mixer();
    struct loop loop = {dry, FRAMES, 0};
    offer(m, taps, gain_of(taps, dry, FRAMES));
    mixer_set_level(m, 12.0);
    play(m, &loop, 2 * RATE / BLOCK, NULL);
    for (int i = 0; i < 10; i++) /* looking does not wipe it away */
        assert_true(mixer_status(m).reduction > 3.0);
    const double shown = mixer_reduction(m);
    const struct mixer_status loud = mixer_status(m);
    print_message("limited by %.2f dB for %.2f of %.2f s\n", shown, loud.limited, loud.seconds);
    assert_true(shown > 3.0 && shown < 13.0);
    assert_true(fabs(shown - loud.reduction) <= 1e-6);
    assert_true(loud.peak > LIMITER_CEILING && loud.limited > 0.1 && loud.limited <= loud.seconds);
    assert_true(fabs(20.0 * log10(loud.peak / LIMITER_CEILING) - loud.reduction) <= 0.01);
    mixer_set_level(m, -20.0);
    play(m, &loop, 12 * RATE / BLOCK, NULL);
    mixer_reduction(m);
    play(m, &loop, RATE / BLOCK, NULL);
    assert_true(mixer_reduction(m) == 0.0);                   /* of now */
    assert_true(mixer_status(m).reduction == loud.reduction); /* of all */
    mixer_free(m);
    free(dry);
    free(taps);
}

/* Within bounds, for any state of the limiter: the sound is the convolution, bit for bit, delayed. */
static void the_dry_sound_passes_bit_for_bit(void **state)
{
    (void)state;
    enum { FRAMES = 40 * BLOCK };
    struct random random = random_cases(__func__);
    float *dry = bursts(&random, FRAMES), *out = malloc(FRAMES * MIXER_EARS * sizeof *out);
    assert_non_null(out);
    struct mixer *m = fresh_mixer();
    struct loop loop = {dry, FRAMES, 0};
    mixer_set_dry(m, true);
    play(m, &loop, 4, NULL); /* the gain has reached 1 */
    const size_t from = loop.position, delay = mixer_tail(m) - RATE / 100;
    play(m, &loop, 30, out);
    for (size_t n = delay; n < 30 * BLOCK; n++)
        assert_true(out[n * MIXER_EARS] == dry[from + n - delay] && out[n * MIXER_EARS + 1] == out[n * MIXER_EARS]);
    mixer_end(m);
    play(m, &loop, (mixer_tail(m) + BLOCK - 1) / BLOCK, out);
    play(m, &loop, 1, out);
    for (size_t i = 0; i < BLOCK * MIXER_EARS; i++)
        assert_true(out[i] == 0.0f);
    mixer_free(m);
    free(dry);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gain_found_makes_wet_as_loud_as_dry_with_its_peaks_in_bounds),
        cmocka_unit_test(the_level_moves_steadily_from_stage_to_stage),
        cmocka_unit_test(a_finer_stage_that_is_louder_never_needs_the_limiter),
        cmocka_unit_test(of_those_that_wait_the_newest_is_heard),
        cmocka_unit_test(too_loud_is_said_until_it_was_shown_and_summed_up_at_the_end),
        cmocka_unit_test(the_dry_sound_passes_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

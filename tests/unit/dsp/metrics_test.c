/* SPDX-License-Identifier: MIT */
/* Room-acoustic figures of known decays. The printed tables are in docs/results/epyc-zen5.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "room/room.h"
#include "support/decays.h"
#include "support/figures.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

enum { CASES = 100, FRAMES = 96000, START = 480 };
static const double rate = 24000.0;
static const struct metrics_settings plain = {0};

static struct metrics measured(const double *samples, size_t frames, const struct metrics_settings *settings)
{
    return metrics_of(samples, frames, rate, settings);
}

static void compare(struct random *r, int two, const char *title)
{
    static const double bound[METRICS] = {1.0, 1.0, 1.0, 0.1, 0.1, 1.0, 1.0};
    double worst[METRICS_OCTAVES][METRICS] = {{0}};
    for (int c = 0; c < case_count(CASES); c++) {
        double *samples = zeros(FRAMES), *alone = zeros((size_t)FRAMES * METRICS_OCTAVES);
        struct slopes s[METRICS_OCTAVES];
        for (int i = c % 2; i < METRICS_OCTAVES; i += 2) { /* the skirts of neighbours are no part of this */
            const double centre = octave_band_centre[i], shortest = fmax(0.3, 40.0 / centre);
            double *tone = alone + (size_t)i * FRAMES;
            s[i] = (struct slopes){1.0, shortest * pow(3.0 / shortest, random_unit(r)), 1.0};
            if (two)
                s[i] = (struct slopes){random_uniform(r, 0.8, 0.99), random_uniform(r, shortest, 1.5),
                                       random_uniform(r, 1.5, 2.5)};
            add_tone(tone, FRAMES, rate, START, centre * random_uniform(r, 0.97, 1.03), 2.0 * M_PI * random_unit(r),
                     4.0 / centre, &s[i]);
            for (int n = START; n < FRAMES; n++)
                samples[n] += tone[n];
        }
        const struct metrics m = measured(samples, FRAMES, &plain);
        for (int i = c % 2; i < METRICS_OCTAVES; i += 2) {
            const struct known in_samples = samples_known(alone + (size_t)i * FRAMES, FRAMES, rate, m.arrival);
            struct known known = in_samples;
            double off[METRICS];
            if (!two) { /* closed form, as if the record did not end */
                const struct known endless = slopes_known(&s[i]);
                known.t20 = endless.t20;
                known.t30 = endless.t30;
            }
            metric_differences(off, &m.band[i], &known);
            for (int f = 0; f < METRICS; f++)
                if (!(fabs(off[f]) <= fabs(worst[i][f])))
                    worst[i][f] = off[f];
        }
        free(samples);
        free(alone);
    }
    print_figure_heading(title);
    int bad = 0;
    for (size_t i = 0; i < METRICS_OCTAVES; i++) {
        print_message("%-8s", band_name(i));
        for (int f = 0; f < METRICS; f++) {
            const int wrong = !(fabs(worst[i][f]) <= bound[f]);
            print_message("%15.4f%c", worst[i][f], wrong ? '!' : ' ');
            bad += wrong;
        }
        print_message("\n");
    }
    assert_int_equal(bad, 0);
}

static void single_slopes_are_measured_within_a_percent_and_a_tenth_of_a_decibel(void **state)
{
    (void)state;
    struct random r = random_cases("single slopes");
    compare(&r, 0, "Exponential decays, one a band: largest difference of 100 cases");
}

static void double_slopes_are_measured_within_a_percent_and_a_tenth_of_a_decibel(void **state)
{
    (void)state;
    struct random r = random_cases("double slopes");
    compare(&r, 1, "Sums of two slopes: largest difference of 100 cases");
}

/* The strength of a direct sound alone follows from its distance, and its arrival is its position. */
static void direct_sound_has_the_strength_of_its_distance(void **state)
{
    (void)state;
    struct random r = random_cases("direct sound");
    for (int c = 0; c < 20; c++) {
        const double distance = random_uniform(&r, 0.5, 30.0), scale = random_uniform(&r, 0.1, 10.0);
        const size_t at = random_between(&r, 10, 2000);
        const struct metrics_settings s = {.valid_low = 10.0, .calibrated = true, .scale = scale};
        double *samples = zeros(12000);
        samples[at] = 1.0 / (4.0 * M_PI * distance) / scale;
        const struct metrics m = measured(samples, 12000, &s);
        assert_int_equal((int)lround(m.arrival * rate), (int)at);
        for (size_t i = 0; i < METRICS_BANDS; i++) {
            if (!(fabs(m.band[i].g - 20.0 * log10(10.0 / distance)) <= 0.01))
                fail_msg("%s: G %g dB at %g m", band_name(i), m.band[i].g, distance);
            assert_true(isnan(m.band[i].t30.time) && isnan(m.band[i].edt.time));
            assert_true(fabs(m.band[i].d50 - 1.0) <= 1e-3 && fabs(m.band[i].ts) <= 1e-4);
        }
        assert_true(m.sti >= 0.999);
        free(samples);
    }
}

/* A record that ends early, bands outside, silence, and what is no response. */
static void what_the_response_does_not_hold_is_refused_with_its_reason(void **state)
{
    (void)state;
    struct random r = random_cases("refusals");
    struct error e;
    struct metrics m;
    double *samples = zeros(FRAMES);
    m = measured(samples, FRAMES, &plain);
    assert_true(isnan(m.arrival) && isnan(m.sti) && m.peak == 0.0 && m.sti_reason == METRICS_SILENT);
    for (int i = 0; i < METRICS_BANDS; i++) {
        assert_int_equal(m.band[i].reason, m.band[i].validity == METRICS_OUTSIDE ? METRICS_BEYOND : METRICS_SILENT);
        assert_true(isnan(m.band[i].t20.time) && isnan(m.band[i].c80) && isnan(m.band[i].ts));
    }
    assert_int_equal(metrics_measure(&m, samples, 0, rate, &plain, &e), -1);
    add_noise_decay(samples, FRAMES, rate, START, &(struct slopes){1.0, 1.0, 1.0}, &r);
    m = measured(samples, START + 12000, &plain); /* 30 dB */
    /* the last of a random decay may by chance lie as flat as noise */
    assert_true(m.band[4].t30.reason == METRICS_SHORT || m.band[4].t30.reason == METRICS_NOISE);
    assert_true(m.band[4].t20.reason == METRICS_SHORT || m.band[4].t20.reason == METRICS_NOISE);
    assert_true(isfinite(m.band[4].edt.time) && isfinite(m.band[4].c80));
    m = measured(samples, FRAMES, &(struct metrics_settings){.valid_low = 10.0, .valid_high = 3000.0});
    assert_int_equal(m.band[5].validity, METRICS_VALID);
    assert_int_equal(m.band[6].validity, METRICS_PARTLY);
    assert_int_equal(m.band[7].validity, METRICS_OUTSIDE);
    assert_true(isnan(m.band[7].t30.time) && isfinite(m.band[6].t30.time) && isnan(m.band[0].g));
    assert_int_equal(m.sti_reason, METRICS_BEYOND);
    assert_true(isnan(m.sti) && m.band[METRICS_BROAD].high == 3000.0);
    samples[100] = NAN;
    assert_int_equal(metrics_measure(&m, samples, FRAMES, rate, &plain, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    memset(samples, 0, FRAMES * sizeof *samples);
    add_noise_floor(samples, FRAMES, 0.0, &r);
    m = measured(samples, FRAMES, &plain);
    for (int i = 0; i < METRICS_BANDS; i++)
        assert_true(isnan(m.band[i].t20.time) && isnan(m.band[i].t30.time));
    for (size_t frames = 1; frames < 200; frames += 7) /* whatever it says, it says it without harm */
        measured(samples, frames, &plain);
    free(samples);
}

/* A band-limited response rings before each arrival; a boom below the band does not hide the direct sound. */
static void arrival_is_found_in_a_response_of_little_bandwidth(void **state)
{
    (void)state;
    struct random r = random_cases("arrival");
    for (int c = 0; c < 20; c++) {
        const double high = random_uniform(&r, 500.0, 4000.0), boom = random_uniform(&r, 0.0, 0.3);
        const size_t at = random_between(&r, 300, 2000);
        double *samples = zeros(12000);
        for (int n = 0; n < 12000; n++) {
            const double x = 2.2 * high * (n - (double)at) / rate, window = cos(M_PI * fmin(fabs(x) / 60.0, 0.5));
            samples[n] = 0.3 + (n == (int)at ? 1.0 : window * sin(M_PI * x) / (M_PI * x));
            if (n > (int)at + 200)
                samples[n] += boom * sin(2.0 * M_PI * 40.0 * (n - (double)at - 200.0) / rate) * exp(-n / 3000.0);
        }
        const struct metrics m =
            measured(samples, 12000, &(struct metrics_settings){.valid_low = 10.0, .valid_high = high});
        if (!(fabs(m.arrival - (double)at / rate) <= 0.15 / high + 1.0 / rate))
            fail_msg("to %g Hz: %g samples off", high, m.arrival * rate - (double)at);
        free(samples);
    }
}

/* The curves that plots draw fall from 0 dB in a straight line. */
static void decay_curve_of_an_exponential_is_straight(void **state)
{
    (void)state;
    double curves[METRICS_BANDS][50], *samples = zeros(FRAMES);
    const struct metrics_settings s = {.curves = &curves[0][0], .curve_points = 50, .curve_step = 0.02};
    add_tone(samples, FRAMES, rate, START, 1000.0, 1.0, 0.0, &(struct slopes){1.0, 1.2, 1.0});
    measured(samples, FRAMES, &s);
    for (int i = 1; i < 50; i++)
        assert_true(fabs(curves[4][i] + 60.0 * 0.02 * i / 1.2) <= 0.1);
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_slopes_are_measured_within_a_percent_and_a_tenth_of_a_decibel),
        cmocka_unit_test(double_slopes_are_measured_within_a_percent_and_a_tenth_of_a_decibel),
        cmocka_unit_test(direct_sound_has_the_strength_of_its_distance),
        cmocka_unit_test(arrival_is_found_in_a_response_of_little_bandwidth),
        cmocka_unit_test(what_the_response_does_not_hold_is_refused_with_its_reason),
        cmocka_unit_test(decay_curve_of_an_exponential_is_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

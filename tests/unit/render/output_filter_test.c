/* SPDX-License-Identifier: MIT */
/* Output filters and an early direct sound: the band is complete, nothing remains beyond it or comes before the
 * sound. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/air.h"
#include "dsp/air_filter.h"
#include "dsp/band_filter.h"
#include "dsp/minimum_phase.h"
#include "render/excitation.h"
#include "render/response.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const double PI = 3.14159265358979323846;
static const double VALID = 0.0757; /* of the grid's rate: 2 % of dispersion at the default Courant number */
static struct random fresh;

static double decibels(double ratio)
{
    return 20.0 * log10(ratio);
}

/* A grid's record: nothing before sample `arrival`, the direct sound there, a few reflections after it. */
static double *record(size_t frames, size_t arrival)
{
    double *samples = zeros(frames);
    samples[arrival] = 1.0;
    for (int k = 0; k < 5; k++)
        samples[arrival + 1 + (size_t)(60.0 * random_unit(&fresh))] += 0.15 * (2.0 * random_unit(&fresh) - 1.0);
    return samples;
}

static struct response respond(double *samples, size_t frames, double rate, const struct excitation *x,
                               const struct response_settings *s)
{
    const struct traces t = {.samples = samples, .channels = 1, .frames = frames, .rate = rate};
    struct response r;
    struct error e = {0};
    if (response_make(&r, &t, x, s, &e))
        fail_msg("%s", e.message);
    return r;
}

/* Up to the edge as the record within 0.1 dB; from 1.2 times the edge on, 80 dB down. */
static void assert_band(const struct response *r, const double *samples, size_t frames, double rate)
{
    double worst = 0.0, loudest = 0.0, max = 0.0;
    const double pass = r->band.pass, stop = fmin(LOW_PASS_STOP_RATIO * pass, 0.485 * r->rate);
    for (double f = 20.0; f <= pass; f += pass / 60.0) {
        const double own = magnitude_at(samples, frames, f / rate);
        worst = fmax(worst, fabs(decibels(magnitude_at(r->samples, r->frames, f / r->rate) / own)));
    }
    for (double f = 0.0; f < 0.5; f += 0.01)
        max = fmax(max, magnitude_at(samples, frames, f));
    for (double f = stop; f <= 0.5 * r->rate; f += 0.5 * r->rate / 300.0)
        loudest = fmax(loudest, magnitude_at(r->samples, r->frames, f / r->rate) / max);
    if (!(worst <= 0.1 && decibels(loudest) <= -80.0))
        fail_msg("%g Hz as %g Hz: %.3f dB off in the band, %.1f dB beyond it", rate, r->rate, worst, decibels(loudest));
}

/* The loudest sample before the arrival, relative to the peak. */
static double before_arrival(const struct response *r, size_t arrival, double rate)
{
    double early = 0.0;
    for (size_t n = 0; (double)n * rate < (double)arrival * r->rate; n++)
        early = fmax(early, fabs(r->samples[n]));
    return early / response_peak(r);
}

static const struct {
    double grid, file;
} rates[] = {{44100.0, 0.0}, {24000.0, 48000.0}, {44100.0, 48000.0}, {44100.0, 8000.0}, {44100.0, 5000.0}};

static void nothing_is_lost_at_any_distance(void **state)
{
    (void)state;
    double max = 0.0;
    const enum output_filter filters[] = {FILTER_VALID, FILTER_MINIMUM_PHASE};
    const struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t arrival = 3; arrival <= 40; arrival += arrival < 12 ? 1 : 7) {
            const double rate = rates[i].grid;
            const struct response_settings s = {
                filters[arrival % 2], VALID * rate, 0.0, rates[i].file, 2000, NULL, false};
            const size_t frames = response_steps(&x, &s, rate);
            double *samples = record(frames, arrival);
            struct response r = respond(samples, frames, rate, &x, &s);
            assert_band(&r, samples, frames, rate);
            max = fmax(max, before_arrival(&r, arrival, rate));
            response_free(&r);
            free(samples);
        }
    print_message("at most %.1f dB before the arrival\n", decibels(max));
    assert_true(max <= 1e-3);
}

static void linear_phase_is_symmetric_about_a_late_arrival(void **state)
{
    (void)state;
    const double rate = 44100.0;
    const struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    const struct response_settings s = {FILTER_LINEAR_PHASE, VALID * rate, 0.0, 0.0, 2000, NULL, false};
    const size_t frames = response_steps(&x, &s, rate);
    double *samples = zeros(frames);
    samples[700] = 1.0;
    struct response r = respond(samples, frames, rate, &x, &s);
    assert_band(&r, samples, frames, rate);
    for (size_t n = 0; n < 700; n++)
        assert_within(r.samples[700 - n], r.samples[700 + n], 1e-15);
    assert_within(r.band.delay[0], 0.0, 1e-12);
    assert_within(r.band.delay[1], 0.0, 1e-12);
    response_free(&r);
    free(samples);
}

static const double edges[] = {0.0101, 0.054, 0.076, 0.151, 0.24, 0.4};
enum { EDGES = sizeof edges / sizeof *edges };

static void minimum_phase_keeps_the_magnitude_and_comes_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES; i++) {
        struct low_pass linear;
        struct error e;
        const double floor = 1e-5;
        assert_int_equal(low_pass_between(&linear, edges[i], LOW_PASS_STOP_RATIO * edges[i], &e), 0);
        const size_t count = 2 * linear.half + 1;
        double *causal = zeros(count), early = 0.0, early_linear = 0.0;
        memcpy(causal, linear.taps, count * sizeof *causal);
        assert_int_equal(minimum_phase_taps(causal, linear.half, floor, &e), 0);
        for (int k = 0; k <= 1000; k++) {
            const double f = 0.5 * k / 1000.0;
            assert_within(magnitude_at(causal, count, f), hypot(magnitude_at(linear.taps, count, f), floor), 1e-6);
        }
        /* no filter of that magnitude has more of its energy in its first n taps */
        for (size_t n = 0; n < count; n++) {
            early += causal[n] * causal[n];
            early_linear += linear.taps[n] * linear.taps[n];
            assert_true(early >= early_linear - 1e-7);
        }
        free(causal);
        low_pass_free(&linear);
    }
}

/* Negative slope of the phase, from tones slightly below and above. */
static double measured_delay(const struct low_pass *f, double frequency)
{
    const double step = 1e-5;
    double phase[2];
    for (int side = 0; side < 2; side++) {
        double re = 0.0, im = 0.0;
        for (size_t n = 0; n <= 2 * f->half; n++) {
            const double angle = 2.0 * PI * (frequency + (side ? step : -step)) * (double)n;
            re += f->taps[n] * cos(angle);
            im -= f->taps[n] * sin(angle);
        }
        phase[side] = atan2(im, re);
    }
    return remainder(phase[0] - phase[1], 2.0 * PI) / (4.0 * PI * step);
}

static void a_causal_low_pass_keeps_the_band_and_says_its_delay(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES; i++) {
        struct low_pass f;
        struct error e;
        double off = 0.0, loudest = 0.0, peak = 0.0;
        assert_int_equal(low_pass_causal(&f, edges[i], LOW_PASS_STOP_RATIO * edges[i], &e), 0);
        assert_int_equal(f.before, 0);
        const size_t count = 2 * f.half + 1;
        for (int k = 0; k <= 400; k++) {
            const double stop = LOW_PASS_STOP_RATIO * edges[i];
            off = fmax(off, fabs(decibels(magnitude_at(f.taps, count, edges[i] * k / 400.0))));
            loudest = fmax(loudest, magnitude_at(f.taps, count, stop + (0.5 - stop) * k / 400.0));
        }
        for (size_t n = 0; n < count; n++)
            peak = fmax(peak, fabs(f.taps[n]));
        const double low = low_pass_delay(&f, 0.0), edge = low_pass_delay(&f, edges[i]);
        print_message("edge %.4f: %.1e dB, %.1f dB; late by %.3f and %.3f periods of the edge; begins at %.1f dB\n",
                      edges[i], off, decibels(loudest), low * edges[i], edge * edges[i],
                      decibels(fabs(f.taps[0]) / peak));
        assert_true(off <= 0.01 && decibels(loudest) <= -98.0);
        assert_within(low, measured_delay(&f, 0.0), 1e-3 * low);
        assert_within(edge, measured_delay(&f, edges[i]), 1e-3 * edge);
        assert_true(low > 0.0 && low < edge && edge * edges[i] <= 5.0);
        low_pass_free(&f);
    }
}

static void a_sweep_is_taken_out_without_anything_before_its_sound(void **state)
{
    (void)state;
    const double rate = 16000.0, ends[] = {0.0, 900.0};
    for (size_t arrival = 3; arrival <= 40; arrival += 5)
        for (int i = 0; i < 2; i++) {
            struct source source = {.signal = SIGNAL_SWEEP, .gain = 1.0, .low = 40.0, .high = ends[i], .length = 1.0};
            struct excitation x, impulse = {.length = 1, .is_response = true, .gain = 1.0};
            struct error e;
            assert_int_equal(excitation_make(&x, &source, rate, VALID * rate * 4.0 / 3.0, NULL, 0, &e), 0);
            const struct response_settings s = {FILTER_VALID, VALID * rate, RESPONSE_HIGH_PASS, 48000.0, 12000,
                                                NULL,         0.0};
            const size_t frames = response_steps(&x, &s, rate);
            double *swept = zeros(frames), *struck = zeros(frames);
            for (size_t n = 0; n < x.length; n++)
                swept[n + arrival] = x.samples[n];
            struck[arrival] = 1.0;
            struct response a = respond(swept, frames, rate, &x, &s), b = respond(struck, frames, rate, &impulse, &s);
            double worst = 0.0;
            const double high = i ? 900.0 / 1.13 : VALID * rate;
            for (double f = 46.0; f <= high; f += 10.0)
                worst = fmax(worst, fabs(decibels(magnitude_at(a.samples, a.frames, f / a.rate) /
                                                  magnitude_at(b.samples, b.frames, f / b.rate))));
            const double early = decibels(before_arrival(&a, arrival, rate));
            if (!(worst <= 0.1 && early <= -60.0))
                fail_msg("arrival %zu, sweep to %g Hz: %.3f dB off the impulse's, %.1f dB before", arrival, x.high,
                         worst, early);
            response_free(&a);
            response_free(&b);
            free(swept);
            free(struck);
            excitation_free(&x);
        }
}

static double iso(const void *context, double frequency)
{
    return air_absorption(frequency, context);
}

static void the_air_takes_without_anything_before_the_sound(void **state)
{
    (void)state;
    const struct air_conditions conditions = {20.0, 50.0, 101.325};
    const struct air_medium medium = {iso, &conditions, 343.2};
    const double metres[] = {0.2, 1.0, 5.0, 20.0}, grids[] = {8000.0, 24000.0, 44100.0};
    for (size_t g = 0; g < 3; g++)
        for (size_t i = 0; i < 4; i++) {
            const double rate = grids[g];
            const struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
            const size_t arrival = (size_t)(metres[i] / 343.2 * rate);
            struct air_filter *air;
            struct error e;
            assert_int_equal(air_filter_make(&air, &medium, rate, 0.5, &e), 0);
            const struct response_settings s = {FILTER_VALID, VALID * rate, 0.0, 0.0, arrival + 2000, air, false};
            const size_t frames = response_steps(&x, &s, rate);
            double *samples = zeros(frames);
            samples[arrival] = 1.0;
            struct response r = respond(samples, frames, rate, &x, &s);
            assert_true(before_arrival(&r, arrival, rate) <= 1e-3);
            for (double f = 63.0; f < VALID * rate; f *= 1.1)
                assert_within(decibels(magnitude_at(r.samples, r.frames, f / rate)),
                              -8.685889638 * iso(&conditions, f) * (double)arrival / rate * 343.2, 0.1);
            response_free(&r);
            free(samples);
            air_filter_free(air);
        }
}

int main(void)
{
    fresh = random_cases("output_filter");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_at_any_distance),
        cmocka_unit_test(linear_phase_is_symmetric_about_a_late_arrival),
        cmocka_unit_test(minimum_phase_keeps_the_magnitude_and_comes_first),
        cmocka_unit_test(a_causal_low_pass_keeps_the_band_and_says_its_delay),
        cmocka_unit_test(the_air_takes_without_anything_before_the_sound),
        cmocka_unit_test(a_sweep_is_taken_out_without_anything_before_its_sound),
    };
    return cmocka_run_group_tests_name("output_filter", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* From records to responses: filters, resampling, and their effect on time and level. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/air_filter.h"
#include "dsp/band_filter.h"
#include "dsp/resample.h"
#include "render/excitation.h"
#include "render/response.h"
#include "support/random_cases.h"
#include "support/responses.h"
#include "support/signals.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static struct random chance;

/* A pulse without content above `top` cycles per sample, to 1e-9: Gaussian-windowed, centred at `centre` samples. */
static double pulse(double n, double centre, double top)
{
    double deviation = 6.5 / (2.0 * M_PI * 0.5 * top), t = n - centre;
    return exp(-0.5 * t * t / (deviation * deviation)) * cos(2.0 * M_PI * 0.4 * top * t);
}

static void low_pass_keeps_the_valid_band_and_stops_beyond(void **state)
{
    (void)state;
    const double edges[] = {0.0101, 0.054, 0.076, 0.151, 0.3};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        struct low_pass f;
        struct error e;
        assert_int_equal(low_pass_between(&f, edges[i], LOW_PASS_STOP_RATIO * edges[i], &e), 0);
        size_t length = 2 * f.half + 1;
        double worst_pass = 0.0, worst_stop = 0.0;
        for (int k = 0; k <= 2000; k++) {
            double frequency = 0.5 * k / 2000.0;
            double level = 20.0 * log10(magnitude_at(f.taps, length, frequency));
            if (frequency <= edges[i])
                worst_pass = fmax(worst_pass, fabs(level));
            if (frequency >= 1.2 * edges[i])
                worst_stop =
                    k && level > -200.0 ? fmax(worst_stop, magnitude_at(f.taps, length, frequency)) : worst_stop;
        }
        assert_within(worst_pass, 0.0, 0.1);
        assert_within(worst_stop, 0.0, 1e-4);
        assert_within(magnitude_at(f.taps, length, 1.2 * edges[i]), 0.0, 1e-4);
        assert_within(magnitude_at(f.taps, length, 1.1 * edges[i]), 0.5, 1e-3);
        low_pass_free(&f);
    }
    struct low_pass f;
    assert_int_not_equal(low_pass_between(&f, 0.0, 0.1, NULL), 0);
    assert_int_not_equal(low_pass_between(&f, 0.45, 0.5, NULL), 0);
    assert_int_not_equal(low_pass_between(&f, 0.1, NAN, NULL), 0);
}

static void high_pass_has_its_corner_where_it_is_said(void **state)
{
    (void)state;
    size_t count = 44100 * 3;
    double *h = zeros(count);
    h[0] = 1.0;
    high_pass(h, count, 5.0, 44100.0);
    assert_within(magnitude_at(h, count, 5.0 / 44100.0), 0.5, 1e-9); /* two sections of 1/sqrt 2 */
    assert_within(magnitude_at(h, count, 0.25), 1.0, 1e-5);
    assert_within(magnitude_at(h, count, 0.0), 0.0, 1e-10);
    free(h);
}

static void offset_and_ramp_are_removed(void **state)
{
    (void)state;
    double rate = 44100.0;
    struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct response_settings s = {FILTER_VALID, 0.076 * rate, RESPONSE_HIGH_PASS, 0.0, 2 * 44100, NULL, false};
    size_t frames = response_steps(&x, &s, rate);
    double *samples = zeros(frames);
    for (size_t n = 300; n < frames; n++)
        samples[n] = 1.0 + 1e-3 * (double)(n - 300);
    struct response r = respond(samples, frames, rate, &x, &s);
    /* after 1.5 s what is left of both is exp(-2 pi 5 1.5) = 3e-21, times polynomials in time */
    for (size_t n = 3 * 22050; n < r.frames; n++)
        assert_within(r.samples[n], 0.0, 1e-9);
    assert_within(response_peak(&r), 1.0, 0.8); /* the step itself is still there */
    response_free(&r);
    s.filter = FILTER_NONE;
    r = respond(samples, frames, rate, &x, &s);
    assert_memory_equal(r.samples, samples, r.frames * sizeof *samples);
    assert_within(r.scale, 1.0, 0.0);
    response_free(&r);
    free(samples);
}

/* Band-limited pulses, whose resampled values are known between the samples. */
static void filter_and_resampling_move_nothing_and_scale_as_said(void **state)
{
    (void)state;
    const double rates[][2] = {
        {44100.0, 48000.0}, {44100.0, 16000.0}, {37123.7, 48000.0}, {44100.0, 0.0}, {100e3, 44100.0}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        for (int filter = 0; filter < 2; filter++) {
            double rate = rates[i][0], out = rates[i][1] > 0.0 ? rates[i][1] : rate;
            double ratio = out / rate, centre = 2400.0 + 200.0 * random_uniform(&chance, -1.0, 1.0), top = 0.07;
            struct excitation x = {.length = 1, .onset = 137, .is_response = filter == 0, .gain = 1.0};
            struct response_settings s = {
                filter ? FILTER_LINEAR_PHASE : FILTER_NONE, 0.076 * rate, 0.0, rates[i][1], 5000, NULL, false};
            size_t frames = response_steps(&x, &s, rate);
            double *samples = zeros(frames), gain = 1e-7;
            for (size_t n = 0; n < frames; n++) /* the second is cut by the end of the response: that must not show */
                samples[n] = gain * (pulse((double)n - 137.0, centre, top) + pulse((double)n - 137.0, 4990.0, top));
            struct response r = respond(samples, frames, rate, &x, &s);
            assert_int_equal(r.frames, (size_t)round(5000.0 * ratio));
            assert_true(r.is_filter == x.is_response);
            assert_within(r.scale, x.is_response ? rate / out : 1.0, 1e-15);
            assert_within(r.rate, out, 0.0);
            double tolerance = filter ? 1e-3 : 1e-5; /* the band filter has 1e-4 of ripple */
            for (size_t n = 0; n < r.frames; n++) {
                double at = (double)n / ratio;
                assert_within(r.samples[n], r.scale * gain * (pulse(at, centre, top) + pulse(at, 4990.0, top)),
                              tolerance * gain * r.scale);
            }
            response_free(&r);
            free(samples);
        }
    }
}

static void direct_sound_keeps_its_instant_below_a_hundredth_of_a_sample(void **state)
{
    (void)state;
    double rate = 44100.0, out = 48000.0, delay = 1234.0, gain = 0.25;
    struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct response_settings s = {FILTER_LINEAR_PHASE, 0.076 * rate, RESPONSE_HIGH_PASS, out, 8000, NULL, false};
    size_t frames = response_steps(&x, &s, rate);
    double *samples = zeros(frames);
    samples[(size_t)delay] = gain;
    struct response r = respond(samples, frames, rate, &x, &s);
    /* phase delay and level at 1 kHz: a filter at either rate */
    double f = 1000.0, re = 0.0, im = 0.0;
    for (size_t n = 0; n < r.frames; n++) {
        double t = (double)n / out - delay / rate;
        re += r.samples[n] * cos(2.0 * M_PI * f * t);
        im -= r.samples[n] * sin(2.0 * M_PI * f * t);
    }
    double lead =
        2.0 * atan(RESPONSE_HIGH_PASS / f); /* the high-pass advances phase by 2 atan(corner/f); take it off */
    assert_within((atan2(im, re) - lead) / (2.0 * M_PI * f) * out, 0.0, 0.01);
    assert_within(hypot(re, im), gain, 1e-3 * gain);
    response_free(&r);
    free(samples);
}

static void resampling_a_band_limited_pulse_is_exact_to_1e_5(void **state)
{
    (void)state;
    const double ratios[] = {48.0 / 44.1, 2.0, 7.3, 0.5, 0.31, 1.0001, 44.1 / 48.0};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        enum { FRAMES = 6000 };
        double in[FRAMES], *out, top = 0.35 * fmin(1.0, ratios[i]);
        double centre = 3000.0 + random_uniform(&chance, -1.0, 1.0);
        for (int n = 0; n < FRAMES; n++)
            in[n] = pulse(n, centre, top);
        size_t frames;
        struct error e;
        assert_int_equal(resample(&out, &frames, in, FRAMES, 1000.0, 1000.0 * ratios[i], &e), 0);
        assert_int_equal(frames, (size_t)round(FRAMES * ratios[i]));
        double worst = 0.0;
        for (size_t n = 0; n < frames; n++)
            worst = fmax(worst, fabs(out[n] - pulse((double)n / ratios[i], centre, top)));
        assert_within(worst, 0.0, 1e-5);
        free(out);
    }
}

static void equal_rates_copy_and_impossible_ones_are_refused(void **state)
{
    (void)state;
    const double in[] = {1.0 / 3.0, NAN, 1e-300};
    double *out;
    size_t frames;
    struct error e;
    assert_int_equal(resample(&out, &frames, in, 3, 44100.0, 44100.0, &e), 0);
    assert_memory_equal(out, in, sizeof in);
    free(out);
    assert_int_not_equal(resample(&out, &frames, in, 1, 44100.0, 100.0, &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_null(out);
    assert_int_not_equal(resample(&out, &frames, in, 3, 44100.0, 48000.0, &e), 0);
    assert_int_equal(e.code, ERROR_FAILED);
    assert_int_not_equal(resample(&out, &frames, in, 3, NAN, 48000.0, &e), 0);
    assert_int_equal(resample(&out, &frames, in, 1, 44100.0, 48000.0, &e), 0);
    assert_int_equal(frames, 1);
    free(out);
}

/* dB: energy to come at each frame over all of it. */
static double *energy_to_come(const struct response *r)
{
    double *level = zeros(r->frames), sum = 0.0;
    for (size_t n = r->frames; n-- > 0;)
        level[n] = sum += r->samples[n] * r->samples[n];
    for (size_t n = 0; n < r->frames; n++)
        level[n] = 10.0 * log10(level[n] / sum);
    return level;
}

/* A decay of noise that loses 60 dB in `time` s; drift: what rounding adds, an offset that changes from step to step and
 * a ramp, as large as in the studio. */
static struct response decay_with_drift(double time, bool drift, uint64_t seed)
{
    const double rate = 8000.0;
    const struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    const struct response_settings s = {FILTER_VALID, 1000.0, 0.0, 0.0, (size_t)(1.7 * time * rate), NULL, true};
    const size_t frames = response_steps(&x, &s, rate);
    double *samples = zeros(frames), *kicks = zeros(frames), speed = 0.0, offset = 0.0;
    struct random r = {seed};
    for (size_t n = 0; n < frames; n++) {
        samples[n] = random_normal(&r) * pow(10.0, -3.0 * (double)n / rate / time);
        kicks[n] = 1e-8 * random_normal(&r) * pow(10.0, -3.0 * (double)n / rate / time);
    }
    high_pass(samples, frames, RESPONSE_HIGH_PASS, rate); /* as the drive has had it */
    for (size_t n = 0; n < frames && drift; n++)
        samples[n] += offset += speed += kicks[n];
    struct response result = respond(samples, frames, rate, &x, &s);
    free(samples);
    free(kicks);
    return result;
}

static void energy_to_come_falls_in_a_line_though_a_field_drifts(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const double time = random_log_uniform(&chance, 0.4, 3.0);
        const uint64_t seed = random_bits(&chance);
        struct response drifts = decay_with_drift(time, true, seed), ideal = decay_with_drift(time, false, seed);
        double *got = energy_to_come(&drifts), *wanted = energy_to_come(&ideal), worst = 0.0, bent = 0.0;
        for (size_t n = 0; n < drifts.frames && wanted[n] > -90.0; n++) {
            worst = fmax(worst, fabs(got[n] - wanted[n]));
            bent = fmax(bent, fabs(got[n] + 60.0 * (double)n / drifts.rate / time));
        }
        if (!(worst <= 0.2 && bent <= 3.0))
            fail_msg("T60 %.2f s: %.2f dB off what it is without drift, %.1f dB off a line", time, worst, bent);
        response_free(&drifts);
        response_free(&ideal);
        free(got);
        free(wanted);
    }
}

static void channels_stay_apart(void **state)
{
    (void)state;
    struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct response_settings s = {FILTER_VALID, 3352.0, RESPONSE_HIGH_PASS, 48000.0, 900, NULL, false};
    size_t frames = response_steps(&x, &s, 44100.0);
    double *both = zeros(2 * frames);
    for (size_t n = 0; n < 2 * frames; n++)
        both[n] = random_uniform(&chance, -1.0, 1.0);
    struct traces t = {.samples = both, .channels = 2, .frames = frames, .rate = 44100.0};
    struct response r;
    struct error e;
    assert_int_equal(response_make(&r, &t, &x, &s, &e), 0);
    struct response second = respond(both + frames, frames, 44100.0, &x, &s);
    assert_memory_equal(r.samples + r.frames, second.samples, second.frames * sizeof(double));
    response_free(&r);
    response_free(&second);
    free(both);
}

static void another_length_keeps_the_frames_and_ends_in_silence(void **state)
{
    (void)state;
    const double first[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, cut[] = {1.0, 2.0, 4.0, 5.0},
                 longer[] = {1.0, 2.0, 0.0, 4.0, 5.0, 0.0};
    struct response r = {.samples = zeros(6), .channels = 2, .frames = 3};
    struct error e;
    memcpy(r.samples, first, sizeof first);
    assert_int_equal(response_set_frames(&r, 2, &e), 0);
    assert_int_equal(r.frames, 2);
    assert_memory_equal(r.samples, cut, sizeof cut);
    assert_int_equal(response_set_frames(&r, 3, &e), 0);
    assert_int_equal(r.frames, 3);
    assert_memory_equal(r.samples, longer, sizeof longer);
    response_free(&r);
}

static void channels_that_are_resampled_together_have_the_bits_of_single_ones(void **state)
{
    (void)state;
    enum { COUNT = RESAMPLE_TOGETHER, FRAMES = 3000 };
    const double from = random_uniform(&chance, 3000.0, 60000.0), to = random_uniform(&chance, 8000.0, 96000.0);
    const size_t made = resample_frames(FRAMES, from, to);
    for (size_t count = 1; count <= COUNT; count++) {
        double *in[COUNT], *out[COUNT];
        struct error e;
        for (size_t c = 0; c < count; c++) {
            in[c] = zeros(FRAMES);
            out[c] = zeros(made);
            for (size_t n = 0; n < FRAMES; n++) /* of very different levels */
                in[c][n] = random_uniform(&chance, -1.0, 1.0) * pow(10.0, 3.0 * (double)c - 6.0);
        }
        assert_int_equal(resample_together(out, (const double *const *)in, count, FRAMES, from, to, &e), 0);
        for (size_t c = 0; c < count; c++) {
            double *alone;
            size_t frames;
            assert_int_equal(resample(&alone, &frames, in[c], FRAMES, from, to, &e), 0);
            assert_int_equal(frames, made);
            assert_memory_equal(out[c], alone, made * sizeof *alone);
            free(alone);
            free(in[c]);
            free(out[c]);
        }
    }
}

static void peak_is_nan_when_a_sample_is_not_finite(void **state)
{
    (void)state;
    double samples[] = {0.5, -2.0, 1.0};
    struct response r = {.samples = samples, .channels = 1, .frames = 3};
    assert_within(response_peak(&r), 2.0, 0.0);
    samples[1] = INFINITY;
    assert_true(isnan(response_peak(&r)));
}

int main(void)
{
    chance = random_cases("signal");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_pass_keeps_the_valid_band_and_stops_beyond),
        cmocka_unit_test(high_pass_has_its_corner_where_it_is_said),
        cmocka_unit_test(offset_and_ramp_are_removed),
        cmocka_unit_test(filter_and_resampling_move_nothing_and_scale_as_said),
        cmocka_unit_test(direct_sound_keeps_its_instant_below_a_hundredth_of_a_sample),
        cmocka_unit_test(resampling_a_band_limited_pulse_is_exact_to_1e_5),
        cmocka_unit_test(equal_rates_copy_and_impossible_ones_are_refused),
        cmocka_unit_test(energy_to_come_falls_in_a_line_though_a_field_drifts),
        cmocka_unit_test(channels_stay_apart),
        cmocka_unit_test(another_length_keeps_the_frames_and_ends_in_silence),
        cmocka_unit_test(channels_that_are_resampled_together_have_the_bits_of_single_ones),
        cmocka_unit_test(peak_is_nan_when_a_sample_is_not_finite),
    };
    return cmocka_run_group_tests_name("signal", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Sweeps through known systems: response, distortion and levels are those of the system. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/convolve.h"
#include "dsp/measure/metrics.h"
#include "dsp/sweep.h"
#include "dsp/sweep_response.h"
#include "dsp/sweep_spectrum.h"
#include "support/decays.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const double rate = 48000.0;
static struct random chance;
static struct error e;

/* A direct sound at `delay` samples and a decaying noise of RT60 `decay` s after it. */
static double *room_response(size_t frames, size_t delay, double decay)
{
    double *g = zeros(frames);
    for (size_t n = delay + 200; n < frames; n++)
        g[n] = 0.05 * random_normal(&chance) * exp(-6.9078 * (double)(n - delay) / rate / decay);
    g[delay] = 1.0;
    return g;
}

static double *swept(const struct sweep *s)
{
    double *x = zeros(sweep_frames(s));
    assert_int_equal(sweep_make(x, s, &e), 0);
    return x;
}

/* x through a2 x^2 + a3 x^3 and then g, in `frames` samples. */
static double *recorded(const double *x, size_t length, const double *g, size_t taps, const double a[4], size_t frames)
{
    double *bent = zeros(length), *out, *record = zeros(frames);
    size_t count;
    for (size_t n = 0; n < length; n++)
        bent[n] = x[n] * (a[1] + x[n] * (a[2] + x[n] * a[3]));
    const struct convolver_filter filter = {g, taps};
    assert_int_equal(convolve(&out, &count, bent, 1, length, &filter, 1, &e), 0);
    memcpy(record, out, (count < frames ? count : frames) * sizeof *record);
    free(out);
    free(bent);
    return record;
}

/* dB: energy of a - gain b between two frequencies, over that of gain b. */
static double band_difference(const double *a, const double *b, double gain, size_t frames, double low, double high)
{
    double *d = zeros(frames);
    struct sweep_spectrum off, own;
    for (size_t n = 0; n < frames; n++)
        d[n] = a[n] - gain * b[n];
    assert_int_equal(sweep_spectrum_make(&off, d, frames, frames, &e), 0);
    assert_int_equal(sweep_spectrum_make(&own, b, frames, frames, &e), 0);
    const double ratio = sweep_spectrum_energy(&off, low / rate, high / rate) /
                         (gain * gain * sweep_spectrum_energy(&own, low / rate, high / rate));
    sweep_spectrum_free(&off);
    sweep_spectrum_free(&own);
    free(d);
    return 10.0 * log10(ratio);
}

struct deconvolved {
    double *periodic;
    size_t length;
};

static struct deconvolved deconvolved_of(const struct sweep *s, const double *x, const double *record, size_t frames)
{
    struct sweep_inverse *inverse;
    struct deconvolved d;
    assert_int_equal(sweep_inverse_open(&inverse, s, x, sweep_frames(s), frames, &e), 0);
    d.length = sweep_inverse_length(inverse);
    assert_true(d.length >= frames + sweep_frames(s));
    d.periodic = zeros(d.length);
    assert_int_equal(sweep_inverse_run(inverse, record, d.periodic, &e), 0);
    sweep_inverse_close(inverse);
    return d;
}

static void the_response_is_that_of_the_system_to_80_dB(void **state)
{
    (void)state;
    for (int i = 0; i < case_count(2); i++) {
        const struct sweep s = {random_uniform(&chance, 15.0, 60.0), random_uniform(&chance, 12e3, 22e3),
                                random_uniform(&chance, 1.0, 3.0), random_uniform(&chance, 0.05, 0.9), rate};
        const size_t delay = random_between(&chance, 10, 3000), taps = 48000, frames = sweep_frames(&s) + 72000;
        double *g = room_response(taps, delay, 0.6), *x = swept(&s);
        double *record = recorded(x, sweep_frames(&s), g, taps, (const double[4]){0.0, 1.0, 0.0, 0.0}, frames);
        struct deconvolved d = deconvolved_of(&s, x, record, frames);
        double *whole = zeros(d.length);
        memcpy(whole, g, taps * sizeof *g);
        const double off = band_difference(d.periodic, whole, 1.0, d.length, 1.15 * s.low, s.high / 1.15);
        print_message("uncropped: %.1f dB\n", off);
        assert_true(off < -80.0);
        free(whole);
        free(d.periodic);
        free(record);
        free(x);
        free(g);
    }
}

/* The pre-ringing of the band limits stays in what is kept from 50 ms before the direct sound. */
/* White noise has the energy 4 N (high^2 - low^2)/(level^2 rate^3 L) in the response, by 1/P of sweep.h within the band. */
static void noise_beside_the_band_is_not_raised(void **state)
{
    (void)state;
    for (int i = 0; i < case_count(2); i++) {
        const struct sweep s = {random_uniform(&chance, 15.0, 60.0), random_uniform(&chance, 12e3, 20e3),
                                random_uniform(&chance, 1.0, 3.0), random_uniform(&chance, 0.05, 0.9), rate};
        const size_t frames = 2 * sweep_frames(&s);
        double *x = zeros(sweep_frames(&s)), *noise = zeros(frames), energy = 0.0;
        assert_int_equal(sweep_make(x, &s, &e), 0);
        for (size_t n = 0; n < frames; n++)
            noise[n] = sqrt(3.0) * random_uniform(&chance, -1.0, 1.0);
        struct deconvolved d = deconvolved_of(&s, x, noise, frames);
        for (size_t n = 0; n < d.length; n++)
            energy += d.periodic[n] * d.periodic[n];
        const double band = 4.0 * (double)frames * (s.high * s.high - s.low * s.low) /
                            (s.level * s.level * rate * rate * rate * sweep_constant(&s));
        print_message("noise: %.2f times that of the band\n", energy / band);
        assert_true(energy > 0.8 * band && energy < 6.0 * band); /* the fades take their part within the band */
        free(d.periodic);
        free(noise);
        free(x);
    }
}

static void decay_times_are_those_of_the_system(void **state)
{
    (void)state;
    const struct sweep s = {20.0, 20000.0, 4.0, 0.3, rate};
    const size_t delay = 2400, taps = 72000, frames = sweep_frames(&s) + 96000;
    double *g = room_response(taps, delay, 0.7), *x = swept(&s);
    double *record = recorded(x, sweep_frames(&s), g, taps, (const double[4]){0.0, 1.0, 0.0, 0.0}, frames);
    for (size_t n = 0; n < frames; n++)
        record[n] += 1e-5 * random_normal(&chance);
    struct deconvolved d = deconvolved_of(&s, x, record, frames);
    const struct metrics_settings settings = {.valid_low = 20.0, .valid_high = 20000.0};
    const struct metrics_settings exact = {.valid_low = 20.0, .valid_high = 20000.0, .noiseless = true};
    const struct metrics m = metrics_of(d.periodic, taps, rate, &settings), k = metrics_of(g, taps, rate, &exact);
    for (size_t band = 1; band < METRICS_OCTAVES; band++)
        assert_within(m.band[band].t30.time / k.band[band].t30.time, 1.0, 0.005);
    free(d.periodic);
    free(record);
    free(x);
    free(g);
}

static void distortion_is_told_by_order(void **state)
{
    (void)state;
    enum { LEAD = 19200 };
    for (int i = 0; i < case_count(2); i++) {
        const struct sweep s = {50.0, 7000.0, 6.0, random_uniform(&chance, 0.4, 0.8), rate}; /* 3 x 7 kHz: no alias */
        const double a[4] = {0.0, 1.0, random_log_uniform(&chance, 1e-3, 3e-2),
                             random_log_uniform(&chance, 1e-2, 5e-2)};
        const double noise = 1e-5, A = s.level, linear = 1.0 + 0.75 * a[3] * A * A;
        const size_t delay = random_between(&chance, 100, 5000), taps = 48000, frames = sweep_frames(&s) + 3 * 48000;
        double *g = room_response(taps, delay, 0.3), *x = swept(&s);
        double *record = recorded(x, sweep_frames(&s), g, taps, a, frames);
        for (size_t n = 0; n < frames; n++)
            record[n] += noise * random_normal(&chance);
        struct deconvolved d = deconvolved_of(&s, x, record, frames);
        struct sweep_distortion found;
        assert_int_equal(sweep_distortion_find(&found, &s, d.periodic, d.length, delay, frames - sweep_frames(&s), &e),
                         0);
        assert_within(found.level[2], 20.0 * log10(0.5 * a[2] * A / linear), 0.3);
        assert_within(found.level[3], 20.0 * log10(0.25 * a[3] * A * A / linear), 0.3);
        assert_within(found.level[4], found.floor[4], 6.0); /* there is none: noise */
        assert_true(found.floor[2] < -70.0);
        double *around = zeros(taps + LEAD), *exact = zeros(taps + LEAD);
        memcpy(around, d.periodic + d.length - LEAD, LEAD * sizeof *around);
        memcpy(around + LEAD, d.periodic, taps * sizeof *around);
        memcpy(exact + LEAD, g, taps * sizeof *exact);
        const double off = band_difference(around, exact, linear, taps + LEAD, 60.0, 6000.0);
        print_message("order 2 %.1f dB, noise %.1f dB, linear response off by %.1f dB\n", found.level[2],
                      found.floor[2], off);
        assert_true(off < -60.0); /* noise */
        free(around);
        free(exact);
        free(d.periodic);
        free(record);
        free(x);
        free(g);
    }
}

static void a_sweep_is_recognised_in_a_file(void **state)
{
    (void)state;
    for (int i = 0; i < case_count(8); i++) {
        const struct sweep s = {random_log_uniform(&chance, 10.0, 200.0), random_log_uniform(&chance, 2e3, 23e3),
                                random_uniform(&chance, 1.0, 5.0), random_log_uniform(&chance, 0.001, 1.0), rate};
        const size_t before = random_between(&chance, 0, 20000), after = random_between(&chance, 0, 20000);
        const size_t frames = before + sweep_frames(&s) + after;
        double *x = swept(&s), *file = zeros(frames);
        memcpy(file + before, x, sweep_frames(&s) * sizeof *x);
        struct sweep found;
        size_t first;
        assert_int_equal(sweep_recognise(&found, &first, file, frames, rate, "x.wav", &e), 0);
        assert_within(found.low / s.low, 1.0, 0.02);
        assert_within(found.high / s.high, 1.0, 0.02);
        assert_within(sweep_constant(&found) / sweep_constant(&s), 1.0, 0.005);
        assert_within(found.level / s.level, 1.0, 0.03);
        assert_true(first >= before && first < before + 200);
        free(x);
        free(file);
    }
}

static void other_signals_are_no_sweep(void **state)
{
    (void)state;
    enum { FRAMES = 48000 };
    const struct sweep s = {50.0, 10000.0, 0.4, 0.5, rate};
    double *x = zeros(FRAMES), *one = swept(&s);
    struct sweep found;
    size_t first;
    for (size_t n = 0; n < FRAMES; n++)
        x[n] = random_normal(&chance);
    assert_int_not_equal(sweep_recognise(&found, &first, x, FRAMES, rate, "noise.wav", &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "noise.wav: is no single exponential sweep"));
    for (size_t n = 0; n < FRAMES; n++)
        x[n] = sin(M_PI * 0.4 * (double)n * (double)n / FRAMES);
    assert_int_not_equal(sweep_recognise(&found, &first, x, FRAMES, rate, "linear.wav", &e), 0);
    memset(x, 0, FRAMES * sizeof *x);
    assert_int_not_equal(sweep_recognise(&found, &first, x, FRAMES, rate, "silence.wav", &e), 0);
    for (size_t n = 0; n < sweep_frames(&s); n++)
        x[n] = x[n + FRAMES / 2] = one[n];
    assert_int_not_equal(sweep_recognise(&found, &first, x, FRAMES, rate, "two.wav", &e), 0);
    free(x);
    free(one);
}

static void levels_are_those_of_each_octave(void **state)
{
    (void)state;
    const struct sweep s = {20.0, 20000.0, 5.0, 0.4, rate};
    double signal[SWEEP_OCTAVES], noise[SWEEP_OCTAVES], *x = swept(&s), *v = zeros(96000);
    assert_int_equal(sweep_signal_levels(signal, &s, x, sweep_frames(&s), &e), 0);
    for (size_t n = 0; n < 96000; n++)
        v[n] = 0.01 * random_normal(&chance);
    assert_int_equal(sweep_noise_levels(noise, v, 96000, rate, &e), 0);
    for (size_t k = 0; k < SWEEP_OCTAVES - 1; k++) {
        const double share = sweep_octave(k) * (M_SQRT2 - M_SQRT1_2) / (0.5 * rate);
        assert_within(10.0 * log10(signal[k] / 0.08), 0.0, 0.3); /* A^2/2 */
        assert_within(10.0 * log10(noise[k] / (1e-4 * share)), 0.0, k ? 3.0 : 4.0);
    }
    assert_true(isnan(signal[9])); /* 11.3 to 22.6 kHz */
    assert_within(sweep_octave(5), 1000.0, 1e-9);
    free(x);
    free(v);
}

static void senseless_sweeps_are_refused(void **state)
{
    (void)state;
    const struct sweep bad[] = {{0.0, 100.0, 1.0, 1.0, rate},    {100.0, 150.0, 1.0, 1.0, rate},
                                {20.0, 24001.0, 1.0, 1.0, rate}, {20.0, 20000.0, 0.05, 1.0, rate},
                                {20.0, 20000.0, 1e9, 1.0, rate}, {NAN, 20000.0, 1.0, 1.0, rate},
                                {20.0, NAN, 1.0, 1.0, rate},     {20.0, 20000.0, NAN, 1.0, rate}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(sweep_check(&bad[i], &e), 0);
        assert_int_equal(e.code, ERROR_USAGE);
    }
}

/* A microphone and a loopback, `before` samples after the recording began; `repeats` sweeps, `period` apart. */
static double *two_channels(const struct sweep *s, const double *x, const double *g, size_t taps, size_t before,
                            size_t repeats, size_t period, size_t frames, double ppm)
{
    double *record = zeros(2 * frames);
    const struct convolver_filter filter = {g, taps};
    for (size_t k = 0; k < repeats; k++) {
        double *out;
        size_t count;
        const size_t at = before + k * period + (size_t)llround(1e-6 * ppm * (double)(k * period));
        assert_int_equal(convolve(&out, &count, x, 1, sweep_frames(s), &filter, 1, &e), 0);
        for (size_t n = 0; n < count && at + n < frames; n++)
            record[at + n] += out[n];
        for (size_t n = 0; n < sweep_frames(s); n++)
            record[frames + at + n] += 0.7 * x[n];
        free(out);
    }
    for (size_t n = 0; n < frames; n++)
        record[n] += 1e-5 * random_normal(&chance);
    return record;
}

static void loopback_delay_and_repeats_set_time_and_mean(void **state)
{
    (void)state;
    const struct sweep s = {30.0, 18000.0, 1.5, 0.4, rate};
    const size_t taps = 24000, delay = 500, length = sweep_frames(&s), period = length + 48000, lead = 2400;
    double *g = room_response(taps, delay, 0.3), *x = swept(&s);
    for (int i = 0; i < case_count(2); i++) {
        const size_t repeats = random_between(&chance, 1, 3), before = random_between(&chance, 3000, 30000);
        const size_t frames = before + repeats * period;
        double *record = two_channels(&s, x, g, taps, before, repeats, period, frames, 0.0);
        struct sweep_recording in = {record, 2, frames, x, length, s, repeats, period, 2, NAN};
        struct sweep_response r, by_delay;
        assert_int_equal(sweep_response_make(&r, &in, "r.wav", &e), 0);
        assert_int_equal(r.channels, 1);
        assert_int_equal(r.zero, SWEEP_ZERO_LOOPBACK);
        assert_within(r.found * rate, (double)before, 0.01);
        assert_within(r.start * rate, -(double)lead, 0.01);
        assert_true(r.frames > lead + taps);
        double *exact = zeros(lead + taps);
        memcpy(exact + lead, g, taps * sizeof *g);
        assert_true(band_difference(r.samples, exact, 1.0, lead + taps, 40.0, 15000.0) < -45.0);
        assert_true(repeats == 1 ? isnan(r.difference) : r.difference < -50.0);
        assert_true(r.drift == 0.0);
        in.loopback = 0;
        in.channels = 1;
        in.delay = (double)before / rate;
        assert_int_equal(sweep_response_make(&by_delay, &in, "r.wav", &e), 0);
        assert_int_equal(by_delay.zero, SWEEP_ZERO_DELAY);
        for (size_t n = 0; n < lead + taps; n++)
            assert_within(by_delay.samples[n], r.samples[n], 1e-12);
        sweep_response_free(&by_delay);
        in.delay = NAN;
        assert_int_equal(sweep_response_make(&by_delay, &in, "r.wav", &e), 0);
        assert_int_equal(by_delay.zero, SWEEP_ZERO_DIRECT);
        assert_within(by_delay.found * rate, (double)(before + delay), 0.01);
        assert_within(by_delay.samples[lead], r.samples[lead + delay], 1e-12);
        sweep_response_free(&by_delay);
        in.delay = (double)(before + delay) / rate + 0.01; /* later than the sound */
        assert_int_not_equal(sweep_response_make(&by_delay, &in, "r.wav", &e), 0);
        assert_non_null(strstr(e.message, "before it is emitted"));
        sweep_response_free(&r);
        free(exact);
        free(record);
    }
    free(g);
    free(x);
}

static void doubtful_recordings_are_refused_or_told(void **state)
{
    (void)state;
    const struct sweep s = {30.0, 18000.0, 1.5, 0.4, rate};
    const size_t taps = 24000, length = sweep_frames(&s), period = length + 48000, frames = 9000 + 3 * period;
    double *g = room_response(taps, 300, 0.3), *x = swept(&s);
    double *record = two_channels(&s, x, g, taps, 6000, 3, period, frames, 50.0);
    struct sweep_recording in = {record, 1, frames, x, length, s, 3, period, 0, NAN};
    struct sweep_response r;
    assert_int_equal(sweep_response_make(&r, &in, "r.wav", &e), 0);
    assert_within(1e6 * r.drift, 50.0, 5.0);
    sweep_response_free(&r);
    for (size_t n = 0; n < period; n++) /* another sound in the place of the second sweep */
        record[6000 + period + n] = 1e-3 * random_normal(&chance);
    assert_int_not_equal(sweep_response_make(&r, &in, "r.wav", &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "r.wav: the repeats differ by"));
    in.repeats = 1;
    in.frames = length + 1000;
    assert_int_not_equal(sweep_response_make(&r, &in, "r.wav", &e), 0);
    assert_non_null(strstr(e.message, "too short for 1 sweep of 1.5 s"));
    for (size_t n = 0; n < frames; n++)
        record[n] = random_normal(&chance);
    in.frames = frames;
    assert_int_not_equal(sweep_response_make(&r, &in, "r.wav", &e), 0);
    assert_non_null(strstr(e.message, "does not contain this sweep"));
    in.loopback = 1;
    assert_int_not_equal(sweep_response_make(&r, &in, "r.wav", &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    free(record);
    free(g);
    free(x);
}

int main(void)
{
    chance = random_cases("sweep_test");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_response_is_that_of_the_system_to_80_dB),
        cmocka_unit_test(noise_beside_the_band_is_not_raised),
        cmocka_unit_test(decay_times_are_those_of_the_system),
        cmocka_unit_test(distortion_is_told_by_order),
        cmocka_unit_test(a_sweep_is_recognised_in_a_file),
        cmocka_unit_test(other_signals_are_no_sweep),
        cmocka_unit_test(levels_are_those_of_each_octave),
        cmocka_unit_test(senseless_sweeps_are_refused),
        cmocka_unit_test(loopback_delay_and_repeats_set_time_and_mean),
        cmocka_unit_test(doubtful_recordings_are_refused_or_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The air's filter on an impulse response, against e^{-α(f)ct}, and its causality. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/air.h"
#include "base/clock.h"
#include "dsp/air_filter.h"
#include "dsp/fourier.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

static const struct air_conditions room_air = {20.0, 50.0, 101.325};

static double absorption(const void *conditions, double frequency)
{
    return air_absorption(frequency, conditions);
}

static double no_absorption(const void *conditions, double frequency)
{
    (void)conditions;
    (void)frequency;
    return 0.0;
}

static struct air_filter *filter_of(const struct air_conditions *air, double rate, double duration)
{
    const struct air_medium medium = {absorption, air, sound_speed(air->temperature)};
    struct air_filter *f;
    struct error e;
    if (air_filter_make(&f, &medium, rate, duration, &e))
        fail_msg("%s", e.message);
    return f;
}

static void apply(const struct air_filter *f, double *samples, size_t frames, size_t onset)
{
    struct error e;
    if (air_filter_apply(f, samples, frames, onset, &e))
        fail_msg("%s", e.message);
}

static double *copy_of(const double *samples, size_t count)
{
    return memcpy(zeros(count), samples, count * sizeof *samples);
}

static double *noise(size_t count, uint64_t seed)
{
    struct random r = {seed};
    double *samples = zeros(count);
    for (size_t n = 0; n < count; n++)
        samples[n] = 2.0 * random_unit(&r) - 1.0;
    return samples;
}

static void the_transform_is_its_sum_and_back(void **state)
{
    (void)state;
    for (size_t length = 2; length <= 256; length *= 2) {
        struct fourier f;
        struct error e;
        assert_int_equal(fourier_make(&f, length, &e), 0);
        double *re = noise(length, 1), *im = noise(length, 2), *a = copy_of(re, length), *b = copy_of(im, length);
        fourier_forward(&f, re, im);
        for (size_t bin = 0; bin < length; bin++) {
            double sum_re = 0.0, sum_im = 0.0;
            for (size_t n = 0; n < length; n++) {
                const double angle = -2.0 * PI * (double)(n * bin % length) / (double)length;
                sum_re += a[n] * cos(angle) - b[n] * sin(angle);
                sum_im += a[n] * sin(angle) + b[n] * cos(angle);
            }
            assert_true(fabs(re[fourier_index(&f, bin)] - sum_re) < 1e-12);
            assert_true(fabs(im[fourier_index(&f, bin)] - sum_im) < 1e-12);
        }
        fourier_inverse(&f, re, im);
        for (size_t n = 0; n < length; n++) {
            assert_true(fabs(re[n] / (double)length - a[n]) < 1e-14);
            assert_true(fabs(im[n] / (double)length - b[n]) < 1e-14);
        }
        free(re), free(im), free(a), free(b);
        fourier_free(&f);
    }
}

/* Checks the spectrum of the response to an impulse at `at`, relative to that time, up to 0.4 of the rate. */
static void check_impulse(const struct air_filter *f, const struct air_conditions *air, double rate, size_t frames,
                          size_t at)
{
    double *h = zeros(frames);
    h[at] = 1.0;
    apply(f, h, frames, 0);
    const double c = sound_speed(air->temperature), time = (double)at / rate;
    for (double frequency = 20.0; frequency <= 0.4 * rate; frequency *= 1.37) {
        const double expected = exp(-air_absorption(frequency, air) * c * time);
        double re = 0.0, im = 0.0;
        for (size_t n = 0; n < frames; n++) {
            const double phase = 2.0 * PI * frequency * ((double)n - (double)at) / rate;
            re += h[n] * cos(phase);
            im -= h[n] * sin(phase);
        }
        /* a tail of 1e-5 may be missing; beyond that, a thousandth of what is left */
        if (!(fabs(hypot(re, im) - expected) <= 1e-5 + 1e-5 * expected))
            fail_msg("%g s, %g Hz: |%.8g %+.8gi|, expected %.8g", time, frequency, re, im, expected);
    }
    for (size_t n = 0; n < at; n++)
        assert_true(fabs(h[n]) <= 1e-5);
    free(h);
}

static void an_impulse_loses_what_the_air_takes(void **state)
{
    (void)state;
    static const struct {
        struct air_conditions air;
        double rate, duration;
    } cases[] = {{{20.0, 50.0, 101.325}, 44100.0, 2.2}, {{10.0, 20.0, 101.325}, 44100.0, 2.2},
                 {{20.0, 0.0, 101.325}, 16000.0, 3.0},  {{35.0, 90.0, 80.0}, 96000.0, 1.0},
                 {{-10.0, 30.0, 101.325}, 8000.0, 6.0}, {{20.0, 50.0, 101.325}, 500e3, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct air_filter *f = filter_of(&cases[i].air, cases[i].rate, cases[i].duration);
        const double last = cases[i].duration * cases[i].rate, parts[] = {0.31, 0.5, 0.777, 1.0};
        for (int k = 0; k < 4; k++) /* far enough from the end to hold the kernel */
            check_impulse(f, &cases[i].air, cases[i].rate, (size_t)last + 4096, (size_t)(parts[k] * last));
        air_filter_free(f);
    }
}

/* β at 0 Hz as a delay times the rate: dβ/dω = -1/(4π) ∫ (α(θ) - α(0)) / sin²(θ/2) dθ over a period, the derivative of
 * the Hilbert transform of a periodic function; here a plain sum over the absorption that the filter is given. */
static double delay_of(const struct air_conditions *air, double rate, double time)
{
    enum { PARTS = 200000 };
    double sum = 0.0;
    for (size_t n = 0; n < PARTS; n++) {
        const double f = 0.5 * ((double)n + 0.5) / PARTS, u = fmax(0.0, (f - 0.4) / 0.1), s = sin(PI * f);
        const double bent = u > 0.0 ? 0.4 + 0.1 * (0.5 * u + sin(PI * u) / (2.0 * PI)) : f;
        sum += air_absorption(bent * rate, air) / (s * s) / PARTS;
    }
    return 0.5 * sum * sound_speed(air->temperature) * time;
}

static void nothing_comes_before_its_time_and_low_frequencies_are_late(void **state)
{
    (void)state;
    static const double rates[] = {24e3, 48e3, 96e3}, humidities[] = {10.0, 50.0}, metres[] = {20.0, 100.0};
    struct random r = random_cases(__func__);
    for (int i = 0; i < 12; i++) {
        const struct air_conditions air = {20.0, humidities[i / 2 % 2], 101.325};
        const double rate = rates[i / 4], time = metres[i % 2] / sound_speed(20.0);
        const size_t at = (size_t)(time * rate) + random_between(&r, 0, 3000), frames = at + 8192;
        struct air_filter *f = filter_of(&air, rate, 0.5);
        double *h = zeros(frames), early = 0.0, peak = 0.0, sum = 0.0, moment = 0.0;
        h[at] = 1.0;
        apply(f, h, frames, 0);
        for (size_t n = 0; n < frames; n++) {
            early = n < at ? fmax(early, fabs(h[n])) : early;
            peak = fmax(peak, fabs(h[n]));
            sum += h[n];
            moment += h[n] * ((double)n - (double)at);
        }
        const double late = moment / sum, expected = delay_of(&air, rate, (double)at / rate);
        print_message("%g Hz, %g %%, %g m: %.0f dB before; 0 Hz is late by %.3f samples, %.3f by its integral\n", rate,
                      air.humidity, metres[i % 2], 20.0 * log10(early / peak), late, expected);
        assert_true(early <= 1e-4 * peak);
        assert_true(fabs(late - expected) <= 0.005 * expected + 0.02);
        air_filter_free(f);
        free(h);
    }
}

/* Every frame of two neighbouring blocks: the response to an impulse decreases smoothly from one to the next. */
static void no_seam_shows_between_blocks(void **state)
{
    (void)state;
    const double rate = 8000.0, c = sound_speed(20.0);
    struct air_filter *f = filter_of(&room_air, rate, 1.0);
    const double loss = air_absorption(0.25 * rate, &room_air) * c;
    for (size_t at = 2000; at < 4500; at += 1) {
        double h[401] = {0.0}, re = 0.0, im = 0.0, *whole = zeros(5000);
        whole[at] = 1.0;
        apply(f, whole, 5000, 0);
        memcpy(h, whole + at - 200, sizeof h);
        for (int n = -200; n < 200; n += 2) { /* e^{-iω(n - at)} at a quarter of the rate */
            re += n % 4 ? -h[n + 200] : h[n + 200];
            im += n % 4 ? h[n + 201] : -h[n + 201];
        }
        assert_true(fabs(hypot(re, im) / exp(-loss * (double)at / rate) - 1.0) < 2e-5);
        free(whole);
    }
    air_filter_free(f);
}

enum { WINDOW = 4096 }; /* 93 ms at 44.1 kHz */

/* Power spectrum of the windowed frames around `centre`, bins 0..WINDOW/2. */
static void spectrum(const struct fourier *transform, const double *samples, size_t centre, const double *window,
                     double *power)
{
    double re[WINDOW], im[WINDOW] = {0.0};
    for (size_t n = 0; n < WINDOW; n++)
        re[n] = window[n] * samples[centre - WINDOW / 2 + n];
    fourier_forward(transform, re, im);
    for (size_t bin = 0; bin <= WINDOW / 2; bin++) {
        const size_t i = fourier_index(transform, bin);
        power[bin] = re[i] * re[i] + im[i] * im[i];
    }
}

enum { KERNEL = 1024 };

/* The response to an impulse at `at`, from there on. */
static void kernel_of(double *kernel, const struct air_filter *f, size_t at)
{
    double *h = zeros(at + KERNEL);
    h[at] = 1.0;
    apply(f, h, at + KERNEL, 0);
    memcpy(kernel, h + at, KERNEL * sizeof *kernel);
    free(h);
}

/* Group delay of a kernel at this frequency, frames. */
static double lateness(const double *kernel, double frequency)
{
    double re = 0.0, im = 0.0, moment_re = 0.0, moment_im = 0.0;
    for (size_t n = 0; n < KERNEL; n++) {
        const double c = cos(2.0 * PI * frequency * (double)n), s = sin(2.0 * PI * frequency * (double)n);
        re += kernel[n] * c, im -= kernel[n] * s;
        moment_re += (double)n * kernel[n] * c, moment_im -= (double)n * kernel[n] * s;
    }
    const double delay = (moment_re * re + moment_im * im) / (re * re + im * im);
    assert_true(delay > -1.0 && delay < 100.0);
    return fmax(0.0, delay);
}

/* |Σ w(n) x(n) e^{-αct} e^{-iωn}|²: each frame of the window decayed by its own time. */
static double decayed(const double *samples, size_t centre, const double *window, double omega, double loss,
                      double rate)
{
    const size_t first = centre - WINDOW / 2;
    const double fall = exp(-loss / rate);
    const double turn_re = fall * cos(omega), turn_im = -fall * sin(omega);
    double re = 0.0, im = 0.0, now_re = exp(-loss * (double)first / rate), now_im = 0.0;
    for (size_t n = 0; n < WINDOW; n++) {
        const double x = window[n] * samples[first + n], next = now_re * turn_re - now_im * turn_im;
        re += x * now_re;
        im += x * now_im;
        now_im = now_re * turn_im + now_im * turn_re;
        now_re = next;
    }
    return re * re + im * im;
}

/* Energy in octave bands after the filter: largest deviation from the energy before it times e^{-2αct}, over the band
 * and the window (a noise's random cross terms remain), and from the window decayed frame by frame. Delayed energy is
 * compared at the later time, and at the frequency lowered by the growth of the delay. */
static void compare_bands(const struct air_filter *f, const double *before, const double *after, double rate,
                          double *to_band, double *to_frames)
{
    static const double times[] = {0.05, 0.2, 0.5, 1.0, 2.0};
    const double c = sound_speed(room_air.temperature);
    struct fourier transform;
    double window[WINDOW], in[WINDOW / 2 + 1], kernel[KERNEL];
    *to_band = *to_frames = 0.0;
    assert_int_equal(fourier_make(&transform, WINDOW, NULL), 0);
    for (size_t n = 0; n < WINDOW; n++)
        window[n] = 0.5 - 0.5 * cos(2.0 * PI * ((double)n + 0.5) / WINDOW);
    for (int t = 0; t < 5; t++) {
        const size_t centre = (size_t)(times[t] * rate);
        spectrum(&transform, before, centre, window, in);
        kernel_of(kernel, f, centre);
        double lag = 0.0; /* of the phase, the sum of what is late; as it grows with time, tones fall by lag/centre */
        for (double middle = 62.5; middle <= 8000.0; middle *= 2.0) {
            double got = 0.0, expected = 0.0, exact = 0.0;
            for (size_t bin = 1; bin < WINDOW / 2; bin++) {
                const double frequency = (double)bin * rate / WINDOW;
                if (frequency < middle / sqrt(2.0) || frequency >= middle * sqrt(2.0))
                    continue;
                const double late = lateness(kernel, (double)bin / WINDOW), part = late - floor(late);
                lag += 2.0 * PI / WINDOW * late * (lag > 0.0 ? 1.0 : (double)bin);
                const double omega = 2.0 * PI * (double)bin / WINDOW, lower = omega - lag / (double)centre;
                const double loss = 2.0 * air_absorption(lower / (2.0 * PI) * rate, &room_air) * c;
                double weight = 0.0, sum = 0.0;
                for (size_t n = 0; n < WINDOW; n++) { /* when in the window the energy is there */
                    const double x = window[n] * before[centre - WINDOW / 2 + n];
                    weight += x * x;
                    sum += x * x * exp(-loss * ((double)(centre + n) - WINDOW / 2) / rate);
                }
                const size_t there = centre + (size_t)late;
                got += (1.0 - part) * decayed(after, there, window, lower, 0.0, rate);
                got += part * decayed(after, there + 1, window, lower, 0.0, rate);
                exact += decayed(before, centre, window, omega, 0.5 * loss, rate);
                expected += in[bin] * sum / weight;
            }
            *to_band = fmax(*to_band, fabs(got / expected - 1.0));
            *to_frames = fmax(*to_frames, fabs(got / exact - 1.0));
            assert_true(got > 0.0 && exact > 0.0 && expected > 0.0);
        }
    }
    fourier_free(&transform);
}

static void octave_bands_lose_the_energy_that_the_air_takes(void **state)
{
    (void)state;
    const double rate = 44100.0;
    const size_t frames = (size_t)(2.1 * rate);
    struct air_filter *f = filter_of(&room_air, rate, 2.1);
    double *steady = noise(frames, 20), *pulses = zeros(frames);
    struct random r = {21};
    for (size_t n = 100; n < frames; n += random_between(&r, 20, 400))
        pulses[n] = random_unit(&r) < 0.5 ? -1.0 : 1.0;
    double *const signals[] = {steady, pulses};
    for (int i = 0; i < 2; i++) {
        double *filtered = copy_of(signals[i], frames);
        apply(f, filtered, frames, 0);
        double to_band, to_frames;
        compare_bands(f, signals[i], filtered, rate, &to_band, &to_frames);
        if (!(to_band <= 0.012) || !(to_frames <= 0.002))
            fail_msg("%s: a band is off by %.3g %%, %.3g %% frame by frame", i ? "pulses" : "noise", 100.0 * to_band,
                     100.0 * to_frames);
        free(filtered);
    }
    free(steady), free(pulses);
    air_filter_free(f);
}

static void it_is_linear_and_channels_stay_apart(void **state)
{
    (void)state;
    enum { FRAMES = 9000 };
    struct air_filter *f = filter_of(&room_air, 44100.0, 0.2);
    double *a = noise(FRAMES, 3), *b = noise(FRAMES, 4), *sum = zeros(FRAMES), *again = copy_of(a, FRAMES);
    for (size_t n = 0; n < FRAMES; n++)
        sum[n] = 2.0 * a[n] - 3.0 * b[n];
    apply(f, a, FRAMES, 100);
    apply(f, b, FRAMES, 100);
    apply(f, sum, FRAMES, 100);
    apply(f, again, FRAMES, 100); /* after two others: the same bits */
    for (size_t n = 0; n < FRAMES; n++)
        assert_true(fabs(sum[n] - 2.0 * a[n] + 3.0 * b[n]) < 1e-13);
    assert_memory_equal(a, again, FRAMES * sizeof *a);
    free(a), free(b), free(sum), free(again);
    air_filter_free(f);
}

static void air_without_losses_leaves_every_bit(void **state)
{
    (void)state;
    const struct air_medium medium = {no_absorption, NULL, 343.2};
    struct air_filter *f;
    assert_int_equal(air_filter_make(&f, &medium, 44100.0, 1.0, NULL), 0);
    double *samples = noise(3000, 5), *before = copy_of(samples, 3000);
    samples[7] = before[7] = -0.0;
    apply(f, samples, 3000, 0);
    assert_memory_equal(samples, before, 3000 * sizeof *samples);
    free(samples), free(before);
    air_filter_free(f);
    air_filter_free(NULL);
}

static void what_lies_before_the_emission_is_neither_changed_nor_heard(void **state)
{
    (void)state;
    enum { FRAMES = 8000, ONSET = 1234 };
    struct air_filter *f = filter_of(&room_air, 44100.0, 0.2);
    double *with = noise(FRAMES, 6), *without = copy_of(with, FRAMES), *before = copy_of(with, FRAMES);
    memset(without, 0, ONSET * sizeof *without);
    apply(f, with, FRAMES, ONSET);
    apply(f, without, FRAMES, ONSET);
    assert_memory_equal(with, before, ONSET * sizeof *with);
    assert_memory_equal(with + ONSET, without + ONSET, (FRAMES - ONSET) * sizeof *with);
    assert_true(memcmp(with + ONSET, before + ONSET, (FRAMES - ONSET) * sizeof *with) != 0);
    /* time counts from the onset: the same frames from 0 on */
    apply(f, before + ONSET, FRAMES - ONSET, 0);
    assert_memory_equal(with + ONSET, before + ONSET, (FRAMES - ONSET) * sizeof *with);
    apply(f, with, ONSET, ONSET); /* nothing after the emission */
    free(with), free(without), free(before);
    air_filter_free(f);
}

static void what_comes_later_is_not_heard_before(void **state)
{
    (void)state;
    enum { FRAMES = 20000, KEPT = 15000 };
    struct air_filter *f = filter_of(&room_air, 44100.0, 0.5);
    double *whole = noise(FRAMES, 7), *cut = copy_of(whole, FRAMES), *before = copy_of(whole, FRAMES);
    apply(f, whole, FRAMES, 0);
    apply(f, cut, KEPT, 0);
    for (size_t n = 0; n < KEPT; n++)
        assert_true(fabs(whole[n] - cut[n]) <= 1e-5); /* the tail of the kernels wraps around within a block */
    assert_memory_equal(cut + KEPT, before + KEPT, (FRAMES - KEPT) * sizeof *cut);
    free(whole), free(cut), free(before);
    air_filter_free(f);
}

static double wrong_absorption(const void *value, double frequency)
{
    (void)frequency;
    return *(const double *)value;
}

static void impossible_air_is_refused(void **state)
{
    (void)state;
    const double values[] = {NAN, -1e-3, INFINITY};
    for (int i = 0; i < 3; i++) {
        const struct air_medium medium = {wrong_absorption, &values[i], 343.2};
        struct air_filter *f;
        struct error e;
        assert_int_not_equal(air_filter_make(&f, &medium, 44100.0, 1.0, &e), 0);
        assert_int_equal(e.code, ERROR_FAILED);
        assert_null(f);
    }
    const struct air_medium medium = {absorption, &room_air, 343.2};
    struct air_filter *f;
    assert_int_not_equal(air_filter_make(&f, &medium, NAN, 1.0, NULL), 0);
    assert_int_not_equal(air_filter_make(&f, &medium, 44100.0, NAN, NULL), 0);
}

static void a_long_response_takes_seconds_at_most(void **state)
{
    (void)state;
    static const struct {
        double rate, duration, max;
    } cases[] = {{44100.0, 2.0, 1.0}, {96000.0, 10.0, 10.0}};
    for (int i = 0; i < 2; i++) {
        const size_t frames = (size_t)(cases[i].rate * cases[i].duration);
        double *samples = noise(frames, 8);
        const double start = processor_seconds();
        struct air_filter *f = filter_of(&room_air, cases[i].rate, cases[i].duration);
        const double made = processor_seconds();
        apply(f, samples, frames, 0);
        const double end = processor_seconds();
        print_message("%g s at %g Hz: %.3f s to make, %.3f s to apply\n", cases[i].duration, cases[i].rate,
                      made - start, end - made);
        assert_true(end - start < cases[i].max);
        air_filter_free(f);
        free(samples);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_transform_is_its_sum_and_back),
        cmocka_unit_test(an_impulse_loses_what_the_air_takes),
        cmocka_unit_test(nothing_comes_before_its_time_and_low_frequencies_are_late),
        cmocka_unit_test(no_seam_shows_between_blocks),
        cmocka_unit_test(octave_bands_lose_the_energy_that_the_air_takes),
        cmocka_unit_test(it_is_linear_and_channels_stay_apart),
        cmocka_unit_test(air_without_losses_leaves_every_bit),
        cmocka_unit_test(what_lies_before_the_emission_is_neither_changed_nor_heard),
        cmocka_unit_test(what_comes_later_is_not_heard_before),
        cmocka_unit_test(impossible_air_is_refused),
        cmocka_unit_test(a_long_response_takes_seconds_at_most),
    };
    return cmocka_run_group_tests_name("air filter", tests, NULL, NULL);
}

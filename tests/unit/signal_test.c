#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "signal/air_filter.h"
#include "signal/band_filter.h"
#include "signal/deconvolve.h"
#include "signal/excitation.h"
#include "signal/resample.h"
#include "signal/response.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const double PI = 3.14159265358979323846;
static struct random chance;

static struct source source_of(enum signal_kind kind)
{
    static char name[] = "S1";
    return (struct source){.name = name,
                           .signal = kind,
                           .gain = 1.0,
                           .width = 0.001,
                           .low = 20.0,
                           .high = 0.0,
                           .length = 1.0,
                           .origin = {"hall.cfg", 12}};
}

/* A pulse with no content above `top` cycles a sample to 1e-9: Gaussian-windowed, centred at `centre` samples. */
static double pulse(double n, double centre, double top)
{
    double deviation = 6.5 / (2.0 * PI * 0.5 * top), t = n - centre;
    return exp(-0.5 * t * t / (deviation * deviation)) * cos(2.0 * PI * 0.4 * top * t);
}

static void impulse_is_the_gain_at_sample_zero_and_a_response(void **state)
{
    (void)state;
    struct excitation x;
    struct error e;
    struct source s = source_of(SIGNAL_IMPULSE);
    s.gain = 2.5;
    assert_int_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    assert_int_equal(x.length, 1);
    assert_int_equal(x.onset, 0);
    assert_true(x.is_response && !x.deconvolve);
    assert_within(x.samples[0], 2.5, 0.0);
    excitation_free(&x);
    excitation_free(NULL);
}

static void pulses_have_their_centre_at_the_onset(void **state)
{
    (void)state;
    const enum signal_kind kinds[] = {SIGNAL_RAISED_COSINE, SIGNAL_GAUSSIAN};
    for (int k = 0; k < 2; k++) {
        struct excitation x;
        struct error e;
        struct source s = source_of(kinds[k]);
        s.gain = 3.0;
        s.width = 0.00137;
        assert_int_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
        assert_false(x.is_response || x.deconvolve);
        assert_int_equal(x.onset, (size_t)ceil((k ? 6.0 : 0.5) * s.width * 44100.0));
        assert_within(x.samples[x.onset], 3.0, 0.0);
        for (size_t n = 0; n < x.length; n++) {
            double t = ((double)n - (double)x.onset) / 44100.0;
            double cosine = fabs(t) < 0.5 * s.width ? 0.5 + 0.5 * cos(2.0 * PI * t / s.width) : 0.0;
            double bell = exp(-t * t / (2.0 * s.width * s.width));
            assert_within(x.samples[n], 3.0 * (k ? bell : cosine), 1e-12);
            assert_within(x.samples[n], x.samples[x.length - 1 - n], 1e-15);
        }
        excitation_free(&x);
    }
}

static void sweep_passes_its_frequencies_in_time(void **state)
{
    (void)state;
    struct excitation x;
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    assert_int_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    assert_int_equal(x.length, 44100);
    assert_int_equal(x.onset, 0);
    assert_within(x.high, 3352.0, 0.0);
    assert_true(x.is_response && x.deconvolve);
    assert_within(x.samples[0], 0.0, 0.0);
    /* half-way in time the frequency is the geometric mean: count the zero crossings of 0.1 s */
    int crossings = 0;
    for (size_t n = 19845; n < 24255; n++)
        crossings += x.samples[n] * x.samples[n + 1] < 0.0;
    double w = log(3352.0 / 20.0);
    assert_within(crossings, 2.0 * 20.0 / w * (exp(0.55 * w) - exp(0.45 * w)), 1.5);
    excitation_free(&x);
}

static void bad_signals_name_the_line_and_the_remedy(void **state)
{
    (void)state;
    struct excitation x;
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    s.high = 30000.0;
    assert_int_not_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_ptr_equal(strstr(e.message, "hall.cfg:12: source \"S1\": "), e.message);
    assert_non_null(strstr(e.message, "grid.rate"));
    s.high = 10.0;
    assert_int_not_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    s = source_of(SIGNAL_SWEEP);
    s.length = 0.0;
    assert_int_not_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    s = source_of(SIGNAL_GAUSSIAN);
    s.width = NAN;
    assert_int_not_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    s.width = 1e9;
    assert_int_not_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    s = source_of(SIGNAL_FILE);
    s.origin.file = NULL;
    assert_int_not_equal(excitation_make(&x, &s, 44100.0, 3352.0, NULL, 0, &e), 0);
    assert_ptr_equal(strstr(e.message, "source \"S1\": "), e.message);
    assert_null(x.samples);
}

static void recording_is_emitted_with_its_gain(void **state)
{
    (void)state;
    struct excitation x;
    struct error e;
    struct source s = source_of(SIGNAL_FILE);
    const double recording[] = {0.0, 1.0, -0.5};
    s.gain = 2.0;
    assert_int_equal(excitation_make(&x, &s, 44100.0, 3352.0, recording, 3, &e), 0);
    assert_false(x.is_response);
    assert_int_equal(x.length, 3);
    assert_within(x.samples[2], -1.0, 0.0);
    excitation_free(&x);
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

/* A response through the whole chain from one channel of samples. */
static struct response respond(double *samples, size_t frames, double rate, const struct excitation *x,
                               const struct response_settings *s)
{
    struct traces t = {.samples = samples, .channels = 1, .frames = frames, .rate = rate};
    struct response r;
    struct error e = {0};
    if (response_make(&r, &t, x, s, &e)) {
        print_error("%s\n", e.message);
        fail();
    }
    return r;
}

static void offset_and_ramp_are_removed(void **state)
{
    (void)state;
    double rate = 44100.0;
    struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct response_settings s = {FILTER_VALID, 0.076 * rate, RESPONSE_HIGH_PASS, 0.0, 2 * 44100, NULL};
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
                filter ? FILTER_LINEAR_PHASE : FILTER_NONE, 0.076 * rate, 0.0, rates[i][1], 5000, NULL};
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
    struct response_settings s = {FILTER_LINEAR_PHASE, 0.076 * rate, RESPONSE_HIGH_PASS, out, 8000, NULL};
    size_t frames = response_steps(&x, &s, rate);
    double *samples = zeros(frames);
    samples[(size_t)delay] = gain;
    struct response r = respond(samples, frames, rate, &x, &s);
    /* phase delay and level at 1 kHz: a filter at either rate */
    double f = 1000.0, re = 0.0, im = 0.0;
    for (size_t n = 0; n < r.frames; n++) {
        double t = (double)n / out - delay / rate;
        re += r.samples[n] * cos(2.0 * PI * f * t);
        im -= r.samples[n] * sin(2.0 * PI * f * t);
    }
    double lead =
        2.0 * atan(RESPONSE_HIGH_PASS / f); /* the high-pass advances phase by 2 atan(corner/f); take it off */
    assert_within((atan2(im, re) - lead) / (2.0 * PI * f) * out, 0.0, 0.01);
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

/* Sum of cosines over the band, with raised-cosine edges of 1/6 octave: the zero-phase pulse that a unit sample
 * becomes. */
static void band_pulse(double *out, int reach, double low, double high, double rate)
{
    enum { LINES = 60000 };
    for (int n = 0; n <= reach; n++)
        out[n] = 0.0;
    for (int k = 0; k < LINES; k++) {
        double f = low + (high - low) * (k + 0.5) / LINES;
        double inside = fmin(log2(f / low), log2(high / f)) * 6.0;
        double weight = (inside < 1.0 ? 0.5 - 0.5 * cos(PI * inside) : 1.0) * 2.0 * (high - low) / LINES / rate;
        /* cos(n a) by recurrence */
        double step = 2.0 * cos(2.0 * PI * f / rate), before = cos(2.0 * PI * f / rate), now = 1.0;
        for (int n = 0; n <= reach; n++) {
            out[n] += weight * now;
            double next = step * now - before;
            before = now;
            now = next;
        }
    }
}

static void a_sweep_taken_out_gives_the_response_in_its_band(void **state)
{
    (void)state;
    double rate = 8000.0;
    struct excitation x;
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    s.low = 100.0;
    s.high = 2000.0;
    s.gain = 0.2;
    assert_int_equal(excitation_make(&x, &s, rate, 2000.0, NULL, 0, &e), 0);
    enum { TAPS = 9 };
    double gains[TAPS];
    size_t delays[TAPS];
    struct response_settings settings = {FILTER_LINEAR_PHASE, 2000.0, 0.0, 0.0, 3000, NULL};
    size_t frames = response_steps(&x, &settings, rate);
    double *samples = zeros(frames);
    for (int k = 0; k < TAPS; k++) {
        gains[k] = random_uniform(&chance, -1.0, 1.0);
        delays[k] = (size_t)(500.0 + 400.0 * random_uniform(&chance, -1.0, 1.0));
        for (size_t n = 0; n < x.length; n++)
            samples[n + delays[k]] += gains[k] * x.samples[n];
    }
    struct response r = respond(samples, frames, rate, &x, &settings);
    double unit[3001], peak = 0.0, worst = 0.0;
    band_pulse(unit, 3000, 100.0, 2000.0, rate);
    for (int n = 0; n < 3000; n++) {
        double expected = 0.0;
        for (int k = 0; k < TAPS; k++)
            expected += s.gain * gains[k] * unit[abs(n - (int)delays[k])];
        peak = fmax(peak, fabs(expected));
        worst = fmax(worst, fabs(r.samples[n] - expected));
    }
    assert_within(worst / peak, 0.0, 1e-4);
    response_free(&r);
    free(samples);
    excitation_free(&x);
}

static void a_sweep_and_an_impulse_give_the_same_response(void **state)
{
    (void)state;
    /* inside the sweep's band, through the band filter, with an offset that the room would leave */
    double rate = 16000.0;
    struct excitation x, impulse = {.length = 1, .is_response = true, .gain = 1.0};
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    s.low = 40.0;
    s.high = 3000.0;
    assert_int_equal(excitation_make(&x, &s, rate, 2000.0, NULL, 0, &e), 0);
    struct response_settings settings = {FILTER_VALID, 1200.0, RESPONSE_HIGH_PASS, 22050.0, 20000, NULL};
    size_t frames = response_steps(&x, &settings, rate);
    double *swept = zeros(frames), *struck = zeros(frames), running = 0.0;
    for (size_t n = 0; n < x.length; n++)
        swept[n + 9000] = x.samples[n];
    struck[9000] = 1.0;
    for (size_t n = 9000; n < frames; n++) { /* a rigid room's permanent offset */
        running += n - 9000 < x.length ? x.samples[n - 9000] : 0.0;
        swept[n] += 0.01 * running;
    }
    struct response a = respond(swept, frames, rate, &x, &settings);
    struct response b = respond(struck, frames, rate, &impulse, &settings);
    assert_int_equal(a.frames, b.frames);
    const double tones[] = {100.0, 300.0, 700.0, 1200.0};
    for (int k = 0; k < 4; k++) {
        /* the room: 1 + 0.01/(1 - e^{-iw}) */
        double w = 2.0 * PI * tones[k] / rate, half = 0.005;
        double expected = hypot(1.0 + half, half / tan(0.5 * w));
        assert_within(magnitude_at(a.samples, a.frames, tones[k] / 22050.0) /
                          magnitude_at(b.samples, b.frames, tones[k] / 22050.0),
                      expected, 2e-3);
    }
    response_free(&a);
    response_free(&b);
    free(swept);
    free(struck);
    excitation_free(&x);
}

static void short_records_are_refused_and_nothing_is_left(void **state)
{
    (void)state;
    struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct response_settings s = {FILTER_VALID, 3352.0, RESPONSE_HIGH_PASS, 48000.0, 1000, NULL};
    size_t frames = response_steps(&x, &s, 44100.0);
    double *samples = zeros(frames);
    struct traces t = {.samples = samples, .channels = 1, .frames = frames - 1, .rate = 44100.0};
    struct response r;
    struct error e;
    assert_int_not_equal(response_make(&r, &t, &x, &s, &e), 0);
    assert_int_equal(e.code, ERROR_FAILED);
    assert_null(r.samples);
    t.frames = frames;
    t.channels = 0;
    assert_int_not_equal(response_make(&r, &t, &x, &s, &e), 0);
    free(samples);
}

/* Some air: 1 Np/s at 1 kHz, going with the square of the frequency up to some 3 kHz. */
static double absorption(const void *context, double frequency)
{
    (void)context;
    const double u = frequency / 1000.0;
    return u * u / (1.0 + u * u / 9.0) / 343.2;
}

static struct air_filter *air_of(double rate)
{
    const struct air_medium medium = {absorption, NULL, 343.2};
    struct air_filter *f;
    assert_int_equal(air_filter_make(&f, &medium, rate, 2.0, NULL), 0);
    return f;
}

static void the_record_that_is_asked_for_is_exactly_enough(void **state)
{
    (void)state;
    /* what comes after response_steps must not be able to change the response; the last step before it may */
    struct excitation x = {.length = 1, .onset = 5, .is_response = true, .gain = 1.0};
    struct air_filter *air = air_of(44100.0);
    for (int with_air = 0; with_air < 2; with_air++) {
        struct response_settings s = {FILTER_VALID, 3352.0, RESPONSE_HIGH_PASS, 0.0, 700, with_air ? air : NULL};
        size_t frames = response_steps(&x, &s, 44100.0);
        double *samples = zeros(frames + 50);
        for (size_t n = 0; n < frames; n++)
            samples[n] = random_uniform(&chance, -1.0, 1.0);
        struct response a = respond(samples, frames, 44100.0, &x, &s);
        for (size_t n = frames; n < frames + 50; n++)
            samples[n] = 1e6;
        struct response b = respond(samples, frames + 50, 44100.0, &x, &s);
        assert_memory_equal(a.samples, b.samples, a.frames * sizeof(double));
        samples[frames - 1] += 1e6;
        struct response c = respond(samples, frames, 44100.0, &x, &s);
        assert_true(memcmp(a.samples, c.samples, a.frames * sizeof(double)) != 0);
        response_free(&a);
        response_free(&b);
        response_free(&c);
        free(samples);
    }
    air_filter_free(air);
}

static void the_air_takes_from_responses_and_from_nothing_else(void **state)
{
    (void)state;
    const double rate = 16000.0;
    struct air_filter *air = air_of(rate);
    struct excitation x = {.length = 1, .onset = 500, .is_response = true, .gain = 1.0};
    struct response_settings with = {FILTER_VALID, 1200.0, RESPONSE_HIGH_PASS, 0.0, 10000, air};
    struct response_settings without = with;
    without.air = NULL;
    const size_t frames = response_steps(&x, &with, rate);
    assert_int_equal(frames, response_steps(&x, &without, rate)); /* causal: no look-ahead */
    double *samples = zeros(frames);
    samples[8500] = 1.0; /* half a second after the emission */
    struct response a = respond(samples, frames, rate, &x, &with), b = respond(samples, frames, rate, &x, &without);
    for (double f = 100.0; f <= 1200.0; f += 100.0)
        assert_within(magnitude_at(a.samples, a.frames, f / rate) / magnitude_at(b.samples, b.frames, f / rate),
                      exp(-absorption(NULL, f) * 343.2 * 0.5), 1e-4);
    response_free(&a);
    x.is_response = false;
    assert_int_equal(response_steps(&x, &with, rate), response_steps(&x, &without, rate));
    a = respond(samples, frames, rate, &x, &with);
    assert_memory_equal(a.samples, b.samples, a.frames * sizeof *a.samples);
    response_free(&a);
    response_free(&b);
    free(samples);
    air_filter_free(air);
}

static void the_air_takes_as_much_from_a_sweep_as_from_an_impulse(void **state)
{
    (void)state;
    const double rate = 16000.0;
    struct air_filter *air = air_of(rate);
    struct excitation x, impulse = {.length = 1, .is_response = true, .gain = 1.0};
    struct error e;
    struct source s = source_of(SIGNAL_SWEEP);
    s.low = 40.0;
    s.high = 3000.0;
    assert_int_equal(excitation_make(&x, &s, rate, 2000.0, NULL, 0, &e), 0);
    struct response_settings settings = {FILTER_VALID, 1200.0, RESPONSE_HIGH_PASS, 0.0, 16000, air};
    const size_t frames = response_steps(&x, &settings, rate);
    double *swept = zeros(frames), *struck = zeros(frames);
    for (size_t n = 0; n < x.length; n++)
        swept[n + 9000] = x.samples[n];
    struck[9000] = 1.0;
    struct response a = respond(swept, frames, rate, &x, &settings);
    struct response b = respond(struck, response_steps(&impulse, &settings, rate), rate, &impulse, &settings);
    for (double f = 100.0; f <= 1200.0; f += 100.0) {
        const double of_impulse = magnitude_at(b.samples, b.frames, f / rate);
        assert_within(magnitude_at(a.samples, a.frames, f / rate), of_impulse, 2e-3);
    }
    response_free(&a);
    response_free(&b);
    free(swept);
    free(struck);
    excitation_free(&x);
    air_filter_free(air);
}

static void channels_stay_apart(void **state)
{
    (void)state;
    struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct response_settings s = {FILTER_VALID, 3352.0, RESPONSE_HIGH_PASS, 48000.0, 900, NULL};
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
        cmocka_unit_test(impulse_is_the_gain_at_sample_zero_and_a_response),
        cmocka_unit_test(pulses_have_their_centre_at_the_onset),
        cmocka_unit_test(sweep_passes_its_frequencies_in_time),
        cmocka_unit_test(bad_signals_name_the_line_and_the_remedy),
        cmocka_unit_test(recording_is_emitted_with_its_gain),
        cmocka_unit_test(low_pass_keeps_the_valid_band_and_stops_beyond),
        cmocka_unit_test(high_pass_has_its_corner_where_it_is_said),
        cmocka_unit_test(offset_and_ramp_are_removed),
        cmocka_unit_test(filter_and_resampling_move_nothing_and_scale_as_said),
        cmocka_unit_test(direct_sound_keeps_its_instant_below_a_hundredth_of_a_sample),
        cmocka_unit_test(resampling_a_band_limited_pulse_is_exact_to_1e_5),
        cmocka_unit_test(equal_rates_copy_and_impossible_ones_are_refused),
        cmocka_unit_test(a_sweep_taken_out_gives_the_response_in_its_band),
        cmocka_unit_test(a_sweep_and_an_impulse_give_the_same_response),
        cmocka_unit_test(short_records_are_refused_and_nothing_is_left),
        cmocka_unit_test(the_record_that_is_asked_for_is_exactly_enough),
        cmocka_unit_test(the_air_takes_from_responses_and_from_nothing_else),
        cmocka_unit_test(the_air_takes_as_much_from_a_sweep_as_from_an_impulse),
        cmocka_unit_test(channels_stay_apart),
        cmocka_unit_test(peak_is_nan_when_a_sample_is_not_finite),
    };
    return cmocka_run_group_tests_name("signal", tests, NULL, NULL);
}

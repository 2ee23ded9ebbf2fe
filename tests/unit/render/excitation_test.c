/* SPDX-License-Identifier: MIT */
/* Signals that sources emit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dsp/air_filter.h"
#include "render/excitation.h"
#include "support/responses.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

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
            double cosine = fabs(t) < 0.5 * s.width ? 0.5 + 0.5 * cos(2.0 * M_PI * t / s.width) : 0.0;
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

/* The memory, the band of the response and what is refused follow from the kind of signal, before it is made. */
static void what_becomes_of_a_signal_follows_from_its_kind(void **state)
{
    (void)state;
    const double recording[] = {1.0, -0.5};
    for (int signal = 0; signal < SIGNALS; signal++) {
        struct excitation x;
        struct error e;
        const struct source s = source_of((enum signal_kind)signal);
        assert_int_equal(excitation_make(&x, &s, 44100.0, 3352.0, recording, 2, &e), 0);
        assert_true(x.is_response == signal_gives_response(s.signal));
        assert_true(x.deconvolve == signal_is_deconvolved(s.signal));
        if (x.deconvolve) {
            assert_true(x.is_response);
            assert_within((double)x.length, s.length * 44100.0, 1.0);
            assert_true(x.low > 0.0 && x.high > x.low);
        }
        excitation_free(&x);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulse_is_the_gain_at_sample_zero_and_a_response),
        cmocka_unit_test(pulses_have_their_centre_at_the_onset),
        cmocka_unit_test(sweep_passes_its_frequencies_in_time),
        cmocka_unit_test(what_becomes_of_a_signal_follows_from_its_kind),
        cmocka_unit_test(bad_signals_name_the_line_and_the_remedy),
        cmocka_unit_test(recording_is_emitted_with_its_gain),
    };
    return cmocka_run_group_tests_name("signal", tests, NULL, NULL);
}

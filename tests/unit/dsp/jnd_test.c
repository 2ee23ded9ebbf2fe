/* SPDX-License-Identifier: MIT */
/* Differences of responses in just noticeable differences, against values by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/alternate.h"
#include "dsp/measure/comparison.h"
#include "support/random_cases.h"

#include <cmocka.h>

static struct random chance;

static void near(double expected, double got, double bound)
{
    if (!(fabs(expected - got) <= bound))
        fail_msg("expected %.12g, got %.12g", expected, got);
}

/* Every octave valid, every parameter missing. */
static struct metrics empty(void)
{
    struct metrics m;
    memset(&m, 0, sizeof m);
    metrics_clear_single(&m);
    for (size_t b = 0; b < METRICS_BANDS; b++) {
        metrics_clear(&m.band[b]);
        m.band[b].validity = METRICS_VALID;
    }
    return m;
}

struct file {
    struct recording recording;
    struct metrics channel[3];
    char *names[3];
};

static void open_file(struct file *f, size_t channels)
{
    memset(f, 0, sizeof *f);
    f->recording.audio.channels = channels;
    f->recording.channel_name = f->names;
    f->recording.calibrated = true;
    for (size_t c = 0; c < channels; c++)
        f->channel[c] = empty();
}

static struct comparison compared(const struct file *first, const struct file *second)
{
    struct comparison c = {0};
    struct error e = {ERROR_NONE, ""};
    const struct compared_file a = {"a.wav", &first->recording, first->channel},
                               b = {"b.wav", &second->recording, second->channel};
    if (comparison_make(&c, &a, &b, NULL, &e))
        fail_msg("%s", e.message);
    return c;
}

static void refused(const struct file *first, const struct file *second, const char *receiver, const char *words)
{
    struct comparison c = {0};
    struct error e = {ERROR_NONE, ""};
    const struct compared_file a = {"a.wav", &first->recording, first->channel},
                               b = {"b.wav", &second->recording, second->channel};
    assert_int_equal(comparison_make(&c, &a, &b, receiver, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, words))
        fail_msg("expected %s, got %s", words, e.message);
    comparison_free(&c);
}

static void each_row_is_complete_and_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < jnd_count; i++) {
        assert_non_null(jnd_metric(&jnds[i]));
        assert_ptr_equal(jnd_find(jnds[i].name), &jnds[i]);
        assert_true(jnds[i].step > 0.0 && jnds[i].source && *jnds[i].source);
        assert_true(!jnds[i].more == !jnds[i].less);
        assert_true(jnds[i].first + jnds[i].count <= METRICS_OCTAVES);
        assert_true((jnds[i].mean == JND_WHOLE) == !jnds[i].count);
    }
}

/* By hand: T 1.00 to 1.10 s is 10 %, 2 JND of 5 %; C80 -1.0 to 1.1 dB is 2.1; Ts 80 to 65 ms is -1.5; D50 0.40 to 0.52
 * is 2.4; STI 0.60 to 0.54 is -2; C50 0 to 2.75 dB is 2.5; IACC 0.40 to 0.25 is -2. */
static void steps_are_those_by_hand(void **state)
{
    (void)state;
    near(2.0, jnd_steps(jnd_find("t30"), 1.0, 1.1), 1e-12);
    near(-2.0, jnd_steps(jnd_find("edt"), 2.0, 1.8), 1e-12);
    near(2.1, jnd_steps(jnd_find("c80"), -1.0, 1.1), 1e-12);
    near(-1.5, jnd_steps(jnd_find("ts"), 0.080, 0.065), 1e-12);
    near(2.4, jnd_steps(jnd_find("d50"), 0.40, 0.52), 1e-12);
    near(-2.0, jnd_steps(jnd_find("sti"), 0.60, 0.54), 1e-12);
    near(2.5, jnd_steps(jnd_find("c50"), 0.0, 2.75), 1e-12);
    near(-2.0, jnd_steps(jnd_find("iacc_early"), 0.40, 0.25), 1e-12);
    assert_true(isnan(jnd_steps(jnd_find("t30"), 0.0, 1.0)));
    assert_true(isnan(jnd_steps(jnd_find("c80"), NAN, 1.0)));
}

static void steps_times_the_jnd_are_the_difference(void **state)
{
    (void)state;
    for (int turn = 0; turn < case_count(20000); turn++) {
        const struct jnd *jnd = &jnds[random_between(&chance, 0, jnd_count - 1)];
        const double first = random_log_uniform(&chance, 1e-3, 1e2), second = random_log_uniform(&chance, 1e-3, 1e2);
        const double one = jnd->relative ? jnd->step * first : jnd->step, steps = jnd_steps(jnd, first, second);
        near(second, first + steps * one, 1e-9 * (first + second));
        if (!jnd->relative)
            near(-steps, jnd_steps(jnd, second, first), 1e-9 * fabs(steps));
    }
}

/* LG: 0 and 10 dB twice each have the mean energy 5.5, 7.404 dB. */
static void single_numbers_are_means_of_their_octaves(void **state)
{
    (void)state;
    struct metrics m = empty();
    for (size_t b = 0; b < METRICS_OCTAVES; b++) {
        m.band[b].c80 = (double)(b * b); /* 500 Hz: 9; 1 kHz: 16 */
        m.band[b].lf = 0.01 * (double)b; /* 125 Hz to 1 kHz: 0.01 to 0.04 */
        m.band[b].lg = b % 2 ? 0.0 : 10.0;
        m.band[b].iacc_early = 0.1 * (double)b; /* 500 Hz to 2 kHz: 0.3 to 0.5 */
    }
    m.sti = 0.7;
    near(12.5, jnd_single(jnd_find("c80"), &m), 1e-12);
    near(0.025, jnd_single(jnd_find("lf"), &m), 1e-12);
    near(10.0 * log10(5.5), jnd_single(jnd_find("lg"), &m), 1e-12);
    near(0.4, jnd_single(jnd_find("iacc_early"), &m), 1e-12);
    near(0.7, jnd_single(jnd_find("sti"), &m), 0.0);
    m.band[4].validity = METRICS_PARTLY;
    assert_true(isnan(jnd_single(jnd_find("c80"), &m)));
    m.band[4].validity = METRICS_VALID;
    m.band[3].c80 = NAN;
    assert_true(isnan(jnd_single(jnd_find("c80"), &m)));
}

static void a_missing_value_has_its_side_and_reason(void **state)
{
    (void)state;
    struct file a, b;
    open_file(&a, 1);
    open_file(&b, 1);
    a.channel[0].band[2].t30.time = 1.0;
    b.channel[0].band[2].t30.reason = METRICS_SHORT;
    a.channel[0].band[2].g = 3.0;
    b.recording.calibrated = false;
    a.channel[0].band[1].validity = b.channel[0].band[1].validity = METRICS_OUTSIDE;
    struct comparison c = compared(&a, &b);
    struct compared v = comparison_octave(&c, 0, jnd_find("t30"), 2);
    assert_true(isnan(v.steps) && isnan(v.difference));
    assert_int_equal(v.side, COMPARED_SECOND);
    assert_string_equal(v.why, metrics_reason_text(METRICS_SHORT));
    v = comparison_octave(&c, 0, jnd_find("g"), 2);
    assert_string_equal(v.why, metrics_reason_text(METRICS_LEVEL));
    assert_int_equal(v.side, COMPARED_SECOND);
    v = comparison_octave(&c, 0, jnd_find("c80"), 1);
    assert_string_equal(v.why, metrics_reason_text(METRICS_BEYOND));
    assert_int_equal(v.side, COMPARED_BOTH);
    assert_false(comparison_shown(&c, jnd_find("lf")));
    a.channel[0].band[2].lf = 0.2;
    assert_true(comparison_shown(&c, jnd_find("lf")));
    v = comparison_octave(&c, 0, jnd_find("lf"), 2);
    assert_non_null(strstr(v.why, "no lateral channel"));
    comparison_free(&c);
}

static void channels_go_by_their_names(void **state)
{
    (void)state;
    struct file a, b;
    open_file(&a, 3);
    open_file(&b, 2);
    refused(&a, &b, NULL, "a.wav has 3 channels and b.wav has 2");
    char left[] = "left", middle[] = "middle", right[] = "right";
    a.names[0] = left, a.names[1] = middle, a.names[2] = right;
    b.names[0] = right, b.names[1] = left;
    struct comparison c = compared(&a, &b);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.pairs[0].channel[0], 0);
    assert_int_equal(c.pairs[0].channel[1], 1);
    assert_int_equal(c.pairs[1].channel[0], 2);
    assert_int_equal(c.pairs[1].channel[1], 0);
    assert_int_equal(c.note_count, 1); /* middle is not compared */
    comparison_free(&c);
    refused(&a, &b, "middle", "b.wav has no receiver of this name");
    refused(&a, &b, "3", "b.wav has no receiver of this name");
}

/* An omnidirectional receiver and two ears agree on the late decay alone. */
static void other_receivers_share_the_late_decay_alone(void **state)
{
    (void)state;
    struct file a, b;
    open_file(&a, 1);
    open_file(&b, 2);
    b.recording.space.ears = true;
    snprintf(b.recording.space.receiver, sizeof b.recording.space.receiver, "binaural");
    for (size_t i = 0; i < METRICS_OCTAVES; i++) {
        a.channel[0].band[i].t30.time = b.channel[0].band[i].t30.time = b.channel[1].band[i].t30.time = 1.0;
        a.channel[0].band[i].c80 = b.channel[0].band[i].c80 = b.channel[1].band[i].c80 = 2.0;
    }
    struct comparison c = compared(&a, &b);
    assert_int_equal(c.count, 2);
    near(0.0, comparison_octave(&c, 1, jnd_find("t30"), 3).steps, 0.0);
    const struct compared v = comparison_octave(&c, 1, jnd_find("c80"), 3);
    assert_true(isnan(v.steps));
    assert_non_null(strstr(v.why, "directions"));
    comparison_free(&c);
    b.recording.audio.channels = 1;
    b.recording.space.ears = false;
    snprintf(b.recording.space.receiver, sizeof b.recording.space.receiver, "ambisonic"); /* its W is the pressure */
    c = compared(&a, &b);
    near(0.0, comparison_octave(&c, 0, jnd_find("c80"), 3).steps, 0.0);
    comparison_free(&c);
}

static void signals_and_sweeps_are_refused(void **state)
{
    (void)state;
    struct file a, b;
    open_file(&a, 1);
    open_file(&b, 1);
    b.recording.is_signal = true;
    refused(&a, &b, NULL, "b.wav: is a recorded signal or an auralization");
    b.recording.is_signal = false;
    a.channel[0].swept = true;
    refused(&a, &b, NULL, "a.wav: is a recorded sweep");
}

static void said(const char *expected, const struct file *a, const struct file *b)
{
    struct comparison c = compared(a, b);
    char *summary = comparison_summary(&c);
    assert_non_null(summary);
    assert_string_equal(summary, expected);
    free(summary);
    comparison_free(&c);
}

static void the_summary_is_one_line(void **state)
{
    (void)state;
    struct file a, b;
    open_file(&a, 2);
    open_file(&b, 2);
    a.recording.audio.channels = b.recording.audio.channels = 1;
    for (size_t i = 3; i <= 4; i++)
        for (size_t k = 0; k < 2; k++) {
            a.channel[k].band[i].c80 = 1.0;
            b.channel[k].band[i].c80 = 3.1;
            a.channel[k].band[i].t30.time = 1.0;
            b.channel[k].band[i].t30.time = 1.02;
        }
    said("clearer: C80 +2.1 dB (2 JND) in mean of 500 Hz and 1 kHz; T30 unchanged; EDT, G, STI not compared", &a, &b);
    said("less clear: C80 -2.1 dB (2 JND) in mean of 500 Hz and 1 kHz; T30 unchanged; EDT, G, STI not compared", &b,
         &a);
    said("no difference of 1 JND or more; T30, C80 unchanged; EDT, G, STI not compared", &a, &a);
    a.recording.audio.channels = b.recording.audio.channels = 2;
    b.channel[1].band[3].c80 = b.channel[1].band[4].c80 = -1.1;
    said("C80 differs by receiver, -2.1 to +2.1 JND; T30 unchanged; EDT, G, STI not compared", &a, &b);
    b.channel[1].band[3].c80 = b.channel[1].band[4].c80 = 5.2;
    a.channel[0].sti = a.channel[1].sti = 0.5;
    b.channel[0].sti = b.channel[1].sti = 0.62;
    said("more intelligible: STI +0.12 (4 JND); clearer: C80 +3.2 dB (3 JND) in mean of 500 Hz and 1 kHz over 2 "
         "receivers; T30 unchanged; EDT, G not compared",
         &a, &b);
}

static void the_summary_names_an_octave_that_changes_while_the_mean_stays(void **state)
{
    (void)state;
    struct file a, b;
    open_file(&a, 1);
    open_file(&b, 1);
    for (size_t i = 2; i <= 4; i++) {
        a.channel[0].band[i].t30.time = b.channel[0].band[i].t30.time = 1.0;
        a.channel[0].band[i].c80 = b.channel[0].band[i].c80 = 1.0;
    }
    b.channel[0].band[2].t30.time = 0.8;
    said("T30 unchanged in its mean, -4.0 JND at 250 Hz; C80 unchanged; EDT, G, STI not compared", &a, &b);
}

/* EDT may rise while T30 falls. */
static void the_summary_tells_early_from_late_decay(void **state)
{
    (void)state;
    struct file a, b;
    open_file(&a, 1);
    open_file(&b, 1);
    for (size_t i = 3; i <= 4; i++) {
        a.channel[0].band[i].edt.time = 0.5;
        b.channel[0].band[i].edt.time = 0.8;
        a.channel[0].band[i].t30.time = 1.1;
        b.channel[0].band[i].t30.time = 1.0;
    }
    said("longer early decay: EDT +0.30 s (12 JND) in mean of 500 Hz and 1 kHz; shorter late decay: T30 -0.10 s (2 "
         "JND); C80, G, STI not compared",
         &a, &b);
}

/* Two equal sounds leave no trace of switches, two constants show the weights, and no step is larger than the fade. */
static void a_switch_has_no_click_and_no_gap(void **state)
{
    (void)state;
    enum { FRAMES = 5000 };
    const double rate = 1000.0, every = 0.5;
    static double sound[FRAMES], zeros[FRAMES], ones[FRAMES], out[FRAMES];
    for (size_t n = 0; n < FRAMES; n++) {
        sound[n] = random_normal(&chance);
        ones[n] = 1.0;
    }
    alternate(out, (const double *const[]){sound, sound, sound}, 3, FRAMES, rate, every);
    for (size_t n = 0; n < FRAMES; n++)
        near(sound[n], out[n], 1e-12 * fabs(sound[n]));
    alternate(out, (const double *const[]){zeros, ones}, 2, FRAMES, rate, every);
    for (size_t n = 0; n < FRAMES; n++) {
        const size_t segment = n / 500, from = n % 500;
        if (from > 10 && from < 490)
            near((double)(segment % 2), out[n], 0.0);
        if (n && !(fabs(out[n] - out[n - 1]) <= 0.5 * M_PI / (ALTERNATE_FADE * rate)))
            fail_msg("a step of %g at %zu", out[n] - out[n - 1], n);
    }
    near(0.5, out[500], 1e-12); /* half way */
    near(0.5, out[1000], 1e-12);
}

int main(void)
{
    chance = random_cases("jnd");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_complete_and_once),
        cmocka_unit_test(steps_are_those_by_hand),
        cmocka_unit_test(steps_times_the_jnd_are_the_difference),
        cmocka_unit_test(single_numbers_are_means_of_their_octaves),
        cmocka_unit_test(a_missing_value_has_its_side_and_reason),
        cmocka_unit_test(channels_go_by_their_names),
        cmocka_unit_test(other_receivers_share_the_late_decay_alone),
        cmocka_unit_test(signals_and_sweeps_are_refused),
        cmocka_unit_test(the_summary_is_one_line),
        cmocka_unit_test(the_summary_names_an_octave_that_changes_while_the_mean_stays),
        cmocka_unit_test(the_summary_tells_early_from_late_decay),
        cmocka_unit_test(a_switch_has_no_click_and_no_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

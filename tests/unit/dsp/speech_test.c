/* SPDX-License-Identifier: MIT */
/* Speech transmission index with levels, noise, masking and threshold (IEC 60268-16:2011) against closed forms and
 * tables calculated by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aula.h"
#include "io/audio_file.h"
#include "support/decays.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

enum { CASES = 200 };
static const double rate = 24000.0;

/* A response that leaves `transfer` of every modulation in every octave. */
static struct metrics flat_response(double transfer)
{
    struct metrics m;
    memset(&m, 0, sizeof m);
    for (int k = 0; k < SPEECH_BANDS; k++)
        for (int i = 0; i < SPEECH_MODULATIONS; i++)
            m.transfer[k][i] = transfer;
    for (int i = 0; i < METRICS_BANDS; i++)
        m.band[i].g = NAN;
    return m;
}

static struct metrics_conditions conditions(enum metrics_voice voice, double speech, double noise)
{
    struct metrics_conditions c = {.voice = voice};
    for (int k = 0; k < SPEECH_BANDS; k++) {
        c.speech[k] = speech;
        c.noise[k] = noise;
    }
    return c;
}

static struct metrics_speech index_of(const struct metrics *m, const struct metrics_conditions *c)
{
    struct metrics_speech s;
    memset(&s, 0xa5, sizeof s);
    metrics_speech(&s, m, c);
    return s;
}

static void near(const char *what, double got, double expected, double bound)
{
    if (!(fabs(got - expected) <= bound))
        fail_msg("%s: %.6f, expected %.6f", what, got, expected);
}

/* Weights less redundancies are 1 for both voices: a signal to noise ratio of s dB in all octaves gives (s + 15)/30. */
static void noise_alone_gives_its_ratio(void **state)
{
    (void)state;
    struct random r = random_cases("noise alone");
    const struct metrics m = flat_response(1.0);
    for (int c = 0; c < CASES; c++) {
        const double ratio = random_uniform(&r, -20.0, 20.0), level = random_uniform(&r, 40.0, 90.0);
        struct metrics_conditions given = conditions(c % 2 ? METRICS_FEMALE : METRICS_MALE, level, level - ratio);
        given.unmasked = true;
        const struct metrics_speech s = index_of(&m, &given);
        near("noise alone", s.sti, (fmin(fmax(ratio, -15.0), 15.0) + 15.0) / 30.0, 1e-9);
        assert_true(isnan(s.mti[0]) == (c % 2 == 1));
        near("index of an octave", s.mti[3], s.sti, 1e-9);
    }
}

/* m(F) = 1/sqrt(1 + (2 pi F T/13.8)^2) / (1 + 10^(-ratio/10)) for an exponential decay in noise. */
static void decay_and_noise_give_the_product_of_their_closed_forms(void **state)
{
    (void)state;
    struct random r = random_cases("decay and noise");
    static const double frequency[SPEECH_MODULATIONS] = {0.63, 0.8, 1.0, 1.25, 1.6, 2.0,  2.5,
                                                         3.15, 4.0, 5.0, 6.3,  8.0, 10.0, 12.5};
    for (int c = 0; c < CASES; c++) {
        const double time = random_uniform(&r, 0.3, 5.0), ratio = random_uniform(&r, -10.0, 30.0);
        struct metrics m = flat_response(1.0);
        double index = 0.0;
        for (int i = 0; i < SPEECH_MODULATIONS; i++) {
            const double room = 1.0 / sqrt(1.0 + pow(2.0 * M_PI * frequency[i] * time / (6.0 * M_LN10), 2.0));
            const double left = room / (1.0 + pow(10.0, -ratio / 10.0)), apparent = 10.0 * log10(left / (1.0 - left));
            index += (fmin(fmax(apparent, -15.0), 15.0) + 15.0) / 30.0 / SPEECH_MODULATIONS;
            for (int k = 0; k < SPEECH_BANDS; k++)
                m.transfer[k][i] = room;
        }
        struct metrics_conditions given = conditions(METRICS_MALE, 60.0, 60.0 - ratio);
        given.unmasked = true;
        near("decay and noise", index_of(&m, &given).sti, index, 1e-9);
    }
}

/* Speech of the same level in all octaves, no noise. By hand: masking in an octave, level + slope, in dB; indices:
 * share = 1/(1 + 10^((masked - level)/10) + 10^((threshold - level)/10)), (10 log10(share/(1 - share)) + 15)/30, at
 * most 1. */
static void masking_and_threshold_are_those_of_tables_worked_out_by_hand(void **state)
{
    (void)state;
    static const struct {
        double level, masked, male, female;
        double index[SPEECH_BANDS];
    } table[] = {
        /* slope 0.5 * 20 - 65 = -55: nothing is masked; thresholds 46, 27, 12, 6.5, 7.5, 8, 12 below or above 20 dB */
        {20.0, -35.0, 0.826425, 0.836982, {0.0, 0.266667, 0.766667, 0.95, 0.916667, 0.9, 0.766667}},
        /* 0.5 * 80 - 59.8 = -19.8: ratios beyond 15 dB count as 15 */
        {80.0, 60.2, 1.0, 1.0, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}},
        /* 0.5 * 92 - 59.8 = -13.8 */
        {92.0, 78.2, 0.961717, 0.96, {1.0, 0.96, 0.96, 0.96, 0.96, 0.96, 0.96}},
        /* -10 from 100 dB on */
        {106.0, 96.0, 0.840739, 0.833333, {1.0, 0.833333, 0.833333, 0.833333, 0.833333, 0.833333, 0.833333}},
    };
    const struct metrics m = flat_response(1.0);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct metrics_conditions male = conditions(METRICS_MALE, table[i].level, -INFINITY);
        struct metrics_conditions female = conditions(METRICS_FEMALE, table[i].level, -INFINITY);
        const struct metrics_speech s = index_of(&m, &male), f = index_of(&m, &female);
        assert_true(isinf(s.masking[0]) && s.masking[0] < 0.0);
        for (int k = 1; k < SPEECH_BANDS; k++)
            near("masked", s.masking[k], table[i].masked, 1e-9);
        for (int k = 0; k < SPEECH_BANDS; k++)
            near("index of an octave", s.mti[k], table[i].index[k], 2e-4);
        near("male", s.sti, table[i].male, 3e-4);
        near("female", f.sti, table[i].female, 3e-4);
    }
}

/* Each slope of the table, and noise that masks where there is no speech. */
static void masking_follows_the_level_of_speech_and_noise_below(void **state)
{
    (void)state;
    static const double levels[][2] = {{40.0, -5.0}, {62.0, 28.0}, {63.0, 29.5}, {65.0, 35.1},  {66.9, 40.42},
                                       {67.0, 40.7}, {90.0, 75.2}, {99.0, 88.7}, {100.0, 90.0}, {120.0, 110.0}};
    const struct metrics m = flat_response(1.0);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct metrics_conditions c = conditions(METRICS_MALE, 60.0, -INFINITY);
        c.speech[2] = levels[i][0];
        near("masked by speech", index_of(&m, &c).masking[3], levels[i][1], 1e-9);
        c.speech[2] = -INFINITY;
        c.noise[2] = levels[i][0];
        const struct metrics_speech s = index_of(&m, &c);
        near("masked by noise", s.masking[3], levels[i][1], 1e-9);
        near("no speech there", s.mti[2], 0.0, 1e-12);
        c.speech[2] = c.noise[2] = levels[i][0] - 10.0 * log10(2.0);
        near("masked by both", index_of(&m, &c).masking[3], levels[i][1], 1e-9);
    }
}

static void spectra_have_their_weighted_level(void **state)
{
    (void)state;
    static const double weighting[SPEECH_BANDS] = {-16.1, -8.6, -3.2, 0.0, 1.2, 1.0, -1.1}; /* A, IEC 61672-1 */
    for (int voice = 0; voice < METRICS_VOICES; voice++) {
        double octave[SPEECH_BANDS], sum = 0.0;
        metrics_speech_spectrum(octave, (enum metrics_voice)voice, 62.0);
        for (int k = 0; k < SPEECH_BANDS; k++)
            sum += pow(10.0, 0.1 * (octave[k] + weighting[k]));
        near("A-weighted level", 10.0 * log10(sum), 62.0, 0.15);
    }
}

/* A talker of 60 dB(A) at 1 m is 20 log10(r) dB weaker at r metres in free field; a response without calibration has
 * none. */
static void a_calibrated_response_carries_the_level_of_the_talker(void **state)
{
    (void)state;
    struct random r = random_cases("talker");
    enum { FRAMES = 24000 };
    double *samples = zeros(FRAMES);
    for (int c = 0; c < 5; c++) {
        const double distance = random_uniform(&r, 0.5, 20.0);
        struct metrics_settings settings = {.valid_low = 10.0, .calibrated = true};
        struct metrics_conditions given = {.at_one_metre = true};
        struct metrics m;
        struct error e;
        metrics_speech_spectrum(given.speech, METRICS_MALE, 60.0);
        for (int k = 0; k < SPEECH_BANDS; k++)
            given.noise[k] = -INFINITY;
        samples[1000] = 1.0 / (4.0 * M_PI * distance);
        assert_int_equal(metrics_measure(&m, samples, FRAMES, rate, &settings, &e), 0);
        const struct metrics_speech s = index_of(&m, &given);
        for (int k = 0; k < SPEECH_BANDS; k++)
            near("level at the listener", s.speech[k], given.speech[k] - 20.0 * log10(distance), 0.02);
        assert_true(s.sti > 0.5 && s.sti <= 1.0);
        settings.calibrated = false;
        assert_int_equal(metrics_measure(&m, samples, FRAMES, rate, &settings, &e), 0);
        const struct metrics_speech none = index_of(&m, &given);
        assert_int_equal(none.reason, METRICS_LEVEL);
        assert_true(isnan(none.sti) && isnan(none.mti[3]));
    }
    free(samples);
}

/* The index of the room alone is the one without noise, masking and threshold. */
static void the_room_alone_is_the_limit_without_noise_and_masking(void **state)
{
    (void)state;
    struct random r = random_cases("room alone");
    enum { FRAMES = 48000 };
    double *samples = zeros(FRAMES);
    add_noise_decay(samples, FRAMES, rate, 480, &(struct slopes){1.0, random_uniform(&r, 0.4, 1.2), 1.0}, &r);
    const struct metrics_settings settings = {0};
    struct metrics m;
    struct error e;
    assert_int_equal(metrics_measure(&m, samples, FRAMES, rate, &settings, &e), 0);
    struct metrics_conditions given = conditions(METRICS_MALE, 60.0, -INFINITY);
    given.unmasked = true;
    const struct metrics_speech s = index_of(&m, &given);
    near("room alone", s.sti, m.sti, 0.0);
    given.unmasked = false;
    for (int k = 0; k < SPEECH_BANDS; k++)
        given.noise[k] = 50.0;
    assert_true(index_of(&m, &given).sti < m.sti - 0.02);
    m.band[1].validity = METRICS_PARTLY; /* the 125 Hz octave: a male voice needs it, a female one does not */
    assert_int_equal(index_of(&m, &given).reason, METRICS_BEYOND);
    given.voice = METRICS_FEMALE;
    assert_int_equal(index_of(&m, &given).reason, METRICS_NONE);
    free(samples);
}

/* The C interface gives the figures measured here. */
static void the_c_interface_gives_the_same_index(void **state)
{
    (void)state;
    struct random r = random_cases("C interface");
    enum { FRAMES = 36000 };
    char path[] = "/tmp/aula-speech-XXXXXX.wav";
    const int descriptor = mkstemps(path, 4);
    double samples[FRAMES] = {0.0}, octaves[AULA_SPEECH_OCTAVES], sti = 0.5;
    const struct audio audio = {.samples = samples, .channels = 1, .frames = FRAMES, .rate = rate};
    const struct audio_description d = {.format = FORMAT_DOUBLE};
    const struct metrics_settings settings = {.valid_high = 0.5 * rate};
    const double noise[SPEECH_BANDS] = {60.0, 58.0, 55.0, 50.0, 45.0, 40.0, 35.0};
    struct aula_speech given = {.female = 1, .level = 63.0, .noise = noise};
    struct metrics_conditions c = {.voice = METRICS_FEMALE};
    struct aula_metrics *figures = NULL;
    struct aula_error error;
    struct metrics m;
    struct error e;
    assert_true(descriptor >= 0);
    close(descriptor);
    add_noise_decay(samples, FRAMES, rate, 480, &(struct slopes){1.0, 0.8, 1.0}, &r);
    assert_int_equal(audio_write(path, &audio, &d, NULL, &e), 0);
    assert_int_equal(aula_metrics_of_file(&figures, path, &error), 0);
    unlink(path);
    assert_int_equal(metrics_measure(&m, samples, FRAMES, rate, &settings, &e), 0);
    metrics_speech_spectrum(c.speech, c.voice, 63.0);
    memcpy(c.noise, noise, sizeof noise);
    const struct metrics_speech s = index_of(&m, &c);
    assert_int_equal(aula_metrics_speech(&sti, octaves, figures, 0, &given, &error), 0);
    near("index", sti, s.sti, 1e-9);
    assert_true(sti > 0.2 && sti < m.sti - 0.02 && isnan(octaves[0]));
    for (int k = 1; k < SPEECH_BANDS; k++)
        near("index of an octave", octaves[k], s.mti[k], 1e-9);
    given.at_one_metre = 1;
    assert_true(aula_metrics_speech(&sti, octaves, figures, 0, &given, &error) != 0 && isnan(sti));
    assert_non_null(strstr(error.message, "not calibrated"));
    aula_metrics_close(figures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_alone_gives_its_ratio),
        cmocka_unit_test(decay_and_noise_give_the_product_of_their_closed_forms),
        cmocka_unit_test(masking_and_threshold_are_those_of_tables_worked_out_by_hand),
        cmocka_unit_test(masking_follows_the_level_of_speech_and_noise_below),
        cmocka_unit_test(spectra_have_their_weighted_level),
        cmocka_unit_test(a_calibrated_response_carries_the_level_of_the_talker),
        cmocka_unit_test(the_c_interface_gives_the_same_index),
        cmocka_unit_test(the_room_alone_is_the_limit_without_noise_and_masking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Acoustic parameters of decaying noise, with and without a noise floor, averaged over many records. The printed tables
 * are in docs/results/epyc-zen5.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/decays.h"
#include "support/figures.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

enum { FIFTY = 50, FRAMES = 96000, START = 480 };
static const double rate = 24000.0;
static const struct metrics_settings plain = {0};

static struct metrics measured(const double *samples, size_t frames, const struct metrics_settings *settings)
{
    return metrics_of(samples, frames, rate, settings);
}

/* Mean and standard deviation over cases. */
struct scatter {
    double count, sum, squares;
};

static void scatter_add(struct scatter *s, double value)
{
    s->count += 1.0;
    s->sum += value;
    s->squares += value * value;
}

static double mean_of(const struct scatter *s)
{
    return s->sum / s->count;
}

static double deviation_of(const struct scatter *s)
{
    return sqrt(fmax(s->squares / s->count - mean_of(s) * mean_of(s), 0.0) * s->count / (s->count - 1.0));
}

/* Whether a mean that should be 0 exceeds `bound` and the uncertainty of fifty cases. */
static int is_off(const struct scatter *s, double bound)
{
    return !(fabs(mean_of(s)) <= fmax(bound, 6.0 * deviation_of(s) / sqrt(s->count)));
}

static int print_scatter(const char *name, const struct scatter s[METRICS], const double bound[METRICS])
{
    int bad = 0;
    print_message("%-8s", name);
    for (int f = 0; f < METRICS; f++) {
        const int wrong = is_off(&s[f], bound[f]);
        print_message("%7.2f ±%6.2f%c", mean_of(&s[f]), deviation_of(&s[f]), wrong ? '!' : ' ');
        bad += wrong;
    }
    print_message("\n");
    return bad;
}

static void decays_of_noise_are_right_in_the_mean_of_fifty(void **state)
{
    (void)state;
    static const double bound[METRICS] = {2.0, 2.0, 2.0, 0.1, 0.1, 1.0, 2.0};
    struct random r = random_cases("noise");
    struct scatter all[METRICS_BANDS][METRICS] = {{{0}}};
    int refused = 0;
    for (int c = 0; c < FIFTY; c++) {
        double *samples = zeros(FRAMES);
        const struct slopes s = {1.0, random_uniform(&r, 0.8, 2.0), 1.0};
        const struct known known = slopes_known(&s);
        add_noise_decay(samples, FRAMES, rate, START, &s, &r);
        const struct metrics m = measured(samples, FRAMES, &plain);
        for (int i = 0; i < METRICS_BANDS; i++) {
            double off[METRICS];
            metric_differences(off, &m.band[i], &known);
            /* At 63 Hz an EDT scatters by a fifth: one in thousands is shorter than the filter allows, and left out. */
            const int too_short = i == 0 && m.band[i].edt.reason == METRICS_FILTER;
            refused += too_short;
            for (int f = too_short ? T20 : EDT; f < METRICS; f++)
                scatter_add(&all[i][f], off[f]);
        }
        free(samples);
    }
    int bad = refused > 1;
    print_message("EDTs at 63 Hz that are too short for the filter: %d of 50, at most 1%s\n", refused, bad ? "!" : "");
    print_figure_heading("Decaying Gaussian noise, T 0.8 to 2 s: mean and standard deviation of 50 cases");
    for (size_t i = 0; i < METRICS_BANDS; i++)
        bad += print_scatter(band_name(i), all[i], bound);
    assert_int_equal(bad, 0);
}

/* ISO 3382-1 requires 35 dB between peak and noise for T20, 45 dB for T30. */
static void noise_floors_are_borne_as_far_as_the_standard_allows(void **state)
{
    (void)state;
    static const double bound[METRICS] = {2.0, 2.0, 2.0, 0.1, 0.1, 1.0, 2.0};
    static const struct metrics_settings kilohertz = {.valid_low = 700.0, .valid_high = 1450.0};
    static const double levels[] = {-22.0, -32.0, -37.0, -42.0, -47.0, -52.0, -60.0};
    struct random r = random_cases("noise floors");
    int bad = 0;
    print_figure_heading("The same at 1 kHz with a noise floor: mean and standard deviation of 50 cases, nan: refused");
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l += under_sanitizers() ? 3 : 1) {
        struct scatter all[METRICS] = {{0}};
        char name[16];
        snprintf(name, sizeof name, "%.0f dB", levels[l]);
        for (int c = 0; c < FIFTY; c++) {
            double *samples = zeros(FRAMES), off[METRICS];
            const struct slopes s = {1.0, random_uniform(&r, 0.8, 2.0), 1.0};
            const struct known known = slopes_known(&s);
            add_noise_decay(samples, FRAMES, rate, START, &s, &r);
            add_noise_floor(samples, FRAMES, levels[l], &r);
            const struct metrics m = measured(samples, FRAMES, &kilohertz);
            const struct metrics_band *b = &m.band[4];
            metric_differences(off, b, &known);
            assert_true(isnan(b->t30.time) == (b->t30.reason != METRICS_NONE));
            assert_true(levels[l] < -46.0 ? b->t30.reason == METRICS_NONE : 1);
            assert_true(levels[l] > -43.0 ? b->t30.reason == METRICS_NOISE : 1);
            assert_true(levels[l] < -36.0 ? b->t20.reason == METRICS_NONE : 1);
            assert_true(levels[l] > -33.0 ? b->t20.reason == METRICS_NOISE : 1);
            for (int f = 0; f < METRICS; f++)
                scatter_add(&all[f], off[f]);
            free(samples);
        }
        const double *used = bound;
        double allowed[METRICS];
        memcpy(allowed, bound, sizeof allowed);
        allowed[EDT] = levels[l] > -30.0 ? INFINITY : bound[EDT]; /* there, some are refused */
        allowed[T20] = levels[l] > -33.0 ? INFINITY : bound[T20];
        allowed[T30] = levels[l] > -43.0 ? INFINITY : bound[T30];
        used = allowed;
        print_message("%-8s", name);
        for (int f = 0; f < METRICS; f++) {
            const int refused = isnan(mean_of(&all[f])) && isinf(used[f]);
            const int wrong = !refused && is_off(&all[f], used[f]);
            print_message("%7.2f ±%6.2f%c", mean_of(&all[f]), deviation_of(&all[f]), wrong ? '!' : ' ');
            bad += wrong;
        }
        print_message("\n");
    }
    assert_int_equal(bad, 0);
}

static void speech_index_of_an_exponential_decay_is_its_closed_form(void **state)
{
    (void)state;
    struct random r = random_cases("speech");
    static const double weight[7] = {0.085, 0.127, 0.230, 0.233, 0.309, 0.224, 0.173};
    static const double redundancy[6] = {0.085, 0.078, 0.065, 0.011, 0.047, 0.095};
    print_message("Speech transmission index of decaying noise, mean of 10\n%8s%10s%10s\n", "T, s", "exact",
                  "measured");
    for (double time = 0.5; time <= 4.0; time *= 2.0) {
        double index = 0.0, sti = 0.0, sum = 0.0, squares = 0.0;
        for (int i = 0; i < 14; i++) {
            const double f = pow(10.0, -0.2 + 0.1 * i); /* 0.63 .. 12.6 */
            const double m = 1.0 / sqrt(1.0 + pow(2.0 * M_PI * f * time / (6.0 * M_LN10), 2.0));
            index += (fmin(fmax(10.0 * log10(m / (1.0 - m)), -15.0), 15.0) + 15.0) / 30.0 / 14.0;
        }
        for (int k = 0; k < 7; k++)
            sti += index * (weight[k] - (k < 6 ? redundancy[k] : 0.0));
        for (int c = 0; c < 10; c++) {
            double *samples = zeros(FRAMES);
            add_noise_decay(samples, FRAMES, rate, START, &(struct slopes){1.0, time, 1.0}, &r);
            const double one = measured(samples, FRAMES, &plain).sti;
            sum += one;
            squares += one * one;
            free(samples);
        }
        const double mean = sum / 10.0, deviation = sqrt(fmax(squares / 10.0 - mean * mean, 0.0) * 10.0 / 9.0);
        print_message("%8.2f%10.4f%10.4f ± %.4f\n", time, sti, mean, deviation);
        assert_true(fabs(mean - sti) <= fmax(0.012, 6.0 * deviation / sqrt(10.0)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decays_of_noise_are_right_in_the_mean_of_fifty),
        cmocka_unit_test(noise_floors_are_borne_as_far_as_the_standard_allows),
        cmocka_unit_test(speech_index_of_an_exponential_decay_is_its_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Room-acoustic figures of decays that are known. The tables that it prints stand in docs/results/epyc-zen5.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decays.h"
#include "room/room.h"

#include <cmocka.h>

enum { CASES = 100, FIFTY = 50, FRAMES = 96000, START = 480 };
static const double rate = 24000.0;
static const struct metrics_settings plain = {0};

static struct random fresh(const char *what)
{
    const uint64_t seed = getenv("SEED") ? strtoull(getenv("SEED"), NULL, 10) : random_fresh_seed();
    print_message("%s: seed %llu\n", what, (unsigned long long)seed);
    return (struct random){seed};
}

static double *record(size_t frames)
{
    double *samples = calloc(frames, sizeof *samples);
    assert_non_null(samples);
    return samples;
}

static struct metrics measured(const double *samples, size_t frames, const struct metrics_settings *s)
{
    struct metrics m;
    struct error e = {ERROR_NONE, ""};
    if (metrics_measure(&m, samples, frames, rate, s, &e))
        fail_msg("%s", e.message);
    return m;
}

static const char *band_name(size_t i)
{
    static const char *const names[METRICS_BANDS] = {"63", "125", "250", "500", "1k", "2k", "4k", "8k", "broad"};
    return names[i];
}

/* Differences of one measurement from what is known: relative for times, dB for C; D is a percentage itself. */
enum { EDT, T20, T30, C50, C80, D50, TS, FIGURES };
static const char *const figure_names[FIGURES] = {"EDT %", "T20 %", "T30 %", "C50 dB", "C80 dB", "D50 %", "Ts %"};

static void differences(double off[FIGURES], const struct metrics_band *b, const struct known *k)
{
    off[EDT] = 100.0 * (b->edt.time / k->edt - 1.0);
    off[T20] = 100.0 * (b->t20.time / k->t20 - 1.0);
    off[T30] = 100.0 * (b->t30.time / k->t30 - 1.0);
    off[C50] = b->c50 - k->c50;
    off[C80] = b->c80 - k->c80;
    off[D50] = 100.0 * (b->d50 - k->d50);
    off[TS] = 100.0 * (b->ts / k->ts - 1.0);
}

static void print_heading(const char *title)
{
    print_message("%s\n%-8s", title, "band");
    for (int f = 0; f < FIGURES; f++)
        print_message("%16s", figure_names[f]);
    print_message("\n");
}

static double uniform(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

static void compare(struct random *r, int two, const char *title)
{
    static const double bound[FIGURES] = {1.0, 1.0, 1.0, 0.1, 0.1, 1.0, 1.0};
    double worst[METRICS_OCTAVES][FIGURES] = {{0}};
    for (int c = 0; c < CASES; c++) {
        double *samples = record(FRAMES), *alone = record((size_t)FRAMES * METRICS_OCTAVES);
        struct slopes s[METRICS_OCTAVES];
        for (int i = c % 2; i < METRICS_OCTAVES; i += 2) { /* the skirts of neighbours are no part of this */
            const double centre = octave_band_centre[i], shortest = fmax(0.3, 40.0 / centre);
            double *tone = alone + (size_t)i * FRAMES;
            s[i] = (struct slopes){1.0, shortest * pow(3.0 / shortest, random_unit(r)), 1.0};
            if (two)
                s[i] = (struct slopes){uniform(r, 0.8, 0.99), uniform(r, shortest, 1.5), uniform(r, 1.5, 2.5)};
            add_tone(tone, FRAMES, rate, START, centre * uniform(r, 0.97, 1.03), 2.0 * M_PI * random_unit(r),
                     4.0 / centre, &s[i]);
            for (int n = START; n < FRAMES; n++)
                samples[n] += tone[n];
        }
        const struct metrics m = measured(samples, FRAMES, &plain);
        for (int i = c % 2; i < METRICS_OCTAVES; i += 2) {
            const struct known in_samples = samples_known(alone + (size_t)i * FRAMES, FRAMES, rate, m.arrival);
            struct known known = in_samples;
            double off[FIGURES];
            if (!two) { /* closed form, as if the record did not end */
                const struct known endless = slopes_known(&s[i]);
                known.t20 = endless.t20;
                known.t30 = endless.t30;
            }
            differences(off, &m.band[i], &known);
            for (int f = 0; f < FIGURES; f++)
                if (!(fabs(off[f]) <= fabs(worst[i][f])))
                    worst[i][f] = off[f];
        }
        free(samples);
        free(alone);
    }
    print_heading(title);
    int bad = 0;
    for (int i = 0; i < METRICS_OCTAVES; i++) {
        print_message("%-8s", band_name(i));
        for (int f = 0; f < FIGURES; f++) {
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
    struct random r = fresh("single slopes");
    compare(&r, 0, "Exponential decays, one a band: largest difference of 100 cases");
}

static void double_slopes_are_measured_within_a_percent_and_a_tenth_of_a_decibel(void **state)
{
    (void)state;
    struct random r = fresh("double slopes");
    compare(&r, 1, "Sums of two slopes: largest difference of 100 cases");
}

/* Mean and standard deviation of as many cases. */
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

/* Whether a mean that should be 0 is within `bound`, or within what fifty cases can tell. */
static int is_off(const struct scatter *s, double bound)
{
    return !(fabs(mean_of(s)) <= fmax(bound, 6.0 * deviation_of(s) / sqrt(s->count)));
}

static int print_scatter(const char *name, const struct scatter s[FIGURES], const double bound[FIGURES])
{
    int bad = 0;
    print_message("%-8s", name);
    for (int f = 0; f < FIGURES; f++) {
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
    static const double bound[FIGURES] = {2.0, 2.0, 2.0, 0.1, 0.1, 1.0, 2.0};
    struct random r = fresh("noise");
    struct scatter all[METRICS_BANDS][FIGURES] = {{{0}}};
    int refused = 0;
    for (int c = 0; c < FIFTY; c++) {
        double *samples = record(FRAMES);
        const struct slopes s = {1.0, uniform(&r, 0.8, 2.0), 1.0};
        const struct known known = slopes_known(&s);
        add_noise_decay(samples, FRAMES, rate, START, &s, &r);
        const struct metrics m = measured(samples, FRAMES, &plain);
        for (int i = 0; i < METRICS_BANDS; i++) {
            double off[FIGURES];
            differences(off, &m.band[i], &known);
            /* At 63 Hz an EDT scatters by a fifth: one in thousands is shorter than the filter allows, and left out. */
            const int too_short = i == 0 && m.band[i].edt.reason == METRICS_FILTER;
            refused += too_short;
            for (int f = too_short ? T20 : EDT; f < FIGURES; f++)
                scatter_add(&all[i][f], off[f]);
        }
        free(samples);
    }
    int bad = refused > 1;
    print_message("EDTs at 63 Hz that are too short for the filter: %d of 50, at most 1%s\n", refused, bad ? "!" : "");
    print_heading("Decaying Gaussian noise, T 0.8 to 2 s: mean and standard deviation of 50 cases");
    for (int i = 0; i < METRICS_BANDS; i++)
        bad += print_scatter(band_name(i), all[i], bound);
    assert_int_equal(bad, 0);
}

/* ISO 3382-1 asks for 35 dB between peak and noise for T20, 45 dB for T30. */
static void noise_floors_are_borne_as_far_as_the_standard_allows(void **state)
{
    (void)state;
    static const double bound[FIGURES] = {2.0, 2.0, 2.0, 0.1, 0.1, 1.0, 2.0};
    static const double levels[] = {-22.0, -32.0, -37.0, -42.0, -47.0, -52.0, -60.0};
    struct random r = fresh("noise floors");
    int bad = 0;
    print_heading("The same at 1 kHz with a noise floor: mean and standard deviation of 50 cases, nan: refused");
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        struct scatter all[FIGURES] = {{0}};
        char name[16];
        snprintf(name, sizeof name, "%.0f dB", levels[l]);
        for (int c = 0; c < FIFTY; c++) {
            double *samples = record(FRAMES), off[FIGURES];
            const struct slopes s = {1.0, uniform(&r, 0.8, 2.0), 1.0};
            const struct known known = slopes_known(&s);
            add_noise_decay(samples, FRAMES, rate, START, &s, &r);
            add_noise_floor(samples, FRAMES, levels[l], &r);
            const struct metrics m = measured(samples, FRAMES, &plain);
            const struct metrics_band *b = &m.band[4];
            differences(off, b, &known);
            assert_true(isnan(b->t30.time) == (b->t30.reason != METRICS_NONE));
            assert_true(levels[l] < -46.0 ? b->t30.reason == METRICS_NONE : 1);
            assert_true(levels[l] > -43.0 ? b->t30.reason == METRICS_NOISE : 1);
            assert_true(levels[l] < -36.0 ? b->t20.reason == METRICS_NONE : 1);
            assert_true(levels[l] > -33.0 ? b->t20.reason == METRICS_NOISE : 1);
            for (int f = 0; f < FIGURES; f++)
                scatter_add(&all[f], off[f]);
            free(samples);
        }
        const double *used = bound;
        double allowed[FIGURES];
        memcpy(allowed, bound, sizeof allowed);
        allowed[EDT] = levels[l] > -30.0 ? INFINITY : bound[EDT]; /* there, some are refused */
        allowed[T20] = levels[l] > -33.0 ? INFINITY : bound[T20];
        allowed[T30] = levels[l] > -43.0 ? INFINITY : bound[T30];
        used = allowed;
        print_message("%-8s", name);
        for (int f = 0; f < FIGURES; f++) {
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
    struct random r = fresh("speech");
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
            double *samples = record(FRAMES);
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

/* The strength of a direct sound alone is its distance; and its arrival is where it was put. */
static void direct_sound_has_the_strength_of_its_distance(void **state)
{
    (void)state;
    struct random r = fresh("direct sound");
    for (int c = 0; c < 20; c++) {
        const double distance = uniform(&r, 0.5, 30.0), scale = uniform(&r, 0.1, 10.0);
        const size_t at = random_between(&r, 10, 2000);
        const struct metrics_settings s = {.valid_low = 10.0, .calibrated = true, .scale = scale};
        double *samples = record(12000);
        samples[at] = 1.0 / (4.0 * M_PI * distance) / scale;
        const struct metrics m = measured(samples, 12000, &s);
        assert_int_equal((int)lround(m.arrival * rate), (int)at);
        for (int i = 0; i < METRICS_BANDS; i++) {
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
    struct random r = fresh("refusals");
    struct error e;
    struct metrics m;
    double *samples = record(FRAMES);
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

/* A response that ends at a frequency rings before each arrival; a boom below it does not hide the direct sound. */
static void arrival_is_found_in_a_response_of_little_bandwidth(void **state)
{
    (void)state;
    struct random r = fresh("arrival");
    for (int c = 0; c < 20; c++) {
        const double high = uniform(&r, 500.0, 4000.0), boom = uniform(&r, 0.0, 0.3);
        const size_t at = random_between(&r, 300, 2000);
        double *samples = record(12000);
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
    double curves[METRICS_BANDS][50], *samples = record(FRAMES);
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
        cmocka_unit_test(decays_of_noise_are_right_in_the_mean_of_fifty),
        cmocka_unit_test(noise_floors_are_borne_as_far_as_the_standard_allows),
        cmocka_unit_test(speech_index_of_an_exponential_decay_is_its_closed_form),
        cmocka_unit_test(direct_sound_has_the_strength_of_its_distance),
        cmocka_unit_test(arrival_is_found_in_a_response_of_little_bandwidth),
        cmocka_unit_test(what_the_response_does_not_hold_is_refused_with_its_reason),
        cmocka_unit_test(decay_curve_of_an_exponential_is_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

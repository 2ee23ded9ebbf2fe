/* SPDX-License-Identifier: MIT */
/* The frequency map of responses, with the frequencies of the 19-point scheme. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "dsp/frequency_map.h"
#include "dsp/nonuniform_fourier.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static struct random chance;

static const struct frequency_map map = {isotropic19_grid_frequency, isotropic19_gain, 0.26, 0.3, 0.0, 0};
enum { FRAMES = 3000, WANTED = 2500 };

static double *mapped(const double *record, size_t frames, size_t wanted, const double *signal, size_t signal_frames)
{
    struct frequency_mapper *m;
    struct error e;
    double *response = zeros(wanted);
    assert_int_equal(frequency_mapper_open(&m, &map, frames, wanted, signal, signal_frames, &e), 0);
    assert_int_equal(frequency_mapper_run(m, record, response, &e), 0);
    frequency_mapper_close(m);
    return response;
}

static double *noise(size_t count)
{
    double *h = zeros(count);
    for (size_t n = 0; n < count; n++)
        h[n] = random_normal(&chance);
    return h;
}

static double difference(const double *a, const double *b, size_t count)
{
    double max = 0.0;
    for (size_t n = 0; n < count; n++)
        max = fabs(a[n] - b[n]) <= max ? max : fabs(a[n] - b[n]);
    return max;
}

static void gridded_transform_equals_direct_sums_to_130_dB(void **state)
{
    (void)state;
    const size_t lengths[] = {1, 2, 31, 32, 33, 1000, 2048, 2049, 30000};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t count = lengths[i], length = nonuniform_fourier_length(count), middle = count / 2;
        double *h = noise(count), *re = zeros(length / 2), *im = zeros(length / 2), power = 0.0;
        struct fourier tables;
        struct nonuniform_fourier t;
        struct error e;
        assert_int_equal(fourier_make(&tables, 2 * length, &e), 0); /* longer than needed */
        assert_int_equal(nonuniform_fourier_make(&t, count, 0.5, &tables, &e), 0);
        assert_int_equal(nonuniform_fourier_take(&t, h, re, im, &e), 0);
        for (size_t n = 0; n < count; n++)
            power += h[n] * h[n];
        for (int k = 0; k < 40; k++) {
            const double ends[] = {0.0, 0.5, 0.25, 1.0 / (double)length};
            const double f = k < 4 ? ends[k] : random_uniform(&chance, 0.0, 0.5);
            double value[2], sum[2] = {0.0, 0.0};
            for (size_t n = 0; n < count; n++) {
                const double angle = 2.0 * M_PI * f * ((double)n - (double)middle);
                sum[0] += h[n] * cos(angle);
                sum[1] -= h[n] * sin(angle);
            }
            nonuniform_fourier_at(&t, f, value);
            worst = fmax(worst, hypot(value[0] - sum[0], value[1] - sum[1]) / sqrt(power));
            assert_within(hypot(value[0] - sum[0], value[1] - sum[1]) / sqrt(power), 0.0, 3e-7);
        }
        nonuniform_fourier_free(&t);
        fourier_free(&tables);
        free(h);
        free(re);
        free(im);
    }
    print_message("largest error over rms: %.1f dB\n", 20.0 * log10(worst));
}

/* Amplitude and phase of the component of y at f around frame `at`, by a Hann window. */
static void component(const double *y, double f, size_t at, double value[2])
{
    const int half = 400;
    value[0] = value[1] = 0.0;
    for (int k = -half; k <= half; k++) {
        const double window = (1.0 + cos(M_PI * k / (half + 1.0))) / (half + 1.0), angle = 2.0 * M_PI * f * k;
        value[0] += window * y[(int)at + k] * cos(angle);
        value[1] -= window * y[(int)at + k] * sin(angle);
    }
}

/* A mode at f_n that decays in τ becomes one at f, which decays in τ v and is gain/v as strong, v = df_n/df. */
static void decaying_sine_moves_to_its_true_frequency(void **state)
{
    (void)state;
    for (double f = 0.01; f < 0.25; f += 0.034) {
        const double grid = isotropic19_grid_frequency(f), decay = 1500.0;
        const double slope = (isotropic19_grid_frequency(f + 1e-5) - isotropic19_grid_frequency(f - 1e-5)) / 2e-5;
        double *h = zeros(2 * FRAMES), early[2], late[2];
        for (size_t n = 0; n < 2 * FRAMES; n++)
            h[n] = exp(-(double)n / decay) * sin(2.0 * M_PI * grid * (double)n);
        double *y = mapped(h, 2 * FRAMES, WANTED, NULL, 0);
        component(y, f, 1000, early);
        component(y, f, 2000, late);
        const double turns =
            remainder(atan2(late[1], late[0]) - atan2(early[1], early[0]) - 2.0 * M_PI * f * 1000.0, 2.0 * M_PI);
        const double expected = isotropic19_gain(grid) / slope * exp(-1000.0 / (decay * slope));
        assert_within(turns / (2.0 * M_PI * 1000.0), 0.0, 2e-7);
        assert_within(hypot(early[0], early[1]) / expected, 1.0, 0.02);
        assert_within(log(hypot(early[0], early[1]) / hypot(late[0], late[1])), 1000.0 / (decay * slope), 5e-3);
        free(h);
        free(y);
    }
}

/* e^{-iκr} over the gain, up to frequencies that the roll-off removes: the plane wave of the grid after r points. */
static double *delayed_on_the_grid(double points, size_t frames)
{
    double *h = zeros(frames);
    const size_t bins = 8192;
    for (size_t k = 1; k < bins; k++) {
        const double f = 0.5 * (double)k / (double)bins, end = isotropic19_grid_frequency(map.stop), top = 0.33;
        const double taper = f <= end ? 1.0 : f < top ? 0.5 + 0.5 * cos(M_PI * (f - end) / (top - end)) : 0.0;
        const double phase = taper > 0.0 ? isotropic19_wavenumber(f) * points : 0.0;
        for (size_t n = 0; n < frames && taper > 0.0; n++)
            h[n] += taper / isotropic19_gain(f) * cos(2.0 * M_PI * f * (double)n - phase) / (double)bins;
    }
    for (size_t n = 0; n < frames; n++)
        h[n] += 0.5 / (double)bins;
    return h;
}

static void dispersed_pulse_becomes_sharp_at_its_instant(void **state)
{
    (void)state;
    const double courant = sqrt(ISOTROPIC19_COURANT_SQUARED), points = 300.0 * courant + 0.37;
    double *h = delayed_on_the_grid(points, FRAMES), *y = mapped(h, FRAMES, 800, NULL, 0), peak = 0.0, error = 0.0;
    const double steps = 4000.0;
    double early = 0.0, slope = 0.0;
    for (size_t n = 0; n < 800; n++) {
        double ideal = 0.0, rate_of_change = 0.0; /* the roll-off's pulse at r/λ, by the trapezoidal rule */
        for (double k = 0.0; k < steps; k++) {
            const double f = map.stop * (k + 0.5) / steps, angle = 2.0 * M_PI * f * ((double)n - points / courant);
            const double weight = f <= map.pass ? 1.0 : 0.5 + 0.5 * cos(M_PI * (f - map.pass) / (map.stop - map.pass));
            ideal += 2.0 * map.stop / steps * weight * cos(angle);
            rate_of_change -= 4.0 * M_PI * f * map.stop / steps * weight * sin(angle);
        }
        peak = fmax(peak, fabs(ideal));
        error = fmax(error, fabs(y[n] - ideal));
        early += (y[n] - ideal) * rate_of_change;
        slope += rate_of_change * rate_of_change;
    }
    print_message("off by %.2g samples; largest error %.1f dB\n", early / slope, 20.0 * log10(error / peak));
    assert_within(early / slope, 0.0, 1e-3);
    assert_within(error / peak, 0.0, 1e-4);
    free(h);
    free(y);
}

static void map_is_linear(void **state)
{
    (void)state;
    double *a = noise(FRAMES), *b = noise(FRAMES), *both = zeros(FRAMES), *sum = zeros(WANTED);
    for (size_t n = 0; n < FRAMES; n++)
        both[n] = 3.0 * a[n] - 0.25 * b[n];
    double *of_a = mapped(a, FRAMES, WANTED, NULL, 0), *of_b = mapped(b, FRAMES, WANTED, NULL, 0);
    double *of_both = mapped(both, FRAMES, WANTED, NULL, 0);
    for (size_t n = 0; n < WANTED; n++)
        sum[n] = 3.0 * of_a[n] - 0.25 * of_b[n];
    assert_within(difference(of_both, sum, WANTED), 0.0, 1e-11);
    double *rows[] = {a, b, both, sum, of_a, of_b, of_both};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        free(rows[i]);
}

/* A burst at four points a wavelength in the faded end does not reach what is wanted, nor does it come round. */
static void response_does_not_depend_on_the_faded_end(void **state)
{
    (void)state;
    const double f = 0.216, grid = isotropic19_grid_frequency(f);
    const size_t frames = 12000, wanted = (size_t)(0.95 * isotropic19_group_velocity(grid) * (double)frames);
    double *h = zeros(frames);
    for (size_t n = 0; n < 560; n++)
        h[frames - 580 + n] = (0.5 - 0.5 * cos(2.0 * M_PI * (double)n / 560.0)) * sin(2.0 * M_PI * grid * (double)n);
    double *y = mapped(h, frames, wanted, NULL, 0), *zero = zeros(wanted);
    assert_within(difference(y, zero, wanted - 60), 0.0, 1e-2);
    assert_within(difference(y, zero, wanted / 2), 0.0, 1e-6);
    h[100] = 1.0; /* that the rest is heard */
    free(y);
    y = mapped(h, frames, wanted, NULL, 0);
    assert_true(difference(y, zero, 200) > 0.1);
    free(h);
    free(y);
    free(zero);
}

/* A tone that lasts beyond the record. */
static void end_of_the_record_breaks_nothing_off(void **state)
{
    (void)state;
    enum { SHORT = 12000, LONG = 16000, COMPARED = 10300 };
    double *h = zeros(LONG), peak = 0.0;
    for (size_t n = 0; n < LONG; n++)
        h[n] = (n < 2000 ? 0.5 - 0.5 * cos(M_PI * (double)n / 2000.0) : 1.0) * sin(0.1 * (double)n + 1.0);
    double *cut = mapped(h, SHORT, COMPARED, NULL, 0), *whole = mapped(h, LONG, COMPARED, NULL, 0);
    for (size_t n = 0; n < COMPARED; n++)
        peak = fmax(peak, fabs(whole[n]));
    assert_within(difference(cut, whole, COMPARED) / peak, 0.0, 1e-5);
    free(h);
    free(cut);
    free(whole);
}

/* The convolution is longer than a power of two that the record fits into. */
static void signals_are_convolved_at_true_frequencies(void **state)
{
    (void)state;
    enum { RECORD = 2450, LENGTH = 2300, QUIET = 300 };
    double *h = noise(RECORD), *signal = noise(LENGTH), *direct = zeros(LENGTH);
    for (size_t n = 0; n < QUIET; n++) /* what the roll-off rings before t = 0 would be missing from the direct sum */
        h[n] = 0.0;
    double *y = mapped(h, RECORD, LENGTH, NULL, 0), *convolved = mapped(h, RECORD, LENGTH, signal, LENGTH);
    for (size_t n = 0; n < LENGTH; n++)
        for (size_t k = 0; k <= n; k++)
            direct[n] += signal[k] * y[n - k];
    assert_within(difference(convolved, direct, LENGTH), 0.0, 1e-3);
    const double one = -2.5;
    double *scaled = mapped(h, RECORD, LENGTH, &one, 1);
    for (size_t n = 0; n < LENGTH; n++)
        direct[n] = one * y[n];
    assert_within(difference(scaled, direct, LENGTH), 0.0, 1e-11);
    free(h);
    free(signal);
    free(direct);
    free(y);
    free(convolved);
    free(scaled);
}

static void frames_ahead_hold_what_rings_before_and_move_nothing(void **state)
{
    (void)state;
    enum { RECORD = 2450, LENGTH = 2300 };
    struct frequency_map early = map;
    struct frequency_mapper *m;
    struct error e;
    early.ahead = frequency_map_ringing(&map);
    double *h = noise(RECORD), *plain = mapped(h, RECORD, LENGTH, NULL, 0), *whole = zeros(LENGTH + early.ahead);
    assert_int_equal(frequency_mapper_open(&m, &early, RECORD, LENGTH + early.ahead, NULL, 0, &e), 0);
    assert_int_equal(frequency_mapper_run(m, h, whole, &e), 0);
    assert_within(difference(whole + early.ahead, plain, LENGTH), 0.0, 1e-6);
    double rings = 0.0;
    for (size_t n = 0; n < early.ahead; n++)
        rings = fmax(rings, fabs(whole[n]));
    assert_true(rings > 1e-3 && fabs(whole[0]) <= 1e-5 * rings);
    frequency_mapper_close(m);
    free(h);
    free(plain);
    free(whole);
}

static void impossible_maps_are_refused(void **state)
{
    (void)state;
    struct frequency_map beyond = map;
    struct frequency_mapper *m;
    struct error e;
    beyond.stop = 0.45; /* beyond the cut-off */
    assert_int_equal(frequency_mapper_open(&m, &beyond, 100, 80, NULL, 0, &e), -1);
    assert_null(m);
    assert_int_equal(frequency_mapper_open(&m, &map, 100, 101, NULL, 0, &e), -1);
    assert_int_equal(frequency_mapper_open(&m, &map, 0, 0, NULL, 0, &e), -1);
    frequency_mapper_close(NULL);
}

int main(void)
{
    chance = random_cases("frequency map");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gridded_transform_equals_direct_sums_to_130_dB),
        cmocka_unit_test(decaying_sine_moves_to_its_true_frequency),
        cmocka_unit_test(dispersed_pulse_becomes_sharp_at_its_instant),
        cmocka_unit_test(map_is_linear),
        cmocka_unit_test(response_does_not_depend_on_the_faded_end),
        cmocka_unit_test(end_of_the_record_breaks_nothing_off),
        cmocka_unit_test(signals_are_convolved_at_true_frequencies),
        cmocka_unit_test(frames_ahead_hold_what_rings_before_and_move_nothing),
        cmocka_unit_test(impossible_maps_are_refused),
    };
    return cmocka_run_group_tests_name("frequency map", tests, NULL, NULL);
}

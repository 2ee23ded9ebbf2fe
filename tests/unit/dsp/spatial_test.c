/* SPDX-License-Identifier: MIT */
/* Lateral energy and correlation of ears of fields that are known in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "dsp/measure/band.h"
#include "dsp/measure/octave_bank.h"
#include "dsp/measure/spatial.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

#include "support/within.h"

enum { FRAMES = 24000, ZERO = 2400 }; /* the direct sound */
static const double rate = 48000.0;
static const struct metrics_settings calibrated = {.calibrated = true, .scale = 1.0, .noiseless = true};

/* Bands without figures, as metrics_measure begins. */
static struct metrics bands(void)
{
    static const struct metrics_settings plain = {0};
    struct metrics m = {.rate = rate};
    for (size_t i = 0; i < METRICS_OCTAVES; i++)
        m.band[i] = band_octave(i, rate, &plain);
    m.band[METRICS_BROAD] = band_broad(rate, &plain);
    for (size_t i = 0; i < METRICS_BANDS; i++)
        m.band[i].reason = METRICS_NONE; /* its decay is long enough */
    return m;
}

/* A field of order 1. */
struct field {
    double *w, *x, *y, *z;
};

static struct field silent_field(void)
{
    return (struct field){zeros(FRAMES), zeros(FRAMES), zeros(FRAMES), zeros(FRAMES)};
}

static void free_field(struct field *f)
{
    free(f->w);
    free(f->x);
    free(f->y);
    free(f->z);
}

static void add_wave(struct field *f, size_t n, double level, const double d[3])
{
    f->w[n] += level;
    f->x[n] += level * d[0];
    f->y[n] += level * d[1];
    f->z[n] += level * d[2];
}

static void direction(double d[3], double azimuth, double elevation)
{
    d[0] = cos(elevation) * cos(azimuth);
    d[1] = cos(elevation) * sin(azimuth);
    d[2] = sin(elevation);
}

static struct metrics lateral_of(const struct field *f, const struct metrics_settings *s)
{
    struct metrics m = bands();
    struct error e;
    const struct spatial_pair pair = {f->w, f->y, FRAMES, rate, ZERO / rate};
    assert_int_equal(spatial_measure_lateral(&m, &pair, s, &e), 0);
    return m;
}

static void plane_waves_give_their_lateral_energy(void **state)
{
    struct random r = random_cases("plane waves");
    static const double front[3] = {1.0, 0.0, 0.0};
    (void)state;
    for (int c = 0; c < case_count(6); c++) {
        struct field f = silent_field();
        const double level = random_uniform(&r, 0.3, 1.0);
        double d[3];
        direction(d, random_uniform(&r, 0.2, 6.0), random_uniform(&r, -1.0, 1.0));
        add_wave(&f, ZERO, 1.0, front);
        add_wave(&f, ZERO + (size_t)random_uniform(&r, 0.030 * rate, 0.050 * rate), level, d);
        const struct metrics m = lateral_of(&f, &calibrated);
        const double whole = 1.0 + level * level;
        for (size_t i = 3; i < METRICS_OCTAVES; i++) { /* 500 Hz and up: its ringing is short enough */
            assert_within(m.band[i].lf, level * level * d[1] * d[1] / whole, 1e-3);
            assert_within(m.band[i].lfc, level * level * fabs(d[1]) / whole, 1e-3);
        }
        free_field(&f);
    }
}

/* Reflections from one side every 7 ms, which decay by 60 dB in 0.4 s: the sum of those after 80 ms. */
static void late_lateral_sound_has_the_level_of_its_sum(void **state)
{
    struct random r = random_cases("late level");
    static const double front[3] = {1.0, 0.0, 0.0};
    (void)state;
    for (int c = 0; c < case_count(5); c++) {
        struct field f = silent_field();
        struct metrics_settings s = calibrated;
        const double strength = random_log_uniform(&r, 1e-3, 1e3);
        double d[3], late = 0.0;
        direction(d, random_uniform(&r, 0.4, 2.7), random_uniform(&r, -1.0, 1.0));
        s.scale = 1.0 / strength;
        add_wave(&f, ZERO, strength, front);
        for (size_t n = 168; ZERO + n < FRAMES; n += 336) {
            const double level = exp(-6.9 * (double)n / rate / 0.4);
            add_wave(&f, ZERO + n, strength * level, d);
            late += (double)n > 0.08 * rate ? level * level : 0.0;
        }
        const struct metrics m = lateral_of(&f, &s);
        for (size_t i = 4; i < METRICS_OCTAVES; i++)
            assert_within(m.band[i].lg, 10.0 * log10(late) + 20.0 * log10(fabs(d[1]) * 40.0 * M_PI), 0.1);
        free_field(&f);
    }
}

static void what_comes_before_5_ms_or_from_the_median_plane_is_not_lateral(void **state)
{
    static const double front[3] = {1.0, 0.0, 0.0}, left[3] = {0.0, 1.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    struct field f = silent_field();
    (void)state;
    add_wave(&f, ZERO, 1.0, front);
    add_wave(&f, ZERO + 96, 0.5, left); /* 2 ms */
    add_wave(&f, ZERO + 1200, 0.5, up);
    struct metrics m = lateral_of(&f, &calibrated);
    for (size_t i = 5; i < METRICS_OCTAVES; i++)
        assert_within(m.band[i].lf, 0.0, 1e-3);
    add_wave(&f, ZERO + 384, 0.5, left); /* 8 ms */
    m = lateral_of(&f, &calibrated);
    for (size_t i = 5; i < METRICS_OCTAVES; i++)
        assert_within(m.band[i].lf, 0.25 / 1.75, 5e-3);
    static const struct metrics_settings uncalibrated = {.noiseless = true};
    m = lateral_of(&f, &uncalibrated);
    assert_true(isnan(m.band[5].lg) && isnan(m.lg_mean) && isfinite(m.band[5].lf));
    free_field(&f);
}

/* Vertices of an icosahedron: a design for all products of two harmonics of order 1. */
static void vertex(double d[3], int k)
{
    const double long_side = 0.5 * (1.0 + sqrt(5.0)), length = hypot(1.0, long_side);
    const int axis = k / 4;
    d[axis] = 0.0;
    d[(axis + 1) % 3] = (k & 1 ? 1.0 : -1.0) / length;
    d[(axis + 2) % 3] = (k & 2 ? long_side : -long_side) / length;
}

/* Arrivals of equal energy from all sides: LF of what arrives after the direct sound is 1/3. */
static void arrivals_from_all_sides_have_a_lateral_fraction_of_a_third(void **state)
{
    static const double front[3] = {1.0, 0.0, 0.0};
    struct field f = silent_field();
    double d[3];
    (void)state;
    add_wave(&f, ZERO, 1.0, front);
    for (int k = 0; k < 12; k++) {
        vertex(d, k);
        add_wave(&f, ZERO + (size_t)((0.012 + 0.0055 * k) * rate), 1.0, d);
    }
    const struct metrics m = lateral_of(&f, &calibrated);
    for (size_t i = 6; i < METRICS_OCTAVES; i++)
        assert_within(m.band[i].lf, 12.0 / 3.0 / 13.0, 2e-3);
    free_field(&f);
}

/* Steady noise from all sides: 75 of 80 ms count as lateral; LFC is E|p_L p| of two independent normal variables,
 * 2/π σ_L σ. */
static void a_diffuse_field_has_the_lateral_fractions_of_theory(void **state)
{
    struct random r = random_cases("diffuse field");
    enum { CASES = 20 };
    double lf = 0.0, lfc = 0.0;
    if (under_sanitizers())
        skip();
    (void)state;
    for (int c = 0; c < CASES; c++) {
        struct field f = silent_field();
        for (int k = 0; k < 12; k++) {
            double d[3];
            vertex(d, k);
            for (size_t n = ZERO; n < ZERO + 4800; n++)
                add_wave(&f, n, random_normal(&r), d);
        }
        const struct metrics m = lateral_of(&f, &calibrated);
        for (size_t i = 5; i < METRICS_OCTAVES; i++) {
            lf += m.band[i].lf / 3.0 / CASES;
            lfc += m.band[i].lfc / 3.0 / CASES;
        }
        free_field(&f);
    }
    print_message("LF %.4f, LFC %.4f\n", lf, lfc);
    assert_within(lf, 75.0 / 80.0 / 3.0, 0.02); /* 0.003 by chance */
    assert_within(lfc, 75.0 / 80.0 * 2.0 / M_PI / sqrt(3.0), 0.02);
}

static struct metrics ears_of(const double *left, const double *right, size_t frames, double at_rate)
{
    static const struct metrics_settings plain = {0};
    struct metrics m = {.rate = at_rate};
    struct error e;
    for (size_t i = 0; i < METRICS_OCTAVES; i++) {
        m.band[i] = band_octave(i, at_rate, &plain);
        m.band[i].cut = NAN;
    }
    m.band[METRICS_BROAD] = band_broad(at_rate, &plain);
    m.band[METRICS_BROAD].cut = NAN;
    const struct spatial_pair pair = {left, right, frames, at_rate, ZERO / rate};
    assert_int_equal(spatial_measure_ears(&m, &pair, &e), 0);
    return m;
}

static void equal_ears_correlate_wholly_and_independent_ones_hardly(void **state)
{
    struct random r = random_cases("ears");
    double *left = zeros(FRAMES), *right = zeros(FRAMES), *other = zeros(FRAMES);
    (void)state;
    for (size_t n = ZERO; n < FRAMES; n++) {
        left[n] = random_normal(&r);
        other[n] = random_normal(&r);
    }
    struct metrics m = ears_of(left, left, FRAMES, rate);
    for (size_t i = 0; i < METRICS_BANDS; i++) {
        assert_within(m.band[i].iacc, 1.0, 1e-9);
        assert_within(m.band[i].iacc_early, 1.0, 1e-9);
        assert_within(m.band[i].iacc_late, 1.0, 1e-9);
    }
    assert_within(m.iacc_early_mean, 1.0, 1e-9);
    for (size_t n = ZERO; n < FRAMES; n++)
        right[n] = -0.5 * left[n - 24]; /* half a millisecond later, with the other sign */
    m = ears_of(left, right, FRAMES, rate);
    assert_within(m.band[5].iacc, 1.0, 5e-3);
    for (size_t n = ZERO; n < FRAMES; n++)
        right[n] = left[n - 240]; /* 5 ms is beyond any head */
    m = ears_of(left, right, FRAMES, rate);
    assert_true(m.band[METRICS_BROAD].iacc < 0.1 && m.band[6].iacc < 0.2);
    m = ears_of(left, other, FRAMES, rate);
    assert_true(m.band[5].iacc < 0.25 && m.band[METRICS_BROAD].iacc < 0.1);
    for (size_t n = ZERO; n < FRAMES; n++) {
        const double shared = random_normal(&r);
        left[n] = 0.8 * shared + 0.6 * left[n];
        right[n] = 0.8 * shared + 0.6 * other[n];
    }
    m = ears_of(left, right, FRAMES, rate);
    assert_within(m.band[METRICS_BROAD].iacc, 0.64, 0.03);
    free(left);
    free(right);
    free(other);
}

static void early_and_late_correlation_are_told_apart(void **state)
{
    struct random r = random_cases("early and late");
    double *left = zeros(FRAMES), *right = zeros(FRAMES);
    (void)state;
    for (size_t n = ZERO; n < FRAMES; n++) {
        left[n] = random_normal(&r);
        right[n] = n < ZERO + 3840 ? left[n] : random_normal(&r);
    }
    const struct metrics m = ears_of(left, right, FRAMES, rate);
    assert_true(m.band[6].iacc_early > 0.97);
    assert_true(m.band[6].iacc_late < 0.2);
    assert_within(m.band[6].iacc, 3840.0 / (FRAMES - ZERO), 0.06);
    free(left);
    free(right);
}

/* One pulse, band-limited, at a time between samples. */
static void add_pulse(double *x, double at)
{
    const double half = 32.0;
    for (double n = ceil(at - half); n < at + half; n++) {
        const double t = n - at, window = 0.5 + 0.5 * cos(M_PI * t / half);
        x[(size_t)n] += window * (fabs(t) > 1e-9 ? sin(M_PI * t) / (M_PI * t) : 1.0);
    }
}

/* max_τ |∫ G² sin(kd)/(kd) cos(ωτ) df| / ∫ G² df: two points in a diffuse field, G the gain of the octave. */
static double diffuse_coherence(double low, double high, double distance, double at_rate)
{
    enum { STEPS = 1000, LAGS = 50 };
    double largest = 0.0;
    for (int lag = 0; lag <= LAGS; lag++) {
        double sum = 0.0, whole = 0.0;
        for (int k = 1; k < STEPS; k++) {
            const double f = 0.5 * at_rate * k / STEPS, g = band_gain(f, low, high);
            const double kd = 2.0 * M_PI * f * distance / 343.0;
            sum += g * g * sin(kd) / kd * cos(2.0 * M_PI * f * 0.001 * lag / LAGS);
            whole += g * g;
        }
        largest = fmax(largest, fabs(sum) / whole);
    }
    return largest;
}

/* A pulse from each of many directions, uniform on the sphere: cos θ is uniform. */
static void two_points_in_a_diffuse_field_correlate_as_the_sine_of_kd_over_kd(void **state)
{
    enum { WAVES = 240, EVERY = 560, LENGTH = ZERO + WAVES * EVERY + 4800 };
    static const double low_rate = 16000.0;
    (void)state;
    for (int c = 0; c < 3; c++) {
        const double distance = 0.05 + 0.1 * c, reach = 0.5 * distance / 343.0 * low_rate;
        double *left = zeros(LENGTH), *right = zeros(LENGTH);
        for (int k = 0; k < WAVES; k++) {
            const double cosine = (2.0 * (k * 77 % WAVES) + 1.0) / WAVES - 1.0, at = ZERO + EVERY * (k + 0.5);
            add_pulse(left, at - reach * cosine);
            add_pulse(right, at + reach * cosine);
        }
        const struct metrics m = ears_of(left, right, LENGTH, low_rate);
        for (size_t i = 2; i <= 5; i++) {
            const double expected = diffuse_coherence(m.band[i].low, m.band[i].high, distance, low_rate);
            print_message("d %.2f m, %g Hz: IACC %.4f, expected %.4f\n", distance, m.band[i].centre, m.band[i].iacc,
                          expected);
            assert_within(m.band[i].iacc, expected, 0.01);
        }
        free(left);
        free(right);
    }
}

static void means_are_those_of_the_standard(void **state)
{
    struct metrics m = {0};
    (void)state;
    for (size_t i = 0; i < METRICS_BANDS; i++) {
        m.band[i].lf = 0.01 * (double)i;
        m.band[i].lfc = 0.02 * (double)i;
        m.band[i].lg = 3.0 * (double)i;
        m.band[i].iacc_early = 0.1 * (double)i;
    }
    spatial_means(&m);
    assert_within(m.lf_mean, 0.025, 1e-12);
    assert_within(m.lfc_mean, 0.05, 1e-12);
    assert_within(m.lg_mean, 10.0 * log10((pow(10, 0.3) + pow(10, 0.6) + pow(10, 0.9) + pow(10, 1.2)) / 4.0), 1e-12);
    assert_within(m.iacc_early_mean, 0.4, 1e-12);
    m.band[2].lf = m.band[4].iacc_early = NAN;
    spatial_means(&m);
    assert_true(isnan(m.lf_mean) && isfinite(m.lfc_mean) && isnan(m.iacc_early_mean));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane_waves_give_their_lateral_energy),
        cmocka_unit_test(late_lateral_sound_has_the_level_of_its_sum),
        cmocka_unit_test(what_comes_before_5_ms_or_from_the_median_plane_is_not_lateral),
        cmocka_unit_test(arrivals_from_all_sides_have_a_lateral_fraction_of_a_third),
        cmocka_unit_test(a_diffuse_field_has_the_lateral_fractions_of_theory),
        cmocka_unit_test(equal_ears_correlate_wholly_and_independent_ones_hardly),
        cmocka_unit_test(early_and_late_correlation_are_told_apart),
        cmocka_unit_test(two_points_in_a_diffuse_field_correlate_as_the_sine_of_kd_over_kd),
        cmocka_unit_test(means_are_those_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

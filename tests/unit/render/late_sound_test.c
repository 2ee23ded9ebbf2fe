/* SPDX-License-Identifier: MIT */
/* Signals of late sound: their energies by time and band, what they have in common, and where they come from. */
#include "dsp/fourier.h"
#include "render/hybrid/late_directions.h"
#include "render/hybrid/late_noise.h"
#include "render/hybrid/late_sound.h"
#include "support/random_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, rate = 48000.0, speed = 343.2;
static const struct late_sound sound = {.rate = 48000.0, .sound_speed = 343.2, .top = {20000.0, 23000.0}, .seed = 11};

static void assert_near(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", measured, tolerance, expected);
}

/* Octaves whose energy decays with the reverberation times of `time`, s, from `level` on. */
static struct late_histogram decays(size_t receivers, double seconds, const double *time, const double *level)
{
    const struct late_bands bands = late_bands_make(1, 125.0, 20000.0);
    struct late_histogram h;
    assert_int_equal(late_histogram_make(&h, receivers, (size_t)(seconds / LATE_BIN), LATE_BIN, &bands, NULL), 0);
    for (size_t r = 0; r < receivers; r++)
        for (size_t i = 0; i < h.bins; i++)
            for (size_t b = 0; b < bands.count; b++)
                *late_energy(&h, r, i, b) = level[b] * pow(10.0, -6.0 * ((double)i + 0.5) * LATE_BIN / time[b]);
    return h;
}

static const struct late_output at_origin = {.channels = 1};

/* |X|² summed over the positive frequencies from low to high, so that white noise gives what Parseval says: Σ x² of a band
 * is 2/length times it. */
static double band_energy(const double *samples, size_t frames, double low, double high)
{
    size_t length = 4;
    struct fourier tables;
    while (length < frames)
        length *= 2;
    double *re = calloc(length, sizeof *re), *im = re + length / 2, sum = 0.0, value[2];
    assert_int_equal(fourier_make(&tables, length, NULL), 0);
    const struct real_fourier f = real_fourier_of(&tables, length);
    for (size_t i = 0; i < frames; i++)
        (i % 2 ? im : re)[i / 2] = samples[i];
    real_fourier_forward(&f, re, im);
    for (size_t k = (size_t)(low / rate * (double)length); k < (size_t)(high / rate * (double)length); k++) {
        real_fourier_bin(&f, re, im, k, value);
        sum += value[0] * value[0] + value[1] * value[1];
    }
    fourier_free(&tables);
    free(re);
    return 2.0 * sum / (double)length;
}

static void every_band_has_the_energy_of_the_histogram(void **state)
{
    (void)state;
    const double time[8] = {1.2, 1.2, 1.0, 1.0, 0.8, 0.6, 0.5, 0.3};
    const double level[8] = {1.0, 1.0, 0.5, 0.5, 0.5, 0.4, 0.4, 0.2};
    struct late_histogram h = decays(1, 1.0, time, level);
    const size_t frames = 48000;
    double *out = malloc(frames * sizeof *out);
    assert_int_equal(late_sound_make(out, frames, &sound, &h, &at_origin, NULL), 0);
    assert_int_equal(h.bands.count, 8);
    for (size_t b = 1; b < 7; b++) { /* inside its filter's flat part, where the neighbours have no share */
        const double low = h.bands.lower[b] * exp2(0.25), high = h.bands.upper[b] * exp2(-0.25);
        const double expected = late_energy_from(&h, 0, b, 0) * 2.0 * (high - low) / rate;
        /* what is let through of it by chance: a standard deviation of about 1/√(T30/6.9 bandwidth) */
        const double chance = 10.0 / log(10.0) / sqrt(time[b] / 13.8 * (high - low));
        assert_near(10.0 * log10(band_energy(out, frames, low, high) / expected), 0.0, 3.0 * chance);
    }
    const double end = band_energy(out, frames, 22700.0, 24000.0) / 1300.0;
    assert_true(10.0 * log10(end / (band_energy(out, frames, 14000.0, 18000.0) / 4000.0)) <= -26.0);
    free(out);
    late_histogram_free(&h);
}

/* One band alone: its signal has the histogram's energy in each of its windows. */
static void a_band_has_its_energy_in_every_window(void **state)
{
    (void)state;
    const size_t frames = 48000;
    double *out = malloc(frames * sizeof *out);
    for (size_t band = 3; band < 8; band++) {
        double level[8] = {0.0}, time[8] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, worst = 0.0, all = 0.0, sum = 0.0;
        level[band] = 1.0;
        struct late_histogram h = decays(1, 1.0, time, level);
        assert_int_equal(late_sound_make(out, frames, &sound, &h, &at_origin, NULL), 0);
        const size_t window = (size_t)ceil(8.0 / (h.bands.upper[band] - h.bands.lower[band]) / LATE_BIN);
        for (size_t first = 0; first + window <= 450; first += window) {
            double energy = 0.0, expected = 0.0;
            for (size_t i = 96 * first; i < 96 * (first + window); i++)
                energy += out[i] * out[i];
            for (size_t i = first; i < first + window; i++)
                expected += *late_energy(&h, 0, i, band);
            sum += energy;
            all += expected;
            worst = first ? fmax(worst, fabs(log(energy / expected) - log(sum / all))) : 0.0;
        }
        assert_true(worst <= 0.4);
        late_histogram_free(&h);
    }
    free(out);
}

/* Clarity and reverberation time of a response's band, by its own energies, are those of the histogram. */
static void clarity_and_decay_are_those_of_the_histogram(void **state)
{
    (void)state;
    const size_t frames = 96000, band = 4;
    double level[8] = {0.0}, time[8] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5};
    level[band] = 1.0;
    struct late_histogram h = decays(1, 2.0, time, level), again = decays(1, 2.0, time, level);
    double *out = malloc(frames * sizeof *out);
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct late_sound other = sound;
        other.seed = seed;
        assert_int_equal(late_sound_make(out, frames, &other, &h, &at_origin, NULL), 0);
        for (size_t i = 0; i < again.bins; i++) {
            *late_energy(&again, 0, i, band) = 0.0;
            for (size_t n = 96 * i; n < 96 * (i + 1); n++)
                *late_energy(&again, 0, i, band) += out[n] * out[n];
        }
        const double early = late_energy_from(&h, 0, band, 0) / late_energy_from(&h, 0, band, 40);
        const double early_again = late_energy_from(&again, 0, band, 0) / late_energy_from(&again, 0, band, 40);
        assert_near(10.0 * log10((early_again - 1.0) / (early - 1.0)), 0.0, 0.25);
        assert_near(late_reverberation(&again, 0, band, 30.0) / late_reverberation(&h, 0, band, 30.0), 1.0, 0.01);
    }
    free(out);
    late_histogram_free(&h);
    late_histogram_free(&again);
}

/* Rays are counted in spheres and in bins of 2 ms, both of which begin before the direct sound arrives. */
static void late_sound_does_not_precede_the_direct_sound(void **state)
{
    (void)state;
    const size_t frames = 48000;
    double level[8] = {0.0}, time[8] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    double *out = malloc(frames * sizeof *out);
    struct random r = random_cases(__func__);
    level[6] = 1.0; /* 8 kHz, whose filter rings briefly */
    for (int c = 0; c < 6; c++) {
        struct late_histogram h = decays(1, 1.0, time, level);
        const struct late_output outlet = {.channels = 1, .earliest = random_uniform(&r, 0.004, 0.03)};
        const double all = late_energy_from(&h, 0, 6, 0);
        const size_t ringing = 48, arrival = (size_t)(outlet.earliest * rate);
        double before = 0.0, sum = 0.0;
        late_hold_back(&h, 0, outlet.earliest);
        assert_near(late_energy_from(&h, 0, 6, 0) / all, 1.0, 1e-9);
        assert_int_equal(late_sound_make(out, frames, &sound, &h, &outlet, NULL), 0);
        for (size_t i = 0; i < frames; i++) {
            before += i + ringing < arrival ? out[i] * out[i] : 0.0;
            sum += out[i] * out[i];
        }
        assert_true(sum > 0.0);
        assert_near(before / sum, 0.0, 1e-5);
        late_histogram_free(&h);
    }
    free(out);
}

static void a_loud_low_band_leaves_faint_high_bands_alone(void **state)
{
    (void)state;
    const double level[8] = {1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0},
                 time[8] = {0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4};
    struct late_histogram h = decays(1, 0.8, time, level);
    const size_t frames = 48000;
    double *out = malloc(frames * sizeof *out);
    struct random r = random_cases(__func__);
    for (size_t i = 0; i < h.bins; i++) /* rays are few: energies jump */
        for (size_t b = 0; b < 5; b++)
            *late_energy(&h, 0, i, b) *= i < 50 ? 0.0 : random_uniform(&r, 0.0, 2.0); /* filters ring before 0.1 s */
    assert_int_equal(late_sound_make(out, frames, &sound, &h, &at_origin, NULL), 0);
    const double low = band_energy(out, frames, 500.0, 2000.0) / 1500.0,
                 high = band_energy(out, frames, 4000.0, 16000.0) / 12000.0;
    assert_true(10.0 * log10(high / low) <= -70.0);
    free(out);
    late_histogram_free(&h);
}

static void receivers_hear_as_much_in_common_as_a_diffuse_field_has(void **state)
{
    (void)state;
    enum { FRAMES = 1 << 17, RECEIVERS = 4 };
    const double positions[RECEIVERS][3] = {{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.3, 0.0}, {5.0, 1.0, 0.0}};
    double *noise = malloc(RECEIVERS * FRAMES * sizeof *noise);
    struct fourier tables;
    double worst = 0.0;
    assert_int_equal(late_noise_make(noise, RECEIVERS, FRAMES, rate, positions, NULL, speed, 5, NULL), 0);
    assert_int_equal(fourier_make(&tables, FRAMES, NULL), 0);
    const struct real_fourier f = real_fourier_of(&tables, FRAMES);
    double *parts = malloc(RECEIVERS * FRAMES * sizeof *parts);
    for (size_t r = 0; r < RECEIVERS; r++) {
        double sum = 0.0;
        for (size_t i = 0; i < FRAMES; i++) {
            parts[r * FRAMES + i % 2 * FRAMES / 2 + i / 2] = noise[r * FRAMES + i];
            sum += noise[r * FRAMES + i] * noise[r * FRAMES + i];
        }
        assert_near(sum / FRAMES, 1.0, 0.02);
        real_fourier_forward(&f, parts + r * FRAMES, parts + r * FRAMES + FRAMES / 2);
    }
    for (size_t a = 0; a < RECEIVERS; a++)
        for (size_t b = a + 1; b < RECEIVERS; b++)
            for (double frequency = 150.0; frequency < 20000.0; frequency *= 1.3) {
                double cross = 0.0, own[2] = {0.0, 0.0}, expected = 0.0, count = 0.0, d = 0.0, one[2], other[2];
                for (int k = 0; k < 3; k++)
                    d += pow(positions[a][k] - positions[b][k], 2.0);
                d = sqrt(d);
                if (d > 2.0 && frequency < 300.0)
                    continue;
                for (size_t k = (size_t)(frequency / rate * FRAMES); k < (size_t)(frequency * 1.3 / rate * FRAMES);
                     k++) {
                    const double kd = 2.0 * pi * (double)k * rate / FRAMES / speed * d;
                    real_fourier_bin(&f, parts + a * FRAMES, parts + a * FRAMES + FRAMES / 2, k, one);
                    real_fourier_bin(&f, parts + b * FRAMES, parts + b * FRAMES + FRAMES / 2, k, other);
                    cross += one[0] * other[0] + one[1] * other[1];
                    own[0] += one[0] * one[0] + one[1] * one[1];
                    own[1] += other[0] * other[0] + other[1] * other[1];
                    expected += sin(kd) / kd;
                    count += 1.0;
                }
                worst = fmax(worst, fabs(cross / sqrt(own[0] * own[1]) - expected / count) * sqrt(count));
            }
    assert_true(worst <= 4.0); /* standard deviations of chance */
    fourier_free(&tables);
    free(parts);
    free(noise);
}

static void a_field_that_is_not_of_full_rank_is_mixed_all_the_same(void **state)
{
    (void)state;
    double matrix[9] = {1.0, 1.0, 0.5, 1.0, 1.0, 0.5, 0.5, 0.5, 1.0}, given[9];
    memcpy(given, matrix, sizeof given);
    late_cholesky(matrix, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (int m = 0; m < 3; m++)
                sum += matrix[3 * i + m] * matrix[3 * k + m];
            assert_near(sum, given[3 * i + k], 1e-12);
        }
}

static void directions_have_the_mean_of_the_histogram(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 12; i++) {
        const double length = i == 0 ? 0.0 : i == 1 ? 0.97 : random_uniform(&r, 0.0, 0.95);
        const double z = random_uniform(&r, -1.0, 1.0), angle = random_uniform(&r, 0.0, 6.0), out = sqrt(1.0 - z * z);
        const double mean[3] = {length * out * cos(angle), length * out * sin(angle), length * z};
        const struct late_spread spread = late_spread_of(mean);
        double sum[3] = {0.0, 0.0, 0.0}, square = 0.0, d[3];
        const int count = 40000;
        for (int n = 0; n < count; n++) {
            late_spread_draw(d, &spread, &r);
            square = fmax(square, fabs(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1.0));
            for (int k = 0; k < 3; k++)
                sum[k] += d[k] / count;
        }
        assert_true(square <= 1e-12);
        for (int k = 0; k < 3; k++)
            assert_near(sum[k], mean[k], 0.015);
    }
}

/* The pressure, and the three figures of eight along x, y and z. */
static void first_order(const void *context, double *gains, const double direction[3])
{
    (void)context;
    gains[0] = 1.0;
    for (int k = 0; k < 3; k++)
        gains[1 + k] = direction[k];
}

static void channels_of_direction_have_the_energies_and_signs_of_their_patterns(void **state)
{
    (void)state;
    const double level[8] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
                 time[8] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const struct late_output outlet = {.channels = 4, .gains = first_order};
    const size_t frames = 48000;
    double *out = malloc(4 * frames * sizeof *out), products[4] = {0.0}, squares[4] = {0.0};
    struct late_histogram h = decays(1, 1.0, time, level);
    for (size_t i = 0; i < h.bins; i++)
        for (size_t b = 0; b < h.bands.count; b++)
            late_energy(&h, 0, i, b)[2] = 0.5 * *late_energy(&h, 0, i, b); /* from the left, y, more than not */
    assert_int_equal(late_sound_make(out, frames, &sound, &h, &outlet, NULL), 0);
    for (size_t c = 0; c < 4; c++)
        for (size_t i = 0; i < frames; i++) {
            squares[c] += out[c * frames + i] * out[c * frames + i];
            products[c] += out[c * frames + i] * out[i];
        }
    const double expected = late_energy_from(&h, 0, 4, 0) * 2.0 * 13000.0 / rate;
    assert_near(10.0 * log10(band_energy(out, frames, 1000.0, 14000.0) / expected), 0.0, 0.1);
    assert_near(products[2] / squares[0], 0.5, 0.05);
    assert_near(products[1] / squares[0], 0.0, 0.05);
    assert_near(products[3] / squares[0], 0.0, 0.05);
    assert_near((squares[1] + squares[2] + squares[3]) / squares[0], 1.0, 0.06);
    assert_true(squares[2] > squares[1] && squares[2] > squares[3]);
    free(out);
    late_histogram_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_band_has_the_energy_of_the_histogram),
        cmocka_unit_test(a_band_has_its_energy_in_every_window),
        cmocka_unit_test(clarity_and_decay_are_those_of_the_histogram),
        cmocka_unit_test(late_sound_does_not_precede_the_direct_sound),
        cmocka_unit_test(a_loud_low_band_leaves_faint_high_bands_alone),
        cmocka_unit_test(receivers_hear_as_much_in_common_as_a_diffuse_field_has),
        cmocka_unit_test(a_field_that_is_not_of_full_rank_is_mixed_all_the_same),
        cmocka_unit_test(directions_have_the_mean_of_the_histogram),
        cmocka_unit_test(channels_of_direction_have_the_energies_and_signs_of_their_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Signals of image sources, and how they are joined with waves. */
#include <complex.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/space/harmonics.h"
#include "render/hybrid/crossover.h"
#include "render/hybrid/path_sound.h"
#include "render/hybrid/path_walls.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

enum { FRAMES = 8192 };
static const double rate = 48000.0, speed = 343.2;
static const struct path_source omni = {NULL, NULL, 1.0};
static const struct path_receiver pressure = {.channels = 1};

static struct path_sound make_sound(double low, size_t materials)
{
    const struct path_settings settings = {
        .rate = rate, .sound_speed = speed, .low = low, .top = {20000.0, 24000.0}, .material_count = materials};
    struct path_sound sound;
    assert_int_equal(path_sound_make(&sound, &settings, NULL), 0);
    return sound;
}

static double complex spectrum_at(const double *samples, double frequency)
{
    double complex sum = 0.0;
    for (int n = 0; n < FRAMES; n++)
        sum += samples[n] * cexp(-2.0 * I * M_PI * frequency / rate * n);
    return sum;
}

static void the_direct_sound_has_its_level_and_delay_between_samples(void **state)
{
    (void)state;
    struct random random = random_cases("direct sound");
    struct path_sound sound = make_sound(0.0, 0);
    double *out = malloc(FRAMES * sizeof *out);
    for (int i = 0; i < case_count(20); i++) {
        const double distance = random_uniform(&random, 3.0, 40.0);
        struct image_path path = {.distance = distance};
        const struct image_paths paths = {&path, 1, 1};
        memset(out, 0, FRAMES * sizeof *out);
        assert_int_equal(path_sound_add(out, FRAMES, &sound, &paths, &omni, &pressure, NULL), 0);
        for (double f = 50.0; f < 18000.0; f *= 1.7) {
            const double complex exact = cexp(-2.0 * I * M_PI * f * distance / speed) / (4.0 * M_PI * distance);
            assert_within(cabs(spectrum_at(out, f) / exact - 1.0), 0.0, 1e-4);
        }
    }
    free(out);
    path_sound_free(&sound);
}

static void a_reflection_has_the_factors_of_its_walls(void **state)
{
    (void)state;
    struct path_sound sound = make_sound(400.0, 3);
    double *out = calloc(FRAMES, sizeof *out);
    for (size_t k = 0; k < sound.bins; k++) { /* a resonator at 2 kHz, and a wall that scatters */
        const double x = k ? sound.frequency[k] / 2000.0 : 1e-9;
        sound.materials[0].admittance[k] = 0.4 / (1.0 + 2.0 * I * (x - 1.0 / x));
        sound.materials[1].admittance[k] = 0.05;
        sound.materials[1].mirrored[k] = 0.9;
    }
    sound.materials[2].fixed = true;
    struct image_path path = {
        .distance = 9.87,
        .order = 4,
        .wall_count = 3,
        .walls = {{0, 1, 0.5, {1.0, 0.0, 0.0}}, {1, 2, 0.15, {0.0, 1.0, 0.0}}, {2, 1, 0.3, {0.0, 0.6, 0.8}}}};
    const struct image_paths paths = {&path, 1, 1};
    assert_int_equal(path_sound_add(out, FRAMES, &sound, &paths, &omni, &pressure, NULL), 0);
    for (double f = 800.0; f < 18000.0; f *= 1.3) { /* the bend at `low` lets filters ring */
        const double kr = 2.0 * M_PI * f / speed * path.distance, x = f / 2000.0;
        const double complex y = 0.4 / (1.0 + 2.0 * I * (x - 1.0 / x));
        const double complex all[3] = {y, 0.05, 0.0};
        const double complex exact =
            -0.81 * path_walls_factor(&path, all, kr) * cexp(-I * kr) / (4.0 * M_PI * path.distance);
        assert_within(cabs(spectrum_at(out, f) - exact) * 4.0 * M_PI * path.distance, 0.0, 2e-3);
    }
    free(out);
    path_sound_free(&sound);
}

static void field_gains(const void *context, double *gain, const double direction[3])
{
    double values[HARMONICS_MAX];
    const int order = *(const int *)context;
    harmonics_at(values, order, direction);
    for (size_t c = 0; c < harmonics_count(order); c++)
        gain[c * (size_t)(order + 1) + (size_t)harmonics_order_of(c)] = values[c];
}

/* Far above the integrators' corners and the near field. */
static void a_field_has_its_harmonics(void **state)
{
    (void)state;
    enum { ORDER = 3, CHANNELS = 16 };
    const int order = ORDER;
    struct path_sound sound = make_sound(400.0, 0);
    double *out = calloc(CHANNELS * FRAMES, sizeof *out), expected[HARMONICS_MAX];
    const struct path_receiver field = {.channels = CHANNELS,
                                        .order = ORDER,
                                        .integrator = {INTEGRATOR_PLANE, 1.5, speed},
                                        .gains = field_gains,
                                        .context = &order};
    struct image_path path = {.distance = 30.0, .arrival = {0.48, -0.6, 0.64}};
    const struct image_paths paths = {&path, 1, 1};
    assert_int_equal(path_sound_add(out, FRAMES, &sound, &paths, &omni, &field, NULL), 0);
    harmonics_at(expected, ORDER, path.arrival);
    for (int c = 0; c < CHANNELS; c++)
        for (double f = 4000.0; f < 18000.0; f *= 1.5) {
            const double complex exact = cexp(-2.0 * I * M_PI * f * 30.0 / speed) / (4.0 * M_PI * 30.0);
            assert_within(cabs(spectrum_at(out + c * FRAMES, f) / exact - expected[c]), 0.0, 5e-3);
        }
    free(out);
    path_sound_free(&sound);
}

/* θ_n(jkr)/r^n times the integrator's response; at the integrator's own distance exactly 1. */
static void a_near_source_at_the_integrators_distance_is_flat(void **state)
{
    (void)state;
    const int order = 1;
    struct path_sound sound = make_sound(200.0, 0);
    double *out = calloc(4 * FRAMES, sizeof *out);
    const struct path_receiver field = {.channels = 4,
                                        .order = 1,
                                        .integrator = {INTEGRATOR_NEAR_FIELD, 4.0, speed},
                                        .gains = field_gains,
                                        .context = &order};
    struct image_path path = {.distance = 4.0, .arrival = {1.0, 0.0, 0.0}};
    const struct image_paths paths = {&path, 1, 1};
    assert_int_equal(path_sound_add(out, FRAMES, &sound, &paths, &omni, &field, NULL), 0);
    for (double f = 250.0; f < 18000.0; f *= 1.5) {
        assert_within(cabs(spectrum_at(out + 3 * FRAMES, f) / spectrum_at(out, f) - 1.0), 0.0, 1e-4);
        assert_within(cabs(spectrum_at(out + 1 * FRAMES, f) / spectrum_at(out, f)), 0.0, 1e-9);
    }
    free(out);
    path_sound_free(&sound);
}

static void signals_have_the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    const struct image_box box = {{4.0, 3.0, 2.5}, {0, 0, 0, 0, 0, 0}};
    const double source[3] = {1.0, 1.0, 1.0}, receiver[3] = {3.0, 2.0, 1.5};
    struct path_sound sound = make_sound(1000.0, 1);
    struct image_paths paths = {0};
    double *out = calloc(2 * FRAMES, sizeof *out);
    for (size_t k = 0; k < sound.bins; k++)
        sound.materials[0].admittance[k] = 0.1;
    assert_int_equal(box_images_find(&paths, &box, source, receiver, 4, INFINITY, NULL), 0);
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i ? 3 : 1);
        assert_int_equal(path_sound_add(out + i * FRAMES, FRAMES, &sound, &paths, &omni, &pressure, NULL), 0);
    }
    assert_memory_equal(out, out + FRAMES, FRAMES * sizeof *out);
    image_paths_free(&paths);
    free(out);
    path_sound_free(&sound);
}

static void waves_and_images_add_to_what_they_were(void **state)
{
    (void)state;
    struct random random = random_cases("crossover");
    double *waves = malloc(2 * FRAMES * sizeof *waves), *images = malloc(2 * FRAMES * sizeof *images);
    double *both = malloc(2 * FRAMES * sizeof *both);
    for (int n = 0; n < 2 * FRAMES; n++)
        waves[n] = images[n] = both[n] = random_normal(&random);
    assert_int_equal(crossover_apply(CROSSOVER_WAVES, 1800.0, waves, 2, FRAMES, rate, NULL), 0);
    assert_int_equal(crossover_apply(CROSSOVER_IMAGES, 1800.0, images, 2, FRAMES, rate, NULL), 0);
    for (int n = 0; n < 2 * FRAMES; n++)
        assert_within(waves[n] + images[n], both[n], 1e-11);
    free(waves);
    free(images);
    free(both);
}

static void the_energy_of_what_is_incoherent_is_kept(void **state)
{
    (void)state;
    const double edge = 1000.0;
    for (double f = 600.0; f < 1100.0; f += 7.0) {
        const double low = crossover_gain(CROSSOVER_WAVES, edge, f), late = crossover_gain(CROSSOVER_LATE, edge, f);
        assert_within(low * low + late * late, 1.0, 1e-12);
    }
    assert_within(crossover_gain(CROSSOVER_WAVES, edge, CROSSOVER_LOW * edge), 1.0, 1e-12);
    assert_within(crossover_gain(CROSSOVER_WAVES, edge, edge), 0.0, 0.0);
    assert_within(crossover_gain(CROSSOVER_LATE, edge, 500.0), 0.0, 0.0);
    assert_within(crossover_gain(CROSSOVER_LATE, edge, 2000.0), 1.0, 0.0);
}

/* No delay, the same before as after, and gone within a few periods. */
static void the_crossover_rings_alike_before_and_after(void **state)
{
    (void)state;
    static const enum crossover_part parts[] = {CROSSOVER_WAVES, CROSSOVER_IMAGES, CROSSOVER_LATE};
    const double edge = 1000.0;
    double *impulse = malloc(FRAMES * sizeof *impulse);
    for (int p = 0; p < 3; p++) {
        memset(impulse, 0, FRAMES * sizeof *impulse);
        impulse[FRAMES / 2] = 1.0;
        assert_int_equal(crossover_apply(parts[p], edge, impulse, 1, FRAMES, rate, NULL), 0);
        for (int n = 1; n < FRAMES / 2; n++) {
            assert_within(impulse[FRAMES / 2 - n], impulse[FRAMES / 2 + n], 1e-14);
            if (n > 30.0 * rate / edge)
                assert_within(impulse[FRAMES / 2 + n], 0.0, 1e-5);
        }
    }
    free(impulse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_direct_sound_has_its_level_and_delay_between_samples),
        cmocka_unit_test(a_reflection_has_the_factors_of_its_walls),
        cmocka_unit_test(a_field_has_its_harmonics),
        cmocka_unit_test(a_near_source_at_the_integrators_distance_is_flat),
        cmocka_unit_test(signals_have_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(waves_and_images_add_to_what_they_were),
        cmocka_unit_test(the_energy_of_what_is_incoherent_is_kept),
        cmocka_unit_test(the_crossover_rings_alike_before_and_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

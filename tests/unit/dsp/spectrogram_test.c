/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/spectrogram.h"
#include "io/drawing/colour_map.h"
#include "support/random_cases.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

enum { FRAMES = 24000, COLUMNS = 40, ROWS = 60 };
static const double RATE = 16000.0;
static struct random chance;
static double sound[FRAMES], level[ROWS * COLUMNS];

static double between(double low, double high)
{
    return low + (high - low) * random_unit(&chance);
}

static struct spectrogram_settings settings(bool logarithmic)
{
    return (struct spectrogram_settings){.columns = COLUMNS,
                                         .rows = ROWS,
                                         .lowest = logarithmic ? 100.0 : 0.0,
                                         .highest = 4000.0,
                                         .logarithmic = logarithmic,
                                         .window = 0.05};
}

static void make(bool logarithmic)
{
    const struct spectrogram_settings s = settings(logarithmic);
    struct error e;
    assert_int_equal(spectrogram_make(level, &s, sound, FRAMES, RATE, &e), 0);
}

/* The row that a frequency falls into. */
static size_t row_of(bool logarithmic, double f)
{
    const double share = logarithmic ? log(f / 100.0) / log(40.0) : f / 4000.0;
    return ROWS - 1 - (size_t)(share * ROWS);
}

static size_t loudest_row(size_t column)
{
    size_t max = 0;
    for (size_t row = 1; row < ROWS; row++)
        if (level[row * COLUMNS + column] > level[max * COLUMNS + column])
            max = row;
    return max;
}

static void a_sine_stands_in_its_row_with_its_level(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        const bool logarithmic = round % 2;
        const double amplitude = pow(10.0, between(-4.0, 3.0)), phase = between(0.0, 6.28);
        const size_t row = (size_t)between(2.0, ROWS - 2.0);
        /* the middle of a row, so that there is no doubt about which one it is */
        const double share = (ROWS - 1 - (double)row + 0.5) / ROWS,
                     f = logarithmic ? 100.0 * pow(40.0, share) : share * 4000.0;
        for (size_t n = 0; n < FRAMES; n++)
            sound[n] = amplitude * sin(2.0 * M_PI * f * (double)n / RATE + phase);
        make(logarithmic);
        assert_int_equal(row_of(logarithmic, f), row);
        for (size_t column = 3; column < COLUMNS - 3; column++) {
            assert_within(level[row * COLUMNS + column], 20.0 * log10(amplitude), f > 300.0 ? 0.1 : 1.0);
            assert_true(f < 300.0 || loudest_row(column) == row);
        }
        assert_within(spectrogram_peak(level, ROWS * COLUMNS), 20.0 * log10(amplitude), 0.11);
    }
}

static void a_tone_that_starts_late_is_silent_before(void **state)
{
    const double f = between(500.0, 3500.0);
    (void)state;
    memset(sound, 0, sizeof sound);
    for (size_t n = FRAMES / 2; n < FRAMES; n++)
        sound[n] = sin(2.0 * M_PI * f * (double)n / RATE);
    make(false);
    const size_t row = row_of(false, f);
    assert_within(level[row * COLUMNS + 30], 0.0, 1.5);
    assert_true(level[row * COLUMNS + 10] == -INFINITY);
    assert_true(level[(row > ROWS / 2 ? row - 15 : row + 15) * COLUMNS + 30] < -40.0);
}

static void a_chirp_moves(void **state)
{
    const double seconds = FRAMES / RATE;
    (void)state;
    for (int logarithmic = 0; logarithmic < 2; logarithmic++) {
        for (size_t n = 0; n < FRAMES; n++) { /* from 400 to 3600 Hz, evenly in time */
            const double t = (double)n / RATE;
            sound[n] = sin(2.0 * M_PI * (400.0 * t + 1600.0 * t * t / seconds));
        }
        make(logarithmic);
        for (size_t column = 4; column < COLUMNS - 4; column++) {
            const double f = 400.0 + 3200.0 * ((double)column + 0.5) / COLUMNS;
            assert_within((double)loudest_row(column), (double)row_of(logarithmic, f), 1.0);
        }
    }
}

static void beyond_the_samples_and_half_the_rate_is_silence(void **state)
{
    const struct spectrogram_settings s = {.columns = 4, .rows = 10, .highest = 2.0 * RATE, .window = 0.01};
    struct error e;
    (void)state;
    for (size_t n = 0; n < FRAMES; n++)
        sound[n] = between(-1.0, 1.0);
    assert_int_equal(spectrogram_make(level, &s, sound, FRAMES, RATE, &e), 0);
    for (size_t row = 0; row < 7; row++)
        for (size_t column = 0; column < 4; column++)
            assert_true(level[row * 4 + column] == -INFINITY);
    assert_true(level[9 * 4 + 1] > -60.0);
    assert_int_equal(spectrogram_make(level, &s, sound, 0, RATE, &e), 0);
    assert_true(spectrogram_peak(level, 40) == -INFINITY);
}

static void colours_grow_lighter(void **state)
{
    double before = -1.0;
    (void)state;
    for (int i = 0; i <= 100; i++) {
        const uint32_t c = map_colour(i / 100.0);
        const double light = 0.2126 * (c >> 16) + 0.7152 * (c >> 8 & 255) + 0.0722 * (c & 255);
        assert_true(light > before);
        before = light;
    }
    assert_int_equal(map_colour(-3.0), map_colour(0.0));
    assert_int_equal(map_colour(NAN), map_colour(0.0));
    assert_int_equal(map_colour(7.0), map_colour(1.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_stands_in_its_row_with_its_level),
        cmocka_unit_test(a_tone_that_starts_late_is_silent_before),
        cmocka_unit_test(a_chirp_moves),
        cmocka_unit_test(beyond_the_samples_and_half_the_rate_is_silence),
        cmocka_unit_test(colours_grow_lighter),
    };
    chance = random_cases("spectrogram");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

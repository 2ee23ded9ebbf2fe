/* SPDX-License-Identifier: MIT */
/* First arrivals of fields that are made of known ones, and their polar plots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/measure/arrivals.h"
#include "dsp/space/harmonics.h"
#include "io/text_stream.h"
#include "present/report/arrivals_plot.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

#include "support/within.h"

enum { FRAMES = 12000, CHANNELS = 4 };
static const double rate = 48000.0, high = 4000.0, start = 0.05; /* s: the direct sound */

/* A field of order 1, as recording_read gives it. */
static struct recording silent_field(void)
{
    return (struct recording){
        .audio = {.samples = zeros(CHANNELS * FRAMES), .channels = 1, .frames = FRAMES, .rate = rate},
        .space = {.field_channels = CHANNELS},
        .valid_high = high};
}

/* A pulse of the valid band, at a time between samples. */
static void add_wave(struct recording *r, double time, double level, const double d[3])
{
    double harmonics[CHANNELS];
    harmonics_at(harmonics, 1, d);
    for (int n = (int)(time * rate) - 200; n < (int)(time * rate) + 200; n++) {
        const double t = (double)n / rate - time, x = 2.0 * M_PI * high * t,
                     window = 0.5 + 0.5 * cos(M_PI * t * rate / 202.0);
        const double sample = level * window * (fabs(x) > 1e-9 ? sin(x) / x : 1.0);
        for (size_t c = 0; c < CHANNELS; c++)
            r->audio.samples[c * FRAMES + (size_t)n] += harmonics[c] * sample;
    }
}

static void random_direction(double d[3], struct random *r)
{
    const double z = random_uniform(r, -1.0, 1.0), azimuth = random_uniform(r, 0.0, 2.0 * M_PI),
                 across = sqrt(1.0 - z * z);
    d[0] = across * cos(azimuth);
    d[1] = across * sin(azimuth);
    d[2] = z;
}

static void arrivals_are_found_with_time_level_and_direction(void **state)
{
    struct random r = random_cases("arrivals");
    (void)state;
    for (int c = 0; c < case_count(20); c++) {
        enum { COUNT = 9 };
        struct recording field = silent_field();
        double time[COUNT], level[COUNT], d[COUNT][3], worst = 0.0;
        struct arrivals found;
        struct error e;
        for (size_t i = 0; i < COUNT; i++) {
            time[i] = i ? time[i - 1] + random_uniform(&r, 0.004, 0.009) : start;
            level[i] = i ? random_uniform(&r, -12.0, 0.0) : 0.0;
            random_direction(d[i], &r);
            add_wave(&field, time[i], 0.01 * pow(10.0, 0.05 * level[i]), d[i]);
        }
        assert_int_equal(arrivals_find(&found, &field, start, &e), 0);
        assert_int_equal(found.count, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            double along = 0.0;
            for (int k = 0; k < 3; k++)
                along += d[i][k] * found.at[i].direction[k];
            assert_within(found.at[i].time, time[i] - start, 3e-5);
            assert_within(found.at[i].level, level[i], 0.6);
            worst = fmax(worst, acos(fmin(along, 1.0)) * 180.0 / M_PI);
        }
        print_message("off by %.2f degrees at most\n", worst);
        assert_true(worst <= 2.0);
        free(field.audio.samples);
    }
}

static void angles_are_to_the_left_and_up(void **state)
{
    static const struct arrival left = {.direction = {0.0, 1.0, 0.0}}, below = {.direction = {0.0, 0.0, -1.0}};
    (void)state;
    assert_within(arrival_azimuth(&left), 90.0, 1e-12);
    assert_within(arrival_elevation(&left), 0.0, 1e-12);
    assert_within(arrival_elevation(&below), -90.0, 1e-12);
}

static void the_loudest_are_kept_where_there_are_too_many(void **state)
{
    struct recording field = silent_field();
    static const double front[3] = {1.0, 0.0, 0.0};
    struct arrivals found;
    struct error e;
    (void)state;
    for (int i = 0; i < 24; i++) /* every third is soft */
        add_wave(&field, start + 0.003 * i, i % 3 == 1 ? 0.1 : 1.0, front);
    assert_int_equal(arrivals_find(&found, &field, start, &e), 0);
    assert_int_equal(found.count, ARRIVALS_MAX);
    for (size_t i = 0; i < found.count; i++) {
        assert_within(found.at[i].level, 0.0, 0.5);
        assert_true(i == 0 || found.at[i].time > found.at[i - 1].time);
    }
    free(field.audio.samples);
}

static void what_has_no_direction_is_no_arrival(void **state)
{
    struct recording field = silent_field();
    static const double front[3] = {1.0, 0.0, 0.0}, left[3] = {0.0, 1.0, 0.0}, right[3] = {0.0, -1.0, 0.0};
    struct arrivals found;
    struct error e;
    (void)state;
    assert_int_equal(arrivals_find(&found, &field, start, &e), 0); /* silence */
    assert_int_equal(found.count, 0);
    assert_int_equal(arrivals_find(&found, &field, NAN, &e), 0);
    assert_int_equal(found.count, 0);
    add_wave(&field, start, 1.0, front);
    add_wave(&field, start + 0.01, 0.5, left);
    add_wave(&field, start + 0.01, 0.5, right);
    assert_int_equal(arrivals_find(&found, &field, start, &e), 0);
    assert_int_equal(found.count, 1);
    field.space.field_channels = 0;
    assert_int_equal(arrivals_find(&found, &field, start, &e), 0);
    assert_int_equal(found.count, 0);
    free(field.audio.samples);
}

/* Places and sizes of the words in a drawing. */
struct word {
    double x0, x1, y0, y1;
};

static size_t words_of(struct word *words, size_t max, const char *svg)
{
    size_t count = 0;
    for (const char *at = svg; (at = strstr(at, "<text")) != NULL && count < max; at++) {
        const char *x = strstr(at, "x=\""), *y = strstr(at, "y=\""), *end = strchr(at, '>'), *tag = strchr(end, '<');
        size_t letters = 0;
        for (const char *c = end + 1; c < tag; c++)
            letters += (*c & 0xc0) != 0x80; /* UTF-8 */
        const double width = 5.5 * (double)letters, place = strtod(x + 3, NULL), base = strtod(y + 3, NULL);
        const char *anchor = strstr(at, "text-anchor=\"");
        const char kind = anchor && anchor < end ? anchor[13] : 's';
        const double left = kind == 'm' ? place - 0.5 * width : kind == 'e' ? place - width : place;
        words[count++] = (struct word){left, left + width, base - 8.0, base};
    }
    return count;
}

static void no_words_of_polar_plots_overlap(void **state)
{
    struct random r = random_cases("polar plots");
    (void)state;
    for (int c = 0; c < case_count(100); c++) {
        struct arrivals a = {.count = ARRIVALS_MAX, .low = 100.0, .high = high};
        struct text_stream text;
        struct error e;
        struct word words[64];
        double d[3];
        for (size_t i = 0; i < a.count; i++) {
            random_direction(d, &r);
            a.at[i] = (struct arrival){.time = 0.005 * (double)i, .level = i ? random_uniform(&r, -30.0, 6.0) : 0.0};
            memcpy(a.at[i].direction, d, sizeof d);
        }
        FILE *stream = text_stream_open(&text);
        assert_non_null(stream);
        assert_int_equal(arrivals_polar(stream, &a, "p1", &e), 0);
        char *svg = text_stream_close(&text, NULL);
        assert_non_null(svg);
        const size_t count = words_of(words, 64, svg);
        assert_true(count > 12);
        for (size_t i = 0; i < count; i++) {
            assert_true(words[i].x0 >= -2.0 && words[i].x1 <= 482.0 && words[i].y0 >= 0.0 && words[i].y1 <= 280.0);
            for (size_t k = 0; k < i; k++)
                assert_false(words[i].x0 < words[k].x1 && words[k].x0 < words[i].x1 && words[i].y0 < words[k].y1 &&
                             words[k].y0 < words[i].y1);
        }
        free(svg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals_are_found_with_time_level_and_direction),
        cmocka_unit_test(angles_are_to_the_left_and_up),
        cmocka_unit_test(the_loudest_are_kept_where_there_are_too_many),
        cmocka_unit_test(what_has_no_direction_is_no_arrival),
        cmocka_unit_test(no_words_of_polar_plots_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

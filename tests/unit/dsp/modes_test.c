/* SPDX-License-Identifier: MIT */
/* Modes from synthetic responses: damped sinusoids whose frequencies, decays and levels are known. */
#include "dsp/modes/mode_search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dsp/modes/damped.h"
#include "support/random_cases.h"

enum { MODES_MAX = 80, PLACES = 12 };
static const double RATE = 2000.0; /* Hz */

struct truth {
    size_t count;
    double frequency[MODES_MAX], decay[MODES_MAX], amplitude[MODES_MAX][PLACES], phase[MODES_MAX];
};

static double of_room(const void *truth, double frequency)
{
    const struct truth *t = truth;
    double below = 0.0;
    for (size_t i = 0; i < t->count; i++)
        below += t->frequency[i] < frequency;
    return below;
}

/* Sum of the modes, an offset and a ramp, as in a closed room. */
static double *make_records(const struct truth *t, size_t frames)
{
    double *samples = calloc(PLACES * frames, sizeof *samples);
    assert_non_null(samples);
    for (size_t p = 0; p < PLACES; p++)
        for (size_t n = 0; n < frames; n++) {
            const double time = (double)n / RATE;
            double sum = 0.3 + 0.01 * time;
            for (size_t m = 0; m < t->count; m++)
                sum += t->amplitude[m][p] * exp(-t->decay[m] * time) *
                       cos(2.0 * M_PI * t->frequency[m] * time + t->phase[m]);
            samples[p * frames + n] = sum;
        }
    return samples;
}

static void search(struct mode_list *list, const struct truth *t, double low, double high, double seconds)
{
    struct error e = {ERROR_NONE, ""};
    const size_t frames = (size_t)(RATE * mode_record_length(20.0, low, seconds));
    double *samples = make_records(t, frames);
    const struct mode_records records = {samples, PLACES, frames, RATE};
    const struct mode_wish wish = {.low = low, .high = high, .count = of_room, .context = t, .guard = 20.0};
    memset(list, 0, sizeof *list);
    if (mode_search(list, &records, &wish, &e))
        fail_msg("%s", e.message);
    free(samples);
}

static const struct found_mode *nearest(const struct mode_list *list, double frequency)
{
    const struct found_mode *best = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (!best || fabs(list->modes[i].frequency - frequency) < fabs(best->frequency - frequency))
            best = &list->modes[i];
    assert_non_null(best);
    return best;
}

/* Modes at the density of a room, from `low` up, with a T60 around `reverberation`. */
static void draw(struct truth *t, struct random *r, size_t count, double low, double high, double reverberation)
{
    memset(t, 0, sizeof *t);
    t->count = count;
    for (size_t m = 0; m < count; m++) {
        const double share = ((double)m + 0.2 + 0.6 * random_unit(r)) / (double)count;
        t->frequency[m] = low + (high - low) * pow(share, 0.5);
        t->decay[m] = 3.0 * M_LN10 / (reverberation * (0.6 + 0.8 * random_unit(r)));
        t->phase[m] = 2.0 * M_PI * random_unit(r);
        for (size_t p = 0; p < PLACES; p++)
            t->amplitude[m][p] = 2.0 * random_unit(r) - 1.0;
    }
}

static void test_random_modes(void **state)
{
    (void)state;
    struct random r = random_cases("modes");
    struct truth t;
    struct mode_list list;
    for (size_t count = 20; count <= 60; count += 20) {
        size_t good = 0;
        draw(&t, &r, count, 25.0, 200.0, 1.0);
        search(&list, &t, 15.0, 210.0, 1.2);
        for (size_t m = 0; m < count; m++) {
            const struct found_mode *found = nearest(&list, t.frequency[m]);
            good += fabs(found->frequency / t.frequency[m] - 1.0) <= 1e-3 &&
                    fabs(found->decay / t.decay[m] - 1.0) <= 0.03 &&
                    fabs(cabs(found->amplitudes[3]) - fabs(t.amplitude[m][3])) <= 0.05;
        }
        printf("modes: %zu of %zu found, %zu in all\n", good, count, list.count);
        assert_true(good >= count - count / 20);
        assert_true(list.count <= count);
        mode_list_free(&list);
    }
}

static void test_neighbours(void **state)
{
    (void)state;
    struct truth t = {.count = 4, .frequency = {40.0, 71.0, 72.0, 110.0}, .decay = {8.6, 8.6, 8.0, 7.0}};
    struct mode_list list;
    struct random r = {7};
    for (size_t m = 0; m < t.count; m++)
        for (size_t p = 0; p < PLACES; p++)
            t.amplitude[m][p] = 2.0 * random_unit(&r) - 1.0;
    search(&list, &t, 20.0, 130.0, 1.0);
    assert_int_equal(list.count, 4);
    for (size_t m = 0; m < 4; m++) {
        assert_true(fabs(list.modes[m].frequency - t.frequency[m]) <= 1e-3 * t.frequency[m]);
        assert_true(fabs(list.modes[m].decay / t.decay[m] - 1.0) <= 0.03);
    }
    mode_list_free(&list);
}

/* A band whose modes are expected and not there, or too close for their decay, is not called resolved. */
static void test_not_resolved(void **state)
{
    (void)state;
    struct random r = {11};
    struct truth t, less;
    struct mode_list list;
    struct error e = {ERROR_NONE, ""};
    draw(&t, &r, 40, 25.0, 200.0, 1.0);
    less = t;
    less.count = 20;
    const size_t frames = (size_t)(RATE * mode_record_length(20.0, 15.0, 1.0));
    double *samples = make_records(&less, frames);
    const struct mode_records records = {samples, PLACES, frames, RATE};
    const struct mode_wish wish = {.low = 15.0, .high = 210.0, .count = of_room, .context = &t, .guard = 20.0};
    memset(&list, 0, sizeof list);
    assert_int_equal(mode_search(&list, &records, &wish, &e), 0);
    assert_true(list.bands[0].resolved);
    assert_false(list.bands[list.band_count - 1].resolved);
    mode_list_free(&list);
    free(samples);
}

static void test_short_record(void **state)
{
    (void)state;
    struct random r = {3};
    struct truth t;
    struct mode_list list = {0};
    struct error e = {ERROR_NONE, ""};
    draw(&t, &r, 10, 25.0, 100.0, 1.0);
    double *samples = make_records(&t, 400);
    const struct mode_records records = {samples, PLACES, 400, RATE};
    const struct mode_wish wish = {.low = 15.0, .high = 110.0, .count = of_room, .context = &t, .guard = 20.0};
    assert_int_not_equal(mode_search(&list, &records, &wish, &e), 0);
    assert_non_null(strstr(e.message, "too short"));
    mode_list_free(&list);
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_modes),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_not_resolved),
        cmocka_unit_test(test_short_record),
    };
    if (damped_unavailable()) {
        printf("skipped: %s\n", damped_unavailable());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

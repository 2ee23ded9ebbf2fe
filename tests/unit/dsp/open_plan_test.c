/* SPDX-License-Identifier: MIT */
/* Parameters of ISO 3382-3 from lines of places whose values are known in closed form. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dsp/measure/open_plan.h"
#include "support/scratch.h"

#include <cmocka.h>

#include "support/within.h"

enum { PLACES = 8 };
static const double distance[PLACES] = {1.0, 2.0, 3.0, 5.0, 8.0, 11.0, 16.0, 20.0};

/* Level 60 - rate log2 r dB(A), index 0.8 - fall r. */
static struct open_plan line_of(double rate, double fall, size_t first, size_t count)
{
    struct open_plan_place places[PLACES];
    struct open_plan o;
    struct error e;
    for (size_t i = 0; i < count; i++) {
        const double r = distance[first + i];
        places[i] = (struct open_plan_place){.distance = r, .level = 60.0 - rate * log2(r), .sti = 0.8 - fall * r};
    }
    must(open_plan_evaluate(&o, places, count, &e), &e);
    return o;
}

static void a_straight_decay_gives_its_own_rate_and_distances(void **state)
{
    (void)state;
    const struct open_plan o = line_of(7.0, 0.03, 0, PLACES);
    assert_int_equal(o.decay.count, 6); /* 2 to 16 m */
    assert_within(o.decay_rate, 7.0, 1e-9);
    assert_within(o.level_4m, 46.0, 1e-9);
    assert_within(o.comfort, 4.4163581, 1e-6); /* 4 m 2^(1/7) */
    assert_within(o.distraction, 10.0, 1e-9);
    assert_within(o.privacy, 20.0, 1e-9);
}

/* The places at 1 m and 20 m lie off the line of the others. */
static void places_outside_of_2_to_16_m_do_not_count_for_the_decay(void **state)
{
    struct open_plan_place places[PLACES];
    struct open_plan o;
    struct error e;
    (void)state;
    for (size_t i = 0; i < PLACES; i++)
        places[i] = (struct open_plan_place){
            .distance = distance[i], .level = i && i + 1 < PLACES ? 60.0 - 5.0 * log2(distance[i]) : 90.0, .sti = 0.5};
    must(open_plan_evaluate(&o, places, PLACES, &e), &e);
    assert_within(o.decay_rate, 5.0, 1e-9);
}

static void fewer_than_four_places_give_no_value(void **state)
{
    (void)state;
    const struct open_plan o = line_of(7.0, 0.03, 1, 3), enough = line_of(7.0, 0.03, 1, 4);
    assert_true(isnan(o.decay_rate) && isnan(o.level_4m) && isnan(o.comfort));
    assert_true(isnan(o.distraction) && isnan(o.privacy));
    assert_non_null(o.decay_why);
    assert_non_null(o.comfort_why);
    assert_non_null(o.distraction_why);
    assert_within(enough.decay_rate, 7.0, 1e-9);
}

static void distances_are_undefined_where_the_values_do_not_fall(void **state)
{
    (void)state;
    const struct open_plan flat = line_of(0.0, 0.0, 0, PLACES), rising = line_of(-1.0, -0.01, 0, PLACES);
    assert_true(isnan(flat.comfort) && isnan(flat.distraction));
    assert_true(isnan(rising.comfort) && isnan(rising.distraction) && isnan(rising.privacy));
    assert_string_equal(rising.distraction_why, "the index does not fall with the distance");
}

/* G = 20 dB at 1 m in free field, and falls by 6.02 dB for a doubling of the distance. */
static struct metrics free_field(double r)
{
    struct metrics m;
    memset(&m, 0, sizeof m);
    for (int b = 0; b < METRICS_BANDS; b++)
        m.band[b].g = 20.0 - 20.0 * log10(r);
    for (int k = 0; k < SPEECH_BANDS; k++)
        for (int i = 0; i < SPEECH_MODULATIONS; i++)
            m.transfer[k][i] = 1.0;
    return m;
}

static void speech_at_1_m_has_57_4_dB_and_falls_by_6_dB_in_free_field(void **state)
{
    double noise[SPEECH_BANDS];
    struct open_plan_place places[PLACES];
    struct open_plan o;
    struct error e;
    (void)state;
    for (int k = 0; k < SPEECH_BANDS; k++)
        noise[k] = 40.0;
    for (size_t i = 0; i < PLACES; i++) {
        const struct metrics m = free_field(distance[i]);
        places[i].distance = distance[i];
        open_plan_listen(&places[i], &m, noise);
        assert_null(places[i].why);
    }
    assert_within(places[0].level, 57.4126, 1e-4);
    assert_within(places[0].octave[2], 58.0, 1e-9);
    must(open_plan_evaluate(&o, places, PLACES, &e), &e);
    assert_within(o.decay_rate, 6.0206, 1e-4);
    assert_within(o.level_4m, 57.4126 - 12.0412, 1e-4);
    for (size_t i = 1; i < PLACES; i++)
        assert_true(places[i].sti < places[i - 1].sti);
}

static void a_response_without_level_says_so(void **state)
{
    double noise[SPEECH_BANDS] = {0.0};
    struct metrics m = free_field(2.0);
    struct open_plan_place place = {.distance = 2.0};
    (void)state;
    for (int b = 0; b < METRICS_BANDS; b++)
        m.band[b].g = NAN;
    open_plan_listen(&place, &m, noise);
    assert_true(isnan(place.level) && isnan(place.sti));
    assert_string_equal(place.why, metrics_reason_text(METRICS_LEVEL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_decay_gives_its_own_rate_and_distances),
        cmocka_unit_test(places_outside_of_2_to_16_m_do_not_count_for_the_decay),
        cmocka_unit_test(fewer_than_four_places_give_no_value),
        cmocka_unit_test(distances_are_undefined_where_the_values_do_not_fall),
        cmocka_unit_test(speech_at_1_m_has_57_4_dB_and_falls_by_6_dB_in_free_field),
        cmocka_unit_test(a_response_without_level_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

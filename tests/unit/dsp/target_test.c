/* SPDX-License-Identifier: MIT */
/* Targets of rooms/targets.cfg against values calculated by hand, and the verdicts about rooms. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "room/targets/targets.h"
#include "support/scratch.h"

#include <cmocka.h>

#include "support/within.h"

static struct target_list list;

static int read_library(void **state)
{
    struct error e;
    (void)state;
    must(targets_read(&list, NULL, &e), &e);
    return 0;
}

static int free_library(void **state)
{
    (void)state;
    targets_free(&list);
    return 0;
}

static const struct target *shipped(const char *name)
{
    const struct target *target;
    struct error e;
    must(targets_find(&target, &list, name, "--target", &e), &e);
    return target;
}

/* A room with this time in all octaves. */
static struct target_room room_of(double volume, double time)
{
    struct target_room room = {.volume = volume, .sound_speed = 343.2, .noise = NAN, .sti = NAN};
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        room.measured[b] = (struct target_measured){.time = time, .by = "T30", .places = 1};
    return room;
}

static struct judgement judge(const char *name, const struct target_room *room)
{
    struct judgement j;
    target_judge(&j, shipped(name), room);
    return j;
}

/* a lg V + b with lg 180 = 2.2552725 */
static void din_18041_times_are_those_of_its_equations(void **state)
{
    (void)state;
    assert_within(target_time(shipped("din18041_a1"), 180.0), 1.0848726, 1e-6);
    assert_within(target_time(shipped("din18041_a2"), 180.0), 0.6944508, 1e-6);
    assert_within(target_time(shipped("din18041_a3"), 180.0), 0.5516872, 1e-6);
    assert_within(target_time(shipped("din18041_a4"), 180.0), 0.4463709, 1e-6);
    assert_within(target_time(shipped("din18041_a5"), 1000.0), 1.25, 1e-12);
    assert_within(target_time(shipped("din18041_a5"), 10000.0), 2.0, 1e-12);
    assert_within(target_time(shipped("din18041_a5"), 20000.0), 2.0, 1e-12);
}

static void din_18041_limits_widen_to_low_and_high_octaves(void **state)
{
    static const double upper[OCTAVE_BANDS] = {1.7, 1.45, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2};
    static const double lower[OCTAVE_BANDS] = {0.5, 0.65, 0.8, 0.8, 0.8, 0.8, 0.65, 0.5};
    const struct target_room room = room_of(180.0, 0.55);
    (void)state;
    for (size_t use = 1; use <= 4; use++) {
        char name[] = "din18041_a0";
        name[10] = (char)('0' + use);
        const struct judgement j = judge(name, &room);
        for (size_t b = 0; b < OCTAVE_BANDS; b++) {
            assert_within(j.octave[b].upper, upper[b] * j.time, 1e-12);
            assert_within(j.octave[b].lower, lower[b] * j.time, 1e-12);
        }
    }
    const struct judgement sport = judge("din18041_a5", &room);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        assert_int_equal(sport.octave[b].verdict == VERDICT_NONE, b < 2 || b > 5);
}

static void other_times_are_those_of_their_publications(void **state)
{
    (void)state;
    assert_within(target_time(shipped("ansi_s12_60"), 283.0), 0.6, 1e-12);
    assert_within(target_time(shipped("ansi_s12_60"), 283.1), 0.7, 1e-12);
    assert_true(isnan(target_time(shipped("ansi_s12_60"), 566.1)));
    assert_within(target_time(shipped("ebu_3276"), 100.0), 0.25, 1e-9);
    assert_within(target_time(shipped("ebu_3276"), 800.0), 0.5, 1e-9);
    assert_within(target_time(shipped("bb93_secondary"), 200.0), 0.8, 1e-12);
    const struct target_room room = room_of(100.0, 0.29);
    const struct judgement j = judge("ebu_3276", &room);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        assert_int_equal(j.octave[b].verdict, b < 2 || b > 6 ? VERDICT_NONE : VERDICT_PASS);
    assert_within(j.octave[3].lower, 0.20, 1e-9);
    assert_within(j.octave[3].upper, 0.30, 1e-9);
}

/* 24 ln 10 * 180 / 343.2 * (1/0.55 - 1/1.2) = 28.9836 * 0.984848 */
static void missing_absorption_is_that_of_sabine(void **state)
{
    (void)state;
    assert_within(target_absorption(180.0, 343.2, 1.2, 0.55), 28.544443, 1e-5);
    assert_within(target_absorption(180.0, 343.2, 0.55, 1.2), -28.544443, 1e-5);
    const struct target_room hard = room_of(180.0, 1.2), soft = room_of(180.0, 0.4);
    const struct judgement j = judge("din18041_a3", &hard), k = judge("din18041_a3", &soft);
    assert_within(j.octave[3].to_target, target_absorption(180.0, 343.2, 1.2, 0.5516872), 1e-5);
    assert_within(j.octave[3].to_limit, target_absorption(180.0, 343.2, 1.2, 1.2 * 0.5516872), 1e-5);
    assert_within(j.octave[3].margin, 1.2 * 0.5516872 - 1.2, 1e-6);
    assert_true(k.octave[3].to_limit < 0.0 && k.octave[3].to_target < k.octave[3].to_limit);
    assert_within(k.octave[3].margin, 0.4 - 0.8 * 0.5516872, 1e-6);
}

static void guidance_is_compared_and_not_counted(void **state)
{
    struct target_room room = room_of(180.0, 0.55);
    (void)state;
    room.measured[0].time = 3.0;
    const struct judgement j = judge("din18041_a3", &room);
    assert_int_equal(j.octave[0].verdict, VERDICT_FAIL);
    assert_int_equal(j.verdict, VERDICT_PASS);
    assert_int_equal(j.passed, 6);
}

static void an_octave_that_is_missing_makes_the_verdict_incomplete(void **state)
{
    static const char why[] = "because";
    struct target_room room = room_of(180.0, 0.55);
    (void)state;
    room.measured[4] = (struct target_measured){.time = NAN, .why = why};
    struct judgement j = judge("din18041_a3", &room);
    assert_string_equal(judgement_text(&j), "INCOMPLETE");
    assert_ptr_equal(j.octave[4].why, why);
    room.measured[3].time = 2.0;
    j = judge("din18041_a3", &room);
    assert_string_equal(judgement_text(&j), "FAIL");
    assert_int_equal(j.unknown, 1);
    j = judge("bb93_secondary", &room);
    assert_int_equal(j.mean.verdict, VERDICT_UNKNOWN);
    assert_ptr_equal(j.mean.why, why);
}

static void the_mean_is_that_of_its_octaves(void **state)
{
    struct target_room room = room_of(200.0, 5.0);
    (void)state;
    room.measured[3].time = 0.6;
    room.measured[4].time = 0.8;
    room.measured[5].time = 1.0;
    assert_within(judge("bb93_secondary", &room).mean.value, 0.8, 1e-12);
    assert_int_equal(judge("bb93_secondary", &room).verdict, VERDICT_PASS);
    room.measured[5].time = 1.01;
    assert_int_equal(judge("bb93_secondary", &room).verdict, VERDICT_FAIL);
}

static void a_volume_outside_of_the_range_is_noticed(void **state)
{
    (void)state;
    struct target_room room = room_of(900.0, 0.6);
    assert_false(judge("din18041_a4", &room).covered);
    assert_true(judge("din18041_a3", &room).covered);
    assert_int_equal(judge("ansi_s12_60", &room).verdict, VERDICT_NONE);
}

static void noise_is_judged_where_it_is_given(void **state)
{
    struct target_room room = room_of(200.0, 0.5);
    (void)state;
    assert_int_equal(judge("ansi_s12_60", &room).noise.verdict, VERDICT_NONE);
    room.noise = 35.0;
    assert_int_equal(judge("ansi_s12_60", &room).verdict, VERDICT_PASS);
    room.noise = 35.1;
    assert_int_equal(judge("ansi_s12_60", &room).verdict, VERDICT_FAIL);
}

static void grades_of_speech_begin_at_their_limits(void **state)
{
    static const char *const names[] = {"U", "J", "I", "H", "G", "F", "E", "D", "C", "B", "A", "A+"};
    const struct target *t = shipped("iec_60268_16");
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const double from = i ? 0.32 + 0.04 * (double)i : 0.0;
        assert_string_equal(target_grade_of(t, from + 1e-9), names[i]);
        if (i)
            assert_string_equal(target_grade_of(t, from - 1e-9), names[i - 1]);
    }
    struct target_room room = room_of(NAN, NAN);
    room.sti = 0.59;
    assert_int_equal(judge("iec_60268_16", &room).verdict, VERDICT_NONE);
    assert_string_equal(judge("iec_60268_16", &room).grade, "E");
    assert_int_equal(judge("iec_60268_16:D", &room).verdict, VERDICT_FAIL);
    assert_int_equal(judge("iec_60268_16:E", &room).verdict, VERDICT_PASS);
    room.sti = NAN;
    assert_int_equal(judge("iec_60268_16:E", &room).verdict, VERDICT_UNKNOWN);
}

/* 10 lg Σ 10^((40 + A)/10) */
static void noise_is_weighted_by_a(void **state)
{
    double level[SPEECH_BANDS];
    (void)state;
    for (size_t k = 0; k < SPEECH_BANDS; k++)
        level[k] = 40.0;
    assert_within(weighted_level(level, NAN), 46.985046, 1e-6);
    assert_within(weighted_level(level, 40.0), 46.987131, 1e-6);
}

static struct metrics_band band(enum metrics_validity validity, double t20, double t30)
{
    return (struct metrics_band){.validity = validity,
                                 .t20 = {.time = t20, .reason = METRICS_NOISE},
                                 .t30 = {.time = t30, .reason = METRICS_NOISE}};
}

static void t20_replaces_t30_where_a_channel_lacks_it(void **state)
{
    struct metrics channels[2];
    struct target_measured m[OCTAVE_BANDS];
    (void)state;
    memset(channels, 0, sizeof channels);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        for (size_t c = 0; c < 2; c++)
            channels[c].band[b] = band(METRICS_VALID, 1.0 + (double)c, 2.0 + (double)c);
    channels[1].band[2] = band(METRICS_VALID, 2.0, NAN);
    channels[0].band[3] = channels[1].band[3] = band(METRICS_VALID, NAN, NAN);
    channels[0].band[4] = channels[1].band[4] = band(METRICS_PARTLY, 1.0, 2.0);
    channels[0].band[5] = band(METRICS_VALID, NAN, NAN);
    target_measure(m, channels, 2, NULL);
    assert_within(m[1].time, 2.5, 1e-12);
    assert_string_equal(m[1].by, "T30");
    assert_within(m[2].time, 1.5, 1e-12);
    assert_string_equal(m[2].by, "T20");
    assert_true(isnan(m[3].time) && isnan(m[4].time));
    assert_string_equal(m[3].why, metrics_reason_text(METRICS_NOISE));
    assert_string_equal(m[4].why, "the octave extends beyond the valid band");
    assert_within(m[5].time, 3.0, 1e-12);
    assert_int_equal(m[5].places, 1);
}

static void each_target_says_where_it_is_from(void **state)
{
    (void)state;
    assert_true(list.count >= 9);
    for (size_t i = 0; i < list.count; i++)
        assert_true(*list.items[i].publication && *list.items[i].description);
}

/* Text of a file of targets, and what the message says. */
static const struct {
    const char *text, *message;
} wrong[] = {
    {"a = 1;", ":1: a: expected a group"},
    {"a = { publication = \"p\"; steps = ( [1.0, 1.0] ); };", "description: missing"},
    {"a = { description = \"d\"; publication = \"p\"; stepz = ( [1.0, 1.0] ); };", "did you mean steps?"},
    {"a = { description = \"d\"; publication = \"p\"; octaves = [500.0]; upper = 1.0; };",
     "give one of steps, logarithm and power"},
    {"a = { description = \"d\"; publication = \"p\"; steps = ( [9.0, 1.0] ); octaves = [500.0]; };",
     "give upper, lower or tolerance"},
    {"a = { description = \"d\"; publication = \"p\"; steps = ( [9.0, 1.0], [9.0, 2.0] ); octaves = [500.0]; upper = "
     "1.0; };",
     "step 2: expected [volume in m3, time in s], volumes rising"},
    {"a = { description = \"d\"; publication = \"p\"; logarithm = [0.1, 0.2]; octaves = [501.0]; upper = 1.0; };",
     "501 is not an octave"},
    {"a = { description = \"d\"; publication = \"p\"; logarithm = [0.1]; octaves = [500.0]; upper = 1.0; };",
     "expected 2 numbers, not 1"},
    {"a = { description = \"d\"; publication = \"p\"; logarithm = [0.1, 0.2]; octaves = [500.0, 1000.0]; upper = [1.0, "
     "1.0, 1.0]; };",
     "one for each of the 2 octaves, not 3"},
    {"a = { description = \"d\"; publication = \"p\"; logarithm = [0.1, 0.2]; octaves = [500.0]; upper = 0.5; lower = "
     "0.8; };",
     "is above upper at 500 Hz"},
    {"a = { description = \"d\"; publication = \"p\"; logarithm = [0.1, 0.2]; octaves = [500.0]; upper = 1.0; volume = "
     "[9.0, 2.0]; };",
     "expected [smallest, largest] in m3"},
    {"a = { description = \"d\"; publication = \"p\"; quantity = \"sti\"; };", "expected \"time\" or \"speech\""},
    {"a = { description = \"d\"; publication = \"p\"; quantity = \"speech\"; };", "give the least index, or grades"},
    {"a = { description = \"d\"; publication = \"p\"; quantity = \"speech\"; grades = ( (\"A\", 0.5), (\"B\", 0.4) ); "
     "};",
     "grade 2: indices must rise"},
    {"a = { description = \"d\"; publication = \"p\"; quantity = \"speech\"; minimum = 1.5; };", "1.5 is out of range"},
};

static void mistakes_are_named_with_line_and_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct target_list own;
        struct error e = {ERROR_NONE, ""};
        char *file = temporary_file(wrong[i].text);
        const int status = targets_read(&own, file, &e);
        if (!status || e.code != ERROR_INPUT || !strstr(e.message, wrong[i].message) || !strstr(e.message, file))
            fail_msg("%s\n  said: %s\n  expected: %s", wrong[i].text, status ? e.message : "(accepted)",
                     wrong[i].message);
        targets_free(&own);
        remove(file);
        free(file);
    }
}

static void own_targets_come_before_those_that_ship(void **state)
{
    struct target_list own;
    const struct target *target;
    struct error e;
    char *file = temporary_file("ebu_3276 = { description = \"mine\"; publication = \"me\"; steps = ( [1e6, 0.2] ); "
                                "octaves = [500.0, 63.0]; upper = [1.1, 1.5]; };");
    (void)state;
    must(targets_read(&own, file, &e), &e);
    must(targets_find(&target, &own, "ebu_3276", "--target", &e), &e);
    assert_string_equal(target->description, "mine");
    assert_within(target->upper[0], 1.5, 0.0);
    assert_within(target->upper[3], 1.1, 0.0);
    assert_int_not_equal(targets_find(&target, &own, "din18041_a33", "--target", &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_non_null(strstr(e.message, "--target din18041_a33: unknown target; did you mean din18041_a3?"));
    assert_int_not_equal(targets_find(&target, &own, "iec_60268_16:Z", "--target", &e), 0);
    assert_non_null(strstr(e.message, "unknown grade; expected one from U (worst) to A+ (best)"));
    assert_int_not_equal(targets_find(&target, &own, "din18041_a3:A", "--target", &e), 0);
    assert_non_null(strstr(e.message, "has no grades"));
    targets_free(&own);
    remove(file);
    free(file);
}

static struct target_room doubted(double volume, double time, size_t first, size_t count)
{
    struct target_room room = room_of(volume, time);
    for (size_t b = first; b < first + count; b++)
        room.measured[b].doubts = DOUBT_SCATTERING;
    return room;
}

static bool is_doubtful(const char *name, const struct target_room *room)
{
    const struct judgement j = judge(name, room);
    return judgement_is_doubtful(&j, shipped(name), room);
}

/* 63 Hz and 8 kHz are guidance of din18041_a3. */
static void a_verdict_is_doubtful_unless_values_without_doubt_decide_it(void **state)
{
    (void)state;
    struct target_room room = doubted(180.0, 1.2, 1, 6); /* all of it fails by doubtful values */
    assert_true(is_doubtful("din18041_a3", &room));
    room.measured[3].doubts = 0; /* one octave fails for certain */
    assert_false(is_doubtful("din18041_a3", &room));
    room.measured[3].time = 0.55;
    assert_true(is_doubtful("din18041_a3", &room));
    room = doubted(180.0, 0.55, 0, 1); /* all pass, guidance is in doubt */
    assert_false(is_doubtful("din18041_a3", &room));
    room = doubted(180.0, 0.55, 6, 2);
    assert_true(is_doubtful("din18041_a3", &room));
    room = doubted(180.0, 1.2, 5, 1); /* an octave of the mean of 500 Hz to 2 kHz */
    assert_true(is_doubtful("bb93_secondary", &room));
    room = doubted(180.0, 1.2, 6, 1); /* none of it */
    assert_false(is_doubtful("bb93_secondary", &room));
    room = doubted(180.0, 1.2, 6, 1);
    room.noise = 60.0; /* too loud for certain */
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        room.measured[b].doubts = DOUBT_HALVES;
    assert_false(is_doubtful("ansi_s12_60", &room));
    room = (struct target_room){.volume = 180.0, .noise = NAN, .sti = 0.3};
    assert_false(is_doubtful("iec_60268_16", &room));
    room.sti_doubtful = true;
    assert_true(is_doubtful("iec_60268_16", &room));
}

static void a_time_of_t20_is_told_for_its_octave_and_for_the_mean_that_has_it(void **state)
{
    (void)state;
    struct target_room room = room_of(180.0, 1.2);
    const struct target *t = shipped("bb93_secondary");
    assert_false(target_part_by_t20(t, &room, OCTAVE_BANDS));
    room.measured[6].by = "T20"; /* no part of the mean */
    assert_true(target_part_by_t20(t, &room, 6));
    assert_false(target_part_by_t20(t, &room, OCTAVE_BANDS));
    room.measured[5].by = "T20";
    assert_true(target_part_by_t20(t, &room, OCTAVE_BANDS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(din_18041_times_are_those_of_its_equations),
        cmocka_unit_test(din_18041_limits_widen_to_low_and_high_octaves),
        cmocka_unit_test(other_times_are_those_of_their_publications),
        cmocka_unit_test(missing_absorption_is_that_of_sabine),
        cmocka_unit_test(guidance_is_compared_and_not_counted),
        cmocka_unit_test(an_octave_that_is_missing_makes_the_verdict_incomplete),
        cmocka_unit_test(the_mean_is_that_of_its_octaves),
        cmocka_unit_test(a_volume_outside_of_the_range_is_noticed),
        cmocka_unit_test(noise_is_judged_where_it_is_given),
        cmocka_unit_test(grades_of_speech_begin_at_their_limits),
        cmocka_unit_test(noise_is_weighted_by_a),
        cmocka_unit_test(t20_replaces_t30_where_a_channel_lacks_it),
        cmocka_unit_test(each_target_says_where_it_is_from),
        cmocka_unit_test(mistakes_are_named_with_line_and_key),
        cmocka_unit_test(own_targets_come_before_those_that_ship),
        cmocka_unit_test(a_time_of_t20_is_told_for_its_octave_and_for_the_mean_that_has_it),
        cmocka_unit_test(a_verdict_is_doubtful_unless_values_without_doubt_decide_it),
    };
    return cmocka_run_group_tests(tests, read_library, free_library);
}

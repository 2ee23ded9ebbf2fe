/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/playback/player.h"
#include "io/playback/sound_devices.h"
#include "io/playback/sound_system.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

static const char *const names[] = {
    "HDA Intel PCH: ALC287 (hw:0,0)", "HDA Intel PCH: HDMI 0 (hw:0,3)", "default", "sysdefault", "system", "Default"};
enum { COUNT = sizeof names / sizeof *names };

static void a_device_is_found_by_what_is_enough_of_its_name(void **state)
{
    (void)state;
    const struct {
        const char *wanted;
        ptrdiff_t found;
    } cases[] = {{"default", 2}, {"Default", 5}, {"system", 4}, {"SYSTEM", 4}, {"syst", 4},    {"SYSD", 3},
                 {"hdmi", 1},    {"alc287", 0},  {"0", 0},      {"5", 5},      {"(hw:0,3)", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e = {0};
        ptrdiff_t found = sound_device_match(cases[i].wanted, names, COUNT, &e);
        if (found != cases[i].found)
            print_error("\"%s\" found %td, expected %td: %s\n", cases[i].wanted, found, cases[i].found, e.message);
        assert_true(found == cases[i].found);
    }
}

static void refused(const char *wanted, const char *fragment)
{
    struct error e = {0};
    assert_true(sound_device_match(wanted, names, COUNT, &e) == -1);
    assert_int_equal(e.code, ERROR_USAGE);
    if (!strstr(e.message, fragment))
        print_error("\"%s\": expected ... %s ... in: %s\n", wanted, fragment, e.message);
    assert_non_null(strstr(e.message, fragment));
}

static void an_unknown_device_is_refused_with_the_names_that_may_be_meant(void **state)
{
    (void)state;
    refused("hda", "0 \"HDA Intel PCH: ALC287 (hw:0,0)\", 1 \"HDA Intel PCH: HDMI 0 (hw:0,3)\"; use the number");
    refused("DEFAULT", "2 \"default\", 5 \"Default\"");
    refused("sytsem", "did you mean 4 \"system\"");
    refused("loudspeaker", "available: 0 \"HDA");
    refused("", "available: 0 \"HDA");
    refused("6", "0 to 5");
    refused("99999999999999999999999", "0 to 5");
    char *long_name = calloc(5000, 1);
    memset(long_name, 'x', 4999);
    refused(long_name, "no sound card is called");
    free(long_name);
}

static void many_devices_do_not_overflow_the_message(void **state)
{
    (void)state;
    const char *many[100];
    for (size_t i = 0; i < 100; i++)
        many[i] = i % 2 ? "a card with a rather long name" : "a card with another rather long name";
    struct error e = {0};
    assert_true(sound_device_match("a card", many, 100, &e) == -1);
    assert_non_null(strstr(e.message, "...; use the number"));
}

static void settings_that_no_device_has_are_refused_before_any_is_asked(void **state)
{
    (void)state;
    const struct player_settings cases[] = {
        {.outputs = 0, .inputs = 0},         {.outputs = 2, .rate = NAN},    {.outputs = 2, .rate = -1.0},
        {.outputs = 2, .latency = 1e9},      {.outputs = 2, .latency = NAN}, {.outputs = 2, .buffered = INFINITY},
        {.outputs = 2, .frames = 1ul << 40},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e = {0};
        struct player *p = (struct player *)&e;
        assert_int_not_equal(player_open(&p, &cases[i], &e), 0);
        assert_null(p);
        assert_int_equal(e.code, ERROR_USAGE);
        assert_true(e.message[0]);
    }
    player_close(NULL);
}

static void sleep_for(void *seconds)
{
    double s = *(double *)seconds;
    nanosleep(&(struct timespec){(time_t)s, (long)((s - floor(s)) * 1e9)}, NULL);
    *(double *)seconds = -1.0;
}

static void a_call_that_hangs_is_left_behind(void **state)
{
    (void)state;
    static double soon = 0.01, late = 30.0;
    assert_true(limited_call(sleep_for, &soon, 20.0));
    assert_true(soon == -1.0);
    double from = clock_seconds();
    assert_false(limited_call(sleep_for, &late, 0.2));
    double waited = clock_seconds() - from;
    assert_true(waited > 0.15 && waited < 15.0);
}

static int hang(void *unused)
{
    (void)unused;
    sleep(1000);
    return 0;
}

static int give(void *status)
{
    return *(int *)status;
}

static int break_down(void *unused)
{
    (void)unused;
    signal(SIGABRT, SIG_DFL); /* not cmocka's */
    raise(SIGABRT);
    return 0;
}

static void a_child_that_hangs_or_aborts_is_a_failure_and_not_ours(void **state)
{
    (void)state;
    assert_int_equal(sound_system_in_child(give, &(int){0}, 20.0), 0);
    assert_int_equal(sound_system_in_child(give, &(int){5}, 20.0), 5);
    assert_int_equal(sound_system_in_child(break_down, NULL, 20.0), -1);
    double from = clock_seconds();
    assert_int_equal(sound_system_in_child(hang, NULL, 0.2), -1);
    assert_true(clock_seconds() - from < 15.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_is_found_by_what_is_enough_of_its_name),
        cmocka_unit_test(an_unknown_device_is_refused_with_the_names_that_may_be_meant),
        cmocka_unit_test(many_devices_do_not_overflow_the_message),
        cmocka_unit_test(settings_that_no_device_has_are_refused_before_any_is_asked),
        cmocka_unit_test(a_call_that_hangs_is_left_behind),
        cmocka_unit_test(a_child_that_hangs_or_aborts_is_a_failure_and_not_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

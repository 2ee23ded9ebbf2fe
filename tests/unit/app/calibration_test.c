/* SPDX-License-Identifier: MIT */
/* Files of calibrators: one entry a channel, in any number, and files that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/calibration.h"
#include "support/scratch.h"

#include <cmocka.h>

static const struct calibrator_tone tone = {.frequency = 1000.0, .pascals = 2.5};

static void write_channel(const char *path, size_t channel, double pascals)
{
    struct calibrator_tone own = tone;
    struct error e;
    own.pascals = pascals;
    must(calibration_write(path, channel, &own, 94.0, "a microphone", &e), &e);
}

static void each_channel_has_its_last_calibration(void **state)
{
    (void)state;
    const char *path = scratch_path("c.json");
    struct calibration c;
    struct error e;
    write_channel(path, 2, 1.0);
    write_channel(path, 1, 2.0);
    write_channel(path, 2, 3.0);
    write_channel(path, 4, 4.0);
    must(calibration_read(&c, path, 3, &e), &e);
    assert_true(c.pascals[0] == 2.0 && c.pascals[1] == 3.0 && c.pascals[2] == 0.0);
    calibration_free(&c);
}

/* A walk along the list for each entry would take minutes, beyond the limit of the test. */
static void a_file_of_many_entries_is_written_in_one_walk(void **state)
{
    (void)state;
    enum { ENTRIES = 400000 };
    static const char head[] = "{ \"calibration\": [ ", own[] = "{ \"channel\": 1, \"pascals_per_unit\": 7 }",
                      end[] = " ] }";
    char *text = malloc(sizeof head + 2 * ENTRIES + 2 * sizeof own + sizeof end), *at = text;
    const char *path = scratch_path("many.json");
    assert_non_null(text);
    at = stpcpy(stpcpy(stpcpy(at, head), own), ",");
    for (size_t i = 0; i < ENTRIES; i++)
        at = stpcpy(at, "0,");
    at = stpcpy(stpcpy(at, own), end);
    scratch_write(path, text, (size_t)(at - text));
    free(text);
    write_channel(path, 1, 2.0);
    char *written;
    const size_t length = scratch_read(path, &written);
    size_t entries = 0;
    for (const char *found = written; (found = strstr(found, "pascals_per_unit")); found++)
        entries++;
    assert_true(length > 2 * ENTRIES);
    assert_int_equal(entries, 1); /* both old ones went */
    free(written);
}

static void other_files_are_refused_and_stay(void **state)
{
    (void)state;
    static const char text[] = "{ \"calibration\": 3 }";
    const char *path = scratch_path("other.json");
    struct error e;
    char *left;
    scratch_write(path, text, strlen(text));
    assert_int_not_equal(calibration_write(path, 1, &tone, 94.0, "a microphone", &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "is no calibration file"));
    scratch_read(path, &left);
    assert_string_equal(left, text);
    free(left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(each_channel_has_its_last_calibration, scratch_empty),
        cmocka_unit_test_teardown(a_file_of_many_entries_is_written_in_one_walk, scratch_empty),
        cmocka_unit_test_teardown(other_files_are_refused_and_stay, scratch_empty),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

/* SPDX-License-Identifier: MIT */
/* Phases of the time before the first step (base/phase_timer.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/phase_timer.h"

#include <cmocka.h>

static void wait_for(double seconds)
{
    const double end = clock_seconds() + seconds;
    while (clock_seconds() < end) {
    }
}

static void time_counts_for_the_innermost_phase(void **state)
{
    (void)state;
    struct phase list[PHASES_MAX];
    const double start = clock_seconds();
    phase_timer_open();
    phase_begin("outer");
    wait_for(0.01);
    phase_begin("inner");
    wait_for(0.02);
    phase_end();
    phase_end();
    phase_begin("inner");
    wait_for(0.01);
    phase_end();
    const double all = clock_seconds() - start;
    assert_int_equal(phase_timer_list(list), 2);
    assert_string_equal(list[0].name, "outer");
    assert_string_equal(list[1].name, "inner");
    assert_true(list[0].seconds >= 0.0099 && list[1].seconds >= 0.0299);
    assert_true(list[0].seconds + list[1].seconds <= all);
    phase_timer_close();
}

static double differing(size_t count, const struct phase *list, double all)
{
    double sum = phase_timer_rest().seconds;
    for (size_t i = 0; i < count; i++)
        sum += list[i].seconds;
    return sum - all;
}

/* With time outside all phases, in nested ones, and in one that is still open. */
static void phases_and_the_rest_add_up_to_the_whole(void **state)
{
    (void)state;
    struct phase list[PHASES_MAX];
    phase_timer_open();
    wait_for(0.01);
    phase_begin("outer");
    phase_begin_shown("inner");
    wait_for(0.01);
    phase_end();
    const double before = phase_timer_elapsed();
    const size_t count = phase_timer_list(list);
    const double after = phase_timer_elapsed();
    assert_int_equal(count, 2);
    assert_true(phase_timer_rest().seconds >= 0.0099 && list[1].seconds >= 0.0099);
    assert_true(differing(count, list, before) >= -1e-9 && differing(count, list, after) <= 1e-9);
    assert_true(list[1].processor > 0.0 && list[1].processor < 1.0);
    phase_end();
    phase_timer_close();
}

static void work_of_other_threads_is_listed_apart(void **state)
{
    (void)state;
    struct phase list[PHASES_MAX];
    phase_timer_open();
    phase_add_beside("rays", 2.0);
    phase_add_beside("rays", 0.5);
    assert_int_equal(phase_timer_list(list), 0);
    assert_int_equal(phase_timer_beside(list), 1);
    assert_string_equal(list[0].name, "rays");
    assert_true(list[0].seconds == 2.5);
    phase_timer_close();
}

/* A phase that shows its own progress is not said, and clears nothing. */
static int rests;
static void rest(void)
{
    rests++;
}

static void the_outermost_phase_is_what_is_said(void **state)
{
    (void)state;
    const char *name = NULL;
    double seconds = 0.0;
    phase_timer_open();
    phase_timer_at_rest(rest);
    assert_false(phase_timer_now(&name, &seconds));
    phase_begin("outer");
    phase_begin("inner");
    wait_for(0.005);
    assert_true(phase_timer_now(&name, &seconds));
    assert_string_equal(name, "outer");
    assert_true(seconds >= 0.0049);
    phase_end();
    assert_int_equal(rests, 0);
    phase_end();
    assert_int_equal(rests, 1);
    assert_false(phase_timer_now(&name, &seconds));
    phase_begin_shown("stepping");
    assert_false(phase_timer_now(&name, &seconds));
    phase_end();
    assert_int_equal(rests, 1);
    phase_timer_at_rest(NULL);
    phase_timer_close();
}

/* Deeper than the log follows, and more of them than it lists. */
static void too_many_phases_do_no_harm(void **state)
{
    (void)state;
    static char names[3 * PHASES_MAX][8];
    struct phase list[PHASES_MAX];
    phase_timer_open();
    for (int i = 0; i < 3 * PHASES_MAX; i++) {
        names[i][0] = (char)('a' + i % 26);
        names[i][1] = (char)('a' + i / 26);
        phase_begin(names[i]);
    }
    for (int i = 0; i < 3 * PHASES_MAX + 2; i++)
        phase_end();
    for (int i = 0; i < 3 * PHASES_MAX; i++) {
        phase_begin(names[i]);
        phase_end();
    }
    assert_int_equal(phase_timer_list(list), PHASES_MAX);
    phase_timer_close();
    assert_int_equal(phase_timer_list(list), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_counts_for_the_innermost_phase),
        cmocka_unit_test(phases_and_the_rest_add_up_to_the_whole),
        cmocka_unit_test(work_of_other_threads_is_listed_apart),
        cmocka_unit_test(the_outermost_phase_is_what_is_said),
        cmocka_unit_test(too_many_phases_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

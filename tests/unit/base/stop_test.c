/* SPDX-License-Identifier: MIT */
/* Stops: what a signal asks for, and when it asks for nothing any more. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stop.h"

#include <cmocka.h>

/* What a child process that takes these steps ends with: its exit status, or 128 + the signal it dies by. */
static int end_of(int (*steps)(void))
{
    int status = 0;
    const pid_t child = fork();
    if (!child) {
        stop_on_signals();
        const int said = steps();
        stop_die();
        _exit(said);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int terminated(void)
{
    raise(SIGTERM);
    return !(stop_signalled() && stop_requested() && stop_terminated());
}

static int terminated_before_and_after_the_end(void)
{
    raise(SIGTERM);
    stop_no_more_by_sigterm();
    raise(SIGTERM);
    return stop_signalled() || stop_requested();
}

static int interrupted_before_the_end(void)
{
    raise(SIGINT);
    stop_no_more_by_sigterm();
    return !stop_signalled();
}

static int work_that_ends(void)
{
    stop_work(true);
    return !stop_requested() || stop_signalled();
}

static void a_program_dies_by_the_signal_that_stopped_it(void **state)
{
    (void)state;
    assert_int_equal(end_of(terminated), 128 + SIGTERM);
}

static void work_that_is_complete_is_not_terminated(void **state)
{
    (void)state;
    assert_int_equal(end_of(terminated_before_and_after_the_end), 0);
    assert_int_equal(end_of(interrupted_before_the_end), 128 + SIGINT);
}

static void the_end_of_work_is_no_signal(void **state)
{
    (void)state;
    assert_int_equal(end_of(work_that_ends), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_dies_by_the_signal_that_stopped_it),
        cmocka_unit_test(work_that_is_complete_is_not_terminated),
        cmocka_unit_test(the_end_of_work_is_no_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Files of jobs stay in their bounds: those used longest ago go first, and none that a job still needs. */
#include "studio/folders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#include <cmocka.h>

#include "support/scratch.h"

static char jobs[512];

static const char *inside(const char *name)
{
    static char path[700];
    snprintf(path, sizeof path, "%s/%s", jobs, name);
    return path;
}

/* The folder of a job with one file of this length. */
static void make_folder(unsigned number, size_t length)
{
    char path[800], *bytes = calloc(length + 1, 1);
    assert_non_null(bytes);
    snprintf(path, sizeof path, "%s/%u", jobs, number);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/%u/a.wav", jobs, number);
    scratch_write(path, bytes, length);
    free(bytes);
    usleep(20000); /* clocks of files advance in steps of up to 10 ms */
}

static bool is_there(const char *name)
{
    return !access(inside(name), F_OK);
}

static int make_jobs(void **state)
{
    (void)state;
    snprintf(jobs, sizeof jobs, "%s/jobs", scratch_folder);
    if (mkdir(jobs, 0700))
        return -1;
    for (unsigned number = 8; number <= 12; number++) /* as texts, 10 is before 8 */
        make_folder(number, 100);
    assert_int_equal(mkdir(inside("upload-1"), 0700), 0);
    scratch_write(inside("upload-1/model.obj"), "v", 1);
    return 0;
}

static int remove_jobs(void **state)
{
    (void)state;
    folder_remove(jobs);
    return access(jobs, F_OK) ? 0 : -1;
}

static bool keeps_number(const void *context, unsigned number)
{
    return number == *(const unsigned *)context;
}

static void those_used_longest_ago_go_first(void **state)
{
    (void)state;
    const unsigned none = 0;
    folders_limit(jobs, 500, keeps_number, &none);
    assert_true(is_there("8") && is_there("12"));
    folders_limit(jobs, 499, keeps_number, &none);
    assert_true(!is_there("8") && is_there("9"));
    folder_use(inside("9"));
    folders_limit(jobs, 200, keeps_number, &none);
    assert_true(is_there("9") && is_there("12") && !is_there("10") && !is_there("11"));
}

static void those_that_a_job_needs_stay(void **state)
{
    (void)state;
    const unsigned needed = 8;
    folders_limit(jobs, 0, keeps_number, &needed);
    assert_true(is_there("8/a.wav") && !is_there("9") && !is_there("12"));
    assert_true(is_there("upload-1/model.obj"));
}

static void a_folder_is_removed_with_all_in_it(void **state)
{
    (void)state;
    assert_int_equal(mkdir(inside("8/deep"), 0700), 0);
    scratch_write(inside("8/deep/.hidden"), "x", 1);
    assert_int_equal(symlink("/", inside("8/link")), 0);
    folder_remove(inside("8"));
    assert_true(!is_there("8") && is_there("9"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(those_used_longest_ago_go_first, make_jobs, remove_jobs),
        cmocka_unit_test_setup_teardown(those_that_a_job_needs_stay, make_jobs, remove_jobs),
        cmocka_unit_test_setup_teardown(a_folder_is_removed_with_all_in_it, make_jobs, remove_jobs),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

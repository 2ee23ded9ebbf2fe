/* SPDX-License-Identifier: MIT */
/* Requests of the page become command lines, and only those that they should. */
#include "studio/job_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "support/scratch.h"

static char jobs[512], second[600]; /* the folder of jobs, and that of job 2 in it */

/* A folder of jobs in which job 1 has the file a.wav. */
static int make_jobs(void **state)
{
    char path[700];
    if (scratch_make(state))
        return -1;
    snprintf(jobs, sizeof jobs, "%s/jobs", scratch_folder);
    snprintf(second, sizeof second, "%s/2", jobs);
    snprintf(path, sizeof path, "%s/1", jobs);
    if (mkdir(jobs, 0700) || mkdir(path, 0700))
        return -1;
    snprintf(path, sizeof path, "%s/1/a.wav", jobs);
    scratch_write(path, "RIFF", 4);
    snprintf(path, sizeof path, "%s/secret.wav", jobs);
    scratch_write(path, "RIFF", 4);
    return 0;
}

static int remove_jobs(void **state)
{
    static const char *const left[] = {"1/a.wav", "secret.wav"};
    char path[700];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", jobs, left[i]);
        remove(path);
    }
    snprintf(path, sizeof path, "%s/1", jobs);
    remove(path);
    remove(jobs);
    return scratch_remove(state);
}

static int plan_of(struct job_plan *plan, const char *request, struct error *e)
{
    cJSON *json = cJSON_Parse(request);
    assert_non_null(json);
    const int status = job_plan_make(plan, json, jobs, second, "room.cfg", e);
    cJSON_Delete(json);
    return status;
}

static void a_command_is_shown_as_a_user_writes_it(void **state)
{
    struct job_plan plan;
    struct error e;
    (void)state;
    assert_int_equal(
        plan_of(&plan, "{\"kind\": \"report\", \"files\": [\"files/1/a.wav\"], \"title\": \"Anna's $HOME\"}", &e), 0);
    assert_string_equal(plan.commands[0].shown, "aula report -o report.html --title 'Anna'\\''s $HOME' a.wav");
    char path[700];
    snprintf(path, sizeof path, "%s/report.html", second);
    assert_string_equal(plan.commands[0].words[2], path);
    snprintf(path, sizeof path, "%s/1/a.wav", jobs);
    assert_string_equal(plan.commands[0].words[5], path);
    job_plan_free(&plan);
    assert_int_equal(
        plan_of(&plan, "{\"kind\": \"compare\", \"files\": [\"files/1/a.wav\"], \"names\": [\"A/B\"]}", &e), -1);
    assert_string_equal(e.message, "names: must be of letters and digits");
    job_plan_free(&plan);
    assert_int_equal(plan_of(&plan, "{\"kind\": \"modes\", \"to\": 80}", &e), 0);
    assert_true(plan.commands[0].takes_room && plan.is_long);
    assert_string_equal(plan.commands[0].words[1], "-");
    assert_non_null(strstr(plan.commands[0].shown, "aula modes room.cfg --json --to 80"));
    job_plan_free(&plan);
}

static void listening_is_coarse_first_and_then_what_render_writes(void **state)
{
    struct job_plan plan;
    struct error e;
    (void)state;
    assert_int_equal(plan_of(&plan, "{\"kind\": \"listen\", \"source\": \"talker\", \"impulse\": 1}", &e), 0);
    assert_int_equal(plan.count, 2);
    assert_true(plan.commands[0].stages && !plan.commands[0].last && plan.commands[1].last);
    assert_non_null(strstr(plan.commands[1].shown, "aula render room.cfg"));
    assert_non_null(strstr(plan.commands[1].shown, "'sources[1].signal=\"impulse\"'"));
    assert_non_null(strstr(plan.commands[1].shown, "--source talker"));
    job_plan_free(&plan);
}

static void no_file_but_those_of_jobs_is_read(void **state)
{
    static const char *const refused[] = {"files/1/../secret.wav", "files/../secret.wav",
                                          "files/1/b.wav",         "jobs/1/a.wav",
                                          "/etc/passwd",           "files/1/",
                                          "files/01x/a.wav",       "--help",
                                          "files/1/.a.wav",        "files/1//a.wav"};
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct job_plan plan;
        struct error e = {ERROR_NONE, ""};
        char request[256];
        snprintf(request, sizeof request, "{\"kind\": \"metrics\", \"files\": [\"%s\"]}", refused[i]);
        if (!plan_of(&plan, request, &e))
            fail_msg("%s was taken", refused[i]);
        assert_int_equal(e.code, ERROR_INPUT);
        assert_string_equal(e.message, "files: is no file of a job, or was removed for newer ones: play again");
        job_plan_free(&plan);
    }
}

static void no_text_becomes_an_option(void **state)
{
    static const char *const refused[] = {"{\"kind\": \"material\", \"name\": \"--json\"}",
                                          "{\"kind\": \"listen\", \"source\": \"-o\"}",
                                          "{\"kind\": \"map\", \"plane\": \"--csv=/tmp/x\"}",
                                          "{\"kind\": \"reflections\", \"receiver\": \"--json\"}",
                                          "{\"kind\": \"report\", \"files\": [\"files/1/a.wav\"], \"title\": \"-o\"}",
                                          "{\"kind\": \"metrics\", \"target\": 3, \"files\": [\"files/1/a.wav\"]}",
                                          "{\"kind\": \"modes\", \"to\": \"80; rm\"}",
                                          "{\"kind\": \"modes\", \"to\": 1e9}",
                                          "{\"kind\": \"validate\"}",
                                          "{}"};
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct job_plan plan;
        struct error e = {ERROR_NONE, ""};
        if (!plan_of(&plan, refused[i], &e))
            fail_msg("%s was taken", refused[i]);
        assert_int_equal(e.code, ERROR_INPUT);
        job_plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_is_shown_as_a_user_writes_it),
        cmocka_unit_test(listening_is_coarse_first_and_then_what_render_writes),
        cmocka_unit_test(no_file_but_those_of_jobs_is_read),
        cmocka_unit_test(no_text_becomes_an_option),
    };
    return cmocka_run_group_tests(tests, make_jobs, remove_jobs);
}

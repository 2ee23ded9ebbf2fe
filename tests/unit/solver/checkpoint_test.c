/* SPDX-License-Identifier: MIT */
/* Checkpoints: whatever is read back is what was written, or nothing; a run that is resumed has the bits of one that
 * was not broken off. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solver/checkpoint/blocks_file.h"
#include "solver/checkpoint/checkpoint.h"
#include "solver/checkpoint/difference.h"
#include "solver/schemes/leapfrog/partition_links.h"
#include "support/random_cases.h"
#include "support/scratch.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

/* --- the n-th write, fsync or rename fails --- */

static long calls, failing_call; /* 0: none fails */

static bool fails_now(void)
{
    errno = ENOSPC;
    return failing_call && ++calls == failing_call;
}

ssize_t __real_write(int descriptor, const void *bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t count)
{
    return fails_now() ? -1 : __real_write(descriptor, bytes, count);
}

int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __wrap_fsync(int descriptor)
{
    return fails_now() ? -1 : __real_fsync(descriptor);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    return fails_now() ? -1 : __real_rename(from, to);
}

/* --- what is said --- */

static int said[NEWS_WARNING + 1]; /* lines of each kind */
static char last_line[1024];

static void hear(void *context, enum checkpoint_news news, const char *line)
{
    (void)context;
    said[news]++;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static const char this_run[] = "{\"aula\": \"1.2\", \"room\": {\"grid\": {\"rate\": 8000}}}";

static struct checkpoint *open_folder(const char *run, bool resume, struct error *e)
{
    struct checkpoint *c = NULL;
    const struct checkpoint_settings settings = {
        .folder = scratch_path("kept"), .every = 600.0, .resume = resume, .run = run, .say = hear};
    memset(said, 0, sizeof said);
    checkpoint_open(&c, &settings, e);
    return c;
}

static struct checkpoint *must_open(bool resume)
{
    struct error e = {ERROR_NONE, ""};
    struct checkpoint *c = open_folder(this_run, resume, &e);
    if (!c)
        fail_msg("%s", e.message);
    return c;
}

static void leave(struct checkpoint *c)
{
    checkpoint_remove(c);
    checkpoint_close(c);
    assert_int_equal(rmdir(scratch_path("kept")), 0); /* empty */
}

static char *path_of(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", scratch_path("kept"), name);
    return path;
}

/* --- a random room that is stepped --- */

enum { CHANNELS = 3, STEPS = 60 };

struct outcome {
    double taps[CHANNELS][STEPS];
    void *field[2];
};

struct stepped {
    struct scene scene;
    double drive[CHANNELS][STEPS];
    struct outcome whole, broken;
    size_t bytes;
};

static void make_room(struct stepped *s, int number, struct random *r)
{
    struct error e;
    memset(s, 0, sizeof *s); /* traces beyond the last step are written, too, and must be numbers */
    const enum precision precision = number % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE;
    do {
        must(scene_random(&s->scene, 12, precision, r, &e), &e);
        if (number / 2 % 2 && s->scene.leapfrog.viscosity == 0.0)
            scene_use_corners(&s->scene);
        must(scene_voxels(&s->scene, &e), &e);
        if (scene_air_points(&s->scene))
            break;
        scene_free(&s->scene);
    } while (true);
    for (int c = 0; c < CHANNELS; c++) {
        scene_drive(&s->scene, scene_air_point(&s->scene, r), random_unit(r));
        scene_tap(&s->scene, scene_air_point(&s->scene, r), 1.0);
        for (int n = 0; n < STEPS; n++)
            s->drive[c][n] = random_unit(r) - 0.5;
    }
    const size_t *points = s->scene.problem.points;
    s->bytes = points[0] * points[1] * points[2] * precision_bytes(precision);
    for (int level = 0; level < 2; level++) {
        s->whole.field[level] = malloc(s->bytes);
        s->broken.field[level] = malloc(s->bytes);
    }
}

static void free_room(struct stepped *s)
{
    scene_free(&s->scene);
    for (int level = 0; level < 2; level++) {
        free(s->whole.field[level]);
        free(s->broken.field[level]);
    }
}

static void step(struct stepped *s, struct solver *solver, size_t from, size_t to, struct outcome *o)
{
    struct error e;
    const struct block b = {&s->drive[0][from], STEPS, &o->taps[0][from], STEPS};
    must(solver_run(solver, to - from, &b, &e), &e);
}

static void end(struct stepped *s, struct solver *solver, struct outcome *o)
{
    struct error e;
    const size_t planes = s->scene.problem.points[2];
    must(solver_get(solver, "p", 0, planes, o->field[0], &e) ||
             solver_get(solver, "p_previous", 0, planes, o->field[1], &e),
         &e);
    solver_close(solver);
}

static const struct checkpoint_job job = {0, 1, "{\"voxels\": \"12ab\"}"};

static void write_room(struct checkpoint *c, struct stepped *s, struct solver *solver, size_t steps, struct outcome *o)
{
    const struct checkpoint_state state = {
        .steps = steps, .figures = {1.5, 2.5}, .traces = o->taps[0], .channels = CHANNELS, .stride = STEPS};
    checkpoint_write(c, &job, &state, &s->scene.problem, solver);
}

/* Rooms with partitions in a single part, as those across z leave hardly any cut. */
static struct solver_options draw_choice(const struct stepped *s, struct random *r)
{
    const size_t planes = s->scene.problem.points[2], several = planes < 3 ? planes : 3;
    const size_t most = transmission_any(&s->scene.leapfrog) ? 1 : several;
    return (struct solver_options){.engine = "cpu",
                                   .threads = (int)random_between(r, 1, 2),
                                   .parts.count = (int)random_between(r, 1, most),
                                   .parts.halo = (int)random_between(r, 0, 4)};
}

/* Breaks a run off twice; the middle part is computed by a third solver. */
static void break_off(struct stepped *s, struct random *r)
{
    struct error e;
    struct outcome *o = &s->broken;
    const size_t first = random_between(r, 0, STEPS - 1), second = random_between(r, first, STEPS);
    const size_t ends[3] = {first, second, STEPS};
    size_t done = 0;
    for (int run = 0; run < 3; run++) {
        const struct solver_options choice = draw_choice(s, r);
        struct checkpoint_state state = {.channels = CHANNELS};
        struct checkpoint *c = must_open(run > 0);
        struct solver *solver;
        must(scene_open(&solver, &s->scene, &choice, &e), &e);
        memset(o->taps, 0xff, sizeof o->taps);
        must(checkpoint_read(c, &job, &state, &s->scene.problem, solver, &e), &e);
        assert_int_equal(state.steps, done);
        for (int k = 0; k < CHANNELS && done; k++)
            memcpy(o->taps[k], state.traces + (size_t)k * state.stride, done * sizeof(double));
        free(state.traces);
        step(s, solver, done, ends[run], o);
        done = ends[run];
        if (run == 2) {
            end(s, solver, o);
            leave(c);
            return;
        }
        write_room(c, s, solver, done, o);
        assert_false(checkpoint_failed(c));
        solver_close(solver);
        checkpoint_close(c);
    }
}

static void a_run_broken_off_anywhere_has_the_bits_of_one_that_was_not(void **state)
{
    (void)state;
    struct random r = random_cases("rooms that are broken off");
    for (int number = 0; number < case_count(60); number++) {
        struct stepped *s = calloc(1, sizeof *s);
        struct error e;
        struct solver *solver;
        const struct solver_options one = {.engine = "cpu", .threads = 1};
        assert_non_null(s);
        make_room(s, number, &r);
        must(scene_open(&solver, &s->scene, &one, &e), &e);
        step(s, solver, 0, STEPS, &s->whole);
        end(s, solver, &s->whole);
        break_off(s, &r);
        assert_memory_equal(s->broken.taps, s->whole.taps, sizeof s->whole.taps);
        assert_memory_equal(s->broken.field[0], s->whole.field[0], s->bytes);
        assert_memory_equal(s->broken.field[1], s->whole.field[1], s->bytes);
        free_room(s);
        free(s);
    }
}

/* --- files --- */

/* A small folder with two generations; the newer one is generation-2. */
static void write_two(struct stepped *s, struct random *r)
{
    struct error e;
    struct solver *solver;
    const struct solver_options one = {.engine = "cpu", .threads = 1};
    struct checkpoint *c = must_open(false);
    make_room(s, 0, r);
    must(scene_open(&solver, &s->scene, &one, &e), &e);
    step(s, solver, 0, 20, &s->whole);
    write_room(c, s, solver, 20, &s->whole);
    step(s, solver, 20, 30, &s->whole);
    write_room(c, s, solver, 30, &s->whole);
    assert_false(checkpoint_failed(c));
    solver_close(solver);
    checkpoint_close(c);
}

/* The steps that are resumed. */
static size_t resumed(struct stepped *s)
{
    struct error e = {ERROR_NONE, ""};
    struct solver *solver;
    const struct solver_options one = {.engine = "cpu", .threads = 1};
    struct checkpoint_state state = {.channels = CHANNELS};
    struct checkpoint *c = must_open(true);
    must(scene_open(&solver, &s->scene, &one, &e), &e);
    must(checkpoint_read(c, &job, &state, &s->scene.problem, solver, &e), &e);
    free(state.traces);
    solver_close(solver);
    checkpoint_close(c);
    return state.steps;
}

static void any_changed_byte_and_any_lost_one_makes_the_older_generation_count(void **state)
{
    (void)state;
    struct random r = random_cases("damaged files");
    struct stepped s;
    write_two(&s, &r);
    assert_int_equal(resumed(&s), 30);
    char *bytes;
    const size_t size = scratch_read(path_of("generation-2"), &bytes);
    for (int i = 0; i < case_count(250); i++) {
        const bool cut = i % 2;
        const size_t at = i < 100 ? (size_t)i / 2 : random_between(&r, 0, size - 1); /* all of the head */
        const char change = (char)(1u << random_between(&r, 0, 7));
        if (!cut && at >= 16 && at < 24) /* the format, which is refused */
            continue;
        bytes[at] ^= cut ? 0 : change;
        scratch_write(path_of("generation-2"), bytes, cut ? at : size);
        bytes[at] ^= cut ? 0 : change;
        if (!cut && at < 16) { /* nothing says any more that it is ours */
            struct error e = {ERROR_NONE, ""};
            assert_null(open_folder(this_run, true, &e));
            assert_int_equal(e.code, ERROR_USAGE);
            assert_non_null(strstr(e.message, "generation-2: not an aula checkpoint"));
            continue;
        }
        const size_t steps = resumed(&s);
        if (steps != 20 || said[NEWS_WARNING] != 1)
            fail_msg("byte %zu of %zu, %s: %zu steps are resumed with %d warnings", at, size, cut ? "cut" : "changed",
                     steps, said[NEWS_WARNING]);
    }
    scratch_write(path_of("generation-2"), bytes, size);
    assert_int_equal(resumed(&s), 30);
    free(bytes);
    leave(must_open(true));
    free_room(&s);
}

static void a_failing_call_costs_the_checkpoint_and_not_the_one_before(void **state)
{
    (void)state;
    struct random r = random_cases("failing calls");
    struct stepped s;
    struct error e;
    struct solver *solver;
    const struct solver_options one = {.engine = "cpu", .threads = 1};
    write_two(&s, &r);
    must(scene_open(&solver, &s.scene, &one, &e), &e);
    struct checkpoint *c = must_open(true);
    bool failed = true;
    long call = 0;
    for (call = 1; failed; call++) {
        memset(said, 0, sizeof said);
        calls = 0;
        failing_call = call;
        write_room(c, &s, solver, 40, &s.whole);
        failing_call = 0;
        failed = checkpoint_failed(c);
        assert_int_equal(said[NEWS_WARNING], failed ? 1 : 0);
        if (failed && !strstr(last_line, "No space left on device"))
            fail_msg("call %ld: %s", call, last_line);
        assert_true(checkpoint_holds(c));
    }
    print_message("%ld calls failed\n", call - 2);
    assert_true(call > 10);
    checkpoint_close(c);
    assert_int_equal(resumed(&s), 40);
    solver_close(solver);
    leave(must_open(true));
    free_room(&s);
}

static void a_checkpoint_is_not_begun_over_another(void **state)
{
    (void)state;
    struct random r = random_cases("folders");
    struct stepped s;
    struct error e = {ERROR_NONE, ""};
    write_two(&s, &r);
    assert_null(open_folder(this_run, false, &e));
    assert_int_equal(e.code, ERROR_USAGE);
    assert_non_null(strstr(e.message, "add --resume to continue"));
    struct checkpoint *c = must_open(true);
    assert_null(open_folder(this_run, true, &e)); /* it is in use */
    assert_int_equal(e.code, ERROR_USAGE);
    assert_non_null(strstr(e.message, "another run is using this checkpoint folder"));
    leave(c);
    free_room(&s);
}

static void another_version_room_or_wall_is_named_with_both_values(void **state)
{
    (void)state;
    struct random r = random_cases("other runs");
    struct stepped s;
    struct error e = {ERROR_NONE, ""};
    write_two(&s, &r);
    assert_null(open_folder("{\"aula\": \"1.3\", \"room\": {\"grid\": {\"rate\": 8000}}}", true, &e));
    assert_int_equal(e.code, ERROR_USAGE);
    assert_non_null(strstr(e.message, "aula is 1.2 in the checkpoint and 1.3 in this run"));
    assert_null(open_folder("{\"aula\": \"1.2\", \"room\": {\"grid\": {\"rate\": 9000}}}", true, &e));
    assert_non_null(strstr(e.message, "room.grid.rate is 8000 in the checkpoint and 9000 in this run"));
    struct checkpoint *c = must_open(true);
    struct solver *solver;
    const struct solver_options one = {.engine = "cpu", .threads = 1};
    struct checkpoint_state kept = {.channels = CHANNELS};
    const struct checkpoint_job other = {0, 1, "{\"voxels\": \"34cd\"}"};
    must(scene_open(&solver, &s.scene, &one, &e), &e);
    assert_int_not_equal(checkpoint_read(c, &other, &kept, &s.scene.problem, solver, &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_non_null(strstr(e.message, "voxels is 12ab in the checkpoint and 34cd in this run"));
    solver_close(solver);
    leave(c);
    free_room(&s);
}

static void complete_traces_are_there_without_a_solver(void **state)
{
    (void)state;
    double traces[2][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
    struct error e = {ERROR_NONE, ""};
    const struct checkpoint_job of_source = {3, 2, "{}"}, of_other = {4, 1, "{}"};
    struct checkpoint *c = must_open(false);
    struct checkpoint_state written = {
        .steps = 4, .traces = traces[0], .channels = 2, .stride = 5, .complete = true, .figures = {7.0}};
    checkpoint_write(c, &of_source, &written, NULL, NULL);
    checkpoint_close(c);
    c = must_open(true);
    struct checkpoint_state got = {.channels = 2};
    must(checkpoint_read(c, &of_other, &got, NULL, NULL, &e), &e);
    assert_true(got.steps == 0 && !got.complete);
    must(checkpoint_read(c, &of_source, &got, NULL, NULL, &e), &e);
    assert_true(got.complete && got.steps == 4 && got.figures[0] == 7.0);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(got.traces + i * 4, traces[i], 4 * sizeof(double));
    free(got.traces);
    leave(c);
}

/* What is in the folder under that name, the target of a link included. */
static void expect_text(const char *name, const char *expected)
{
    char *text;
    assert_int_equal(scratch_read(path_of(name), &text), strlen(expected));
    assert_string_equal(text, expected);
    free(text);
}

static void files_of_others_are_refused_under_our_names_and_stay_under_any(void **state)
{
    static const char *const ours[] = {"generation-1", "generation-2", "source-0", "source-12", "sources-0-4"};
    static const char *const others[] = {
        "generation-3", "generation-1-1", "generation-2024-05-01", "source-",      "source-01",   "source-1-2",
        "sources-1",    "sources-0-4-5",  "source-3.part-mine",    "source-3.wav", "my-source-1", "sources-1-"};
    static const char text[] = "a diary of mine, of many words";
    struct error e = {ERROR_NONE, ""};
    (void)state;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        for (int resume = 0; resume < 2; resume++) {
            checkpoint_close(must_open(true)); /* makes the folder */
            scratch_write(path_of(ours[i]), text, sizeof text - 1);
            assert_null(open_folder(this_run, resume, &e));
            assert_int_equal(e.code, ERROR_USAGE);
            assert_non_null(strstr(e.message, ours[i]));
            assert_non_null(strstr(e.message, "not an aula checkpoint"));
            expect_text(ours[i], text);
            unlink(path_of(ours[i]));
        }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        scratch_write(path_of(others[i]), text, sizeof text - 1);
    struct checkpoint *c = must_open(false);
    checkpoint_remove(c);
    checkpoint_close(c);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        expect_text(others[i], text);
        unlink(path_of(others[i]));
    }
    leave(must_open(true));
}

static void nothing_is_written_or_removed_through_a_link(void **state)
{
    static const char text[] = "precious";
    double traces[2][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
    const struct checkpoint_job of_source = {3, 1, "{}"};
    struct error e = {ERROR_NONE, ""};
    (void)state;
    checkpoint_close(must_open(true));
    scratch_write(path_of("precious"), text, sizeof text - 1);
    for (int dangling = 0; dangling < 2; dangling++) {
        assert_int_equal(symlink(dangling ? "nowhere" : "precious", path_of("generation-1")), 0);
        assert_null(open_folder(this_run, true, &e));
        assert_non_null(strstr(e.message, "generation-1: not an aula checkpoint"));
        unlink(path_of("generation-1"));
    }
    struct checkpoint *c = must_open(false); /* the link comes later */
    struct checkpoint_state written = {
        .steps = 4, .traces = traces[0], .channels = 2, .stride = 5, .complete = true, .figures = {7.0}};
    assert_int_equal(symlink("precious", path_of("source-3")), 0);
    checkpoint_write(c, &of_source, &written, NULL, NULL);
    assert_true(checkpoint_failed(c));
    assert_int_equal(said[NEWS_WARNING], 1);
    expect_text("source-3", text);
    checkpoint_remove(c);
    expect_text("source-3", text);
    expect_text("precious", text);
    unlink(path_of("source-3"));
    unlink(path_of("precious"));
    leave(c);
}

static void differences_are_found_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *there, *here, *said; /* NULL: none */
    } cases[] = {
        {"{\"a\": 1, \"b\": [1, {\"c\": 2}]}", "{\"b\": [1, {\"c\": 2}], \"a\": 1}", NULL},
        {"{\"a\": {\"b\": [1, 2]}}", "{\"a\": {\"b\": [1, 3]}}", "a.b[1] is 2 in the checkpoint and 3 in this run"},
        {"{\"a\": [1, 2]}", "{\"a\": [1]}", "a[1] is 2 in the checkpoint and absent in this run"},
        {"{\"a\": 1}", "{\"a\": 1, \"b\": true}", "b is absent in the checkpoint and true in this run"},
        {"{\"a\": 1}", "{\"a\": \"1\"}", "a is 1 in the checkpoint and 1 in this run"},
        {"{\"f\": \"here/x.obj\"}", "{\"f\": \"/there/x.obj\"}", NULL},
        {"{\"f\": \"here/x.obj\"}", "{\"f\": \"here/y.obj\"}",
         "f is here/x.obj in the checkpoint and here/y.obj in this run"},
        {"{\"a\": 1.0000000000000002}", "{\"a\": 1}", "a is 1.0000000000000002 in the checkpoint and 1 in this run"},
        {"{\"a\": [0.1]}", "{\"a\": [0.10000000000000002]}",
         "a[0] is 0.1 in the checkpoint and 0.10000000000000002 in this run"},
        {"{\"a\": 1e-3}", "{\"a\": 0.001}", NULL},
        {"{\"a\": null}", "{\"a\": 0}", "a is null in the checkpoint and 0 in this run"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e;
        char *text;
        must(difference_find(&text, cases[i].there, cases[i].here, &e), &e);
        if (cases[i].said)
            assert_string_equal(text, cases[i].said);
        else
            assert_null(text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_found_by_name),
        cmocka_unit_test(a_run_broken_off_anywhere_has_the_bits_of_one_that_was_not),
        cmocka_unit_test(any_changed_byte_and_any_lost_one_makes_the_older_generation_count),
        cmocka_unit_test(a_failing_call_costs_the_checkpoint_and_not_the_one_before),
        cmocka_unit_test(a_checkpoint_is_not_begun_over_another),
        cmocka_unit_test(another_version_room_or_wall_is_named_with_both_values),
        cmocka_unit_test(files_of_others_are_refused_under_our_names_and_stay_under_any),
        cmocka_unit_test(nothing_is_written_or_removed_through_a_link),
        cmocka_unit_test(complete_traces_are_there_without_a_solver),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

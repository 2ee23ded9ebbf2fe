/* SPDX-License-Identifier: MIT */
/* A row of blocks: what of the work goes into the audit of the energy, and what the timing counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "render/blocks.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

static void open_box(struct scene *s, struct solver **solver, size_t side)
{
    struct error e;
    const struct solver_options choice = {.engine = "cpu", .threads = 1};
    assert_int_equal(scene_box(s, side, side, side, PRECISION_SINGLE, &e), 0);
    scene_drive(s, scene_point(s, side / 2, side / 2, side / 2), 1.0);
    scene_tap(s, scene_point(s, side / 3, side / 2, side / 2), 1.0);
    assert_int_equal(scene_open(solver, s, &choice, &e), 0);
}

struct slow_signal {
    double seconds; /* that every block of it takes */
};

static void fill_slowly(const void *context, double *drive, size_t stride, size_t first, size_t steps)
{
    const struct slow_signal *signal = context;
    const double until = clock_seconds() + signal->seconds;
    (void)stride;
    for (size_t i = 0; i < steps; i++)
        drive[i] = first + i == 0;
    while (clock_seconds() < until)
        ;
}

static void keep_slowly(void *keeper, size_t done, const struct block_outcome *outcome, bool stopping)
{
    size_t *kept = keeper;
    const double until = clock_seconds() + 0.02;
    assert_true(done > 0 && !stopping && outcome->kept_seconds >= 0.02 * (double)*kept);
    ++*kept;
    while (clock_seconds() < until)
        ;
}

/* kept: counts the states that are kept; NULL: none are. */
static struct block_outcome run(size_t steps, double rate, double slowness, size_t *kept)
{
    struct scene scene;
    struct solver *solver;
    struct block_outcome outcome;
    struct error e;
    open_box(&scene, &solver, 12);
    const struct slow_signal signal = {slowness};
    double *taps = malloc(steps * sizeof *taps);
    memset(&outcome, 0xFF, sizeof outcome);
    assert_non_null(taps);
    const struct block_row row = {.steps = steps,
                                  .rate = rate,
                                  .drive_count = 1,
                                  .fill = fill_slowly,
                                  .context = &signal,
                                  .taps = taps,
                                  .keep = kept ? keep_slowly : NULL,
                                  .keeper = kept};
    assert_int_equal(blocks_run(&outcome, solver, &row, NULL, &e), 0);
    assert_true(outcome.energy_residual <= 1e-4);
    solver_close(solver);
    scene_free(&scene);
    free(taps);
    return outcome;
}

static void audits_follow_the_steps_and_not_the_blocks(void **state)
{
    (void)state;
    const size_t max = 5 * AUDIT_STEPS / 2;
    const struct block_outcome outcome = run(max, 40.0, 0.0, NULL); /* blocks of ten steps at most */
    assert_true(outcome.audits == 3);                               /* two on the way and the last */
    assert_true(run(7, 40.0, 0.0, NULL).audits == 1);
}

static void the_timing_counts_whatever_is_waited_for(void **state)
{
    (void)state;
    const double start = clock_seconds();
    const struct block_outcome outcome = run(50, 40.0, 0.02, NULL); /* six blocks or more */
    const double waited = clock_seconds() - start;
    assert_true(outcome.seconds >= 6 * 0.02);
    assert_true(outcome.seconds <= waited);
    assert_true(outcome.audit_seconds > 0.0 && outcome.audit_seconds < outcome.seconds);
}

static void the_timing_leaves_what_is_kept_apart(void **state)
{
    (void)state;
    size_t kept = 0;
    const double start = clock_seconds();
    const struct block_outcome outcome = run(50, 40.0, 0.0, &kept); /* five blocks or more */
    const double waited = clock_seconds() - start;
    assert_true(kept >= 5);
    assert_true(outcome.kept_seconds >= 0.02 * (double)kept);
    assert_true(outcome.seconds > 0.0 && outcome.seconds + outcome.kept_seconds <= waited);
    assert_true(run(50, 40.0, 0.0, NULL).kept_seconds == 0.0);
}

/* AUDIT_STEPS apart, audits then take 1 % at most. The least of a few tries: what else the machine does only adds. */
static void an_audit_takes_a_hundredth_of_the_steps_between_two(void **state)
{
    (void)state;
    enum { STEPS = 20, TRIES = 7 };
    struct scene scene;
    struct solver *solver;
    struct error e;
    struct audit audit;
    double min = INFINITY;
    open_box(&scene, &solver, 128);
    double drive[STEPS] = {1.0}, taps[STEPS];
    const struct block block = {.drive = drive, .drive_stride = STEPS, .taps = taps, .tap_stride = STEPS};
    assert_int_equal(solver_run(solver, STEPS, &block, &e), 0);
    for (int i = 0; i < TRIES; i++) {
        const double start = processor_seconds();
        assert_int_equal(solver_run(solver, STEPS, &block, &e), 0);
        const double between = processor_seconds();
        assert_int_equal(solver_audit(solver, &audit, &e), 0);
        min = fmin(min, (processor_seconds() - between) / ((between - start) / STEPS));
    }
    print_message("an audit takes as long as %.1f steps\n", min);
    assert_true(min <= 0.01 * AUDIT_STEPS);
    solver_close(solver);
    scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audits_follow_the_steps_and_not_the_blocks),
        cmocka_unit_test(the_timing_counts_whatever_is_waited_for),
        cmocka_unit_test(the_timing_leaves_what_is_kept_apart),
        cmocka_unit_test(an_audit_takes_a_hundredth_of_the_steps_between_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The solver contract, on every engine that can run here. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/engine.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

static uint64_t seed;

static void open_or_fail(struct solver **s, struct scene *scene, const char *engine)
{
    const struct solver_options c = {.engine = engine};
    struct error e;
    if (scene_open(s, scene, &c, &e))
        fail_msg("%s", e.message);
}

static void slabs_come_back_as_they_were_put(void **state)
{
    const char *engine = *state;
    struct random r = {seed};
    for (int precision = 0; precision < 2; precision++) {
        struct scene scene;
        struct solver *s;
        struct error e;
        assert_int_equal(scene_box(&scene, 13, 7, 9, (enum precision)precision, &e), 0);
        open_or_fail(&s, &scene, engine);
        const size_t value = precision ? 8 : 4, plane = 13 * 7 * value;
        unsigned char put[9 * 13 * 7 * 8], got[9 * 13 * 7 * 8];
        for (size_t i = 0; i < 13 * 7 * 9; i++) {
            double number = random_unit(&r);
            float small = (float)number;
            memcpy(put + i * value, precision ? (void *)&number : (void *)&small, value);
        }
        memset(got, 0xee, sizeof got);
        assert_int_equal(solver_put(s, "p_previous", 0, 5, put, &e), 0);
        assert_int_equal(solver_put(s, "p_previous", 5, 4, put + 5 * plane, &e), 0);
        assert_int_equal(solver_get(s, "p_previous", 0, 3, got, &e), 0);
        assert_int_equal(solver_get(s, "p_previous", 3, 6, got + 3 * plane, &e), 0);
        assert_memory_equal(put, got, 9 * plane);
        assert_int_equal(solver_get(s, "p", 0, 9, got, &e), 0);
        for (size_t i = 0; i < 9 * plane; i++)
            assert_int_equal(got[i], 0); /* the other level is untouched */
        assert_int_not_equal(solver_get(s, "p", 3, 7, got, &e), 0);
        assert_int_not_equal(solver_get(s, "q", 0, 1, got, &e), 0);
        solver_close(s);
        scene_free(&scene);
    }
}

static void a_continued_run_equals_an_unbroken_one(void **state)
{
    const char *engine = *state;
    struct scene scene;
    struct solver *whole, *parts;
    struct error e;
    struct random r = {seed};
    enum { STEPS = 50 };
    double drive[STEPS], taps[2][STEPS];
    assert_int_equal(scene_random(&scene, 20, PRECISION_DOUBLE, &r, &e), 0);
    scene_drive(&scene, scene_air_point(&scene, &r), 0.7);
    scene_tap(&scene, scene_air_point(&scene, &r), 1.0);
    for (int i = 0; i < STEPS; i++)
        drive[i] = random_unit(&r) - 0.5;
    memset(taps, 0xff, sizeof taps);
    open_or_fail(&whole, &scene, engine);
    assert_int_equal(solver_run(whole, STEPS, &(struct block){drive, STEPS, taps[0], STEPS}, &e), 0);
    solver_close(whole);
    open_or_fail(&parts, &scene, engine);
    for (size_t done = 0, part = 1; done < STEPS; done += part, part = done + 3 <= STEPS ? 3 : STEPS - done)
        assert_int_equal(solver_run(parts, part, &(struct block){drive + done, STEPS, taps[1] + done, STEPS}, &e), 0);
    solver_close(parts);
    for (int i = 0; i < STEPS; i++)
        assert_true(taps[0][i] == taps[1][i]); /* false for NaN */
    scene_free(&scene);
}

static void a_tap_of_level_one_is_a_step_ahead(void **state)
{
    const char *engine = *state;
    struct scene scene;
    struct solver *s;
    struct error e;
    enum { STEPS = 12 };
    double drive[STEPS] = {1.0, -1.0, 0.5}, taps[2][STEPS];
    assert_int_equal(scene_box(&scene, 9, 8, 7, PRECISION_DOUBLE, &e), 0);
    uint64_t point = scene_point(&scene, 4, 4, 3);
    scene_drive(&scene, point, 1.0);
    scene_tap(&scene, point, 1.0);
    size_t ahead = scene_tap(&scene, point, 1.0);
    scene.taps[ahead].entries[0].level = 1;
    open_or_fail(&s, &scene, engine);
    assert_int_equal(solver_run(s, STEPS, &(struct block){drive, STEPS, taps[0], STEPS}, &e), 0);
    assert_true(taps[0][0] == 0.0); /* sample 0 is the silent field before the first step */
    assert_true(taps[1][0] == 1.0);
    for (int i = 1; i < STEPS; i++)
        assert_true(taps[0][i] == taps[1][i - 1]);
    solver_close(s);
    scene_free(&scene);
}

static void supplied_energy_is_stored_or_absorbed(void **state)
{
    const char *engine = *state;
    struct random r = {seed};
    for (int i = 0; i < 8; i++) {
        struct scene scene;
        struct solver *s;
        struct error e;
        struct audit audit;
        enum { STEPS = 400 };
        double drive[2 * STEPS];
        assert_int_equal(scene_random(&scene, 18, PRECISION_DOUBLE, &r, &e), 0);
        scene.leapfrog.viscosity = 0.0; /* what the air takes is not followed */
        for (int c = 0; c < 2; c++) {
            scene_drive(&scene, scene_air_point(&scene, &r), random_unit(&r));
            scene_extend(&scene.drives[c], scene_air_point(&scene, &r), random_unit(&r), 1);
        }
        for (int n = 0; n < 2 * STEPS; n++)
            drive[n] = random_unit(&r) - 0.5;
        open_or_fail(&s, &scene, engine);
        assert_int_equal(solver_run(s, STEPS, &(struct block){drive, STEPS, NULL, 0}, &e), 0);
        assert_int_equal(solver_audit(s, &audit, &e), 0);
        double scale = fabs(audit.supplied) + fabs(audit.stored) + audit.absorbed;
        assert_true(fabs(audit.stored + audit.absorbed - audit.supplied) <= 1e-12 * scale);
        assert_true(audit.absorbed >= 0.0);
        solver_close(s);
        scene_free(&scene);
    }
}

static void a_field_that_is_not_a_number_is_reported(void **state)
{
    const char *engine = *state;
    struct scene scene;
    struct solver *s;
    struct error e;
    struct audit audit;
    double drive[4] = {NAN, 0, 0, 0};
    assert_int_equal(scene_box(&scene, 5, 5, 5, PRECISION_DOUBLE, &e), 0);
    scene_drive(&scene, 62, 1.0);
    open_or_fail(&s, &scene, engine);
    assert_int_equal(solver_run(s, 4, &(struct block){drive, 4, NULL, 0}, &e), 0);
    assert_int_equal(solver_audit(s, &audit, &e), -1);
    assert_int_equal(e.code, ERROR_UNSTABLE);
    solver_close(s);
    scene_free(&scene);
}

static void problems_out_of_bounds_are_refused(void **state)
{
    const char *engine = *state;
    struct scene scene;
    struct solver *s;
    struct error e;
    const struct solver_options c = {.engine = engine};
    assert_int_equal(scene_box(&scene, 5, 5, 5, PRECISION_DOUBLE, &e), 0);
    scene_tap(&scene, 125, 1.0);
    assert_int_equal(scene_open(&s, &scene, &c, &e), -1);
    scene.taps[0].entries[0].point = 124;
    scene.taps[0].entries[0].weight = NAN;
    assert_int_equal(scene_open(&s, &scene, &c, &e), -1);
    scene.taps[0].entries[0].weight = 1.0;
    scene.leapfrog.courant_squared = 0.334;
    assert_int_equal(scene_open(&s, &scene, &c, &e), -1);
    scene.leapfrog.courant_squared = 0.333;
    scene.leapfrog.admittance[CELL_SOLID] = -0.1;
    assert_int_equal(scene_open(&s, &scene, &c, &e), -1);
    scene.leapfrog.admittance[CELL_SOLID] = 0.1;
    scene.outside[FACE_Y_MAX] = CELL_FIXED; /* no voxel there that could be at p = 0 */
    assert_int_equal(scene_open(&s, &scene, &c, &e), -1);
    scene.outside[FACE_Y_MAX] = CELL_SOLID;
    scene.problem.points[0] = 6; /* one more than voxels */
    assert_int_equal(scene_open(&s, &scene, &c, &e), -1);
    scene.problem.points[0] = 5;
    assert_int_equal(scene_open(&s, &scene, &c, &e), 0);
    solver_close(s);
    scene_free(&scene);
}

static void unknown_engines_and_kernels_name_the_closest(void **state)
{
    (void)state;
    struct scene scene;
    struct solver *s;
    struct error e;
    assert_int_equal(scene_box(&scene, 5, 5, 5, PRECISION_DOUBLE, &e), 0);
    assert_int_equal(scene_open(&s, &scene, &(struct solver_options){.engine = "cpuu"}, &e), -1);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_non_null(strstr(e.message, "did you mean cpu"));
    assert_int_equal(scene_open(&s, &scene, &(struct solver_options){.engine = "cpu", .kernel = "refrence"}, &e), -1);
    assert_non_null(strstr(e.message, "did you mean reference"));
    scene_free(&scene);
}

int main(void)
{
    seed = random_fresh_seed();
    print_message("seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; engines[i]; i++) {
        const char *reason = engines[i]->unavailable();
        if (reason) {
            print_message("[  SKIPPED ] engine %s: %s\n", engines[i]->name, reason);
            continue;
        }
        char *engine = (char *)(uintptr_t)engines[i]->name;
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(slabs_come_back_as_they_were_put, engine),
            cmocka_unit_test_prestate(a_continued_run_equals_an_unbroken_one, engine),
            cmocka_unit_test_prestate(a_tap_of_level_one_is_a_step_ahead, engine),
            cmocka_unit_test_prestate(supplied_energy_is_stored_or_absorbed, engine),
            cmocka_unit_test_prestate(a_field_that_is_not_a_number_is_reported, engine),
            cmocka_unit_test_prestate(problems_out_of_bounds_are_refused, engine),
            cmocka_unit_test_prestate(unknown_engines_and_kernels_name_the_closest, engine),
        };
        if (cmocka_run_group_tests_name(engines[i]->name, tests, NULL, NULL))
            return 1;
    }
    return 0;
}

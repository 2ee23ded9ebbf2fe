/* SPDX-License-Identifier: MIT */
/* Memory that the CPU engine takes for rooms that fill a part of their box. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/scene/scene.h"

#include <cmocka.h>

enum { NX = 400, NY = 400, NZ = 200, WIDTH = 60 };

static double resident_bytes(void)
{
    unsigned long size = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%lu %lu", &size, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* A corridor along x that turns upwards at its end, in a box of solid: 5.6 % of it are air. */
static void make_corridor(struct scene *scene, enum air_stencil stencil)
{
    struct error e;
    assert_int_equal(scene_box(scene, NX, NY, NZ, PRECISION_SINGLE, &e), 0);
    if (stencil == STENCIL_19_POINT)
        scene_use_corners(scene);
    memset(scene->cells, CELL_SOLID, scene->voxels[0] * scene->voxels[1] * scene->voxels[2]);
    scene_fill(scene, (size_t[3]){0, 170, 20}, (size_t[3]){scene->voxels[0], 170 + WIDTH, 20 + WIDTH}, CELL_AIR);
    scene_fill(scene, (size_t[3]){0, 170, 20}, (size_t[3]){WIDTH, 170 + WIDTH, scene->voxels[2]}, CELL_AIR);
    if (scene_voxels(scene, &e))
        fail_msg("%s", e.message);
}

/* Opens, fills the air, steps and reads the whole field; returns what that took of resident memory. */
static double memory_taken(struct scene *scene, struct solver_plan *needed)
{
    const struct solver_options choice = {.engine = "cpu", .threads = 2};
    const size_t plane = scene->problem.points[0] * scene->problem.points[1];
    struct solver *s;
    struct error e;
    float *values = malloc(plane * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < plane; i++)
        values[i] = 1.0f;
    assert_int_equal(solver_make_plan(needed, &scene->problem, &choice, &e), 0);
    const double before = resident_bytes();
    if (solver_open(&s, &scene->problem, &choice, &e))
        fail_msg("%s", e.message);
    for (size_t z = 0; z < scene->problem.points[2]; z++)
        assert_int_equal(solver_put(s, z % 2 ? "p" : "p_previous", z, 1, values, &e), 0);
    assert_int_equal(solver_run(s, 20, &(struct block){NULL, 0, NULL, 0}, &e), 0);
    for (size_t z = 0; z < scene->problem.points[2]; z++)
        assert_int_equal(solver_get(s, "p", z, 1, values, &e), 0);
    const double taken = resident_bytes() - before;
    solver_close(s);
    free(values);
    return taken;
}

static void pages_without_air_take_no_memory(void **state)
{
    const double whole = 2.0 * sizeof(float) * NX * NY * NZ, slack = 8e6; /* threads, lists of other folders */
    (void)state;
    for (int stencil = 0; stencil < 2; stencil++) {
        struct scene scene;
        struct solver_plan needed = {.engine = NULL};
        make_corridor(&scene, stencil ? STENCIL_19_POINT : STENCIL_7_POINT);
        const double taken = memory_taken(&scene, &needed);
        const double field = (double)needed.field_bytes, all = field + (double)needed.boundary_bytes;
        print_message("%d-point: %.1f MB of grids predicted, %.1f MB with lists, %.1f MB taken, %.1f MB whole\n",
                      stencil ? 19 : 7, 1e-6 * field, 1e-6 * all, 1e-6 * taken, 1e-6 * whole);
        assert_true(field <= 0.25 * whole);
        assert_true(taken <= 1.05 * all + slack);
        assert_true(taken >= 0.7 * field);
        scene_free(&scene);
    }
}

/* A room that is full of air is laid out as a whole, with the memory of its grids. */
static void a_room_full_of_air_takes_its_box(void **state)
{
    struct scene scene;
    struct solver_plan needed = {.engine = NULL};
    struct error e;
    (void)state;
    assert_int_equal(scene_box(&scene, 400, 200, 200, PRECISION_SINGLE, &e), 0);
    assert_int_equal(scene_voxels(&scene, &e), 0);
    const double taken = memory_taken(&scene, &needed), whole = 2.0 * sizeof(float) * 400 * 200 * 200;
    assert_true((double)needed.field_bytes >= whole && (double)needed.field_bytes <= 1.01 * whole);
    assert_true(taken >= 0.9 * whole);
    scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_without_air_take_no_memory),
        cmocka_unit_test(a_room_full_of_air_takes_its_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

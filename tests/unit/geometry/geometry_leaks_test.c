/* SPDX-License-Identifier: MIT */
/* A room that is open is refused, with the place of the hole. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "support/random_cases.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

static const double spacing = 0.05, from[3] = {0, 0, 0}, to[3] = {5, 4, 3};
static const struct voxelize_options options = {.seal = VOXELIZE_SEAL, .crop = true};

/* A box with holes of `size` in the walls at x = 0 and, if second is given, z = 3. */
static struct scene_mesh holed_box(const double hole[2], double size, const double *second)
{
    struct scene_mesh mesh = {.count = 0};
    const double *const holes[2] = {hole, second};
    mesh_add_box(&mesh, from, to, 0);
    memmove(mesh.triangles, mesh.triangles + 2, (mesh.count - 2) * sizeof *mesh.triangles);
    mesh.count -= second ? 4 : 2;
    for (int i = 0; i < 2 && holes[i]; i++) {
        const double *at = holes[i], ends[2][2] = {{4, 3}, {5, 4}};
        mesh_add_holed(&mesh, i ? 2 : 0, i ? 3.0 : 0.0, (const double[]){0, 0}, ends[i],
                       (const double[]){at[0] - size / 2, at[1] - size / 2},
                       (const double[]){at[0] + size / 2, at[1] + size / 2}, 6);
    }
    return mesh;
}

static struct voxel_report refused(const struct scene_mesh *mesh, const double source[3], struct error *e)
{
    struct voxel_report report;
    struct voxel_set *set;
    const struct surface s = surface_of(mesh);
    const struct lattice l = lattice_around(mesh, spacing);
    const struct source_voxel seed = {{source[0], source[1], source[2]}, "source", false};
    assert_int_equal(voxelize(&set, &report, &s, &l, &seed, 1, &options, e), -1);
    assert_null(set);
    assert_int_equal(e->code, ERROR_INPUT);
    assert_true(report.leak_count >= 1);
    return report;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void holes_are_found_within_a_cell(void **state)
{
    (void)state;
    static const double sizes[] = {0.3, 0.2, 0.1, 0.05, 0.03};
    struct random random = random_cases("holes");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int k = 0; k < 4; k++) {
            /* holes smaller than a cell leak where a line of the grid meets them */
            const double hole[2] = {spacing * ((double)random_between(&random, 8, 70) + 0.5),
                                    spacing * ((double)random_between(&random, 8, 50) + 0.5)};
            struct scene_mesh mesh = holed_box(hole, sizes[i], NULL);
            struct error e;
            struct voxel_report r = refused(&mesh, (const double[]){2.6, 2.1, 1.4}, &e);
            assert_within(distance(r.leaks[0].place, (const double[]){0.0, hole[0], hole[1]}), 0.0, 1.01 * spacing);
            assert_true(r.leaks[0].size <= sizes[i] + 2.0 * spacing && r.leaks[0].size >= sizes[i] - 2.0 * spacing);
            assert_int_equal(r.leak_count, 1);
            assert_non_null(strstr(e.message, "hole is at ("));
            voxel_report_free(&r);
            mesh_clear(&mesh);
        }
}

/* A place along the axes of a room that was turned. */
static void turn_back(double place[3], const double turned[3], double yaw, double pitch, double roll)
{
    for (int i = 0; i < 3; i++) {
        double axis[3];
        mesh_turn_point(axis, (const double[3]){i == 0, i == 1, i == 2}, yaw, pitch, roll);
        place[i] = axis[0] * turned[0] + axis[1] * turned[1] + axis[2] * turned[2];
    }
}

static void holes_of_turned_rooms_are_found(void **state)
{
    (void)state;
    const double size = 0.3;
    struct random random = random_cases("holes of turned rooms");
    for (int k = 0; k < 6; k++) {
        const double hole[2] = {random_uniform(&random, 0.6, 3.4), random_uniform(&random, 0.6, 2.4)};
        const double yaw = random_uniform(&random, 0, 90), pitch = random_uniform(&random, 0, 90);
        struct scene_mesh mesh = holed_box(hole, size, NULL);
        double source[3], place[3];
        struct error e;
        mesh_turn(&mesh, yaw, pitch, 5);
        mesh_turn_point(source, (const double[]){2.6, 2.1, 1.4}, yaw, pitch, 5);
        struct voxel_report r = refused(&mesh, source, &e);
        turn_back(place, r.leaks[0].place, yaw, pitch, 5);
        assert_within(place[0], 0.0, 2.0 * spacing);
        assert_within(place[1], hole[0], size / 2);
        assert_within(place[2], hole[1], size / 2);
        voxel_report_free(&r);
        mesh_clear(&mesh);
    }
}

/* The room with a hole of some width at x = 0, turned by an angle about z and by half of it about y: the widest hole is
 * found in its plane and inside its outline. */
static void check_wide_opening(const double hole[2], double width, double turn, const double source[3])
{
    struct scene_mesh mesh = holed_box(hole, width, NULL);
    double turned[3], found[3];
    struct error e;
    mesh_turn(&mesh, turn, turn / 2, 0);
    mesh_turn_point(turned, source, turn, turn / 2, 0);
    struct voxel_report r = refused(&mesh, turned, &e);
    turn_back(found, r.leaks[0].place, turn, turn / 2, 0);
    if (!(fabs(found[0]) <= (turn > 0.0 ? 2.0 : 1.0) * spacing) || !(fabs(found[1] - hole[0]) <= width / 2) ||
        !(fabs(found[2] - hole[1]) <= width / 2))
        fail_msg("%g m wide at (0, %g, %g), turned by %g, source at (%g, %g, %g): found at (%g, %g, %g)", width,
                 hole[0], hole[1], turn, source[0], source[1], source[2], found[0], found[1], found[2]);
    assert_within(r.leaks[0].size, width, 0.5 * width + 2.0 * spacing);
    voxel_report_free(&r);
    mesh_clear(&mesh);
}

/* Wider than a cell by far: the place is in the plane of the opening and inside its outline. */
static void wide_openings_are_found_in_their_plane(void **state)
{
    (void)state;
    struct random random = random_cases("wide openings");
    for (int k = 0; k < 12; k++) {
        /* turned, where clearance is not that of a ball, away from other walls */
        const bool turned = k % 3 == 0;
        const double width = random_uniform(&random, 0.8, turned ? 1.6 : 2.6),
                     margin = width / 2 + (turned ? 0.5 : 0.05);
        const double turn = turned ? random_uniform(&random, 5, 85) : 0.0;
        const double hole[2] = {random_uniform(&random, margin, 4.0 - margin),
                                random_uniform(&random, margin, 3.0 - margin)};
        double source[3];
        for (int i = 0; i < 3; i++)
            source[i] = random_uniform(&random, 0.3, to[i] - 0.3);
        check_wide_opening(hole, width, turn, source);
    }
}

/* Where three walls meet, what has more clearance is several voxels away in turned rooms. */
static void openings_are_found_from_sources_in_corners(void **state)
{
    (void)state;
    struct random random = random_cases("sources in corners");
    /* more than three steps at once */
    check_wide_opening((const double[]){2.078, 1.359}, 1.275, 14.1528, (const double[]){0.337, 3.697, 2.816});
    for (int k = 0; k < 10; k++) {
        double source[3];
        for (int i = 0; i < 3; i++) {
            const double off = random_uniform(&random, 0.15, 0.5);
            source[i] = random_between(&random, 0, 1) ? to[i] - off : off;
        }
        check_wide_opening((const double[]){random_uniform(&random, 1.4, 2.6), random_uniform(&random, 1.2, 1.8)},
                           random_uniform(&random, 0.5, 1.3), random_uniform(&random, 5, 85), source);
    }
}

/* A corridor without the end wall of a side: all of it is as wide as the opening, which is found. */
static void check_open_end(int side, const double source[3], const double length[3])
{
    struct scene_mesh mesh = {.count = 0};
    struct error e;
    mesh_add_box(&mesh, from, length, 0);
    memmove(mesh.triangles + 2 * side, mesh.triangles + 2 * side + 2,
            (mesh.count - 2 * (size_t)side - 2) * sizeof *mesh.triangles);
    mesh.count -= 2;
    struct voxel_report r = refused(&mesh, source, &e);
    for (int k = 0; k < 3; k++)
        if (k == side / 2)
            assert_within(r.leaks[0].place[k], side % 2 ? length[k] : 0.0, spacing);
        else
            assert_true(r.leaks[0].place[k] > 0.2 * length[k] && r.leaks[0].place[k] < 0.8 * length[k]);
    voxel_report_free(&r);
    mesh_clear(&mesh);
}

static void an_open_end_is_found_at_the_end(void **state)
{
    (void)state;
    for (int side = 0; side < FACES; side++) {
        double length[3] = {2.0, 2.0, 2.4}, source[3];
        length[side / 2] = 6.0;
        for (int k = 0; k < 3; k++)
            source[k] = 0.4 * length[k];
        check_open_end(side, source, length);
        /* near the end, from where few steps lead out */
        for (int cells = 4; cells <= 7; cells++) {
            source[side / 2] = side % 2 ? length[side / 2] - cells * spacing : cells * spacing;
            check_open_end(side, source, length);
        }
    }
}

static void every_hole_is_listed_the_widest_first(void **state)
{
    (void)state;
    struct scene_mesh mesh = holed_box((const double[]){2.025, 1.525}, 0.2, (const double[]){3.525, 1.025});
    struct error e;
    mesh_add_quad(&mesh, (const double[]){0, 2.04, 1}, (const double[]){0, 2.2, 1}, (const double[]){0, 2.2, 2},
                  (const double[]){0, 2.04, 2}, 6); /* makes the hole at x = 0 narrower */
    struct voxel_report r = refused(&mesh, (const double[]){2.6, 2.1, 1.4}, &e);
    assert_int_equal(r.leak_count, 2);
    assert_within(distance(r.leaks[0].place, (const double[]){3.525, 1.025, 3.0}), 0.0, 1.5 * spacing);
    assert_within(distance(r.leaks[1].place, (const double[]){0.0, 1.975, 1.525}), 0.0, 2.0 * spacing);
    voxel_report_free(&r);
    mesh_clear(&mesh);
}

static void a_source_outside_and_a_room_without_a_wall_are_refused(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    struct error e;
    mesh_add_box(&mesh, from, to, 0);
    mesh.count -= 2; /* no ceiling */
    const struct surface s = surface_of(&mesh);
    const struct lattice l = {.spacing = spacing, .count = {100, 80, 60}};
    const struct source_voxel source_voxels[2] = {{{1, 1, 1}, "source", false}, {{1, 1, 4}, "source", false}};
    for (int i = 0; i < 2; i++) {
        struct voxel_report report;
        struct voxel_set *set;
        assert_int_equal(voxelize(&set, &report, &s, &l, &source_voxels[i], 1, &options, &e), -1);
        assert_int_equal(e.code, ERROR_INPUT);
        assert_null(set);
        voxel_report_free(&report);
    }
    mesh_clear(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holes_are_found_within_a_cell),
        cmocka_unit_test(holes_of_turned_rooms_are_found),
        cmocka_unit_test(wide_openings_are_found_in_their_plane),
        cmocka_unit_test(openings_are_found_from_sources_in_corners),
        cmocka_unit_test(an_open_end_is_found_at_the_end),
        cmocka_unit_test(every_hole_is_listed_the_widest_first),
        cmocka_unit_test(a_source_outside_and_a_room_without_a_wall_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

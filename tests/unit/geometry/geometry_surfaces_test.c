/* SPDX-License-Identifier: MIT */
/* Sheets, panels, seams and surfaces behind others: what parts a room and what is seen of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/acoustics/conventions.h"
#include "support/voxelized.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

static const double origin[3] = {0.0, 0.0, 0.0};

static void a_slanted_sheet_makes_two_rooms(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    const double sheet[4][3] = {{1.7, 0, 0}, {3.1, 4, 0}, {3.1, 4, 3}, {1.7, 0, 3}};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_quad(&mesh, sheet[0], sheet[1], sheet[2], sheet[3], 6);
    mesh_turn(&mesh, 17, 9, 4);
    double source[3];
    mesh_turn_point(source, (const double[]){0.6, 0.7, 0.8}, 17, 9, 4);
    struct voxelized m = voxelized_mesh(&mesh, 0.05, source);
    assert_within(m.report.volume, 28.8, 0.0288);
    assert_within(m.report.materials[6].corrected, 3.0 * sqrt(16.0 + 1.96), 0.02 * 12.7);
    assert_int_equal(m.report.sheet_voxels, 0);
    /* a receiver in the other one is refused, with where it is */
    const struct surface s = surface_of(&mesh);
    const struct lattice l = lattice_around(&mesh, 0.05);
    struct source_voxel source_voxels[2] = {{{source[0], source[1], source[2]}, "source \"S\"", false},
                                            {{0}, "receiver \"R\"", true}};
    mesh_turn_point(source_voxels[1].position, (const double[]){4.0, 3.0, 1.0}, 17, 9, 4);
    struct voxelized refused = {.set = NULL};
    assert_int_equal(voxelize(&refused.set, &refused.report, &s, &l, source_voxels, 2, &voxelize_plain, &refused.error),
                     -1);
    assert_int_equal(refused.error.code, ERROR_INPUT);
    assert_non_null(strstr(refused.error.message, "receiver \"R\" at"));
    assert_non_null(strstr(refused.error.message, "31."));
    voxelized_drop(&refused);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

/* A panel in the middle of a room is one voxel thick, has both sides, and parts nothing. */
static void a_thin_panel_becomes_one_voxel_thick(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        struct scene_mesh mesh = {.count = 0};
        const double yaw = turned ? 30 : 0, pitch = turned ? 20 : 0;
        const double panel[4][3] = {{2.01, 1, 1}, {2.01, 3, 1}, {2.01, 3, 2}, {2.01, 1, 2}};
        double source[3];
        mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
        mesh_add_quad(&mesh, panel[0], panel[1], panel[2], panel[3], 6);
        mesh_turn(&mesh, yaw, pitch, 0);
        mesh_turn_point(source, (const double[]){0.6, 0.7, 0.8}, yaw, pitch, 0);
        struct voxelized m = voxelized_mesh(&mesh, 0.05, source);
        if (!turned) {
            assert_int_equal(m.report.sheet_voxels, 40 * 20);
            assert_within(m.report.materials[6].corrected, 4.0, 1e-9);
            assert_within(m.report.volume, 60.0 - 2.0 * 0.05, 1e-9);
        }
        assert_within(m.report.volume, 60.0 - 2.0 * 0.05, 0.1);
        assert_within(m.report.materials[6].wet, 4.0, 0.1);
        assert_within(m.report.materials[6].corrected, 4.0, turned ? 0.4 : 0.01);
        voxelized_drop(&m);
        mesh_clear(&mesh);
    }
}

/* What the seal adds beyond the edges of a box does not become part of the room. */
static void edges_of_an_object_beside_a_row_of_centres_add_nothing(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    /* its upper sides are 0.005 X below centres of voxels */
    const double edge = 0.025 - 0.005 * 0.05;
    mesh_add_box(&mesh, (const double[]){2, 1, 1}, (const double[]){3 + edge, 2 + edge, 2 + edge}, 6);
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_int_equal(m.report.sheet_voxels, 0);
    assert_within(m.report.volume, 60.0 - 1.0, 1e-9);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

static void a_seam_of_10_micrometres_is_sealed(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        struct scene_mesh mesh = {.count = 0};
        const double at = 1.0 + 0.0137 * i;
        mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
        mesh.count -= 2; /* the ceiling, which is laid anew in two parts */
        const double low[4][3] = {{0, 0, 3}, {at, 0, 3}, {at, 4, 3}, {0, 4, 3}};
        const double high[4][3] = {{at + 1e-5, 0, 3}, {5, 0, 3}, {5, 4, 3}, {at + 1e-5, 4, 3}};
        mesh_add_quad(&mesh, low[0], low[1], low[2], low[3], 5);
        mesh_add_quad(&mesh, high[0], high[1], high[2], high[3], 5);
        mesh_turn(&mesh, i, 2 * i, 3);
        double source[3];
        mesh_turn_point(source, (const double[]){1, 1, 1}, i, 2 * i, 3);
        struct voxelized m = voxelized_mesh(&mesh, 0.05, source);
        assert_within(m.report.volume, 60.0, 0.06);
        voxelized_drop(&m);
        mesh_clear(&mesh);
    }
}

/* Two parallel walls a voxel apart count as a gap of both their materials; the corners of the room do not. */
static void a_gap_of_one_voxel_is_counted(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_box(&mesh, (const double[]){2, 1, 0.05}, (const double[]){3, 2, 1}, 6);
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_int_equal(m.report.materials[FACE_Z_MIN].gaps, 400);
    assert_int_equal(m.report.materials[6 + FACE_Z_MIN].gaps, 400);
    assert_within(m.report.materials[FACE_Z_MIN].gap_place[2], 0.025, 1e-9);
    assert_int_equal(m.report.materials[6 + FACE_Z_MAX].gaps, 0);
    assert_int_equal(m.report.materials[FACE_X_MIN].gaps, 0);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

/* What lies behind another surface is buried, and its material is not scaled to an area that is not there. */
static void surfaces_behind_others_are_buried(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_box(&mesh, (const double[]){2, 1, 0}, (const double[]){3, 2, 1}, 6); /* stands on the floor */
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_within(m.report.materials[FACE_Z_MIN].wet, 19.0, 1e-9);
    assert_within(m.report.materials[FACE_Z_MIN].buried, 1.0, 1e-9);
    assert_within(m.report.materials[FACE_Z_MIN].corrected, 19.0, 1e-9);
    assert_false(m.report.materials[FACE_Z_MIN].rescaled);
    assert_true(m.report.materials[FACE_Z_MAX].rescaled);
    assert_within(m.report.volume, 59.0, 1e-9);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

/* A panel of triangles of two materials in one place, cut along different diagonals: the lower one is seen. */
static void of_coincident_surfaces_the_lower_material_is_seen(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        struct scene_mesh mesh = {.count = 0};
        const double panel[4][3] = {{2.01, 1, 1}, {2.01, 3, 1}, {2.01, 3, 2}, {2.01, 1, 2}};
        mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
        mesh_add_quad(&mesh, panel[0], panel[1], panel[2], panel[3], order ? 7 : 9);
        mesh_add_quad(&mesh, panel[1], panel[2], panel[3], panel[0], order ? 9 : 7);
        struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
        assert_within(m.report.materials[7].corrected, 4.0, 1e-9);
        assert_within(m.report.materials[9].corrected, 0.0, 1e-9);
        voxelized_drop(&m);
        mesh_clear(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slanted_sheet_makes_two_rooms),
        cmocka_unit_test(a_thin_panel_becomes_one_voxel_thick),
        cmocka_unit_test(edges_of_an_object_beside_a_row_of_centres_add_nothing),
        cmocka_unit_test(a_seam_of_10_micrometres_is_sealed),
        cmocka_unit_test(a_gap_of_one_voxel_is_counted),
        cmocka_unit_test(surfaces_behind_others_are_buried),
        cmocka_unit_test(of_coincident_surfaces_the_lower_material_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Rooms of triangles and solids become the voxels that exact geometry says, with true areas. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/acoustics/conventions.h"
#include "support/random_cases.h"
#include "support/voxelized.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

static const double origin[3] = {0.0, 0.0, 0.0};

static void areas_of_a_box(const struct voxel_report *r, double tolerance)
{
    static const double exact[FACES] = {12.0, 12.0, 15.0, 15.0, 20.0, 20.0};
    for (int side = 0; side < FACES; side++)
        assert_within(r->materials[side].corrected, exact[side], tolerance * exact[side]);
}

static void an_aligned_box_is_exact(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_within(m.report.volume, 60.0, 1e-9);
    areas_of_a_box(&m.report, 1e-12);
    assert_int_equal(voxel_set_count(m.set, 0), 100);
    assert_int_equal(voxel_set_count(m.set, 1), 80);
    assert_int_equal(voxel_set_count(m.set, 2), 60);
    assert_int_equal(voxel_set_face(m.set, 99, 7, 9, FACE_X_MAX)->code, CELL_SOLID + FACE_X_MAX);
    assert_int_equal(voxel_set_face(m.set, 99, 7, 9, FACE_X_MAX)->area, FACE_AREA_UNITS);
    assert_int_equal(m.report.sheet_voxels, 0);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

/* Centres (i + ½) X in [from, to) are inside, whatever the size. */
static void a_box_off_the_lattice_has_the_voxels_whose_centres_are_in_it(void **state)
{
    (void)state;
    struct random random = random_cases("boxes off the lattice");
    for (int i = 0; i < case_count(60); i++) {
        struct scene_mesh mesh = {.count = 0};
        double from[3], to[3], middle[3], expected = 1.0;
        const double spacing = 0.0625; /* whose multiples are exact */
        for (int k = 0; k < 3; k++) {
            const bool tie = random_between(&random, 0, 1);
            from[k] = spacing * (tie ? (double)random_between(&random, 0, 5) + 0.5 : random_uniform(&random, 0.0, 6.0));
            to[k] =
                from[k] + spacing * (tie ? (double)random_between(&random, 4, 20) : random_uniform(&random, 4.0, 20.0));
            middle[k] = 0.5 * (from[k] + to[k]);
            expected *= ceil(to[k] / spacing - 0.5) - ceil(from[k] / spacing - 0.5);
        }
        mesh_add_box(&mesh, from, to, 0);
        const struct surface s = surface_of(&mesh);
        const struct lattice l = {.spacing = spacing, .count = {32, 32, 32}};
        struct voxelized m = voxelized_room(&s, &l, middle, &voxelize_plain);
        assert_int_equal(voxel_set_air(m.set), (uint64_t)expected);
        for (int k = 0; k < 3; k++)
            assert_int_equal(m.report.offset[k], (size_t)ceil(from[k] / spacing - 0.5));
        voxelized_drop(&m);
        mesh_clear(&mesh);
    }
}

/* The least and the greatest area of a face at a side, in units. */
static void range_of_areas(const struct voxel_set *v, int side, unsigned range[2])
{
    range[0] = FACE_AREA_MAX;
    range[1] = 0;
    for (size_t z = 0; z < voxel_set_count(v, 2); z++)
        for (size_t y = 0; y < voxel_set_count(v, 1); y++) {
            const struct voxel_row row = voxel_set_row(v, y, z);
            for (size_t i = 0; i < row.face_count[side]; i++) {
                const unsigned area = row.faces[side][i].area & FACE_AREA_MAX;
                range[0] = area < range[0] ? area : range[0];
                range[1] = area > range[1] ? area : range[1];
            }
        }
}

/* Walls between centres of voxels have fewer or more faces than area: shares below and above whole faces make it up. */
static void walls_off_the_lattice_keep_their_area(void **state)
{
    (void)state;
    struct random random = random_cases("walls off the lattice");
    bool above = false;
    for (int i = 0; i < case_count(30); i++) {
        struct scene_mesh mesh = {.count = 0};
        double from[3], to[3], middle[3];
        for (int k = 0; k < 3; k++) {
            from[k] = random_uniform(&random, 0.0, 0.3);
            to[k] = from[k] + random_uniform(&random, 0.9, 3.0);
            middle[k] = 0.5 * (from[k] + to[k]);
        }
        mesh_add_box(&mesh, from, to, 0);
        for (size_t k = 0; k < mesh.count && i % 2; k++)
            surface_triangle_paint(&mesh.triangles[k], 0); /* one for all walls */
        struct voxelized m = voxelized_mesh(&mesh, 0.05, middle);
        for (int side = 0; side < (i % 2 ? 1 : FACES); side++) {
            const struct material_areas *a = &m.report.materials[side];
            unsigned range[2];
            assert_true(a->rescaled && a->true_area);
            assert_within(a->corrected, a->mesh, 0.9e-3 * a->mesh);
            range_of_areas(m.set, side, range);
            assert_true(range[1] <= range[0] + 1); /* even */
            above = above || range[1] > FACE_AREA_UNITS;
        }
        voxelized_drop(&m);
        mesh_clear(&mesh);
    }
    assert_true(above || under_sanitizers()); /* which run few cases */
}

/* To third order in the rounding of boxes along the axes; of turned ones in the mean over their faces. */
static void the_volume_of_the_model_is_known_on_coarse_lattices(void **state)
{
    (void)state;
    struct random random = random_cases("volume of the model");
    double worst = 0.0;
    for (int i = 0; i < case_count(40); i++) {
        struct scene_mesh mesh = {.count = 0};
        double from[3], to[3], middle[3], exact = 1.0;
        const double spacing = 0.1, yaw = random_uniform(&random, 0.0, 90.0),
                     pitch = random_uniform(&random, 0.0, 90.0);
        for (int k = 0; k < 3; k++) {
            from[k] = random_uniform(&random, 0.0, 0.3);
            to[k] = from[k] + random_uniform(&random, 1.2, 4.0);
            middle[k] = 0.5 * (from[k] + to[k]);
            exact *= to[k] - from[k];
        }
        mesh_add_box(&mesh, from, to, 0);
        mesh_shuffle(&mesh, &random);
        if (i % 2) {
            mesh_turn(&mesh, yaw, pitch, 11.0);
            mesh_turn_point(middle, middle, yaw, pitch, 11.0);
        }
        struct voxelized m = voxelized_mesh(&mesh, spacing, middle);
        assert_within(m.report.model_volume, exact, (i % 2 ? 3e-3 : 3e-4) * exact);
        worst = fmax(worst, fabs(m.report.volume / exact - 1.0));
        for (int k = 0; k < 3 && i % 2 == 0; k++) {
            assert_within(m.report.model_low[k], from[k], 1e-5);
            assert_within(m.report.model_high[k], to[k], 1e-5);
        }
        voxelized_drop(&m);
        mesh_clear(&mesh);
    }
    assert_true(worst > 0.01 || under_sanitizers()); /* that of the voxels is off by more */
}

/* A patch of few faces cannot have every area in units: the report says so. */
static void an_area_that_is_not_reached_is_said(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_box(&mesh, (const double[]){2.01, 1.01, 1.01}, (const double[]){2.09, 1.095, 1.085}, 6);
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){0.5, 0.5, 0.5});
    for (int side = 0; side < FACES; side++) {
        const struct material_areas *a = &m.report.materials[6 + side];
        assert_int_equal(a->true_area, fabs(a->corrected / a->wet - 1.0) <= 1e-3);
        assert_within(a->corrected, a->wet, 0.5 / 32 * 0.0025 + 1e-9);
        assert_true(m.report.materials[side].true_area);
    }
    assert_false(m.report.materials[6].true_area);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

static void a_turned_box_keeps_its_volume_and_area(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, (const double[]){-2.5, -2, -1.5}, (const double[]){2.5, 2, 1.5}, 0);
    mesh_turn(&mesh, 30, 20, 10);
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){0.1, 0.2, 0.3});
    double corrected = 0.0, faces = 0.0;
    for (int i = 0; i < FACES; i++) {
        corrected += m.report.materials[i].corrected;
        faces += m.report.materials[i].faces;
    }
    assert_within(m.report.volume, 60.0, 0.06);
    assert_within(corrected, 94.0, 0.94);
    assert_true(faces > 1.3 * 94.0);
    areas_of_a_box(&m.report, 0.01);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

static void a_sphere_of_triangles_keeps_its_volume_and_area(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    const double pi = 3.14159265358979323846;
    mesh_add_sphere(&mesh, origin, 1.5, 5, 3);
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){0.1, 0.2, 0.3});
    assert_within(m.report.volume, 4.0 / 3.0 * pi * 3.375, 0.01 * 4.0 / 3.0 * pi * 3.375);
    assert_within(m.report.materials[3].corrected, 4.0 * pi * 2.25, 0.01 * 4.0 * pi * 2.25);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

/* Solids of all shapes in a box: the air that they leave, and what they show of their area. */
static void solids_take_their_volume_and_show_their_area(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const struct scene_mesh none = {.count = 0};
    struct surface s = surface_of(&none);
    struct surface_solid solid[3] = {
        {.shape = SOLID_SPHERE, .centre = {2.0, 2.1, 1.97}, .radius = 1.5, .material = 7},
        {.shape = SOLID_CYLINDER, .from = {1.0, 1.2, 0.9}, .to = {3.0, 2.9, 3.1}, .radius = 0.6, .material = 7},
        {.shape = SOLID_TURNED_BOX, .centre = {2.0, 2.05, 1.9}, .half = {1.0, 0.7, 0.5}, .material = 7}};
    const double volume[3] = {4.0 / 3.0 * pi * 3.375, pi * 0.36 * sqrt(4.0 + 1.7 * 1.7 + 2.2 * 2.2), 8.0 * 0.35};
    for (int i = 0; i < 3; i++)
        mesh_turn_point(solid[2].axes[i], (const double[3]){i == 0, i == 1, i == 2}, 30, 20, 10);
    const struct lattice l = {.spacing = 0.05, .count = {80, 80, 80}, .walled = true, .walls = {0, 1, 2, 3, 4, 5}};
    for (int i = 0; i < 3; i++) {
        s.solids = &solid[i];
        s.solid_count = 1;
        struct voxelized m = voxelized_room(&s, &l, (const double[]){0.1, 0.1, 0.1}, &voxelize_plain);
        const struct material_areas *a = &m.report.materials[7];
        assert_within(64.0 - m.report.volume, volume[i], 0.01 * volume[i]);
        assert_within(a->corrected, a->mesh, 0.015 * a->mesh);
        assert_within(m.report.materials[4].corrected, 16.0, 1e-9);
        voxelized_drop(&m);
    }
}

/* Triangles and a solid of one material: each counts by itself. */
static void a_material_of_walls_and_a_solid_has_both_areas(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){4, 4, 4}, 0);
    for (size_t i = 0; i < mesh.count; i++)
        surface_triangle_paint(&mesh.triangles[i], 7);
    const struct surface_solid ball = {.shape = SOLID_SPHERE, .centre = {2, 2.1, 1.97}, .radius = 1.5, .material = 7};
    struct surface s = surface_of(&mesh);
    s.solids = &ball;
    s.solid_count = 1;
    const struct lattice l = lattice_around(&mesh, 0.05);
    struct voxelized m = voxelized_room(&s, &l, (const double[]){0.1, 0.1, 0.1}, &voxelize_plain);
    const struct material_areas *a = &m.report.materials[7];
    const double round = 4.0 * 3.14159265358979323846 * 2.25;
    assert_within(a->mesh, 96.0 + round, 1e-6);
    assert_within(a->wet, 96.0 + round, 0.01 * round);
    assert_within(a->corrected, 96.0 + round, 0.02 * round);
    assert_true(a->rescaled);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

/* Bars of five voxels; a room in the form of an L. */
static void an_l_has_its_volume(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    static const double outline[6][2] = {{0, 0}, {4, 0}, {4, 1.5}, {1.5, 1.5}, {1.5, 3}, {0, 3}};
    for (int i = 0; i < 6; i++) {
        const double *p = outline[i], *q = outline[(i + 1) % 6];
        mesh_add_quad(&mesh, (const double[]){p[0], p[1], 0}, (const double[]){q[0], q[1], 0},
                      (const double[]){q[0], q[1], 2.5}, (const double[]){p[0], p[1], 2.5}, (uint32_t)i);
    }
    for (int top = 0; top < 2; top++)
        for (int i = 1; i < 5; i++) { /* a fan from (1.5, 1.5) */
            const int from = (3 + i) % 6, to = (4 + i) % 6;
            const double z = 2.5 * top;
            mesh_add(&mesh, (const double[]){1.5, 1.5, z}, (const double[]){outline[from][0], outline[from][1], z},
                     (const double[]){outline[to][0], outline[to][1], z}, 6 + (uint32_t)top);
        }
    struct voxelized m = voxelized_mesh(&mesh, 0.05, (const double[]){0.3, 0.3, 0.3});
    assert_within(m.report.volume, 8.25 * 2.5, 1e-9);
    assert_within(m.report.materials[6].corrected, 8.25, 1e-9);
    voxelized_drop(&m);
    mesh_clear(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_aligned_box_is_exact),
        cmocka_unit_test(a_box_off_the_lattice_has_the_voxels_whose_centres_are_in_it),
        cmocka_unit_test(walls_off_the_lattice_keep_their_area),
        cmocka_unit_test(the_volume_of_the_model_is_known_on_coarse_lattices),
        cmocka_unit_test(an_area_that_is_not_reached_is_said),
        cmocka_unit_test(a_turned_box_keeps_its_volume_and_area),
        cmocka_unit_test(a_sphere_of_triangles_keeps_its_volume_and_area),
        cmocka_unit_test(solids_take_their_volume_and_show_their_area),
        cmocka_unit_test(a_material_of_walls_and_a_solid_has_both_areas),
        cmocka_unit_test(an_l_has_its_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

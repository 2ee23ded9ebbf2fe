/* SPDX-License-Identifier: MIT */
/* Faces of slanted surfaces divide their area between their corners (theory (38a)), and those along the axes do not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/schemes/leapfrog/branches.h"
#include "solver/schemes/leapfrog/corners.h"
#include "support/random_cases.h"
#include "support/voxelized.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

static const double spacing = 0.0625; /* whose multiples are exact */

/* A box around the origin, of one material, turned by these angles. */
static struct voxelized turned_box(struct random *r, const double angles[3], bool corners)
{
    struct scene_mesh mesh = {.count = 0};
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = random_uniform(r, -1.2, -0.6);
        high[k] = random_uniform(r, 0.6, 1.2);
    }
    mesh_add_box(&mesh, low, high, 0);
    mesh_turn(&mesh, angles[0], angles[1], angles[2]);
    for (size_t i = 0; i < mesh.count; i++)
        surface_triangle_paint(&mesh.triangles[i], 0);
    const struct surface s = surface_of(&mesh);
    const struct lattice l = {.spacing = spacing, .origin = {-2.5, -2.5, -2.5}, .count = {80, 80, 80}};
    struct voxelize_options options = voxelize_plain;
    options.close_corners = corners;
    struct voxelized v = voxelized_room(&s, &l, (const double[]){0, 0, 0}, &options);
    mesh_clear(&mesh);
    return v;
}

typedef void visitor(void *context, const struct face_run *f);

static void visit_faces(const struct voxel_set *v, visitor *visit, void *context)
{
    for (size_t z = 0; z < voxel_set_count(v, 2); z++)
        for (size_t y = 0; y < voxel_set_count(v, 1); y++) {
            const struct voxel_row row = voxel_set_row(v, y, z);
            for (int side = 0; side < FACES; side++)
                for (size_t i = 0; i < row.face_count[side]; i++)
                    visit(context, &row.faces[side][i]);
        }
}

static void expect_equal_parts(void *context, const struct face_run *f)
{
    (void)context;
    assert_int_equal(f->before, 0);
}

static void surfaces_along_the_axes_have_equal_parts(void **state)
{
    (void)state;
    struct random random = random_cases("boxes along the axes");
    for (int i = 0; i < case_count(20); i++) {
        double angles[3];
        for (int k = 0; k < 3; k++)
            angles[k] = 90.0 * (double)random_between(&random, 0, 3);
        struct voxelized v = turned_box(&random, angles, true);
        visit_faces(v.set, expect_equal_parts, NULL);
        voxelized_drop(&v);
    }
}

/* Points of the 7-point scheme are the centres of voxels. */
static void only_points_at_corners_need_parts(void **state)
{
    (void)state;
    struct random random = random_cases("boxes with points at centres");
    struct voxelized v = turned_box(&random, (const double[]){30, 20, 10}, false);
    visit_faces(v.set, expect_equal_parts, NULL);
    voxelized_drop(&v);
}

/* At 45° notches have two voxels before the wall and the points between them six, also beside another wall. */
static void expect_halves(void *context, const struct face_run *f)
{
    int *faces = context;
    if (f->side / 2 == 2) {
        assert_int_equal(f->before, 0); /* floor and ceiling */
        return;
    }
    int few = 0, many = 0;
    for (int i = 0; i < FACE_CORNERS; i++) {
        const unsigned before = f->before >> FACE_BEFORE_BITS * i & 7;
        few += before == 2;
        many += before == 6;
    }
    assert_int_equal(few, 2);
    assert_int_equal(many, 2);
    *faces += f->length;
}

static void corners_of_a_room_are_no_notches(void **state)
{
    (void)state;
    struct random random = random_cases("boxes at 45°");
    for (int i = 0; i < case_count(20); i++) {
        int faces = 0;
        struct voxelized v = turned_box(&random, (const double[]){45, 0, 0}, true);
        visit_faces(v.set, expect_halves, &faces);
        assert_true(faces > 1000);
        voxelized_drop(&v);
    }
}

static void add_area(void *context, const struct face_run *f)
{
    *(double *)context += (double)f->length * f->area / FACE_AREA_UNITS;
}

/* Their sum at points, in faces of a voxel, and that times the masses of the points. */
static double area_of_points(const struct voxel_set *v, bool equal, double admittance, double *moment)
{
    struct leapfrog_problem l = {.stencil = STENCIL_19_POINT};
    double sum = 0.0;
    l.admittance[CELL_SOLID] = admittance;
    *moment = 0.0;
    for (size_t z = 0; z <= voxel_set_count(v, 2); z++)
        for (size_t y = 0; y <= voxel_set_count(v, 1); y++)
            for (size_t x = 0; x <= voxel_set_count(v, 0); x++) {
                struct corner c = corner_at(v, (const size_t[]){x, y, z});
                for (int i = 0; i < CORNER_VOXELS * 3 && equal; i++)
                    c.faces[i / 3][i % 3].before = 0;
                const struct row_wall wall = corner_wall(&l, &c);
                const double area = wall.key.count ? (double)wall.key.area[0] / AREA_UNITS : 0.0;
                sum += area;
                *moment += area * (double)wall.key.mass / MASS_UNITS;
            }
    return sum;
}

static void points_have_the_area_of_the_faces_and_notches_less_of_it(void **state)
{
    (void)state;
    struct random random = random_cases("turned boxes");
    for (int i = 0; i < case_count(20); i++) {
        double angles[3], faces = 0.0, moment, equal;
        for (int k = 0; k < 3; k++)
            angles[k] = random_uniform(&random, 15.0, 75.0);
        struct voxelized v = turned_box(&random, angles, true);
        visit_faces(v.set, add_area, &faces);
        assert_within(area_of_points(v.set, true, 0.05, &equal), faces, 1e-9 * faces);
        assert_within(area_of_points(v.set, false, 0.05, &moment), faces, 0.002 * faces);
        assert_true(moment > 1.02 * equal);
        assert_within(area_of_points(v.set, false, 4.0, &moment), faces, 1e-9 * faces); /* alike, if it absorbs much */
        assert_within(moment, equal, 1e-9 * equal);
        voxelized_drop(&v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces_along_the_axes_have_equal_parts),
                                       cmocka_unit_test(only_points_at_corners_need_parts),
                                       cmocka_unit_test(corners_of_a_room_are_no_notches),
                                       cmocka_unit_test(points_have_the_area_of_the_faces_and_notches_less_of_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

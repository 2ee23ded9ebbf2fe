/* SPDX-License-Identifier: MIT */
/* Voxels bit for bit: whatever the order of triangles and the number of threads, and against centres in boxes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "support/random_cases.h"
#include "support/voxelized.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

static const double origin[3] = {0.0, 0.0, 0.0};

static void random_boxes(struct scene_mesh *mesh, struct random *r)
{
    mesh_add_box(mesh, origin, (const double[]){5, 4, 3}, 0);
    for (int i = 0; i < 6; i++) {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = random_uniform(r, 0.7, 2.0);
            to[k] = from[k] + random_uniform(r, 0.02, 1.0);
        }
        mesh_add_box(mesh, from, to, 6 + (uint32_t)(i % 3));
    }
}

static void order_orientation_duplicates_and_threads_change_no_bit(void **state)
{
    (void)state;
    struct random random = random_cases("orders of triangles");
    for (int i = 0; i < case_count(10); i++) {
        struct scene_mesh mesh = {.count = 0};
        const double yaw = i % 2 ? random_uniform(&random, 0.0, 90.0) : 0.0;
        double source[3];
        random_boxes(&mesh, &random);
        mesh_turn(&mesh, yaw, yaw / 2, yaw / 3);
        mesh_turn_point(source, (const double[]){0.3, 0.3, 0.3}, yaw, yaw / 2, yaw / 3);
        const struct lattice l = lattice_around(&mesh, 0.1);
        struct voxelize_options o = {.seal = VOXELIZE_SEAL, .close_corners = i % 3 == 0, .threads = 1};
        struct surface s = surface_of(&mesh);
        struct voxelized first = voxelized_room(&s, &l, source, &o);
        mesh_shuffle(&mesh, &random);
        s = surface_of(&mesh);
        o.threads = 3;
        struct voxelized second = voxelized_room(&s, &l, source, &o);
        assert_true(same_sets(first.set, second.set));
        for (int k = 0; k < SCENE_MESH_MATERIALS; k++)
            assert_memory_equal(&first.report.materials[k].corrected, &second.report.materials[k].corrected,
                                sizeof(double));
        voxelized_drop(&first);
        voxelized_drop(&second);
        mesh_clear(&mesh);
    }
}

/* Centres of voxels in a turned box about the origin that is larger by `margin` on all sides. */
static uint64_t centres_in_box(const struct lattice *l, const double half[3], double axes[3][3], double margin)
{
    uint64_t centres = 0;
    for (size_t i = 0; i < l->count[0] * l->count[1] * l->count[2]; i++) {
        const size_t at[3] = {i % l->count[0], i / l->count[0] % l->count[1], i / l->count[0] / l->count[1]};
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            double along = 0.0;
            for (int k = 0; k < 3; k++)
                along += axes[axis][k] * (l->origin[k] + ((double)at[k] + 0.5) * l->spacing);
            inside = inside && fabs(along) <= half[axis] + margin;
        }
        centres += inside;
    }
    return centres;
}

static void boxes_in_any_position_have_the_voxels_whose_centres_are_in_them(void **state)
{
    (void)state;
    struct random random = random_cases("positions of boxes");
    for (int i = 0; i < case_count(60); i++) {
        struct scene_mesh mesh = {.count = 0};
        const double yaw = random_uniform(&random, 0, 360), pitch = random_uniform(&random, 0, 360);
        const double spacing = random_uniform(&random, 0.06, 0.2), half[3] = {2.5, 2, 1.5};
        double axes[3][3];
        mesh_add_box(&mesh, (const double[]){-2.5, -2, -1.5}, half, 0);
        mesh_turn(&mesh, yaw, pitch, 10);
        for (int axis = 0; axis < 3; axis++)
            mesh_turn_point(axes[axis], (const double[3]){axis == 0, axis == 1, axis == 2}, yaw, pitch, 10);
        const struct surface s = surface_of(&mesh);
        const struct lattice l = lattice_around(&mesh, spacing);
        struct voxelize_options o = voxelize_plain;
        o.seal = i % 2 ? VOXELIZE_SEAL : 0.0; /* exact without it, too */
        struct voxelized m = voxelized_room(&s, &l, origin, &o);
        double volume = 0.0; /* with the tips of corners, which nothing may join */
        for (size_t c = 0; c < m.report.component_count && c < VOXEL_COMPONENTS; c++)
            volume += m.report.components[c].is_outside ? 0.0 : m.report.components[c].volume;
        const uint64_t air = (uint64_t)llround(volume / (spacing * spacing * spacing));
        assert_true(air - voxel_set_air(m.set) <= 8);
        /* corners are moved by half a unit of X/65536 along each axis */
        assert_true(air >= centres_in_box(&l, half, axes, -spacing / 32768));
        assert_true(air <= centres_in_box(&l, half, axes, spacing / 32768));
        voxelized_drop(&m);
        mesh_clear(&mesh);
    }
}

/* [z][y][x] of boxes: later ones cover earlier ones, centres in [from, to). */
static void fill_cells(uint8_t *cells, const size_t n[3], const struct surface_solid *boxes, size_t count,
                       double spacing)
{
    for (size_t b = 0; b < count; b++)
        for (size_t z = 0; z < n[2]; z++)
            for (size_t y = 0; y < n[1]; y++)
                for (size_t x = 0; x < n[0]; x++) {
                    const size_t at[3] = {x, y, z};
                    bool inside = true;
                    for (int k = 0; k < 3; k++)
                        inside = inside && (double)at[k] >= ceil(boxes[b].from[k] / spacing - 0.5) &&
                                 (double)at[k] < ceil(boxes[b].to[k] / spacing - 0.5);
                    if (inside)
                        cells[(z * n[1] + y) * n[0] + x] = (uint8_t)(CELL_SOLID + boxes[b].material);
                }
}

static void boxes_in_a_walled_lattice_are_the_byte_map_of_later_over_earlier(void **state)
{
    (void)state;
    enum { BOXES = 12, NX = 23, NY = 17, NZ = 19 };
    struct random random = random_cases("boxes over boxes");
    const double spacing = 0.1;
    for (int i = 0; i < case_count(60); i++) {
        const size_t n[3] = {NX, NY, NZ};
        uint8_t cells[NX * NY * NZ] = {CELL_AIR}, outside[FACES];
        struct surface_solid boxes[BOXES];
        const struct scene_mesh none = {.count = 0};
        struct surface s = surface_of(&none);
        struct lattice l = {.spacing = spacing, .count = {NX, NY, NZ}, .walled = true};
        struct voxelized m = {.set = NULL};
        struct voxel_set *expected;
        memset(boxes, 0, sizeof boxes);
        for (int b = 0; b < BOXES; b++) {
            boxes[b].material = (uint32_t)random_between(&random, 6, 9);
            for (int k = 0; k < 3; k++) {
                boxes[b].from[k] = spacing * 0.5 * (double)random_between(&random, 0, 30);
                boxes[b].to[k] = boxes[b].from[k] + spacing * 0.5 * (double)random_between(&random, 3, 16);
            }
        }
        for (int k = 0; k < FACES; k++) {
            l.walls[k] = (uint32_t)k;
            outside[k] = (uint8_t)(CELL_SOLID + k);
        }
        s.solids = boxes;
        s.solid_count = BOXES;
        fill_cells(cells, n, boxes, BOXES, spacing);
        assert_int_equal(voxel_set_of_cells(&expected, n, cells, outside, &m.error), 0);
        /* without sources all air stays, also what is enclosed */
        if (voxelize(&m.set, &m.report, &s, &l, NULL, 0, &(struct voxelize_options){.crop = false}, &m.error))
            fail_msg("%s", m.error.message);
        assert_true(same_sets(expected, m.set));
        voxel_set_free(expected);
        voxelized_drop(&m);
    }
}

/* Whether the air around a point is joined through faces of its eight voxels. */
static bool is_one_group(const struct voxel_set *set, size_t x, size_t y, size_t z)
{
    unsigned air = 0, group, before = 0;
    for (unsigned i = 0; i < 8; i++) /* below 0 the indices wrap, where there is no air */
        air |= (unsigned)voxel_set_is_air(set, x - 1 + (i & 1), y - 1 + (i >> 1 & 1), z - 1 + (i >> 2)) << i;
    for (group = air & -air; group != before;) {
        before = group;
        for (unsigned i = 0; i < 8; i++)
            for (unsigned axis = 0; axis < 3; axis++)
                if (before >> i & 1)
                    group |= air & 1u << (i ^ 1u << axis);
    }
    return group == air;
}

static void closed_corners_leave_no_air_that_only_a_point_joins(void **state)
{
    (void)state;
    enum { N = 9, BOXES = 250 };
    struct random random = random_cases("corners");
    for (int i = 0; i < case_count(20); i++) {
        struct surface_solid boxes[BOXES];
        const struct scene_mesh none = {.count = 0};
        struct surface s = surface_of(&none);
        struct lattice l = {.spacing = 1.0, .count = {N, N, N}, .walled = true};
        struct voxelized m = {.set = NULL};
        memset(boxes, 0, sizeof boxes);
        for (int b = 0; b < BOXES; b++) {
            boxes[b].material = 6;
            for (int k = 0; k < 3; k++) {
                boxes[b].from[k] = (double)random_between(&random, 0, N - 1);
                boxes[b].to[k] = boxes[b].from[k] + 1.0;
            }
        }
        s.solids = boxes;
        s.solid_count = BOXES;
        if (voxelize(&m.set, &m.report, &s, &l, NULL, 0, &(struct voxelize_options){.close_corners = true}, &m.error))
            fail_msg("%s", m.error.message);
        assert_true(m.report.closed_voxels > 0);
        for (size_t point = 0; point < (N + 1) * (N + 1) * (N + 1); point++)
            assert_true(is_one_group(m.set, point % (N + 1), point / (N + 1) % (N + 1), point / (N + 1) / (N + 1)));
        voxelized_drop(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_orientation_duplicates_and_threads_change_no_bit),
        cmocka_unit_test(boxes_in_any_position_have_the_voxels_whose_centres_are_in_them),
        cmocka_unit_test(closed_corners_leave_no_air_that_only_a_point_joins),
        cmocka_unit_test(boxes_in_a_walled_lattice_are_the_byte_map_of_later_over_earlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The air on both sides of partitions that let sound through belongs to one room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "support/voxelized.h"

#include <cmocka.h>

#include "support/within.h"

enum { WALL = 6, MATERIALS = 7 };
static const double size[3] = {4.0, 2.0, 2.0};
static const double left[3] = {0.5, 0.5, 0.5}, right[3] = {3.5, 1.5, 1.5};

/* A box of 4 x 2 x 2 m, and what divides it. */
struct scene {
    struct scene_mesh mesh;
    struct surface_material materials[MATERIALS];
    struct surface_solid solid;
    struct surface surface;
};

static void make(struct scene *s, bool joins)
{
    *s = (struct scene){.mesh = {.count = 0}};
    for (int i = 0; i < MATERIALS; i++)
        s->materials[i] = (struct surface_material){.code = (uint8_t)(CELL_SOLID + i), .joins = joins && i == WALL};
    mesh_add_box(&s->mesh, (const double[]){0.0, 0.0, 0.0}, size, 0);
}

static void add_sheet(struct scene *s, double x)
{
    mesh_add_quad(&s->mesh, (const double[]){x, 0.0, 0.0}, (const double[]){x, size[1], 0.0},
                  (const double[]){x, size[1], size[2]}, (const double[]){x, 0.0, size[2]}, WALL);
}

static void add_solid(struct scene *s, double from, double to)
{
    s->solid = (struct surface_solid){
        .shape = SOLID_BOX, .from = {from, 0.0, 0.0}, .to = {to, size[1], size[2]}, .material = WALL};
}

static double closed; /* m³ of air that is not of the room, of the last one */

/* The volume of the air, m³, with a source on the left and perhaps a receiver on the right; below 0: refused. */
static double volume_of(struct scene *s, bool receiver, bool bodies)
{
    struct voxel_report report;
    const struct lattice lattice = lattice_around(&s->mesh, 0.1);
    const struct source_voxel seeds[2] = {{.position = {left[0], left[1], left[2]}},
                                          {.position = {right[0], right[1], right[2]}, .receiver = true}};
    struct voxelize_options options = voxelize_plain;
    struct voxel_set *set;
    struct error e;
    options.bodies = bodies;
    options.close_corners = true;
    s->surface = (struct surface){.materials = s->materials,
                                  .material_count = MATERIALS,
                                  .triangles = s->mesh.triangles,
                                  .triangle_count = s->mesh.count,
                                  .solids = &s->solid,
                                  .solid_count = s->solid.to[0] > 0.0};
    if (voxelize(&set, &report, &s->surface, &lattice, seeds, receiver ? 2 : 1, &options, &e)) {
        assert_int_equal(e.code, ERROR_INPUT);
        voxel_report_free(&report);
        return -1.0;
    }
    const double volume = report.volume;
    assert_within((double)voxel_set_air(set) * 1e-3, volume, 1e-9);
    closed = report.closed_volume;
    voxel_set_free(set);
    voxel_report_free(&report);
    return volume;
}

static void a_wall_that_lets_sound_through_joins_two_rooms(void **state)
{
    (void)state;
    for (int joins = 0; joins < 2; joins++) {
        struct scene s;
        make(&s, joins);
        add_solid(&s, 1.8, 2.1);
        assert_within(volume_of(&s, false, false), joins ? 4.0 * 3.7 : 4.0 * 1.8, 1e-9);
        assert_within(closed, joins ? 0.0 : 4.0 * 1.9, 1e-9);
        assert_within(volume_of(&s, true, false), joins ? 4.0 * 3.7 : -1.0, 1e-9);
        mesh_clear(&s.mesh);
    }
}

/* It becomes one voxel thick. */
static void a_thin_sheet_joins_two_rooms(void **state)
{
    (void)state;
    struct scene s;
    make(&s, true);
    add_sheet(&s, 2.0);
    assert_within(volume_of(&s, false, false), 4.0 * 3.9, 1e-9);
    assert_within(volume_of(&s, true, true), 4.0 * 3.9, 1e-9);
    mesh_clear(&s.mesh);
    make(&s, true);
    add_solid(&s, 1.96, 1.99); /* a solid that covers no centre */
    assert_within(volume_of(&s, true, false), 4.0 * 3.9, 1e-9);
    mesh_clear(&s.mesh);
}

/* The inside of a wall of two faces is no room. */
static void a_body_of_a_model_joins_the_rooms_and_stays_solid(void **state)
{
    (void)state;
    struct scene s;
    make(&s, true);
    add_sheet(&s, 1.8);
    add_sheet(&s, 2.1);
    assert_within(volume_of(&s, true, true), 4.0 * 3.7, 1e-9);
    assert_within(closed, 4.0 * 0.3, 1e-9);
    assert_within(volume_of(&s, false, true), 4.0 * 1.8, 1e-9);
    mesh_clear(&s.mesh);
}

/* The outer walls of a room join nothing: the outside is no room. */
static void nothing_joins_a_room_with_the_outside(void **state)
{
    (void)state;
    struct scene s;
    make(&s, true);
    for (int i = 0; i < MATERIALS; i++)
        s.materials[i].joins = true;
    assert_within(volume_of(&s, false, false), 16.0, 1e-9);
    mesh_clear(&s.mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_that_lets_sound_through_joins_two_rooms),
        cmocka_unit_test(a_thin_sheet_joins_two_rooms),
        cmocka_unit_test(a_body_of_a_model_joins_the_rooms_and_stays_solid),
        cmocka_unit_test(nothing_joins_a_room_with_the_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Volume of air and areas of materials of known rooms; voxels of random ones, one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "room/grid/neighbours.h"
#include "room/grid/reverberation.h"
#include "room/grid/room_voxels.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

enum { OBJECTS_MAX = 8 };

/* A box of 4 x 3 x 2.5 m with spacing 0.05 m; material 0 of the walls, 1 and 2 of objects, 3 fixed. */
struct fixture {
    struct material materials[4];
    struct object objects[OBJECTS_MAX];
    struct source sources[2]; /* the room has the first, unless a test says otherwise */
    struct receiver receiver;
    struct room room;
    struct grid grid;
};

static void setup(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    static char *const names[] = {"wall", "soft", "hard", "fixed"};
    for (int i = 0; i < 4; i++)
        f->materials[i] = (struct material){.name = names[i], .kind = i == 3 ? MATERIAL_FIXED : MATERIAL_ABSORPTION};
    for (int b = 0; b < OCTAVE_BANDS; b++) {
        f->materials[0].absorption[b] = 0.1;
        f->materials[1].absorption[b] = 0.5;
        f->materials[2].absorption[b] = 0.02;
    }
    f->sources[1] = (struct source){.name = "T", .gain = 1.0, .position = {3.5, 0.5, 0.5}};
    f->sources[0] = (struct source){.name = "S", .gain = 1.0, .position = {0.5, 0.5, 0.5}};
    f->receiver = (struct receiver){.name = "R", .position = {0.8, 0.5, 0.6}};
    f->room = (struct room){.path = "test.cfg",
                            .size = {4.0, 3.0, 2.5},
                            .materials = f->materials,
                            .material_count = 4,
                            .objects = f->objects,
                            .duration = 1.0,
                            .sources = f->sources,
                            .source_count = 1,
                            .receivers = &f->receiver,
                            .receiver_count = 1};
    f->grid = (struct grid){.voxels = {80, 60, 50}, .spacing = 0.05, .size = {4.0, 3.0, 2.5}};
}

static void add_box(struct fixture *f, size_t material, const double from[3], const double to[3])
{
    struct object *o = &f->objects[f->room.object_count++];
    *o = (struct object){.shape = SHAPE_BOX, .material = material};
    memcpy(o->from, from, sizeof o->from);
    memcpy(o->to, to, sizeof o->to);
}

static void add_cylinder(struct fixture *f, size_t material, const double from[3], const double to[3], double radius)
{
    add_box(f, material, from, to);
    f->objects[f->room.object_count - 1].shape = SHAPE_CYLINDER;
    f->objects[f->room.object_count - 1].radius = radius;
}

static struct room_measures survey(const struct fixture *f)
{
    struct room_voxels v;
    struct grid grid = f->grid;
    struct room_measures s;
    struct error e = {0};
    memset(&s, 0x5a, sizeof s);
    if (room_voxels_make(&v, &grid, &f->room, &e) || room_measures_make(&s, &v.report, &e))
        fail_msg("%s", e.message);
    assert_non_null(s.area);
    room_voxels_free(&v);
    return s;
}

static void assert_refused(const struct fixture *f, const char *words)
{
    struct room_voxels v;
    struct grid grid = f->grid;
    struct error e = {0};
    assert_int_equal(room_voxels_make(&v, &grid, &f->room, &e), -1);
    if (!strstr(e.message, words))
        fail_msg("%s", e.message);
}

static void a_bare_box_has_its_volume_and_its_walls(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    struct room_measures s = survey(&f);
    assert_within(s.volume, 30.0, 1e-9);
    assert_within(s.area[0], 2.0 * (12.0 + 10.0 + 7.5), 1e-9);
    assert_within(s.surface, 59.0, 1e-9);
    assert_true(s.closed_off == 0.0);
    room_measures_free(&s);
}

static void an_object_takes_its_volume_and_covers_the_floor(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    add_box(&f, 1, (double[]){1.0, 1.0, 0.0}, (double[]){3.0, 2.0, 0.5});
    struct room_measures s = survey(&f);
    assert_within(s.volume, 29.0, 1e-9);
    assert_within(s.area[0], 57.0, 1e-9);
    assert_within(s.area[1], 2.0 + 2.0 * 0.5 * 3.0, 1e-9);
    room_measures_free(&s);
}

static void overlapping_objects_count_once(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    add_box(&f, 1, (double[]){1.0, 1.0, 0.0}, (double[]){3.0, 2.0, 1.0});
    add_box(&f, 2, (double[]){2.0, 1.0, -3.0}, (double[]){9.0, 2.0, 1.0}); /* sticks out of the room */
    struct room_measures s = survey(&f);
    assert_within(s.volume, 27.0, 1e-9);
    assert_within(s.area[1], 1.0 + 2.0 + 1.0, 1e-9); /* the top, two sides, one end; the other is inside the second */
    assert_within(s.area[2], 2.0 + 4.0, 1e-9);
    assert_within(s.area[0], 59.0 - 3.0 - 1.0, 1e-9); /* the floor; the end wall */
    room_measures_free(&s);
}

/* Two rooms with a wall between: the one without a source does not count; a door connects them. */
static void air_without_a_source_does_not_count(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    add_box(&f, 1, (double[]){2.0, 0.0, 0.0}, (double[]){2.2, 3.0, 1.0});
    add_box(&f, 1, (double[]){2.0, 0.0, 1.0}, (double[]){2.2, 3.0, 2.5});
    struct room_measures s = survey(&f);
    assert_within(s.volume, 15.0, 1e-9);
    assert_within(s.closed_off, 1.8 * 7.5, 1e-9);
    assert_within(s.area[1], 7.5, 1e-9);
    assert_within(s.area[0], 2.0 * (2.0 * 3.0 + 2.0 * 2.5) + 7.5, 1e-9);
    room_measures_free(&s);

    f.room.source_count = 2; /* the second one in the other room */
    assert_refused(&f, "source T at (3.5, 0.5, 0.5) m is in a space of 13.5 m³ that is not connected to the "
                       "15 m³ around the first source");
    f.room.source_count = 1;
    f.receiver.position[0] = 3.0;
    assert_refused(&f, "receiver R at (3, 0.5, 0.6) m is in a space of 13.5 m³");
    f.room.source_count = 2;
    f.objects[0].from[1] = 0.1; /* the door */
    s = survey(&f);
    assert_within(s.volume, 30.0 - 0.2 * 7.5 + 0.2 * 0.1, 1e-9);
    assert_true(s.closed_off == 0.0);
    room_measures_free(&s);

    setup(&f);
    add_box(&f, 1, (double[]){2.0, 0.0, 0.0}, (double[]){2.2, 3.0, 2.5});
    f.room.source_count = 0; /* an instrument's room: what the receiver hears counts */
    f.receiver.position[0] = 3.0;
    s = survey(&f);
    assert_within(s.volume, 1.8 * 7.5, 1e-9);
    room_measures_free(&s);
}

static void fixed_walls_take_no_air_where_points_are_corners(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.grid.stencil = STENCIL_19_POINT;
    f.room.walls[FACE_X_MIN] = f.room.walls[FACE_Z_MAX] = 3;
    struct room_measures s = survey(&f);
    assert_within(s.volume, 30.0, 1e-9);
    assert_within(s.area[3], 3.0 * 2.5 + 4.0 * 3.0, 1e-9);
    room_measures_free(&s);
}

/* Half a cell of a thin wall between them: the source is in the cell that holds it, not in those around it. */
static void a_source_at_a_thin_wall_is_on_its_own_side(void **state)
{
    (void)state;
    for (int stencil = 0; stencil < 2; stencil++) {
        struct fixture f;
        setup(&f);
        f.grid.stencil = stencil ? STENCIL_19_POINT : STENCIL_7_POINT;
        add_box(&f, 1, (double[]){2.0, 0.0, 0.0}, (double[]){2.05, 3.0, 2.5});
        f.sources[0].position[0] = 1.99;
        struct room_measures s = survey(&f);
        assert_within(s.volume, 2.0 * 7.5, 1e-9);
        room_measures_free(&s);
    }
}

static void layers_of_fixed_walls_are_no_air(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.walls[FACE_X_MIN] = f.room.walls[FACE_Z_MAX] = 3;
    struct room_measures s = survey(&f);
    assert_within(s.volume, 3.95 * 3.0 * 2.45, 1e-9);
    assert_within(s.area[3], 3.0 * 2.45 + 3.95 * 3.0, 1e-9);
    assert_within(s.area[0], 3.0 * 2.45 + 3.95 * 3.0 + 2.0 * 3.95 * 2.45, 1e-9);
    room_measures_free(&s);
}

/* Largest deviation of the curved side's area from 2 π r L, and of the volume, relative to the room's without it. */
static void a_cylinder_has_the_area_of_its_surface_and_not_of_its_staircase(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) { /* from wall to wall: no ends show */
        struct fixture f;
        setup(&f);
        double from[3] = {2.013, 1.487, 1.262}, to[3] = {2.013, 1.487, 1.262};
        from[axis] = -1.0;
        to[axis] = 9.0;
        add_cylinder(&f, 1, from, to, 0.4);
        struct room_measures s = survey(&f);
        const double length = f.grid.size[axis];
        assert_within(s.area[1] / (2.0 * M_PI * 0.4 * length), 1.0, 0.02);
        assert_within((30.0 - s.volume) / (M_PI * 0.16 * length), 1.0, 0.02);
        room_measures_free(&s);
    }
    struct fixture f; /* slanted, both ends in the air */
    setup(&f);
    add_cylinder(&f, 1, (double[]){1.1, 0.9, 0.7}, (double[]){2.9, 2.1, 1.8}, 0.45);
    struct room_measures s = survey(&f);
    const double length = hypot(hypot(1.8, 1.2), 1.1);
    assert_within(s.area[1] / (2.0 * M_PI * 0.45 * (length + 0.45)), 1.0, 0.03);
    assert_within((30.0 - s.volume) / (M_PI * 0.45 * 0.45 * length), 1.0, 0.02);
    room_measures_free(&s);
    setup(&f); /* a disc on the floor: its top and its rim */
    add_cylinder(&f, 1, (double[]){2.0, 1.5, 0.0}, (double[]){2.0, 1.5, 0.5}, 1.0);
    s = survey(&f);
    assert_within(s.area[1] / (M_PI + M_PI), 1.0, 0.01);
    room_measures_free(&s);
}

/* ---- against the map, point by point */

static void random_box(struct fixture *f, struct random *r)
{
    double from[3], to[3];
    const size_t material = 1 + random_between(r, 0, 2);
    for (int i = 0; i < 3; i++) {
        from[i] = (random_unit(r) * 1.2 - 0.1) * f->grid.size[i];
        to[i] = from[i] + random_unit(r) * 0.6 * f->grid.size[i] + 1.01 * f->grid.spacing;
    }
    add_box(f, material, from, to);
}

/* In the middle of the room: between it and a wall there is air. */
static void random_cylinder(struct fixture *f, struct random *r)
{
    const int axis = (int)random_between(r, 0, 2);
    double from[3], to[3], least = INFINITY;
    for (int i = 0; i < 3; i++) {
        from[i] = to[i] = (0.45 + 0.1 * random_unit(r)) * f->grid.size[i];
        least = fmin(least, f->grid.size[i]);
    }
    from[axis] -= 0.2 * f->grid.size[axis];
    to[axis] += 0.2 * f->grid.size[axis];
    add_cylinder(f, 1, from, to, 0.75 * f->grid.spacing + 0.2 * random_unit(r) * least);
}

/* What a voxel is, by its centre: enum cell. */
static uint8_t cell_by_centre(const struct fixture *f, const size_t at[3])
{
    double centre[3];
    for (int i = 0; i < 3; i++)
        centre[i] = ((double)at[i] + 0.5) * f->grid.spacing;
    for (int wall = 0; wall < FACES; wall++)
        if (f->grid.stencil == STENCIL_7_POINT && f->room.walls[wall] == 3 &&
            at[wall / 2] == (wall % 2 ? f->grid.voxels[wall / 2] - 1 : 0))
            return CELL_FIXED;
    const size_t object = room_object_at(&f->room, centre);
    if (object == f->room.object_count)
        return CELL_AIR;
    return f->objects[object].material == 3 ? CELL_FIXED : (uint8_t)(CELL_SOLID + f->objects[object].material);
}

static void assert_same_faces(const struct fixture *f, const struct voxel_set *set, const struct voxel_set *expected,
                              const size_t at[3])
{
    for (int side = 0; side < FACES; side++) {
        const struct face_run *a = voxel_set_face(set, at[0], at[1], at[2], side);
        const struct face_run *b = voxel_set_face(expected, at[0], at[1], at[2], side);
        assert_int_equal(a != NULL, b != NULL);
        const size_t end = side % 2 ? f->grid.voxels[side / 2] - 1 : 0;
        if (a && (f->grid.stencil == STENCIL_19_POINT || at[side / 2] != end))
            assert_int_equal(a->code, b->code);
    }
}

/* Of objects that are no thinner than a spacing. No source: all air is the room, as on the map; corners are not
 * closed. */
static void voxels_are_those_of_the_map(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int round = 0; round < 60; round++) {
        struct fixture f;
        const bool is_round = round % 4 == 3;
        setup(&f);
        f.room.source_count = f.room.receiver_count = 0;
        for (int i = 0; i < 3; i++) {
            f.grid.voxels[i] = (is_round ? 16 : 1) + random_between(&r, 0, 23);
            f.grid.size[i] = (double)f.grid.voxels[i] * f.grid.spacing;
        }
        for (int wall = 0; wall < FACES; wall++)
            f.room.walls[wall] = random_between(&r, 0, 3) ? 0 : 3;
        if (is_round)
            random_cylinder(&f, &r);
        for (size_t i = is_round ? 0 : random_between(&r, 0, OBJECTS_MAX); i > 0; i--)
            random_box(&f, &r);
        const size_t *n = f.grid.voxels, total = n[0] * n[1] * n[2];
        uint8_t *cells = malloc(total);
        size_t air = 0;
        for (size_t i = 0; i < total; i++) {
            cells[i] = cell_by_centre(&f, (size_t[]){i % n[0], i / n[0] % n[1], i / n[0] / n[1]});
            air += cells[i] == CELL_AIR;
        }
        struct voxel_set *expected;
        struct room_voxels v;
        struct grid grid = f.grid;
        struct error e = {0};
        uint8_t outside[FACES];
        for (int wall = 0; wall < FACES; wall++)
            outside[wall] = f.room.walls[wall] == 3 ? CELL_FIXED : CELL_SOLID;
        assert_int_equal(voxel_set_of_cells(&expected, n, cells, outside, &e), 0);
        if (air == 0) {
            assert_refused(&f, "room.size: the room encloses no air");
        } else {
            if (room_voxels_make(&v, &grid, &f.room, &e))
                fail_msg("%s", e.message);
            assert_true(voxel_set_air(v.set) == air);
            for (size_t i = 0; i < total; i++) {
                const size_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
                assert_int_equal(voxel_set_is_air(v.set, at[0], at[1], at[2]), cells[i] == CELL_AIR);
                assert_same_faces(&f, v.set, expected, at);
            }
            room_voxels_free(&v);
        }
        voxel_set_free(expected);
        free(cells);
    }
}

/* A slanted cylinder in a grid too large to step takes little time and memory. */
static void a_grid_too_large_to_step_is_surveyed_coarsely(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    add_cylinder(&f, 1, (double[]){1.1, 0.9, 0.7}, (double[]){2.9, 2.1, 1.8}, 0.45);
    f.grid.spacing = 0.05 / 256.0;
    for (int i = 0; i < 3; i++)
        f.grid.voxels[i] *= 256;
    const clock_t begin = clock();
    struct room_measures s = survey(&f);
    const double length = hypot(hypot(1.8, 1.2), 1.1);
    assert_within((30.0 - s.volume) / (M_PI * 0.45 * 0.45 * length), 1.0, 0.01);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 10.0); /* of processor time */
    room_measures_free(&s);
}

static void sabine_and_eyring_use_the_air_and_what_shows_to_it(void **state)
{
    (void)state;
    struct fixture f;
    struct model *m;
    struct error e = {0};
    setup(&f);
    f.room.air.temperature = 20.0;
    f.room.grid.rate = 8000.0;
    f.room.output.dispersion = 0.02;
    add_box(&f, 1, (double[]){1.0, 0.0, 0.0}, (double[]){4.0, 3.0, 2.5}); /* a third is left */
    assert_int_equal(model_make(&m, &f.room, &e), 0);
    struct reverberation r;
    reverberation_estimate(&r, m);
    const double *size = m->grid.size, x = m->grid.spacing;
    const double length = ceil(1.0 / x - 0.5) * x, end = size[1] * size[2];
    const double volume = length * end, walls = 2.0 * length * (size[1] + size[2]) + end;
    const double area = walls * m->walls[0].fitted[1] + end * m->walls[1].fitted[1], surface = walls + end;
    assert_within(m->space.volume, volume, 1e-9);
    assert_within(r.sabine[1], 24.0 * log(10.0) * volume / (m->grid.sound_speed * area), 1e-9);
    assert_within(r.eyring[1], 24.0 * log(10.0) * volume / (m->grid.sound_speed * -surface * log(1.0 - area / surface)),
                  1e-9);
    assert_true(isnan(r.eyring[OCTAVE_BANDS - 1])); /* beyond the valid band */
    model_free(m);
}

static void distances_are_to_the_surface(void **state)
{
    (void)state;
    const struct object box = {.shape = SHAPE_BOX, .from = {1.0, 1.0, 1.0}, .to = {2.0, 3.0, 4.0}};
    assert_within(distance_to_object(&box, (double[]){0.25, 2.0, 3.0}), 0.75, 1e-12);
    assert_within(distance_to_object(&box, (double[]){5.0, 7.0, 2.0}), 5.0, 1e-12);
    assert_true(distance_to_object(&box, (double[]){1.5, 2.0, 3.0}) == 0.0);
    const struct object cylinder = {/* along a diagonal */
                                    .shape = SHAPE_CYLINDER,
                                    .from = {1.0, 1.0, 0.0},
                                    .to = {4.0, 5.0, 0.0},
                                    .radius = 0.5};
    assert_within(distance_to_object(&cylinder, (double[]){2.5, 3.0, 0.8}), 0.3, 1e-12);       /* above its middle */
    assert_within(distance_to_object(&cylinder, (double[]){4.6, 5.8, 0.2}), 1.0, 1e-12);       /* beyond its end */
    assert_within(distance_to_object(&cylinder, (double[]){0.4, 0.2, 1.5}), sqrt(2.0), 1e-12); /* off its rim */
    assert_true(distance_to_object(&cylinder, (double[]){2.5, 3.0, 0.4}) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_box_has_its_volume_and_its_walls),
        cmocka_unit_test(an_object_takes_its_volume_and_covers_the_floor),
        cmocka_unit_test(overlapping_objects_count_once),
        cmocka_unit_test(air_without_a_source_does_not_count),
        cmocka_unit_test(layers_of_fixed_walls_are_no_air),
        cmocka_unit_test(fixed_walls_take_no_air_where_points_are_corners),
        cmocka_unit_test(a_source_at_a_thin_wall_is_on_its_own_side),
        cmocka_unit_test(a_cylinder_has_the_area_of_its_surface_and_not_of_its_staircase),
        cmocka_unit_test(voxels_are_those_of_the_map),
        cmocka_unit_test(a_grid_too_large_to_step_is_surveyed_coarsely),
        cmocka_unit_test(distances_are_to_the_surface),
        cmocka_unit_test(sabine_and_eyring_use_the_air_and_what_shows_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

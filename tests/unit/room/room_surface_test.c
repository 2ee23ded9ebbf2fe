/* SPDX-License-Identifier: MIT */
/* Rooms of every form become the surface that is voxelised: triangles of walls, solids of objects. */
#include "geometry/solid.h"
#include "geometry/voxelize.h"
#include "room/grid/model.h"
#include "room/grid/room_surface.h"
#include "room/room.h"
#include "support/random_cases.h"
#include "support/room_files.h"
#include "support/room_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a ray from a place upwards crosses the triangles an odd number of times. */
static bool is_enclosed(const struct surface *s, const double at[3])
{
    bool odd = false;
    for (size_t i = 0; i < s->triangle_count; i++) {
        const double(*c)[3] = s->triangles[i].corner;
        double areas[3], sum = 0.0, height = 0.0;
        for (int k = 0; k < 3; k++) {
            const double *p = c[(k + 1) % 3], *q = c[(k + 2) % 3];
            areas[k] = (p[0] - at[0]) * (q[1] - at[1]) - (p[1] - at[1]) * (q[0] - at[0]);
            sum += areas[k];
        }
        const bool over = (areas[0] > 0) == (areas[1] > 0) && (areas[1] > 0) == (areas[2] > 0);
        for (int k = 0; over && k < 3; k++)
            height += areas[k] / sum * c[k][2];
        odd ^= over && height > at[2];
    }
    return odd;
}

static double area_of(const struct surface *s, const char *material)
{
    double area = 0.0;
    for (size_t i = 0; i < s->triangle_count; i++) {
        const double(*c)[3] = s->triangles[i].corner;
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            const double n = (c[1][u] - c[0][u]) * (c[2][v] - c[0][v]) - (c[1][v] - c[0][v]) * (c[2][u] - c[0][u]);
            square += n * n;
        }
        if (!strcmp(s->materials[s->triangles[i].material].name, material))
            area += 0.5 * sqrt(square);
    }
    return area;
}

/* Triangles enclose what the room spans, and solids hold what its objects do. */
static void surfaces_enclose_what_rooms_span_and_their_objects_hold(void **state)
{
    (void)state;
    static const char *const texts[] = {form_with_corners, form_from_model, CORNERS("height = 2.5;"), BOX ENDS};
    struct random r = random_cases(__func__);
    write_file("model.obj", form_model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i]);
        struct room_surface s = {0};
        assert_int_equal(room_surface_make(&s, room, room->size, NULL), 0);
        size_t enclosed = 0;
        for (int k = 0; k < 5000; k++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = random_uniform(&r, room->lower[axis] - 0.2, room->lower[axis] + room->size[axis] + 0.2);
            const bool expected = room_spans(room, at);
            assert_int_equal(is_enclosed(&s.surface, at), expected);
            assert_int_equal(s.surface.solid_count, room->object_count);
            for (size_t n = 0; n < room->object_count; n++)
                assert_int_equal(solid_holds(&s.solids[n], at), object_holds(&room->objects[n], at));
            enclosed += expected;
        }
        assert_true(enclosed > 1000);
        room_surface_free(&s);
        room_free(room);
    }
}

static void surfaces_have_the_areas_of_their_materials(void **state)
{
    (void)state;
    struct room *room =
        good_room("room: { " L_PLAN " height = 3.0; walls: { default = \"brick\"; z_max = \"foam\";\n"
                  "sides = ( \"plaster\", \"brick\", \"fixed\", \"fixed\", \"brick\", \"brick\" ); };\n"
                  "objects: ( { shape = \"wedge\"; from = [3.0, 3.0, 0.0]; to = [3.3, 3.5, 0.4];\n"
                  "  rises = \"x_max\"; rotation = [20.0, 30.0, 40.0]; material = \"rigid\"; },\n"
                  "{ shape = \"box\"; from = [0.0, 0.0, 0.0]; to = [1.0, 0.5, 0.25]; material = \"foam\";\n"
                  "  rotation = [90.0, 0.0, 0.0]; },\n"
                  "{ shape = \"box\"; from = [0.0, 0.0, 0.0]; to = [0.5, 0.5, 0.25]; material = \"foam\";\n"
                  "  rotation = [10.0, 20.0, 0.0]; } ); };\n" ENDS);
    struct room_surface s = {0};
    assert_int_equal(room_surface_make(&s, room, room->size, NULL), 0);
    assert_true(fabs(area_of(&s.surface, "plaster") - 18.0) < 1e-9);
    assert_true(fabs(area_of(&s.surface, "fixed") - 18.0) < 1e-9);
    assert_true(fabs(area_of(&s.surface, "foam") - 33.0) < 1e-9);
    assert_true(fabs(area_of(&s.surface, "brick") - (33.0 + 12.0 + 9.0 + 21.0)) < 1e-9);
    assert_int_equal(s.surface.solid_count, 3);
    /* bottom, high side, slope, two triangles */
    assert_int_equal(s.solids[0].shape, SOLID_TURNED_WEDGE);
    assert_true(fabs(solid_area(&s.solids[0]) - (0.15 + 0.2 + 0.25 + 0.12)) < 1e-9);
    assert_int_equal(s.solids[1].shape, SOLID_BOX);
    assert_true(fabs(s.solids[1].from[0] - 0.25) < 1e-15 && fabs(s.solids[1].to[1] - 0.75) < 1e-15);
    assert_int_equal(s.solids[2].shape, SOLID_TURNED_BOX);
    assert_true(fabs(s.solids[2].axes[0][2] + sin(20.0 * 3.14159265358979324 / 180.0)) < 1e-12);
    for (size_t i = 0; i < room->material_count; i++) {
        const bool fixed = !strcmp(s.materials[i].name, "fixed");
        assert_int_equal(s.materials[i].code, fixed ? 1 : 2 + i);
    }
    room_surface_free(&s);
    room_free(room);
}

/* On voxels of 5 cm: the volume that the room spans less its objects, all of which stand in it and apart. */
static void surfaces_voxelise_to_what_rooms_span(void **state)
{
    (void)state;
    static const char *const texts[] = {form_with_corners, form_from_model, CORNERS("height = 2.5;")};
    enum { SAMPLES = 400000 };
    struct random r = random_cases(__func__);
    write_file("model.obj", form_model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i]);
        struct room_surface s = {0};
        struct lattice lattice = {.spacing = 0.05};
        struct voxel_set *set = NULL;
        struct voxel_report report;
        struct error e;
        double box = 1.0;
        int held = 0;
        for (int axis = 0; axis < 3; axis++) {
            lattice.origin[axis] = room->lower[axis] - 2 * lattice.spacing;
            lattice.count[axis] = (size_t)ceil(room->size[axis] / lattice.spacing) + 4;
            box *= room->size[axis];
        }
        const struct source_voxel seed = {
            .name = "source \"S1\"",
            .position = {room->sources[0].position[0], room->sources[0].position[1], room->sources[0].position[2]}};
        const struct voxelize_options options = {.seal = room->geometry.given ? room->geometry.seal : VOXELIZE_SEAL,
                                                 .crop = true};
        assert_int_equal(room_surface_make(&s, room, NULL, NULL), 0);
        if (voxelize(&set, &report, &s.surface, &lattice, &seed, 1, &options, &e))
            fail_msg("%s", e.message);
        for (int k = 0; k < SAMPLES; k++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = random_uniform(&r, room->lower[axis], room->lower[axis] + room->size[axis]);
            held += room_spans(room, at) && room_object_at(room, at) == room->object_count;
        }
        const double expected = box * held / SAMPLES;
        if (!(fabs(report.volume / expected - 1.0) <= 0.006))
            fail_msg("room %zu: %g m3 of voxels, %g m3 sampled", i, report.volume, expected);
        voxel_report_free(&report);
        voxel_set_free(set);
        room_surface_free(&s);
        room_free(room);
    }
}

/* Faces with fewer than three corners that differ, of a triangle and of a longer one. */
static void faces_without_area_are_counted(void **state)
{
    (void)state;
    struct error e = {0};
    char text[1024];
    struct model *m = NULL;
    snprintf(text, sizeof text, "%sf 1 1 2\nf 1 2 2 1\nf 3 3 3\n", form_model);
    write_file("model.obj", text);
    struct room *room = good_room(form_from_model);
    if (model_make(&m, room, &e))
        fail_msg("%s", e.message);
    bool told = false;
    for (size_t i = 0; i < m->note_count; i++)
        told = told || strstr(m->notes[i], "3 degenerate and 0 duplicate triangles are ignored");
    assert_true(told);
    model_free(m);
    room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_enclose_what_rooms_span_and_their_objects_hold),
        cmocka_unit_test(surfaces_have_the_areas_of_their_materials),
        cmocka_unit_test(surfaces_voxelise_to_what_rooms_span),
        cmocka_unit_test(faces_without_area_are_counted),
    };
    return cmocka_run_group_tests_name("surfaces of rooms", tests, room_files_set_up, room_files_tear_down);
}

/* SPDX-License-Identifier: MIT */
/* Rooms with corners and rooms from models: read, checked, written as JSON, and simulated. */
#include "base/text.h"
#include "room/grid/model.h"
#include "room/room.h"
#include "support/random_cases.h"
#include "support/room_files.h"
#include "support/room_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLAN(corners) "room: { corners = ( " corners " ); height = 3.0; };\n" ENDS
#define MODEL(text) "room: { geometry = { file = \"model.obj\"; " text " }; };\n" ENDS
#define NAMED "materials = ( { name = \"Wall*\"; material = \"brick\"; }, { name = \"*\"; material = \"foam\"; } );"

static void corners_give_walls_and_a_ceiling(void **state)
{
    (void)state;
    struct room *room = good_room(form_with_corners);
    assert_int_equal(room_form(room), ROOM_POLYGON);
    assert_true(room->lower[0] == -1 && room->lower[1] == 0 && room->lower[2] == 0);
    assert_true(room->size[0] == 6 && room->size[1] == 7 && room->size[2] == 3);
    assert_int_equal(room->corner_count, 6);
    assert_int_equal(room->plan_count, 4);
    assert_string_equal(room->materials[room->sides[0]].name, "plaster");
    assert_string_equal(room->materials[room->sides[4]].name, "own");
    assert_string_equal(room->materials[room->walls[FACE_Z_MIN]].name, "brick");
    assert_string_equal(room->materials[room->walls[FACE_Z_MAX]].name, "foam");
    for (size_t i = 0; i < room->corner_count; i++)
        assert_true(fabs(room_ceiling(room, room->corners[i]) - room->heights[i]) < 1e-9);
    assert_int_equal(room->objects[2].rises, RISE_Y_MIN);
    room_free(room);
    room = good_room(CORNERS("height = 2.5;"));
    for (size_t i = 0; i < 6; i++) {
        assert_true(room->heights[i] == 2.5);
        assert_string_equal(room->materials[room->sides[i]].name, "plaster");
    }
    assert_int_equal(room->material_count, 1);
    room_free(room);
}

/* A ceiling in a plane, which rises by 0.1 m each metre along x, whatever the triangles of the plan. */
static void a_plane_ceiling_is_plane(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct room *room = good_room(CORNERS("height = [3.0, 3.6, 3.6, 3.3, 3.3, 3.0];"));
    for (int i = 0; i < 1000; i++) {
        const double at[3] = {random_uniform(&r, -2, 6), random_uniform(&r, -1, 8), random_uniform(&r, -0.5, 4)};
        const bool over_plan = at[0] >= -1 && at[1] >= 0 && at[0] <= 5 && at[1] <= 7 && !(at[0] > 2 && at[1] > 4);
        const double ceiling = 3.1 + 0.1 * at[0];
        if (over_plan)
            assert_true(fabs(room_ceiling(room, at) - ceiling) < 1e-9);
        assert_int_equal(room_spans(room, at), over_plan && at[2] >= 0 && at[2] <= ceiling);
    }
    static const double on_walls[][3] = {{-1, 0, 0}, {5, 4, 3.6}, {2, 5.5, 1}, {3.3, 4, 0}, {2, 4, 3.3}};
    for (size_t i = 0; i < sizeof on_walls / sizeof *on_walls; i++)
        assert_true(room_spans(room, on_walls[i]));
    room_free(room);
}

static void models_give_size_and_materials(void **state)
{
    (void)state;
    write_file("model.obj", form_model);
    struct room *room = good_room(form_from_model);
    assert_int_equal(room_form(room), ROOM_MESH);
    assert_true(room->lower[0] == -3 && room->lower[1] == 0 && room->lower[2] == 0); /* mirrored */
    assert_true(room->size[0] == 4 && room->size[1] == 3 && room->size[2] == 2.5);
    assert_int_equal(room->mesh.triangle_count, 12);
    static const char *const expected[][2] = {
        {"Wall 1", "brick"}, {"Wall 2", "brick"}, {"Floor", "own"}, {"Brik", "foam"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        for (size_t k = 0; k < room->mesh.material_count; k++)
            if (!strcmp(room->mesh.materials[k], expected[i][0]))
                assert_string_equal(room->materials[room->mesh_materials[k]].name, expected[i][1]);
    assert_true(room->geometry.seal == 0.125);
    char text[ROOM_INPUT];
    assert_string_equal(room_input_at(room, room->geometry.file, false, text), "the model of the room");
    room_free(room);
    const char *const settings[] = {"room.geometry.unit=ft",
                                    "room.geometry.up=y",
                                    "room.geometry.flip=false",
                                    "room.geometry.materials[0].material=foam",
                                    "sources[0].position=[0,-0.5,0.5]",
                                    "receivers[0].position=[0.5,-0.5,0.5]",
                                    "room.objects[0].radius=0.01"};
    struct error e;
    room = read_room("room.cfg", settings, sizeof settings / sizeof *settings, &e);
    if (!room)
        fail_msg("%s", e.message);
    assert_true(fabs(room->lower[1] + 2.5 * 0.3048) < 1e-12 && fabs(room->size[2] - 3 * 0.3048) < 1e-12);
    assert_int_equal(room->mesh_materials[0], room->mesh_materials[3]);
    room_free(room);
}

static void json_gives_these_rooms_back(void **state)
{
    (void)state;
    static const char *const texts[] = {form_with_corners, CORNERS("height = 2.5;"), form_from_model,
                                        MODEL("unit = \"m\"; " NAMED)};
    write_file("model.obj", form_model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i]);
        cJSON *json = room_json(room);
        char *text = cJSON_Print(json);
        struct error e;
        write_file("room.json", text);
        setenv("AULA_DATA", "/nowhere", 1); /* the materials are spelt out */
        struct room *again = read_room("room.json", NULL, 0, &e);
        setenv("AULA_DATA", room_folder, 1);
        if (!again)
            fail_msg("%s\n%s", e.message, text);
        cJSON *second = room_json(again);
        char *text_again = cJSON_Print(second);
        assert_string_equal(text, text_again);
        assert_memory_equal(room->lower, again->lower, sizeof room->lower);
        assert_memory_equal(room->size, again->size, sizeof room->size);
        assert_int_equal(room->corner_count, again->corner_count);
        if (room->corner_count) {
            assert_memory_equal(room->corners, again->corners, room->corner_count * sizeof *room->corners);
            assert_memory_equal(room->heights, again->heights, room->corner_count * sizeof *room->heights);
            assert_memory_equal(room->sides, again->sides, room->corner_count * sizeof *room->sides);
        }
        for (size_t k = 0; k < room->object_count; k++) {
            const struct object *a = &room->objects[k], *b = &again->objects[k];
            assert_memory_equal(a->rotation, b->rotation, sizeof a->rotation);
            assert_memory_equal(a->position, b->position, sizeof a->position);
            assert_int_equal(a->rises, b->rises);
            assert_true(a->bottom == b->bottom && a->top == b->top && a->corner_count == b->corner_count);
        }
        free(text);
        free(text_again);
        cJSON_Delete(json);
        cJSON_Delete(second);
        room_free(room);
        room_free(again);
    }
}

static const struct bad {
    const char *text, *expected;
    int line;
} bad_rooms[] = {
    /* forms */
    {"room: { " L_PLAN " };\n" ENDS, "room.height: is missing; expected a height in m such as 3.0, or a list", 1},
    {"room: { height = 3.0; };\n" ENDS, "room.height: is not used in a box; remove it (valid keys: size, points", 1},
    {"room: { " L_PLAN " height = 3.0;\n size = [1.0, 1.0, 1.0]; };\n" ENDS, "room.corners is also set", 2},
    {CORNERS("height = 3.0; walls: { x_min = \"brick\"; };"),
     "room.walls.x_min: is not used in a room with corners; remove it (valid keys: default, z_min, z_max, sides)", 1},
    {"room: { size = [4.0, 3.0, 2.0]; walls: { sides = ( \"brick\" ); }; };\n" ENDS,
     "room.walls.sides: is not used in a box", 1},
    {"room: { size = [4.0, 3.0, 2.0]; geometry = { file = \"a.obj\"; }; };\n" ENDS, "room.geometry is also set", 1},
    {MODEL("unit = \"m\"; " NAMED " };\n walls: { default = \"brick\";"), "room.geometry: room.walls is also set", 1},
    /* corners */
    {PLAN("[0.0, 0.0], [1.0, 0.0]"), "room.corners: has 2 corners; a floor plan needs 3 to 1000", 1},
    {PLAN("[0.0, 0.0], [1.0, 0.0], 5.0"), "room.corners[2]: expected x, y of a corner in metres", 1},
    {PLAN("[0.0, 0.0], [1.0, 0.0], [1.0, 2.0, 3.0]"), "room.corners[2]: expected x, y of a corner in metres", 1},
    {PLAN("[0.0, 0.0], [1.0, 0.0], [1.0, 1e5]"), "room.corners[2][1]: 100000 is out of range", 1},
    {PLAN("[0.0, 0.0], [3.0, 3.0], [3.0, 0.0], [0.0, 3.0]"),
     "room.corners: the sides from corner 0, (0, 0) m, and from corner 2, (3, 0) m, cross or touch", 1},
    {PLAN("[0.0, 0.0], [3.0, 0.0], [3.0, 0.0], [0.0, 3.0]"),
     "room.corners[2]: (3, 0) m repeats the corner before it; remove it", 1},
    {PLAN("[0.0, 0.0], [3.0, 0.0], [1.0, 0.0]"), "the outline turns back on itself", 1},
    {"room: { corners = 3; height = 3.0; };\n" ENDS, "room.corners: expected corners in order around", 1},
    {CORNERS("height = [3.0, 2.0];"), "room.height: has 2 heights, but room.corners has 6 corners", 1},
    {CORNERS("height = [3.0, 3.0, 0.0, 3.0, 3.0, 3.0];"), "room.height[2]: 0 is out of range", 1},
    {CORNERS("height = \"high\";"), "room.height: expected a height in m", 1},
    {CORNERS("height = 3.0; walls: { sides = ( \"brick\", \"foam\" ); };"),
     "room.walls.sides: has 2 materials, but room.corners has 6 corners; use one for each", 1},
    {CORNERS("height = 3.0; walls: { sides = ( \"brick\", \"brick\", \"brick\", \"brick\", \"brick\", \"bric\" ); };"),
     "room.walls.sides[5]: unknown material \"bric\"; did you mean \"brick\"?", 1},
    {CORNERS("height = 3.0; walls: { default = 3; };"), "room.walls.default: expected the name of a material", 1},
    {"room: { " L_PLAN " height = 3.0; };\nsources: ( { position = [4.0, 5.0, 1.0]; } );\n" RECEIVER,
     "sources[0].position: (4, 5) m lies outside the room's corners", 2},
    {"room: { " L_PLAN " height = 3.0; };\nsources: ( { position = [-1.5, 5.0, 1.0]; } );\n" RECEIVER,
     "sources[0].position: x = -1.5 m lies outside the room, which spans -1 to 5 m", 2},
    {"room: { " L_PLAN " height = [3.0, 3.0, 2.0, 2.0, 2.0, 3.0]; };\n"
     "sources: ( { position = [1.0, 6.9, 2.9]; } );\n" RECEIVER,
     "sources[0].position: z = 2.9 m lies above the ceiling, which is at ", 2},
    /* objects */
    {OBJECT("{ shape = \"wedge\"; from = [1.0, 1.0, 0.0]; to = [2.0, 2.0, 1.0]; material = \"foam\"; }") ENDS,
     "room.objects[0].rises: is missing; expected \"x_min\", \"x_max\", \"y_min\" or \"y_max\"", 2},
    {OBJECT("{ shape = \"wedge\"; from = [1.0, 1.0, 0.0]; to = [2.0, 1.0, 1.0]; rises = \"x_min\"; "
            "material = \"foam\"; }") ENDS,
     "room.objects[0]: from (1) must be less than to (1) along y", 2},
    {OBJECT("{ shape = \"box\"; from = [1.0, 1.0, 0.0]; to = [2.0, 2.0, 1.0]; rotation = 30.0; "
            "material = \"foam\"; }") ENDS,
     "room.objects[0].rotation: expected yaw, pitch and roll in degrees such as [30.0, 0.0, 0.0]", 2},
    {OBJECT("{ shape = \"box\"; from = [1.0, 1.0, 0.0]; to = [2.0, 2.0, 1.0]; rotation = [400.0, 0.0, 0.0]; "
            "material = \"foam\"; }") ENDS,
     "room.objects[0].rotation[0]: 400 is out of range: expected -360 to 360 degrees", 2},
    {OBJECT("{ shape = \"cylinder\"; from = [1.0, 1.0, 0.0]; to = [2.0, 2.0, 1.0]; radius = 1.0; "
            "rotation = [0.0, 0.0, 0.0]; material = \"foam\"; }") ENDS,
     "is used with shape = \"box\" or shape = \"wedge\" only, but this shape is \"cylinder\"", 2},
    {OBJECT("{ shape = \"sphere\"; position = [2.0, 1.0, 1.0]; radius = 0.1; material = \"foam\"; }") ENDS,
     "receiver R1 at (2, 1, 1) m lies inside room.objects[0]; move it", 4},
    {OBJECT("{ shape = \"polygon\"; corners = ( [0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0] ); bottom = 0.0; "
            "top = 1.0; material = \"foam\"; }") ENDS,
     "room.objects[0].corners: the sides from corner 0, (0, 0) m, and from corner 2, (1, 0) m, cross or touch", 2},
    {OBJECT("{ shape = \"polygon\"; corners = ( [0.0, 0.0], [1.0, 1.0], [1.0, 0.0] ); bottom = 1.0; "
            "top = 1.0; material = \"foam\"; }") ENDS,
     "room.objects[0]: bottom (1) must be less than top (1)", 2},
    /* models */
    {"room: { geometry = { }; };\n" ENDS, "room.geometry.file: is missing; expected the name of a file", 1},
    {MODEL(NAMED), "model.obj: the format states no unit; set `unit`", 1},
    {MODEL("unit = \"yard\"; " NAMED), "room.geometry.unit: unknown value \"yard\"; expected \"file\", \"m\", \"cm\"",
     1},
    {MODEL("unit = \"mm\"; " NAMED), "too small for a room: unit = \"m\" makes it 4 x 3 x 2.5 m", 1},
    {MODEL("unit = \"m\"; up = \"x\"; " NAMED), "room.geometry.up: unknown value \"x\"", 1},
    {MODEL("unit = \"m\"; seal = 0.6; " NAMED), "room.geometry.seal: 0.6 is out of range: expected 0 to 0.5 spacings",
     1},
    {MODEL("unit = \"m\"; flip = 1; " NAMED), "room.geometry.flip: expected true or false", 1},
    {MODEL("unit = \"m\"; materials = ( { name = \"*\"; } );"), "room.geometry.materials[0].material: is missing", 1},
    {MODEL("unit = \"m\"; materials = ( { name = \"*\"; material = \"bric\"; } );"), "unknown material \"bric\"", 1},
    {MODEL("unit = \"m\"; default = \"bric\";"), "room.geometry.default: unknown material \"bric\"", 1},
    {MODEL("unit = \"m\"; materials = ( { name = \"Wall\"; material = \"brick\"; } );"),
     "room.geometry.materials: no pattern matches 4 names of the model", 1},
    {"room: { geometry = { file = \"none.obj\"; unit = \"m\"; " NAMED " }; };\n" ENDS,
     "none.obj: cannot open: No such file", 1},
    {"room: { geometry = { file = \"model.obj\"; unit = \"m\"; " NAMED " }; };\n" RECEIVER
     "sources: ( { position = [3.5, 1.0, 1.0]; } );\n",
     "sources[0].position: x = 3.5 m lies outside the room, which spans -1 to 3 m", 3},
};

static void mistakes_are_refused_by_file_line_and_key(void **state)
{
    (void)state;
    write_file("model.obj", form_model);
    for (size_t i = 0; i < sizeof bad_rooms / sizeof *bad_rooms; i++) {
        const struct bad *bad = &bad_rooms[i];
        struct error e;
        char *start = text_format("%s/room.cfg:%d: ", room_folder, bad->line);
        write_file("room.cfg", bad->text);
        struct room *room = read_room("room.cfg", NULL, 0, &e);
        if (room || e.code != ERROR_INPUT || !tells(e.message, start, bad->expected))
            fail_msg("%s\n  expected %s... %s\n  got code %d: %s", bad->text, start, bad->expected, (int)e.code,
                     room ? "taken" : e.message);
        free(start);
    }
}

/* One mistake is one message: what follows from it is not told. */
static void mistakes_of_form_are_told_once(void **state)
{
    (void)state;
    static const char *const texts[] = {
        PLAN("[0.0, 0.0], [3.0, 3.0], [3.0, 0.0], [0.0, 3.0]"),
        "room: { corners = 3; height = [3.0, 2.0]; walls: { sides = ( \"brick\" ); }; };\n" ENDS,
        "room: { " L_PLAN " height = 3.0; size = [1.0, 1.0, 1.0]; };\n" ENDS,
        MODEL("unit = \"mm\"; " NAMED),
        MODEL("unit = \"yard\"; " NAMED),
        MODEL("unit = \"m\"; materials = ( { name = \"*\"; material = \"bric\"; } );"),
        OBJECT("{ shape = \"polygon\"; corners = ( [0.0, 0.0], [3.0, 2.0], [3.0, 0.0], [0.0, 2.0] ); bottom = 0.0; "
               "top = 2.0; material = \"foam\"; }") ENDS,
    };
    write_file("model.obj", form_model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error e;
        write_file("room.cfg", texts[i]);
        assert_null(read_room("room.cfg", NULL, 0, &e));
        if (strchr(e.message, '\n'))
            fail_msg("%s\n%s", texts[i], e.message);
    }
}

static void a_size_given_by_set_replaces_corners(void **state)
{
    (void)state;
    struct error e;
    static const char *const size = "room.size=[4, 3, 2]", *const corner = "room.corners[1]=[4.5, 0]";
    write_file("room.cfg", CORNERS("height = 3.0;"));
    struct room *room = read_room("room.cfg", &size, 1, &e);
    assert_non_null(room);
    assert_int_equal(room_form(room), ROOM_BOX);
    room_free(room);
    room = read_room("room.cfg", &corner, 1, &e);
    assert_non_null(room);
    assert_true(room->corners[1][0] == 4.5);
    room_free(room);
}

/* A truncated or damaged file is read or refused, nothing else. */
static void every_truncation_and_mutation_ends_well(void **state)
{
    (void)state;
    static const char *const texts[] = {form_with_corners, form_from_model};
    static const char letters[] = "{}()[]=;:,\"\\#@/*-.0e9Lx\n\377 a";
    struct random r = random_cases(__func__);
    struct error e;
    write_file("model.obj", form_model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t size = strlen(texts[i]) + 1;
        char *text = malloc(size);
        assert_non_null(text);
        for (size_t length = 0; length < size; length += 7) {
            write_bytes("room.cfg", texts[i], length);
            room_free(read_room("room.cfg", NULL, 0, &e));
        }
        for (int round = 0; round < 500; round++) {
            memcpy(text, texts[i], size);
            for (int change = 0; change < 1 + round % 4; change++)
                text[random_between(&r, 0, size - 2)] = letters[random_between(&r, 0, sizeof letters - 2)];
            write_bytes("room.cfg", text, size - 1);
            struct room *room = read_room("room.cfg", NULL, 0, &e);
            assert_true(room || e.code == ERROR_INPUT);
            room_free(room);
        }
        free(text);
    }
}

static void rooms_of_every_form_are_simulated(void **state)
{
    (void)state;
    static const char *const texts[] = {
        form_with_corners, form_from_model,
        OBJECT("{ shape = \"sphere\"; position = [3.0, 2.0, 1.0]; radius = 0.1; material = \"foam\"; }") ENDS,
        OBJECT("{ shape = \"box\"; from = [3.0, 2.0, 1.0]; to = [3.5, 2.5, 2.0]; material = \"foam\"; "
               "rotation = [1.0, 0.0, 0.0]; }") ENDS};
    write_file("model.obj", form_model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i]);
        struct model *m = NULL;
        struct error e = {0};
        if (model_make(&m, room, &e))
            fail_msg("%s", e.message);
        assert_true(voxel_set_air(m->voxels.set) > 0);
        if (i == 1) /* 4 x 3 x 2.5 m and the sphere */
            assert_true(fabs(m->space.volume - 29.93) < 0.2);
        model_free(m);
        room_free(room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_give_walls_and_a_ceiling),
        cmocka_unit_test(a_plane_ceiling_is_plane),
        cmocka_unit_test(models_give_size_and_materials),
        cmocka_unit_test(json_gives_these_rooms_back),
        cmocka_unit_test(mistakes_are_refused_by_file_line_and_key),
        cmocka_unit_test(mistakes_of_form_are_told_once),
        cmocka_unit_test(a_size_given_by_set_replaces_corners),
        cmocka_unit_test(every_truncation_and_mutation_ends_well),
        cmocka_unit_test(rooms_of_every_form_are_simulated),
    };
    return cmocka_run_group_tests_name("forms of rooms", tests, room_files_set_up, room_files_tear_down);
}

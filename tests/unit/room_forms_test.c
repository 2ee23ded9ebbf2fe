/* Rooms with corners and rooms from models: read, checked, written as JSON, and turned into surfaces. */
#include "base/text.h"
#include "geometry/voxelize.h"
#include "model/model.h"
#include "model/room_surface.h"
#include "room/room.h"
#include "support/random_cases.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define L_PLAN "corners = ( [-1.0, 0.0], [5.0, 0.0], [5.0, 4.0], [2.0, 4.0], [2.0, 7.0], [-1.0, 7.0] );"
#define CORNERS(text) "room: { " L_PLAN " " text " };\n" ENDS
#define PLAN(corners) "room: { corners = ( " corners " ); height = 3.0; };\n" ENDS
#define MODEL(text) "room: { geometry = { file = \"model.obj\"; " text " }; };\n" ENDS
#define NAMED "materials = ( { name = \"Wall*\"; material = \"brick\"; }, { name = \"*\"; material = \"foam\"; } );"

/* 4 x 3 x 2.5 m from (-1, 0, 0) on. */
static const char model[] = "v -1 0 0\nv 3 0 0\nv -1 3 0\nv 3 3 0\nv -1 0 2.5\nv 3 0 2.5\nv -1 3 2.5\nv 3 3 2.5\n"
                            "usemtl Wall 1\nf 1 3 7 5\nf 2 6 8 4\nusemtl Wall 2\nf 1 5 6 2\nf 3 4 8 7\n"
                            "usemtl Floor\nf 1 2 4 3\nusemtl Brik\nf 5 7 8 6\nusemtl never used\n";

/* Every key of these rooms. */
static const char with_corners[] =
    "room: { " L_PLAN " height = [3.0, 3.0, 2.4, 2.4, 2.4, 3.0];\n"
    "  walls: { default = \"brick\"; z_max = \"foam\";\n"
    "    sides = ( \"plaster\", \"brick\", \"brick\", \"rigid\", \"own\", \"plaster\" ); };\n"
    "  objects: ( { shape = \"box\"; from = [0.2, 0.2, 0.0]; to = [0.6, 0.8, 0.7]; material = \"rigid\";\n"
    "      rotation = [30.0, -10.5, 5.25]; },\n"
    "    { shape = \"sphere\"; name = \"lamp\"; position = [3.0, 2.0, 2.0]; radius = 0.3; material = \"rigid\"; },\n"
    "    { shape = \"wedge\"; from = [3.0, 3.0, 0.0]; to = [4.0, 3.5, 0.5]; rises = \"y_min\"; material = \"foam\"; "
    "},\n"
    "    { shape = \"polygon\"; corners = ( [-0.5, 5.0], [0.5, 5.0], [0.0, 6.0] ); bottom = 0.5; top = 1.25;\n"
    "      material = \"foam\"; } ); };\n" ENDS "materials: { own = { impedance = 10.5; }; };\n";
static const char from_model[] =
    "room: { geometry = { file = \"model.obj\"; unit = \"m\"; up = \"z\"; seal = 0.125; flip = true;\n"
    "    materials = ( { name = \"Wall ?\"; material = \"brick\"; }, { name = \"Floor\"; material = \"own\"; } );\n"
    "    default = \"foam\"; };\n"
    "  objects: ( { shape = \"sphere\"; position = [-1.0, 2.0, 1.0]; radius = 0.25; material = \"rigid\"; } ); };\n"
    "sources: ( { position = [-2.9, 1.0, 1.0]; } );\nreceivers: ( { position = [0.9, 1.0, 1.0]; } );\n"
    "materials: { own = { impedance = 10.5; }; };\n";

static void corners_give_walls_and_a_ceiling(void **state)
{
    (void)state;
    struct room *room = good_room(with_corners);
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
    write_file("model.obj", model);
    struct room *room = good_room(from_model);
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
    static const char *const texts[] = {with_corners, CORNERS("height = 2.5;"), from_model,
                                        MODEL("unit = \"m\"; " NAMED)};
    write_file("model.obj", model);
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
    {"room: { height = 3.0; };\n" ENDS, "room.height: is not used in a box; leave it out (there are size, points", 1},
    {"room: { " L_PLAN " height = 3.0;\n size = [1.0, 1.0, 1.0]; };\n" ENDS, "room.corners is given too", 2},
    {CORNERS("height = 3.0; walls: { x_min = \"brick\"; };"),
     "room.walls.x_min: is not used in a room with corners; leave it out (there are default, z_min, z_max, sides)", 1},
    {"room: { size = [4.0, 3.0, 2.0]; walls: { sides = ( \"brick\" ); }; };\n" ENDS,
     "room.walls.sides: is not used in a box", 1},
    {"room: { size = [4.0, 3.0, 2.0]; geometry = { file = \"a.obj\"; }; };\n" ENDS, "room.geometry is given too", 1},
    {MODEL("unit = \"m\"; " NAMED " };\n walls: { default = \"brick\";"), "room.geometry: room.walls is given too", 1},
    /* corners */
    {PLAN("[0.0, 0.0], [1.0, 0.0]"), "room.corners: holds 2 corners; a floor plan has 3 to 1000", 1},
    {PLAN("[0.0, 0.0], [1.0, 0.0], 5.0"), "room.corners[2]: expected x, y of a corner in metres", 1},
    {PLAN("[0.0, 0.0], [1.0, 0.0], [1.0, 2.0, 3.0]"), "room.corners[2]: expected x, y of a corner in metres", 1},
    {PLAN("[0.0, 0.0], [1.0, 0.0], [1.0, 1e5]"), "room.corners[2][1]: 100000 is out of range", 1},
    {PLAN("[0.0, 0.0], [3.0, 3.0], [3.0, 0.0], [0.0, 3.0]"),
     "room.corners: the sides from corner 0, (0, 0) m, and from corner 2, (3, 0) m, cross or touch", 1},
    {PLAN("[0.0, 0.0], [3.0, 0.0], [3.0, 0.0], [0.0, 3.0]"),
     "room.corners[2]: (3, 0) m is the corner before it again; leave it out", 1},
    {PLAN("[0.0, 0.0], [3.0, 0.0], [1.0, 0.0]"), "the outline turns back on itself", 1},
    {"room: { corners = 3; height = 3.0; };\n" ENDS, "room.corners: expected corners in order around", 1},
    {CORNERS("height = [3.0, 2.0];"), "room.height: holds 2 heights, but room.corners holds 6 corners", 1},
    {CORNERS("height = [3.0, 3.0, 0.0, 3.0, 3.0, 3.0];"), "room.height[2]: 0 is out of range", 1},
    {CORNERS("height = \"high\";"), "room.height: expected a height in m", 1},
    {CORNERS("height = 3.0; walls: { sides = ( \"brick\", \"foam\" ); };"),
     "room.walls.sides: holds 2 materials, but room.corners holds 6 corners; give one for each", 1},
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
     "is used with shape = \"box\" or shape = \"wedge\" only, and this shape is \"cylinder\"", 2},
    {OBJECT("{ shape = \"sphere\"; position = [2.0, 1.0, 1.0]; radius = 0.1; material = \"foam\"; }") ENDS,
     "receiver R1 at (2, 1, 1) m lies inside room.objects[0], not in the air", 4},
    {OBJECT("{ shape = \"polygon\"; corners = ( [0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0] ); bottom = 0.0; "
            "top = 1.0; material = \"foam\"; }") ENDS,
     "room.objects[0].corners: the sides from corner 0, (0, 0) m, and from corner 2, (1, 0) m, cross or touch", 2},
    {OBJECT("{ shape = \"polygon\"; corners = ( [0.0, 0.0], [1.0, 1.0], [1.0, 0.0] ); bottom = 1.0; "
            "top = 1.0; material = \"foam\"; }") ENDS,
     "room.objects[0]: bottom (1) must be less than top (1)", 2},
    /* models */
    {"room: { geometry = { }; };\n" ENDS, "room.geometry.file: is missing; expected the name of a file", 1},
    {MODEL(NAMED), "model.obj: the format carries no unit: give `unit`", 1},
    {MODEL("unit = \"yard\"; " NAMED), "room.geometry.unit: \"yard\" is not known: expected \"file\", \"m\", \"cm\"",
     1},
    {MODEL("unit = \"mm\"; " NAMED), "too small for a room: unit = \"m\" makes it 4 x 3 x 2.5 m", 1},
    {MODEL("unit = \"m\"; up = \"x\"; " NAMED), "room.geometry.up: \"x\" is not known", 1},
    {MODEL("unit = \"m\"; seal = 0.6; " NAMED), "room.geometry.seal: 0.6 is out of range: expected 0 to 0.5 spacings",
     1},
    {MODEL("unit = \"m\"; flip = 1; " NAMED), "room.geometry.flip: expected true or false", 1},
    {MODEL("unit = \"m\"; materials = ( { name = \"*\"; } );"), "room.geometry.materials[0].material: is missing", 1},
    {MODEL("unit = \"m\"; materials = ( { name = \"*\"; material = \"bric\"; } );"), "unknown material \"bric\"", 1},
    {MODEL("unit = \"m\"; default = \"bric\";"), "room.geometry.default: unknown material \"bric\"", 1},
    {MODEL("unit = \"m\"; materials = ( { name = \"Wall\"; material = \"brick\"; } );"),
     "room.geometry.materials: no pattern matches 4 names of the model", 1},
    {"room: { geometry = { file = \"none.obj\"; unit = \"m\"; " NAMED " }; };\n" ENDS,
     "none.obj: cannot be read: No such file", 1},
    {"room: { geometry = { file = \"model.obj\"; unit = \"m\"; " NAMED " }; };\n" RECEIVER
     "sources: ( { position = [3.5, 1.0, 1.0]; } );\n",
     "sources[0].position: x = 3.5 m lies outside the room, which spans -1 to 3 m", 3},
};

static void mistakes_are_refused_by_file_line_and_key(void **state)
{
    (void)state;
    write_file("model.obj", model);
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
    write_file("model.obj", model);
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

static bool object_is_triangles(const struct object *o)
{
    return o->shape == SHAPE_WEDGE || o->shape == SHAPE_POLYGON;
}

/* Triangles enclose what the room spans, less what wedges and polygons hold. */
static void surfaces_enclose_what_rooms_span(void **state)
{
    (void)state;
    static const char *const texts[] = {with_corners, from_model, CORNERS("height = 2.5;"), BOX ENDS};
    struct random r = random_cases(__func__);
    write_file("model.obj", model);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i]);
        struct room_surface s = {0};
        assert_int_equal(room_surface_make(&s, room, room->size, NULL), 0);
        size_t enclosed = 0;
        for (int k = 0; k < 5000; k++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = random_uniform(&r, room->lower[axis] - 0.2, room->lower[axis] + room->size[axis] + 0.2);
            bool expected = room_spans(room, at);
            for (size_t n = 0; n < room->object_count; n++)
                if (object_is_triangles(&room->objects[n]))
                    expected ^= object_holds(&room->objects[n], at);
            assert_int_equal(is_enclosed(&s.surface, at), expected);
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
    /* bottom, high side, slope, two triangles */
    assert_true(fabs(area_of(&s.surface, "rigid") - (0.15 + 0.2 + 0.25 + 0.12)) < 1e-9);
    assert_int_equal(s.surface.solid_count, 2);
    assert_int_equal(s.solids[0].shape, SOLID_BOX);
    assert_true(fabs(s.solids[0].from[0] - 0.25) < 1e-15 && fabs(s.solids[0].to[1] - 0.75) < 1e-15);
    assert_int_equal(s.solids[1].shape, SOLID_TURNED_BOX);
    assert_true(fabs(s.solids[1].axes[0][2] + sin(20.0 * 3.14159265358979324 / 180.0)) < 1e-12);
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
    static const char *const texts[] = {with_corners, from_model, CORNERS("height = 2.5;")};
    enum { SAMPLES = 400000 };
    struct random r = random_cases(__func__);
    write_file("model.obj", model);
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
        const struct voxel_seed seed = {
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

/* A truncated or damaged file is read or refused, nothing else. */
static void every_truncation_and_mutation_ends_well(void **state)
{
    (void)state;
    static const char *const texts[] = {with_corners, from_model};
    static const char letters[] = "{}()[]=;:,\"\\#@/*-.0e9Lx\n\377 a";
    struct random r = random_cases(__func__);
    struct error e;
    write_file("model.obj", model);
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
        with_corners, from_model,
        OBJECT("{ shape = \"sphere\"; position = [3.0, 2.0, 1.0]; radius = 0.1; material = \"foam\"; }") ENDS,
        OBJECT("{ shape = \"box\"; from = [3.0, 2.0, 1.0]; to = [3.5, 2.5, 2.0]; material = \"foam\"; "
               "rotation = [1.0, 0.0, 0.0]; }") ENDS};
    write_file("model.obj", model);
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
        cmocka_unit_test(surfaces_enclose_what_rooms_span),
        cmocka_unit_test(surfaces_have_the_areas_of_their_materials),
        cmocka_unit_test(surfaces_voxelise_to_what_rooms_span),
        cmocka_unit_test(every_truncation_and_mutation_ends_well),
        cmocka_unit_test(rooms_of_every_form_are_simulated),
    };
    return cmocka_run_group_tests_name("forms of rooms", tests, room_files_set_up, room_files_tear_down);
}

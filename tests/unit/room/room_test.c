/* SPDX-License-Identifier: MIT */
/* Room files: every key is read, defaults, included files, the library of materials. */
#include "base/text.h"
#include "room/room.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGNAL(text) "sources: ( { position = [1.0, 1.0, 1.0]; " text " } );\n"

static void every_key_is_read(void **state)
{
    (void)state;
    struct room *room = good_room(room_with_everything);
    assert_false(room->sized_by_points);
    assert_true(room->size[1] == 3.25);
    assert_int_equal(room->points[0], 0);
    assert_int_equal(room->material_count, 5); /* brick panel fixed carpet rigid */
    assert_string_equal(room->materials[room->walls[FACE_X_MIN]].name, "brick");
    assert_string_equal(room->materials[0].name, "brick");
    assert_string_equal(room->materials[1].name, "panel");
    assert_int_equal(room->materials[1].kind, MATERIAL_IMPEDANCE);
    assert_true(room->materials[1].impedance == 19.0);
    assert_int_equal(room->materials[room->walls[FACE_Y_MIN]].kind, MATERIAL_FIXED);
    assert_string_equal(room->materials[room->walls[FACE_Z_MIN]].source, "own");
    assert_int_equal(room->walls[FACE_Z_MAX], room->walls[FACE_Y_MAX]);
    assert_true(room->materials[0].absorption[7] == 0.08);
    assert_int_equal(room->object_count, 2);
    assert_int_equal(room->objects[1].shape, SHAPE_CYLINDER);
    assert_true(room->objects[1].radius == 0.1);
    assert_int_equal(room->objects[1].origin.line, 4);
    assert_int_equal(room->objects[1].material, room->walls[FACE_Z_MIN]);
    assert_true(room->air.temperature == 17 && room->air.humidity == 33.3 && room->air.pressure == 99.1);
    assert_false(room->air.losses);
    assert_true(room->hybrid.full && room->hybrid.order == 4 && room->hybrid.rays == 5000 && room->hybrid.seed == 7);
    assert_true(room->grid.rate == 0 && room->grid.max_frequency == 1000.1 && room->grid.courant == 0.5);
    assert_int_equal(room->grid.scheme, GRID_SCHEME_7_POINT);
    assert_int_equal(room->grid.precision, PRECISION_DOUBLE);
    assert_int_equal(room->grid.origin.line, 7);
    assert_true(room->duration == 0.123456789012345678);
    assert_int_equal(room->source_count, 6);
    assert_string_equal(room->sources[0].name, "left");
    assert_string_equal(room->sources[1].name, "S2");
    assert_true(room->sources[0].position[2] == 1.0 && room->sources[0].gain == -2.5 && room->sources[0].width == 0);
    assert_true(room->sources[1].width == 0.002 && room->sources[2].width == 0.0002);
    assert_true(room->sources[3].low == 30 && room->sources[3].high == 900 && room->sources[3].length == 2);
    assert_true(room->sources[4].low == 2 && room->sources[4].high == 0 && room->sources[4].length == 3);
    char *voice = in_folder("voice.wav");
    assert_string_equal(room->sources[5].file, voice);
    free(voice);
    assert_int_equal(room->sources[5].origin.line, 14);
    assert_string_equal(room->receivers[0].name, "R1");
    assert_string_equal(room->receivers[1].name, "seat 2_b-1.x");
    assert_true(room->output.rate == 0 && room->output.dispersion == 0.1);
    assert_int_equal(room->output.format, FORMAT_PCM24);
    assert_int_equal(room->output.filter, FILTER_NONE);
    assert_int_equal(room->output.normalise, NORMALISE_PEAK);
    room_free(room);
    room_free(NULL);
}

static void defaults_suit_most_rooms(void **state)
{
    (void)state;
    struct room *room = good_room("room: { size = [4.0, 3.0, 2.5]; };\n" ENDS);
    assert_string_equal(room->materials[room->walls[FACE_X_MIN]].name, "plaster");
    assert_int_equal(room->material_count, 1);
    assert_true(room->air.temperature == 20 && room->air.humidity == 50 && room->air.pressure == 101.325);
    assert_true(room->air.losses);
    assert_true(room->hybrid.full && !room->hybrid.given);
    assert_true(room->hybrid.order == 0 && room->hybrid.rays == 100000 && room->hybrid.edges && room->hybrid.seed == 1);
    assert_true(room->grid.rate == 16000 && room->grid.max_frequency == 0 && room->grid.courant == 0);
    assert_true(room->grid.points_per_wavelength == 0); /* by the scheme */
    assert_int_equal(room->grid.scheme, GRID_SCHEME_AUTO);
    assert_int_equal(room->grid.precision, PRECISION_SINGLE);
    assert_true(room->duration == 0 && room->max_duration == 10 && room->output.rate == 48000 &&
                room->output.dispersion == 0.02);
    assert_string_equal(room->sources[0].name, "S1");
    assert_int_equal(room->sources[0].signal, SIGNAL_IMPULSE);
    assert_true(room->sources[0].gain == 1);
    assert_int_equal(room->size_origin.line, 1);
    assert_int_equal(room->duration_origin.line, 0);
    assert_string_equal(room->duration_origin.file, room->path);
    room_free(room);
}

static void good_rooms_are_taken(void **state)
{
    (void)state;
    static const char *const good[] = {
        BOX ENDS,
        "room: { points = [256, 296, 212]; walls: { default = \"fixed\"; }; };\n" ENDS,
        "room = { size = (3, 4.5, 2L); walls = { default = \"rigid\" } }\n" ENDS,
        "# comment\n// another 99999999999\n/* and 99999999999 \" */ " BOX ENDS,
        "\xEF\xBB\xBF" BOX ENDS,
        BOX SIGNAL("signal = \"sweep\"; high = 0;") RECEIVER,
        BOX ENDS "grid: { courant = 0.57735026918962573; };",
        BOX ENDS "grid: { courant = 0; rate = 48000; };",
        BOX ENDS "output: { rate = 44100.5; };",
        BOX ENDS "time: { duration = 3600; };",
        BOX ENDS "materials: { x9 = { absorption = " EIGHT("1.2") "; description = \"\"; }; };",
        OBJECT("") ENDS,
        BOX SOURCE "receivers: ( { position = [0.0, 0.0, 0.0]; }, { position = [4.0, 3.0, 2.5]; } );",
        WALL("foam") ENDS,
        BOX ENDS "materials: { };",
        BOX SIGNAL("name = \"a \\x41\";") RECEIVER,
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        room_free(good_room(good[i]));
}

static void included_files_are_found_and_named(void **state)
{
    (void)state;
    struct error e;
    write_file("part.cfg", SOURCE "\n\n" RECEIVER);
    write_file("room.cfg", BOX "@include \"part.cfg\"\n");
    struct room *room = read_room("room.cfg", NULL, 0, &e);
    assert_non_null(room);
    char *part = in_folder("part.cfg");
    assert_string_equal(room->receivers[0].origin.file, part);
    assert_int_equal(room->receivers[0].origin.line, 4);
    assert_true(strlen(room->size_origin.file) > 8);
    assert_string_equal(room->size_origin.file, room->path);
    room_free(room);

    static const struct {
        const char *text, *expected;
    } bad[] = {
        {SOURCE "\nreceivres: ();", ":3: receivres: unknown key; did you mean receivers?"},
        {SOURCE "\nreceivers: (;", ":3: syntax error"},
        {SOURCE "time: { duration = 4294967297; };", ":2: 4294967297 is too large"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *expected = text_format("%s%s", part, bad[i].expected);
        write_file("part.cfg", bad[i].text);
        assert_null(read_room("room.cfg", NULL, 0, &e));
        if (strncmp(e.message, expected, strlen(expected)))
            fail_msg("expected %s\n got %s", expected, e.message);
        free(expected);
    }
    free(part);
}

static void own_materials_come_before_the_library(void **state)
{
    (void)state;
    struct room *room = good_room(WALL("plaster") ENDS "materials: { plaster = { impedance = 7.5; }; };");
    assert_int_equal(room->material_count, 1);
    assert_int_equal(room->materials[0].kind, MATERIAL_IMPEDANCE);
    assert_int_equal(room->materials[0].origin.line, 4);
    room_free(room);
    room = good_room(WALL("plaster") ENDS);
    assert_string_equal(room->materials[0].source, "A");
    assert_int_equal(room->materials[0].origin.line, 2);
    assert_non_null(strstr(room->materials[0].origin.file, "rooms/materials.cfg"));
    room_free(room);
}

static void the_library_is_read_only_when_needed(void **state)
{
    (void)state;
    struct error e;
    write_file("rooms/materials.cfg", "materials: { this is no libconfig");
    room_free(good_room(BOX ENDS));
    write_file("room.cfg", WALL("brick") ENDS);
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "room.cfg:1: room.walls.default: material \"brick\" is not in this file, and the "
                                      "library cannot be read: "));
    assert_non_null(strstr(e.message, "materials.cfg:1: syntax error"));
    setenv("AULA_DATA", "/nowhere", 1);
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "not found in AULA_DATA"));
    setenv("AULA_DATA", room_folder, 1);
    write_file("rooms/materials.cfg", room_library);
}

static void every_key_is_printed_with_its_default(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    room_print_keys(stream);
    assert_int_equal(fclose(stream), 0);
    static const char *const there[] = {"room.size ",
                                        "grid.rate ",
                                        "16000",
                                        "sources[].width",
                                        "raised_cosine",
                                        "materials.NAME.absorption",
                                        "above 0, at most 3600",
                                        "room.objects[].radius"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(text, there[i]))
            fail_msg("%s is not in\n%s", there[i], text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(defaults_suit_most_rooms),
        cmocka_unit_test(good_rooms_are_taken),
        cmocka_unit_test(included_files_are_found_and_named),
        cmocka_unit_test(own_materials_come_before_the_library),
        cmocka_unit_test(the_library_is_read_only_when_needed),
        cmocka_unit_test(every_key_is_printed_with_its_default),
    };
    return cmocka_run_group_tests_name("room", tests, room_files_set_up, room_files_tear_down);
}

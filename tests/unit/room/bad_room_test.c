/* SPDX-License-Identifier: MIT */
/* Room files with mistakes are refused by file, line and key; damaged files cause no crash. */
#include "base/text.h"
#include "room/room.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define SIGNAL(text) "sources: ( { position = [1.0, 1.0, 1.0]; " text " } );\n"

static const struct bad {
    const char *text, *expected;
    int line; /* 0: none in the message */
} bad_rooms[] = {
    /* keys */
    {BOX ENDS "grid: {\n rtae = 48000.0; };", "grid.rtae: unknown key; did you mean grid.rate?", 5},
    {BOX ENDS "gird: { rate = 1.0; };", "gird: unknown key; did you mean grid?", 4},
    {BOX ENDS "duration = 1.0;", "duration: unknown key; did you mean time.duration?", 4},
    {BOX ENDS "time: { zzzzzzzz = 1; };", "time.zzzzzzzz: unknown key; valid keys: duration, max_duration", 4},
    {BOX "sources: ( { position = [1.0, 1.0, 1.0]; },\n{ positoin = [1.0, 1.0, 1.0]; } );" RECEIVER,
     "sources[1].positoin: unknown key; did you mean sources[1].position?", 3},
    {BOX ENDS "room: { size = [1.0, 1.0, 1.0]; };", "duplicate", 4},
    {BOX ENDS "materials: { a = { absorbtion = 1; }; };",
     "material a: absorbtion: unknown key; did you mean absorption?", 4},
    /* types */
    {"room: { size = [4.0, 3.0]; };\n" ENDS, "room.size: expected three numbers in metres such as [3.4, 4.0, 2.8]", 1},
    {"room: { size = 4.0; };\n" ENDS, "expected three numbers", 1},
    {"room: { size = (4.0, \"3\", 1.0); };\n" ENDS, "expected three numbers", 1},
    {"room: {\n size = [3.4, 4, 2.8]; };\n" ENDS, "write whole numbers with a point too", 2},
    {"room: 5;\n" ENDS, "room: expected a group", 1},
    {BOX ENDS "grid: { rate = \"fast\"; };", "grid.rate: expected a number in Hz", 4},
    {BOX ENDS "output: { rate = \"gird\"; };", "expected a number in Hz, or \"grid\"", 4},
    {BOX ENDS "air: { losses = 1; };", "air.losses: expected true or false", 4},
    {BOX ENDS "grid: { precision = 2; };", "expected \"single\" or \"double\"", 4},
    {BOX ENDS "grid: { precision = \"duoble\"; };", "did you mean \"double\"?", 4},
    {BOX "sources: { position = [1.0, 1.0, 1.0]; };\n" RECEIVER, "sources: expected a list of groups", 2},
    {BOX "sources: ( 5 );\n" RECEIVER, "sources[0]: expected a group", 2},
    {"room: { points = [10.5, 10.0, 10.0]; };\n" ENDS, "three whole numbers of grid points", 1},
    {"room: { size = [4.0, 3.0, 2.5]; walls: { x_min = 3; }; };\n" ENDS, "room.walls.x_min: expected the name", 1},
    /* ranges */
    {"room: { size = [4.0, -3.0, 2.5]; };\n" ENDS, "room.size[1]: -3 is out of range: expected 0.01 to 10000 m", 1},
    {"room: { size = [4.0, 1e9, 2.5]; };\n" ENDS, "out of range", 1},
    {"room: { size = [4.0, 1e999, 2.5]; };\n" ENDS, "expected three numbers", 1},
    {"room: { points = [0, 5, 5]; };\n" ENDS, "out of range: expected 1 to 100000", 1},
    {BOX ENDS "time: { duration = 0.0; };", "time.duration: 0 is out of range: expected above 0, at most 3600 s", 4},
    {BOX ENDS "time: { duration = 1e999; };", "time.duration: expected a number in s", 4},
    {BOX ENDS "grid: { rate = 99999999999; };", "99999999999 is too large for a whole number", 4},
    {BOX ENDS "grid: { rate = 4294983296; };", "too large for a whole number", 4},
    {BOX ENDS "grid: { rate = 0xFFFFFFFFF; };", "too large for a whole number", 4},
    {BOX ENDS "grid: { rate = 99999999999999999999L; };", "too large for a whole number", 4},
    {BOX ENDS "grid: { rate = 99999999999L; };", "out of range", 4},
    {BOX ENDS "grid: { rate = nan; };", "syntax error", 4},
    {BOX ENDS "grid: { courant = 0.6; };", "the scheme is unstable above 1/sqrt(3)", 4},
    {BOX ENDS "grid: { courant = -0.1; };", "out of range", 4},
    {BOX ENDS "grid: { max_frequency = 1000.0; points_per_wavelength = 3.4; };",
     "fewer leave phase velocity errors of 1 % and more", 4},
    {BOX ENDS "grid: { scheme = \"19point\"; };", "did you mean \"19-point\"?", 4},
    {BOX ENDS "grid: { scheme = \"fast\"; };", "expected \"auto\", \"19-point\" or \"7-point\"", 4},
    {BOX ENDS "air: { humidity = 101.0; };", "expected 0 to 100 %", 4},
    {BOX ENDS "air: { temperature = -51.0; };", "expected -50 to 60", 4},
    {BOX ENDS "output: { dispersion = 0.5; };", "expected 0.001 to 0.2", 4},
    {BOX SIGNAL("gain = 0.0;") RECEIVER, "sources[0].gain: must not be 0", 2},
    {BOX SIGNAL("gain = -1e10;") RECEIVER, "sources[0].gain: -1e+10 is out of range", 2},
    {BOX ENDS "materials: { a = { absorption = " EIGHT("1.3") "; }; };", "material a: absorption[0]: 1.3 is out", 4},
    {BOX ENDS "materials: { a = { impedance = 0.0; }; };", "material a: impedance: 0 is out of range", 4},
    /* keys together */
    {"room: { size = [4.0, 3.0, 2.5];\n points = [5, 5, 5]; };\n" ENDS, "room.points is also set (", 1},
    {BOX ENDS "grid: { rate = 16000;\n max_frequency = 1000.0; };", "grid.max_frequency is also set (", 4},
    {BOX ENDS "grid: { rate = 16000; points_per_wavelength = 10; };", "is used with max_frequency only", 4},
    {"room: { };\n" ENDS, "room.size: is missing, and so are points, corners and geometry; expected three numbers", 1},
    {ENDS, "room: is missing", 0},
    {"", "room: is missing", 0},
    {BOX RECEIVER, "sources: is missing; expected a list of groups", 0},
    {BOX SOURCE, "receivers: is missing", 0},
    {BOX "sources: ( );\n" RECEIVER, "sources: is empty", 2},
    {BOX SOURCE "receivers: ( { name = \"a\"; } );", "receivers[0].position: is missing; expected three numbers", 3},
    {BOX SIGNAL("width = 0.1;") RECEIVER,
     "sources[0].width: is used with signal = \"raised_cosine\" or signal = \"gaussian\" only, but this signal is "
     "\"impulse\"",
     2},
    {BOX SIGNAL("file = \"a.wav\";") RECEIVER, "is used with signal = \"file\" only", 2},
    {BOX SIGNAL("signal = \"file\";") RECEIVER, "sources[0].file: is missing", 2},
    {BOX SIGNAL("signal = \"file\"; file = \"\";") RECEIVER, "sources[0].file: is empty", 2},
    {BOX SIGNAL("signal = \"drums.wav\";") RECEIVER, "signal = \"file\"; file = \"drums.wav\"", 2},
    {BOX SIGNAL("signal = \"raised_cosin\";") RECEIVER, "did you mean \"raised_cosine\"?", 2},
    {BOX SIGNAL("signal = \"sweep\"; low = 100; high = 50;") RECEIVER, "must be above low (100 Hz)", 2},
    {BOX SIGNAL("name = \"a/b\";") RECEIVER, "cannot be part of a file name", 2},
    {BOX SIGNAL("name = \"..\";") RECEIVER, "cannot be part of a file name", 2},
    {BOX SIGNAL("name = \"a\\nb\";") RECEIVER, "\"a\\x0ab\" cannot be part", 2},
    {BOX SIGNAL("name = \"\";") RECEIVER, "sources[0].name: is empty", 2},
    {BOX SIGNAL("name = \"0123456789012345678901234567890123456789012345678901234567890123x\";") RECEIVER,
     "longer than 64", 2},
    {BOX SOURCE "receivers: ( { position = [1.0, 1.0, 1.0]; name = \"R2\"; },\n { position = [1.0, 1.0, 1.0]; } );",
     "the name \"R2\" is already used (", 4},
    {BOX "sources: ( { position = [1.0, 3.5, 1.0]; } );\n" RECEIVER,
     "sources[0].position: y = 3.5 m lies outside the room, which spans 0 to 3 m", 2},
    {BOX SOURCE "receivers: ( { position = [-0.1, 1.0, 1.0]; } );", "receivers[0].position: x = -0.1 m", 3},
    {"room: { points = [9, 9, 9]; walls: { default = \"rigid\"; }; };\n" SOURCE
     "receivers: ( { position = [-0.1, 1.0, 1.0]; } );",
     "x = -0.1 m lies outside", 3},
    {OBJECT("{ shape = \"box\"; from = [1.0, 1.0, 1.0]; to = [2.0, 1.0, 2.0]; material = \"rigid\"; }") ENDS,
     "room.objects[0]: from (1) must be less than to (1) along y", 2},
    {OBJECT("{ shape = \"box\"; from = [1.0, 1.0, 1.0]; to = [2.0, 2.0, 2.0]; radius = 1.0; material = \"rigid\"; }")
         ENDS,
     "is used with shape = \"cylinder\" or shape = \"sphere\" only", 2},
    {OBJECT(
         "{ shape = \"cylinder\"; from = [1.0, 1.0, 1.0]; to = [1.0, 1.0, 1.0]; radius = 1.0; material = \"rigid\"; }")
         ENDS,
     "must not be the same point", 2},
    {OBJECT("{ shape = \"cylinder\"; from = [1.0, 1.0, 1.0]; to = [1.0, 1.0, 2.0]; radius = 0; material = \"rigid\"; }")
         ENDS,
     "radius: 0 is out of range", 2},
    {OBJECT("{ shape = \"cone\"; }") ENDS, "unknown value \"cone\"; expected \"box\", \"cylinder\", \"sphere\"", 2},
    {OBJECT("{ from = [1.0, 1.0, 1.0]; }") ENDS, "room.objects[0].shape: is missing", 2},
    /* materials */
    {WALL("plastre") ENDS, "room.walls.default: unknown material \"plastre\"; did you mean \"plaster\"?", 1},
    {WALL("rigit") ENDS, "did you mean \"rigid\"?", 1},
    {WALL("plaster.x") ENDS, "unknown material \"plaster.x\"", 1},
    {WALL("curtian") ENDS "materials: { curtain = { impedance = 2; }; };", "did you mean \"curtain\"?", 1},
    {OBJECT("{ shape = \"box\"; from = [1.0, 1.0, 1.0]; to = [2.0, 2.0, 2.0]; material = \"qqqqqqqqqqqq\"; }") ENDS,
     "define it under materials", 2},
    {BOX ENDS "materials: { rigid = { impedance = 2; }; };", "materials.rigid: is built in", 4},
    {BOX ENDS "materials: { a = { }; };", "material a: absorption: is missing, and so are impedance", 4},
    {BOX ENDS "materials: { a = { impedance = 2; transmission = { }; }; };",
     "material a: transmission.mass: is missing; expected a number in kg/m2", 4},
    {BOX ENDS "materials: { a = { impedance = 2; transmission = 40.0; }; };",
     "material a: transmission: expected a group", 4},
    {BOX ENDS "materials: { a = { impedance = 2; transmission = { mass = 0.0; }; }; };",
     "material a: transmission.mass: 0 is out of range: expected above 0", 4},
    {BOX ENDS "materials: { a = { impedance = 2; transmission = { mass = 9.0; resistance = -1.0; }; }; };",
     "material a: transmission.resistance: -1 is out of range", 4},
    {BOX ENDS "materials: { a = { impedance = 2; transmission = { mass = 9.0; bending_stiffness = 0.0; }; }; };",
     "material a: transmission.bending_stiffness: 0 is out of range", 4},
    {BOX ENDS "materials: { a = { transmission = { mass = 9.0; }; }; };", "material a: absorption: is missing", 4},
    {BOX ENDS "materials: { a = 3; };", "material a: expected a group", 4},
    {BOX ENDS "materials: { a = { absorption = [0.5, 0.5]; }; };", "expected 8 numbers, one for each octave", 4},
    {BOX ENDS "materials: { a = { impedance = 2; absorption = " EIGHT("0.1") "; }; };", "is also set", 4},
    /* text that libconfig trips over */
    {BOX "sources: ( { position = [1.0 1.0, 1.0]; } );\n" RECEIVER, "syntax error", 2},
    {BOX ENDS "grid: { rate = ", "syntax error", 4},
    {BOX ENDS "output: {\n format = \"float; };", "never ends; close it with \"", 5},
    {BOX ENDS "\n/* open\n\n", "never ends; close it with */", 5},
    {BOX ENDS "\n@include \"nothing.cfg\"\n", "nothing.cfg: No such file", 5},
    {BOX ENDS "@include \"/etc/passwd\"\n", "relative to the folder", 4},
    {BOX ENDS "@include nothing\n", "takes the name of a file", 4},
    {BOX ENDS "@include \"x\\\"y\" # \"\n", "takes a name without \\", 4}, /* libconfig would read x"y */
    {BOX ENDS "@include \"x\\\\y\"\n", "takes a name without \\", 4},
    {BOX ENDS "; @include \"rooms\"\n", "@ is not allowed here", 4},
    {BOX ENDS "@include \"room.cfg\"\n", "too deeply", 4},
    {BOX ENDS "@include \"rooms\"\n", "rooms is a folder", 4},
    {"\x7f"
     "ELF\x02\x01\x01",
     "syntax error", 1},
    /* JSON */
    {"{ \"room\": { \"size\": [1, 2 } }", "is not valid JSON", 1},
    {"{ \"a\": 1 }", "contains no room", 0},
    {"{ \"input\": 3 }", "contains no room", 0},
    {"{ \"room\": null }", "room: null is not a value", 0},
    {"{ \"room\": { \"size\": [3, 3, 1e999] } }", "room.size: expected three numbers", 0},
    {"{ \"room\": { \"size\": [3, 3, 3], \"size\": [3, 3, 3] } }", "room.size: is a duplicate", 0},
    {"{ \"room\": { \"size\": [3, 3, 3], \"wlals\": {} } }", "room.wlals: unknown key; did you mean room.walls?", 0},
};

static void bad_rooms_are_refused_by_file_line_and_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_rooms / sizeof *bad_rooms; i++) {
        const struct bad *bad = &bad_rooms[i];
        struct error e;
        char *start =
            bad->line ? text_format("%s/room.cfg:%d: ", room_folder, bad->line) : text_format("%s/", room_folder);
        write_file("room.cfg", bad->text);
        struct room *room = read_room("room.cfg", NULL, 0, &e);
        if (room || e.code != ERROR_INPUT || !tells(e.message, start, bad->expected))
            fail_msg("%s\n  expected %s... %s\n  got code %d: %s", bad->text, start, bad->expected, (int)e.code,
                     e.message);
        const char *suffix = strstr(e.message, ".cfg:");
        if (!bad->line && suffix && strchr("0123456789", suffix[5]))
            fail_msg("%s\n  no line expected: %s", bad->text, e.message);
        free(start);
    }
}

static void files_that_are_no_text_are_refused(void **state)
{
    (void)state;
    struct error e;
    assert_null(read_room("missing.cfg", NULL, 0, &e));
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "missing.cfg: cannot open: No such file"));
    assert_null(read_room("rooms", NULL, 0, &e));
    assert_non_null(strstr(e.message, "is a folder"));

    static const char zero[] = BOX ENDS "\0 more";
    write_bytes("room.cfg", zero, sizeof zero - 1);
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "room.cfg:4: contains a NUL byte"));

    size_t length = (4u << 20) + 1;
    char *large = malloc(length);
    assert_non_null(large);
    memset(large, '#', length);
    write_bytes("large.cfg", large, length);
    free(large);
    assert_null(read_room("large.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "too large"));

    /* without somewhere to put the message */
    struct room *room;
    assert_int_equal(room_read(&room, "/nowhere/room.cfg", NULL, 0, NULL), -1);
    assert_null(room);
}

/* A truncated or damaged file is read or refused, nothing else. */
static void every_truncation_and_mutation_ends_well(void **state)
{
    (void)state;
    struct error e;
    const size_t size = strlen(room_with_everything) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    for (size_t length = 0; length < size; length += 7) {
        write_bytes("room.cfg", room_with_everything, length);
        room_free(read_room("room.cfg", NULL, 0, &e));
    }
    uint64_t random = 42;
    for (int round = 0; round < 500; round++) {
        memcpy(text, room_with_everything, size);
        for (int change = 0; change < 1 + round % 4; change++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            static const char letters[] = "{}()[]=;:,\"\\#@/*-.0e9Lx\n\377 a";
            text[(random >> 33) % (size - 1)] = letters[(random >> 20) % (sizeof letters - 1)];
        }
        write_bytes("room.cfg", text, size - 1);
        struct room *room = read_room("room.cfg", NULL, 0, &e);
        assert_true(room || e.code == ERROR_INPUT);
        room_free(room);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_rooms_are_refused_by_file_line_and_key),
        cmocka_unit_test(files_that_are_no_text_are_refused),
        cmocka_unit_test(every_truncation_and_mutation_ends_well),
    };
    return cmocka_run_group_tests_name("room", tests, room_files_set_up, room_files_tear_down);
}

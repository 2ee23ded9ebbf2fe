/* The room file: what is understood, what is refused and in which words, and that JSON gives the same room back. */
/* before cmocka, which defines a macro `fail` */
#include "base/text.h"
#include "room/room.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIGNAL(text) "sources: ( { position = [1.0, 1.0, 1.0]; " text " } );\n"

static const char everything[] =
    "room: { size = [4.0, 3.25, 2.7];\n"
    "  walls: { default = \"brick\"; z_min = \"carpet\"; x_max = \"panel\"; y_min = \"fixed\"; };\n"
    "  objects: ( { shape = \"box\"; from = [0.2, 0.2, 0.0]; to = [1.0, 0.8, 0.7]; material = \"rigid\"; },\n"
    "             { shape = \"cylinder\"; from = [2.0, 2.0, 0.0]; to = [2.0, 2.0, 2.7]; radius = 0.1;\n"
    "               material = \"carpet\"; } ); };\n"
    "air: { temperature = 17; humidity = 33.3; pressure = 99.1; losses = false; };\n"
    "grid: { max_frequency = 1000.1; points_per_wavelength = 7.7; precision = \"double\"; courant = 0.5; };\n"
    "time: { duration = 0.123456789012345678; };\n"
    "sources: ( { name = \"left\"; position = [1, 1, 1]; gain = -2.5; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"raised_cosine\"; width = 0.002; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"gaussian\"; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"sweep\"; low = 30; high = 900; length = 2; },\n"
    "  { position = (1.1, 1, 1.3); signal = \"sweep\"; },\n"
    "  { position = [1.1, 1.2, 1.3]; signal = \"file\"; file = \"voice.wav\"; } );\n"
    "receivers: ( { position = [0.0, 3.25, 2.7]; }, { name = \"seat 2_b-1.x\"; position = [2.0, 1.0, 1.0]; } );\n"
    "output: { rate = \"grid\"; format = \"pcm24\"; filter = \"none\"; dispersion = 0.1; normalise = \"peak\"; };\n"
    "materials: { carpet = { absorption = " EIGHT("0.3") "; source = \"own\"; }; panel = { impedance = 19; };\n"
                                                         "  unused = { absorption = " EIGHT("0.5") "; }; };\n";

static void every_key_is_read(void **state)
{
    (void)state;
    struct room *room = good_room(everything);
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
    assert_true(room->grid.rate == 0 && room->grid.max_frequency == 1000.1 && room->grid.courant == 0.5);
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
    assert_true(room->grid.rate == 16000 && room->grid.max_frequency == 0 && room->grid.courant == 0);
    assert_true(room->grid.points_per_wavelength == 10);
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

static const struct bad {
    const char *text, *expected;
    int line; /* 0: none in the message */
} bad_rooms[] = {
    /* keys */
    {BOX ENDS "grid: {\n rtae = 48000.0; };", "grid.rtae: unknown key; did you mean grid.rate?", 5},
    {BOX ENDS "gird: { rate = 1.0; };", "gird: unknown key; did you mean grid?", 4},
    {BOX ENDS "duration = 1.0;", "duration: unknown key; did you mean time.duration?", 4},
    {BOX ENDS "time: { zzzzzzzz = 1; };", "time.zzzzzzzz: unknown key; known here: duration, max_duration", 4},
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
    {BOX ENDS "grid: { max_frequency = 1000.0; points_per_wavelength = 4.0; };", "carries nothing shorter", 4},
    {BOX ENDS "air: { humidity = 101.0; };", "expected 0 to 100 %", 4},
    {BOX ENDS "air: { temperature = -51.0; };", "expected -50 to 60", 4},
    {BOX ENDS "output: { dispersion = 0.5; };", "expected 0.001 to 0.2", 4},
    {BOX SIGNAL("gain = 0.0;") RECEIVER, "sources[0].gain: is 0", 2},
    {BOX SIGNAL("gain = -1e10;") RECEIVER, "sources[0].gain: -1e+10 is out of range", 2},
    {BOX ENDS "materials: { a = { absorption = " EIGHT("1.3") "; }; };", "material a: absorption[0]: 1.3 is out", 4},
    {BOX ENDS "materials: { a = { impedance = 0.0; }; };", "material a: impedance: 0 is out of range", 4},
    /* keys together */
    {"room: { size = [4.0, 3.0, 2.5];\n points = [5, 5, 5]; };\n" ENDS, "room.points is given too (", 1},
    {BOX ENDS "grid: { rate = 16000;\n max_frequency = 1000.0; };", "grid.max_frequency is given too (", 4},
    {BOX ENDS "grid: { rate = 16000; points_per_wavelength = 10; };", "is used with max_frequency only", 4},
    {"room: { };\n" ENDS, "room.size: is missing, and so is points; expected three numbers", 1},
    {ENDS, "room: is missing", 0},
    {"", "room: is missing", 0},
    {BOX RECEIVER, "sources: is missing; expected a list of groups", 0},
    {BOX SOURCE, "receivers: is missing", 0},
    {BOX "sources: ( );\n" RECEIVER, "sources: is empty", 2},
    {BOX SOURCE "receivers: ( { name = \"a\"; } );", "receivers[0].position: is missing; expected three numbers", 3},
    {BOX SIGNAL("width = 0.1;") RECEIVER,
     "sources[0].width: is used with signal = \"raised_cosine\" or signal = \"gaussian\" only, and this signal is "
     "\"impulse\"",
     2},
    {BOX SIGNAL("file = \"a.wav\";") RECEIVER, "is used with signal = \"file\" only", 2},
    {BOX SIGNAL("signal = \"file\";") RECEIVER, "sources[0].file: is missing", 2},
    {BOX SIGNAL("signal = \"file\"; file = \"\";") RECEIVER, "sources[0].file: is empty", 2},
    {BOX SIGNAL("signal = \"drums.wav\";") RECEIVER, "signal = \"file\"; file = \"drums.wav\"", 2},
    {BOX SIGNAL("signal = \"raised_cosin\";") RECEIVER, "did you mean \"raised_cosine\"?", 2},
    {BOX SIGNAL("signal = \"sweep\"; low = 100; high = 50;") RECEIVER, "must be above low, 100 Hz", 2},
    {BOX SIGNAL("name = \"a/b\";") RECEIVER, "cannot be part of a file name", 2},
    {BOX SIGNAL("name = \"..\";") RECEIVER, "cannot be part of a file name", 2},
    {BOX SIGNAL("name = \"a\\nb\";") RECEIVER, "\"a?b\" cannot be part", 2},
    {BOX SIGNAL("name = \"\";") RECEIVER, "sources[0].name: is empty", 2},
    {BOX SIGNAL("name = \"0123456789012345678901234567890123456789012345678901234567890123x\";") RECEIVER,
     "longer than 64", 2},
    {BOX SOURCE "receivers: ( { position = [1.0, 1.0, 1.0]; name = \"R2\"; },\n { position = [1.0, 1.0, 1.0]; } );",
     "the name \"R2\" is taken (", 4},
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
     "is used with shape = \"cylinder\" only", 2},
    {OBJECT(
         "{ shape = \"cylinder\"; from = [1.0, 1.0, 1.0]; to = [1.0, 1.0, 1.0]; radius = 1.0; material = \"rigid\"; }")
         ENDS,
     "are the same point", 2},
    {OBJECT("{ shape = \"cylinder\"; from = [1.0, 1.0, 1.0]; to = [1.0, 1.0, 2.0]; radius = 0; material = \"rigid\"; }")
         ENDS,
     "radius: 0 is out of range", 2},
    {OBJECT("{ shape = \"cone\"; }") ENDS, "\"cone\" is not known: expected \"box\" or \"cylinder\"", 2},
    {OBJECT("{ from = [1.0, 1.0, 1.0]; }") ENDS, "room.objects[0].shape: is missing", 2},
    /* materials */
    {WALL("plastre") ENDS, "room.walls.default: unknown material \"plastre\"; did you mean \"plaster\"?", 1},
    {WALL("rigit") ENDS, "did you mean \"rigid\"?", 1},
    {WALL("plaster.x") ENDS, "unknown material \"plaster.x\"", 1},
    {WALL("curtian") ENDS "materials: { curtain = { impedance = 2; }; };", "did you mean \"curtain\"?", 1},
    {OBJECT("{ shape = \"box\"; from = [1.0, 1.0, 1.0]; to = [2.0, 2.0, 2.0]; material = \"qqqqqqqqqqqq\"; }") ENDS,
     "define it under materials", 2},
    {BOX ENDS "materials: { rigid = { impedance = 2; }; };", "materials.rigid: is built in", 4},
    {BOX ENDS "materials: { a = { }; };",
     "material a: absorption: is missing, and so are impedance and branches; expected", 4},
    {BOX ENDS "materials: { a = 3; };", "material a: expected a group", 4},
    {BOX ENDS "materials: { a = { absorption = [0.5, 0.5]; }; };", "expected 8 numbers, one for each octave", 4},
    {BOX ENDS "materials: { a = { impedance = 2; absorption = " EIGHT("0.1") "; }; };", "given too", 4},
    /* text that libconfig trips over */
    {BOX "sources: ( { position = [1.0 1.0, 1.0]; } );\n" RECEIVER, "syntax error", 2},
    {BOX ENDS "grid: { rate = ", "syntax error", 4},
    {BOX ENDS "output: {\n format = \"float; };", "never ends; close it with \"", 5},
    {BOX ENDS "\n/* open\n\n", "never ends; close it with */", 5},
    {BOX ENDS "\n@include \"nothing.cfg\"\n", "nothing.cfg cannot be read: No such file", 5},
    {BOX ENDS "@include \"/etc/passwd\"\n", "relative to the folder", 4},
    {BOX ENDS "@include nothing\n", "takes the name of a file", 4},
    {BOX ENDS "@include \"room.cfg\"\n", "too deeply", 4},
    {BOX ENDS "@include \"rooms\"\n", "rooms is a folder", 4},
    {"\x7f"
     "ELF\x02\x01\x01",
     "syntax error", 1},
    /* JSON */
    {"{ \"room\": { \"size\": [1, 2 } }", "should be JSON", 1},
    {"{ \"a\": 1 }", "holds no room", 0},
    {"{ \"input\": 3 }", "holds no room", 0},
    {"{ \"room\": null }", "room: null has no meaning", 0},
    {"{ \"room\": { \"size\": [3, 3, 1e999] } }", "room.size: expected three numbers", 0},
    {"{ \"room\": { \"size\": [3, 3, 3], \"size\": [3, 3, 3] } }", "room.size: is given twice", 0},
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
    assert_non_null(strstr(e.message, "missing.cfg: cannot be read: No such file"));
    assert_null(read_room("rooms", NULL, 0, &e));
    assert_non_null(strstr(e.message, "is a folder"));

    static const char zero[] = BOX ENDS "\0 more";
    write_bytes("room.cfg", zero, sizeof zero - 1);
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "room.cfg:4: holds a NUL byte"));

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

/* The most that a half-written file may do is to be refused. */
static void every_truncation_and_mutation_ends_well(void **state)
{
    (void)state;
    struct error e;
    char text[sizeof everything];
    for (size_t length = 0; length < sizeof everything; length += 7) {
        write_bytes("room.cfg", everything, length);
        room_free(read_room("room.cfg", NULL, 0, &e));
    }
    uint64_t random = 42;
    for (int round = 0; round < 500; round++) {
        memcpy(text, everything, sizeof text);
        for (int change = 0; change < 1 + round % 4; change++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            static const char letters[] = "{}()[]=;:,\"\\#@/*-.0e9Lx\n\377 a";
            text[(random >> 33) % (sizeof text - 1)] = letters[(random >> 20) % (sizeof letters - 1)];
        }
        write_bytes("room.cfg", text, sizeof text - 1);
        struct room *room = read_room("room.cfg", NULL, 0, &e);
        assert_true(room || e.code == ERROR_INPUT);
        room_free(room);
    }
}

static void same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

#define SAME_BYTES(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void assert_same_room(const struct room *a, const struct room *b)
{
    assert_int_equal(a->sized_by_points, b->sized_by_points);
    SAME_BYTES(a->size, b->size);
    SAME_BYTES(a->points, b->points);
    SAME_BYTES(a->walls, b->walls);
    assert_int_equal(a->object_count, b->object_count);
    for (size_t i = 0; i < a->object_count; i++) {
        assert_int_equal(a->objects[i].shape, b->objects[i].shape);
        SAME_BYTES(a->objects[i].from, b->objects[i].from);
        SAME_BYTES(a->objects[i].to, b->objects[i].to);
        SAME_BYTES(a->objects[i].radius, b->objects[i].radius);
        assert_int_equal(a->objects[i].material, b->objects[i].material);
    }
    assert_int_equal(a->material_count, b->material_count);
    for (size_t i = 0; i < a->material_count; i++) {
        same_text(a->materials[i].name, b->materials[i].name);
        same_text(a->materials[i].source, b->materials[i].source);
        assert_int_equal(a->materials[i].kind, b->materials[i].kind);
        SAME_BYTES(a->materials[i].absorption, b->materials[i].absorption);
        SAME_BYTES(a->materials[i].impedance, b->materials[i].impedance);
    }
    SAME_BYTES(a->air.temperature, b->air.temperature);
    SAME_BYTES(a->air.humidity, b->air.humidity);
    SAME_BYTES(a->air.pressure, b->air.pressure);
    assert_int_equal(a->air.losses, b->air.losses);
    SAME_BYTES(a->grid.rate, b->grid.rate);
    SAME_BYTES(a->grid.max_frequency, b->grid.max_frequency);
    SAME_BYTES(a->grid.points_per_wavelength, b->grid.points_per_wavelength);
    SAME_BYTES(a->grid.courant, b->grid.courant);
    assert_int_equal(a->grid.precision, b->grid.precision);
    SAME_BYTES(a->duration, b->duration);
    assert_int_equal(a->source_count, b->source_count);
    for (size_t i = 0; i < a->source_count; i++) {
        const struct source *s = &a->sources[i], *t = &b->sources[i];
        same_text(s->name, t->name);
        same_text(s->file, t->file);
        SAME_BYTES(s->position, t->position);
        assert_int_equal(s->signal, t->signal);
        SAME_BYTES(s->gain, t->gain);
        SAME_BYTES(s->width, t->width);
        SAME_BYTES(s->low, t->low);
        SAME_BYTES(s->high, t->high);
        SAME_BYTES(s->length, t->length);
    }
    assert_int_equal(a->receiver_count, b->receiver_count);
    for (size_t i = 0; i < a->receiver_count; i++) {
        same_text(a->receivers[i].name, b->receivers[i].name);
        SAME_BYTES(a->receivers[i].position, b->receivers[i].position);
    }
    SAME_BYTES(a->output.rate, b->output.rate);
    SAME_BYTES(a->output.dispersion, b->output.dispersion);
    assert_int_equal(a->output.format, b->output.format);
    assert_int_equal(a->output.filter, b->output.filter);
    assert_int_equal(a->output.normalise, b->output.normalise);
}

static void json_gives_the_same_room_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        everything,
        "room: { points = [256, 296, 212]; walls: { default = \"fixed\"; }; };\n" ENDS
        "grid: { rate = 44100.123456789; }; output: { rate = 44100; };",
        "room: { size = [4.1, 3.3333333333333333, 2.7000000000000002]; walls: { z_max = \"foam\"; }; };\n" ENDS
        "grid: { max_frequency = 2000.0; };",
    };
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i / 2]);
        cJSON *json = room_json(room);
        assert_non_null(json);
        char *bare = cJSON_Print(json);
        char *text = i % 2 ? text_format(" { \"version\": \"1\", \"input\": %s }", bare) : text_copy(bare);
        struct error e;
        write_file("room.json", text);
        /* the materials are spelt out: no library is needed */
        unsetenv("AULA_DATA");
        setenv("AULA_DATA", "/nowhere", 1);
        struct room *again = read_room("room.json", NULL, 0, &e);
        setenv("AULA_DATA", room_folder, 1);
        if (!again)
            print_error("%s\n%s\n", e.message, text);
        assert_non_null(again);
        assert_same_room(room, again);
        cJSON *second = room_json(again);
        char *bare_again = cJSON_Print(second);
        assert_string_equal(bare, bare_again);
        free(bare);
        free(bare_again);
        free(text);
        cJSON_Delete(json);
        cJSON_Delete(second);
        room_free(room);
        room_free(again);
    }
}

static void json_holds_only_what_is_used(void **state)
{
    (void)state;
    struct room *room = good_room(everything);
    cJSON *json = room_json(room);
    char *text = cJSON_PrintUnformatted(json);
    static const char *const there[] = {"\"max_frequency\":1000.1", "\"size\":[4,3.25,2.7]", "\"rate\":\"grid\"",
                                        "\"panel\":{\"impedance\":19}", "\"high\":900"};
    static const char *const absent[] = {"\"points\"", "unused", "\"default\"", "\"rigid\":", "\"rate\":0"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(text, there[i]))
            fail_msg("%s is missing in %s", there[i], text);
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strstr(text, absent[i]))
            fail_msg("%s is in %s", absent[i], text);
    free(text);
    cJSON_Delete(json);
    room_free(room);
}

static struct room *read_set(const char *setting, struct error *e)
{
    write_file("room.cfg", BOX ENDS);
    return read_room("room.cfg", &setting, 1, e);
}

static void set_replaces_any_value(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "grid.rate=48000",
        "grid.rate = 32000", /* the last one counts */
        "time.duration=2",
        "sources[0].position=[1,2.5,2]",
        "receivers.[0].position=(0,0,0.5)",
        "room.walls.default=brick",
        "room.size=[6, 5.5, 5]",
        "room.size[2]=3.5",
        "sources[0].name=\"main source\"",
        "sources[0].signal=file",
        "sources[0].file=../dry/3.wav",
        "output.rate=grid",
        "air.losses=False",
        "materials.felt={ absorption = [0,0.1,0.1,0.1,0.1,0.1,0.1,1] }",
        "room.walls.z_min=felt",
        "room.objects=({shape=\"box\";from=[0,0.5,0];to=[1,1,1];material=\"felt\"})",
    };
    struct error e;
    write_file("room.cfg", BOX ENDS);
    struct room *room = read_room("room.cfg", settings, sizeof settings / sizeof *settings, &e);
    if (!room)
        print_error("%s\n", e.message);
    assert_non_null(room);
    assert_true(room->grid.rate == 32000 && room->duration == 2 && room->output.rate == 0);
    assert_string_equal(room->grid.origin.file, "--set grid.rate = 32000");
    assert_int_equal(room->grid.origin.line, 0);
    assert_true(room->sources[0].position[0] == 1 && room->sources[0].position[1] == 2.5);
    assert_true(room->receivers[0].position[2] == 0.5);
    assert_string_equal(room->materials[room->walls[FACE_X_MIN]].name, "brick");
    assert_string_equal(room->materials[room->walls[FACE_Z_MIN]].name, "felt");
    assert_true(room->size[0] == 6 && room->size[1] == 5.5 && room->size[2] == 3.5);
    assert_string_equal(room->sources[0].name, "main source");
    char *file = in_folder("../dry/3.wav");
    assert_string_equal(room->sources[0].file, file);
    free(file);
    assert_false(room->air.losses);
    assert_int_equal(room->object_count, 1);
    assert_true(room->objects[0].from[1] == 0.5);
    room_free(room);
    room = read_set("room.size[2]=3", &e); /* a whole number into an array of floats */
    assert_non_null(room);
    assert_true(room->size[0] == 4 && room->size[1] == 3 && room->size[2] == 3);
    room_free(room);
}

static void set_applies_to_json_too(void **state)
{
    (void)state;
    struct error e;
    const char *setting = "time.duration=2.5";
    write_file("room.json", "{ \"room\": { \"size\": [4, 3, 2.5], \"walls\": { \"default\": \"rigid\" } },"
                            "\"time\": { \"duration\": 1 },"
                            "\"sources\": [ { \"position\": [1, 1, 1] } ],"
                            "\"receivers\": [ { \"position\": [2, 1, 1] } ] }");
    struct room *room = read_room("room.json", &setting, 1, &e);
    assert_non_null(room);
    assert_true(room->duration == 2.5);
    room_free(room);
}

static void bad_settings_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *message;
        enum error_code code;
    } bad[] = {
        {"grid.rate=0", "--set grid.rate=0: grid.rate: 0 is out of range", ERROR_INPUT},
        {"grid.rtae=1", "--set grid.rtae=1: grid.rtae: unknown key; did you mean grid.rate?", ERROR_INPUT},
        {"gird.rate=1", "--set gird.rate=1: gird: unknown key", ERROR_INPUT},
        {"room.walls.default=brik", "--set room.walls.default=brik: room.walls.default: unknown material", ERROR_INPUT},
        {"room.size=[1,2", "--set room.size=[1,2: room.size: expected three numbers", ERROR_INPUT},
        {"room.size=[1,2,-3]", "--set room.size=[1,2,-3]: room.size[2]: -3 is out", ERROR_INPUT},
        {"sources[0].position=[9,1,1]", "sources[0].position: x = 9 m lies outside", ERROR_INPUT},
        {"time.duration=99999999999", "--set time.duration=99999999999: 99999999999 is too large", ERROR_INPUT},
        {"time=3", "--set time=3: time: expected a group", ERROR_INPUT},
        {"grid.rate", "--set grid.rate: expected key=value", ERROR_USAGE},
        {"", "--set : expected key=value", ERROR_USAGE},
        {"=3", "the key is missing", ERROR_USAGE},
        {"grid.rate=", "the value is missing", ERROR_USAGE},
        {"grid..rate=3", "expected a key such as", ERROR_USAGE},
        {"grid.rate.=3", "expected a key such as", ERROR_USAGE},
        {"sources[1].gain=3", "shorter than that", ERROR_USAGE},
        {"sources[99999999999].gain=3", "expected a number in [ ]", ERROR_USAGE},
        {"sources[x].gain=3", "expected a number in [ ]", ERROR_USAGE},
        {"sources[-1].gain=3", "expected a number in [ ]", ERROR_USAGE},
        {"sources.gain=3", "not a group", ERROR_USAGE},
        {"grid[0]=3", "no such list", ERROR_USAGE},
        {"room.size.x=3", "not a group", ERROR_USAGE},
        {"9x.y=3", "no name of a key", ERROR_USAGE},
        {"a.b.c.d.e.f.g.h.i=3", "too many parts", ERROR_USAGE},
        {"time.duration=1\n2", "one line", ERROR_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e;
        struct room *room = read_set(bad[i].setting, &e);
        if (room || e.code != bad[i].code || !strstr(e.message, bad[i].message))
            fail_msg("%s\n  expected %s\n  got code %d: %s", bad[i].setting, bad[i].message, (int)e.code, e.message);
    }
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

static void a_setting_takes_the_place_of_the_key_it_excludes(void **state)
{
    (void)state;
    struct error e;
    struct room *room = read_set("room.points=[5,6,7]", &e);
    assert_non_null(room);
    assert_true(room->sized_by_points && room->points[1] == 6 && room->size[0] == 0);
    room_free(room);
    room = read_set("grid.max_frequency=500", &e);
    assert_non_null(room);
    assert_true(room->grid.rate == 0 && room->grid.max_frequency == 500);
    room_free(room);
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
        cmocka_unit_test(bad_rooms_are_refused_by_file_line_and_key),
        cmocka_unit_test(files_that_are_no_text_are_refused),
        cmocka_unit_test(every_truncation_and_mutation_ends_well),
        cmocka_unit_test(json_gives_the_same_room_back),
        cmocka_unit_test(json_holds_only_what_is_used),
        cmocka_unit_test(set_replaces_any_value),
        cmocka_unit_test(set_applies_to_json_too),
        cmocka_unit_test(bad_settings_are_named),
        cmocka_unit_test(included_files_are_found_and_named),
        cmocka_unit_test(own_materials_come_before_the_library),
        cmocka_unit_test(the_library_is_read_only_when_needed),
        cmocka_unit_test(a_setting_takes_the_place_of_the_key_it_excludes),
        cmocka_unit_test(every_key_is_printed_with_its_default),
    };
    return cmocka_run_group_tests_name("room", tests, room_files_set_up, room_files_tear_down);
}

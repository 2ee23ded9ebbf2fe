/* SPDX-License-Identifier: MIT */
/* Materials: absorption in all octaves or in some, branches of an admittance, and refusals. */
/* before cmocka, which defines a macro `fail` */
#include <math.h>

#include "base/text.h"
#include "room/grid/model.h"
#include "room/room.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/within.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A material on line 5, on every wall. */
#define CURTAIN(text) WALL("curtain") ENDS "materials: {\ncurtain = { " text " }; };"

static const struct material *only_material(const struct room *room)
{
    assert_int_equal(room->material_count, 1);
    return &room->materials[0];
}

static void assert_branch(const struct branch *branch, double inertance, double resistance, double stiffness)
{
    assert_true(branch->inertance == inertance);
    assert_true(branch->resistance == resistance);
    assert_true(branch->stiffness == stiffness);
}

static void branches_are_read_in_either_bracket_and_as_any_number(void **state)
{
    (void)state;
    struct room *room =
        good_room(CURTAIN("branches = ( [1e-3, 0.5, 120.0], (0, 2, 0.25), [0, 0, 7] ); source = \"fit\";"));
    const struct material *material = only_material(room);
    assert_int_equal(material->kind, MATERIAL_BRANCHES);
    assert_int_equal(material->branch_count, 3);
    assert_branch(&material->branches[0], 1e-3, 0.5, 120.0);
    assert_branch(&material->branches[1], 0.0, 2.0, 0.25);
    assert_branch(&material->branches[2], 0.0, 0.0, 7.0);
    assert_string_equal(material->source, "fit");
    assert_int_equal(material->origin.line, 5);
    room_free(room);
}

static char *many_branches(size_t count)
{
    char *text = text_copy(WALL("curtain") ENDS "materials: {\ncurtain = { branches = ( [1.0, 2.0, 3.0]");
    for (size_t i = 1; text && i < count; i++) {
        char *more = text_format("%s, [%zu.0, 1.0, 0.0]", text, i);
        free(text);
        text = more;
    }
    char *whole = text ? text_format("%s ); }; };", text) : NULL;
    free(text);
    assert_non_null(whole);
    return whole;
}

static void sixteen_branches_are_taken_and_not_one_more(void **state)
{
    (void)state;
    struct error e;
    char *text = many_branches(BRANCHES_MAX);
    struct room *room = good_room(text);
    assert_int_equal(only_material(room)->branch_count, BRANCHES_MAX);
    assert_branch(&only_material(room)->branches[BRANCHES_MAX - 1], BRANCHES_MAX - 1, 1.0, 0.0);
    room_free(room);
    free(text);
    text = many_branches(BRANCHES_MAX + 1);
    write_file("room.cfg", text);
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "room.cfg:5: material curtain: branches: has 17 branches; use at most 16"));
    free(text);
}

static void octaves_that_are_not_given_repeat_the_nearest_one(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double absorption[OCTAVE_BANDS];
    } rooms[] = {
        {CURTAIN("bands = [125, 250, 500, 1000, 2000, 4000]; absorption = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];"),
         {0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.6}},
        {CURTAIN("absorption = ( 0, 0.2, 1 ); bands = ( 500, 1000.0, 2000 );"), {0, 0, 0, 0, 0.2, 1, 1, 1}},
        {CURTAIN("bands = [1000.0]; absorption = [0.3];"), {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3}},
        {CURTAIN("bands = [62.5, 125.0]; absorption = [0.1, 1.2];"), {0.1, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2}},
        {CURTAIN("bands = [63]; absorption = [1];"), {1, 1, 1, 1, 1, 1, 1, 1}},
        {CURTAIN("bands = [8000]; absorption = [0.7]; measured = [8000.0, 8000.0];"),
         {0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7}},
        {CURTAIN("bands = [63, 125, 250, 500, 1000, 2000, 4000, 8000];"
                 "absorption = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];"),
         {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}},
        {CURTAIN("absorption = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];"), {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}},
    };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        struct room *room = good_room(rooms[i].text);
        const struct material *material = only_material(room);
        assert_int_equal(material->kind, MATERIAL_ABSORPTION);
        for (size_t band = 0; band < OCTAVE_BANDS; band++)
            if (!(material->absorption[band] == rooms[i].absorption[band]))
                fail_msg("%s\n  band %zu: expected %g, got %g", rooms[i].text, band, rooms[i].absorption[band],
                         material->absorption[band]);
        room_free(room);
    }
}

static void scattering_is_small_unless_it_is_given(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double scattering[OCTAVE_BANDS];
    } rooms[] = {
        {CURTAIN("impedance = 3.0;"), {0.05, 0.05, 0.05, 0.05, 0.0125, 0.01, 0.01, 0.01}},
        {CURTAIN("impedance = 3.0; scattering = \"auto\";"), {0.05, 0.05, 0.05, 0.05, 0.0125, 0.01, 0.01, 0.01}},
        {CURTAIN("impedance = 3.0; scattering = 1;"), {1, 1, 1, 1, 1, 1, 1, 1}},
        {CURTAIN("impedance = 3.0; scattering = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1);"),
         {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1}},
        {CURTAIN("bands = [500, 1000]; absorption = [0.3, 0.4]; scattering = [0.1, 0.9];"),
         {0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.9}},
    };
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        struct room *room = good_room(rooms[i].text);
        const struct material *material = only_material(room);
        for (size_t band = 0; band < OCTAVE_BANDS; band++)
            if (!(material->scattering[band] == rooms[i].scattering[band]))
                fail_msg("%s\n  band %zu: expected %g, got %g", rooms[i].text, band, rooms[i].scattering[band],
                         material->scattering[band]);
        room_free(room);
    }
}

static const char with_classes[] =
    "materials: { plaster = { impedance = 20; scattering = \"rows\"; }; };\n"
    "scattering_classes: {\n"
    "  rows = { bands = [125.0, 250.0]; scattering = [0.3, 0.5]; source = \"A\"; description = \"seats\"; };\n"
    "  rough = { scattering = 0.2; }; };\n";

static void classes_of_scattering_are_those_of_the_file_or_of_the_library(void **state)
{
    (void)state;
    static const struct {
        const char *text, *class;
        double low, high;
    } rooms[] = {
        {CURTAIN("impedance = 3; scattering = \"rows\";"), "rows", 0.3, 0.5},
        {CURTAIN("bands = [500.0]; absorption = [0.1]; scattering = \"rough\";"), "rough", 0.2, 0.2},
        {CURTAIN("impedance = 3; scattering = \"rows\";") "scattering_classes: { rows = { scattering = 0.7; }; };",
         "rows", 0.7, 0.7},
        {WALL("plaster") ENDS "scattering_classes: { rows = { scattering = 0.7; }; };", "rows", 0.3,
         0.5}, /* the library's */
        {CURTAIN("impedance = 3;") "scattering_classes: { rows = { scattering = 0.7; }; };", NULL, 0.05, 0.01},
    };
    write_file("rooms/materials.cfg", with_classes);
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        struct room *room = good_room(rooms[i].text);
        const struct material *material = only_material(room);
        if (!rooms[i].class != !material->scattering_class ||
            (rooms[i].class && strcmp(rooms[i].class, material->scattering_class)) ||
            !(material->scattering[1] == rooms[i].low) || !(material->scattering[7] == rooms[i].high))
            fail_msg("%s\n  got class %s, %g .. %g", rooms[i].text, material->scattering_class, material->scattering[1],
                     material->scattering[7]);
        room_free(room);
    }
    struct room *library;
    struct error e;
    assert_int_equal(room_read_library(&library, &e), 0);
    assert_int_equal(library->scattering_class_count, 2);
    assert_string_equal(library->scattering_classes[0].name, "rows");
    assert_string_equal(library->scattering_classes[0].source, "A");
    assert_true(library->scattering_classes[0].scattering[0] == 0.3);
    assert_true(library->scattering_classes[1].scattering[7] == 0.2);
    room_free(library);
    write_file("rooms/materials.cfg", room_library);
}

static void wrong_classes_of_scattering_are_refused_by_file_line_and_key(void **state)
{
    (void)state;
    static const struct {
        const char *library, *material, *classes, *expected;
    } cases[] = {
        {with_classes, "scattering = \"rouhg\";", "",
         "room.cfg:5: material curtain: scattering: unknown class \"rouhg\"; did you mean \"rough\"?"},
        {with_classes, "scattering = \"tapestry\";", "",
         "room.cfg:5: material curtain: scattering: unknown class \"tapestry\"; define it under scattering_classes, or "
         "choose one of rows, rough"},
        {room_library, "scattering = \"\";", "", "scattering: unknown class \"\"; define it under scattering_classes"},
        {"materials: { this is no libconfig", "scattering = \"rough\";", "",
         "scattering: class \"rough\" is not in this file, and the library cannot be read: "},
        {"materials: { };\nscattering_classes: {\nrows = { scattering = [0.3, 0.5]; }; };", "scattering = \"rows\";",
         "", "rooms/materials.cfg:3: scattering_classes.rows.scattering: has 2 values; expected a number, or 8"},
        {room_library, "scattering = true;", "",
         "scattering: expected a number, or 8, one for each octave from 63 Hz to"},
        {room_library, "", "seats = { scattering = 1.5; };",
         "room.cfg:6: scattering_classes.seats.scattering: 1.5 is out of range: expected 0 to 1"},
        {room_library, "", "seats = { scattering = \"rows\"; };",
         "scattering_classes.seats.scattering: expected a number"},
        {room_library, "", "seats = { source = \"A\"; };", "scattering_classes.seats.scattering: is missing; expected"},
        {room_library, "", "seats = { scattering = 1; absorption = 0.1; };", "seats.absorption: unknown key"},
        {room_library, "", "seats = 0.3;",
         "room.cfg:6: scattering_classes.seats: expected a group such as { scattering"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e = {0};
        char *text =
            text_format(BOX ENDS "materials: {\ncurtain = { impedance = 3; %s }; };\nscattering_classes: { %s };",
                        cases[i].material, cases[i].classes);
        write_file("rooms/materials.cfg", cases[i].library);
        write_file("room.cfg", text);
        struct room *room = read_room("room.cfg", NULL, 0, &e);
        if (room || e.code != ERROR_INPUT || !strstr(e.message, cases[i].expected))
            fail_msg("%s\n  expected %s\n  got %s", text, cases[i].expected, e.message);
        free(text);
    }
    write_file("rooms/materials.cfg", room_library);
}

/* Text within the { } of a material, and the message after "material curtain: ". */
static const struct bad {
    const char *text, *expected;
} bad_materials[] = {
    /* absorption */
    {"absorption = [0.1, 0.1, -0.1, 0.1, 0.1, 0.1, 0.1, 0.1];",
     "absorption[2]: -0.1 is out of range: expected 0 to 1.2"},
    {"absorption = " EIGHT("1.21") ";", "absorption[0]: 1.21 is out of range: expected 0 to 1.2; 0 absorbs nothing"},
    {"absorption = " EIGHT("1e999") ";", "absorption[0]: expected a number"},
    {"absorption = [0.5, 0.5];",
     "absorption: has 2 values; expected 8 numbers, one for each octave from 63 Hz to 8 kHz, or bands = [ .. ]"},
    {"absorption = [0.5];", "absorption: has 1 value; expected 8 numbers"},
    {"absorption = [];", "absorption: has 0 values; expected 8 numbers"},
    {"absorption = ( 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 );", "absorption: has 9 values; expected 8 numbers"},
    {"absorption = 0.5;", "absorption: expected 8 numbers, one for each octave"},
    {"absorption = \"soft\";", "absorption: expected 8 numbers"},
    {"absorption = " EIGHT("\"0.5\"") ";", "absorption[0]: expected a number"},
    {"absorption = ( 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, ( 0.1 ), 0.1 );", "absorption[6]: expected a number"},
    /* impedance and the rest */
    {"impedance = 0;", "impedance: 0 is out of range: expected above 0"},
    {"impedance = \"hard\";", "impedance: expected a number"},
    {"impedance = 2; source = 3;", "source: expected text"},
    {"impedance = 2; measured = [1.0];", "measured: expected two numbers in Hz"},
    {"impedence = 2;", "impedence: unknown key; did you mean impedance?"},
    {"branch = ( [1.0, 1.0, 1.0] );", "branch: unknown key; did you mean branches?"},
    /* one of the three */
    {"", "absorption: is missing, and so are impedance, branches and layers; expected 8 numbers"},
    {"source = \"A\";", "absorption: is missing, and so are impedance, branches and layers"},
    {"absorption = " EIGHT("0.1") "; impedance = 2;", "absorption: impedance is also set ("},
    {"absorption = " EIGHT("0.1") "; branches = ( [1.0, 1.0, 1.0] );", "absorption: branches is also set ("},
    {"branches = ( [1.0, 1.0, 1.0] ); impedance = 2;", "impedance: branches is also set ("},
    /* branches */
    {"branches = ( [1.0, 1.0, 1.0], [-0.001, 1.0, 1.0] );",
     "branches[1]: the inertance D is -0.001, but a negative value would create energy; use 0 or more"},
    {"branches = ( [1.0, -1e-300, 1.0] );", "branches[0]: the resistance E is -1e-300, but a negative value would"},
    {"branches = ( [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, -5.0] );",
     "branches[2]: the stiffness F is -5, but a negative value would create energy"},
    {"branches = ( [1.0, 1.0, 1.0], [0.0, 0.0, 0.0] );", "branches[1]: D, E and F are all 0, an infinite admittance"},
    {"branches = ( [0.0, -0.0, 0.0] );", "branches[0]: D, E and F are all 0"},
    {"branches = ( [1.0, 1e999, 1.0] );", "branches[0]: the resistance E: expected a number"},
    {"branches = ( ( 1.0, 1.0, \"stiff\" ) );", "branches[0]: the stiffness F: expected a number"},
    {"branches = ( [1.0, 1.0] );", "branches[0]: expected three numbers [D, E, F]: inertance in s"},
    {"branches = ( [1.0, 1.0, 1.0, 1.0] );", "branches[0]: expected three numbers [D, E, F]"},
    {"branches = [1.0, 1.0, 1.0];", "branches[0]: expected three numbers [D, E, F]"},
    {"branches = ( { D = 1.0; } );", "branches[0]: expected three numbers [D, E, F]"},
    {"branches = ( );", "branches: expected 1 to 16 branches ( [D, E, F], .. )"},
    {"branches = 1.0;", "branches: expected 1 to 16 branches ( [D, E, F], .. )"},
    {"branches = \"rlc\";", "branches: expected 1 to 16 branches"},
    {"branches = { D = 1.0; E = 1.0; F = 1.0; };", "branches: expected 1 to 16 branches"},
    /* bands */
    {"bands = [1000, 500]; absorption = [0.1, 0.1];", "bands: bands are not ascending: 500 follows 1000; sort"},
    {"bands = [125, 1000, 500]; absorption = [0.1, 0.1, 0.1];", "bands are not ascending: 500 follows 1000"},
    {"bands = [250, 500, 500]; absorption = [0.1, 0.1, 0.1];", "bands are not ascending: 500 occurs twice"},
    {"bands = ( 62.5, 63 ); absorption = [0.1, 0.1];", "bands are not ascending: 63 occurs twice"},
    {"bands = [125, 250, 1000]; absorption = [0.1, 0.1, 0.1];",
     "bands: the 500 Hz band is missing between 250 and 1000; add it"},
    {"bands = [125, 2000, 8000]; absorption = [0.1, 0.1, 0.1];",
     "bands: the bands from 250 to 1000 Hz are missing between 125 and 2000"},
    {"bands = [31.5, 63.0]; absorption = [0.1, 0.1];",
     "bands[0]: 31.5 Hz is not the centre of an octave band; the closest is 63 (of 63 125 250 500"},
    {"bands = [125, 315]; absorption = [0.1, 0.1];",
     "bands[1]: 315 Hz is not the centre of an octave band; the closest is 250"},
    {"bands = [16000]; absorption = [0.1];", "16000 Hz is not the centre of an octave band; the closest is 8000"},
    {"bands = [0, 125]; absorption = [0.1, 0.1];",
     "bands[0]: 0 Hz is not the centre of an octave band; the closest is 63"},
    {"bands = [-500]; absorption = [0.1];", "bands[0]: -500 Hz is not the centre"},
    {"bands = [1e999]; absorption = [0.1];", "bands: expected centres of octave bands in Hz"},
    {"bands = [\"low\"]; absorption = [0.1];", "bands: expected centres of octave bands in Hz"},
    {"bands = ( ); absorption = [0.1];", "bands: expected centres of octave bands in Hz such as [125.0, 250.0, 500.0]"},
    {"bands = 500; absorption = [0.1];", "bands: expected centres of octave bands in Hz"},
    {"bands = [125, 250]; absorption = [0.1, 0.1, 0.1];",
     "absorption: has 3 values; expected 2, one for each octave of bands (125 to 250 Hz)"},
    {"bands = [125, 250]; absorption = " EIGHT("0.1") ";",
     "absorption: has 8 values; expected 2, one for each octave of bands"},
    {"bands = [125, 250]; absorption = [0.1];", "absorption: has 1 value; expected 2, one for"},
    {"bands = [125, 250]; absorption = [0.1, 1.3];", "absorption[1]: 1.3 is out of range"},
    {"bands = [125, 250]; absorption = 0.1;", "absorption: expected 2, one for each octave of bands"},
    {"bands = [125, 250];", "bands: is used with absorption only; set that or remove this"},
    {"bands = [125, 250]; impedance = 2;", "bands: is used with absorption only"},
    {"impedance = 2; scattering = 1.01;", "scattering: 1.01 is out of range: expected 0 to 1"},
    {"impedance = 2; scattering = [0.1, 0.2];", "scattering: has 2 values; expected"},
    {"impedance = 2; scattering = \"rough\";",
     "scattering: unknown class \"rough\"; define it under scattering_classes"},
    {"bands = [125, 250]; absorption = [0.1, 0.1]; scattering = [0.1, 0.2, 0.3];",
     "scattering: has 3 values; expected 2, one for each octave of bands"},
    {"bands = [125, 250]; branches = ( [1.0, 1.0, 1.0] );", "bands: is used with absorption only"},
};

static void assert_refused(const char *start, const struct bad *bad, const struct room *room, const struct error *e)
{
    size_t length = strlen(start);
    if (room || e->code != ERROR_INPUT || strncmp(e->message, start, length) ||
        !strstr(e->message + length, bad->expected))
        fail_msg("%s\n  expected %s%s\n  got code %d: %s", bad->text, start, bad->expected, (int)e->code, e->message);
    assert_null(strchr(e->message, '\n'));
}

static void wrong_materials_are_refused_by_name_line_and_key(void **state)
{
    (void)state;
    struct error e;
    char *start = text_format("%s/room.cfg:5: material curtain: ", room_folder);
    for (size_t i = 0; i < sizeof bad_materials / sizeof *bad_materials; i++) {
        char *text = text_format(BOX ENDS "materials: {\ncurtain = { %s }; };", bad_materials[i].text);
        write_file("room.cfg", text); /* no wall is made of it, and yet it is looked at */
        struct room *room = read_room("room.cfg", NULL, 0, &e);
        assert_refused(start, &bad_materials[i], room, &e);
        free(text);
    }
    free(start);
}

static void wrong_materials_of_the_library_are_refused_by_its_file_and_line(void **state)
{
    (void)state;
    struct error e;
    char *start = text_format("%s/rooms/materials.cfg:3: material curtain: ", room_folder);
    write_file("room.cfg", WALL("curtain") ENDS);
    for (size_t top = 0; top < 2; top++) /* in a group `materials`, or at the top of the file */
        for (size_t i = 0; i < sizeof bad_materials / sizeof *bad_materials; i++) {
            char *text = text_format("%s\n\ncurtain = { %s };\n%s", top ? "" : "materials: {", bad_materials[i].text,
                                     top ? "" : "};");
            write_file("rooms/materials.cfg", text);
            struct room *room = read_room("room.cfg", NULL, 0, &e);
            assert_refused(start, &bad_materials[i], room, &e);
            free(text);
        }
    write_file("rooms/materials.cfg", room_library);
    free(start);
}

static void a_wrong_setting_is_refused_by_its_text_and_the_material(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *expected;
    } bad[] = {
        {"materials.curtain.absorption[1]=-0.1", "material curtain: absorption[1]: -0.1 is out of range"},
        {"materials.curtain.bands=[500]",
         "material curtain: absorption: has 2 values; expected 1, one for each octave of bands"},
        {"materials.curtain.branches=([1,-2,3])", "material curtain: branches[0]: the resistance E is -2, but a"},
    };
    write_file("room.cfg", CURTAIN("bands = [125, 250]; absorption = [0.1, 0.2];"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e;
        struct room *room = read_room("room.cfg", &bad[i].setting, 1, &e);
        if (room || !strstr(e.message, bad[i].expected))
            fail_msg("%s\n  expected %s\n  got %s", bad[i].setting, bad[i].expected, e.message);
        if (i != 1)
            assert_memory_equal(e.message, "--set ", 6);
    }
}

static void a_setting_replaces_what_the_material_was_before(void **state)
{
    (void)state;
    struct error e;
    const char *setting = "materials.curtain.branches=([1e-3,0.5,7],(0,2,0))";
    write_file("room.cfg", CURTAIN("bands = [125, 250]; absorption = [0.1, 0.2];"));
    struct room *room = read_room("room.cfg", &setting, 1, &e);
    assert_non_null(room);
    assert_int_equal(only_material(room)->branch_count, 2);
    assert_branch(&only_material(room)->branches[0], 1e-3, 0.5, 7.0);
    room_free(room);
    setting = "materials.curtain.impedance=9";
    room = read_room("room.cfg", &setting, 1, &e);
    assert_non_null(room);
    assert_int_equal(only_material(room)->kind, MATERIAL_IMPEDANCE);
    room_free(room);
    const char *const both[] = {"materials.curtain.bands=[1000]", "materials.curtain.absorption=[1]"};
    write_file("room.cfg", CURTAIN("branches = ( [1.0, 1.0, 1.0] );"));
    room = read_room("room.cfg", both, 2, &e);
    assert_non_null(room);
    assert_int_equal(only_material(room)->kind, MATERIAL_ABSORPTION);
    assert_true(only_material(room)->absorption[0] == 1.0);
    room_free(room);
    const char *const rivals[] = {"materials.curtain.impedance=3", "materials.curtain.absorption=[1]"};
    assert_null(read_room("room.cfg", rivals, 2, &e));
    assert_non_null(strstr(e.message, "material curtain: absorption: impedance is also set (--set materials."));
}

static void a_setting_changes_a_material_of_the_library(void **state)
{
    (void)state;
    struct error e;
    const char *setting = "materials.curtain.scattering=0.25";
    char *library = text_format("%s/rooms/materials.cfg", room_folder);
    write_file("room.cfg", WALL("curtain") ENDS);
    write_file("rooms/materials.cfg", "# of a test\ncurtain = {\nabsorption = [.1, .2, .3, .4, .5, .6, .7, .8];\n"
                                      "source = \"a book\"; };\n");
    struct room *room = read_room("room.cfg", &setting, 1, &e);
    assert_non_null(room);
    assert_true(only_material(room)->scattering[3] == 0.25 && only_material(room)->absorption[7] == 0.8);
    assert_string_equal(only_material(room)->source, "a book");
    assert_string_equal(only_material(room)->origin.file, library);
    assert_int_equal(only_material(room)->origin.line, 2);
    room_free(room);
    setting = "materials.curtain.impedance=9"; /* of which the book says nothing */
    room = read_room("room.cfg", &setting, 1, &e);
    assert_non_null(room);
    assert_int_equal(only_material(room)->kind, MATERIAL_IMPEDANCE);
    assert_null(only_material(room)->source);
    room_free(room);
    const char *const both[] = {"materials.curtain.scattering=0.25", "materials.curtain.impedance=9"};
    room = read_room("room.cfg", both, 2, &e);
    assert_non_null(room);
    assert_null(only_material(room)->source);
    room_free(room);
    setting = "materials.curtain.scattering=2";
    assert_null(read_room("room.cfg", &setting, 1, &e));
    assert_non_null(strstr(e.message, "--set materials.curtain.scattering=2: material curtain: scattering: 2 is out"));
    setting = "materials.curtain.scattering=0.25";
    write_file("rooms/materials.cfg", "curtain = {\nabsorption = [.1, .2]; };\n");
    assert_null(read_room("room.cfg", &setting, 1, &e));
    char *start = text_format("%s:2: material curtain: absorption: ", library);
    assert_non_null(start);
    assert_memory_equal(e.message, start, strlen(start));
    write_file("rooms/materials.cfg", room_library);
    free(start);
    free(library);
}

static void json_gives_the_same_bits_back(void **state)
{
    (void)state;
    struct room *room = good_room(
        "room: { size = [4.0, 3.0, 2.5]; walls: { default = \"panel\"; x_min = \"curtain\"; z_min = \"hard\"; }; "
        "};\n" ENDS
        "materials: { panel = { source = \"fit\"; branches = ( [0.33333333333333331, 2.7182818284590451, 1e-7],"
        " [4.9e-324, 0.0, 1e12], [0.0, 0.10000000000000002, 0.0], [1e-9, 3.0, 123456789.12345679],"
        " (0, 0, 1) ); };\n"
        "  curtain = { bands = [250, 500]; absorption = [0.30000000000000004, 1.1999999999999997]; };\n"
        "  hard = { impedance = 19; }; };");
    cJSON *json = cJSON_CreateObject(), *input = room_json(room);
    assert_true(input && cJSON_AddItemToObject(json, "input", input));
    char *text = cJSON_Print(json);
    struct error e;
    write_file("room.json", text);
    struct room *again = read_room("room.json", NULL, 0, &e);
    if (!again)
        fail_msg("%s\n%s", e.message, text);
    assert_int_equal(again->material_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct material *a = &room->materials[i], *b = &again->materials[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->branch_count, b->branch_count);
        assert_memory_equal(a->branches, b->branches, sizeof a->branches);
        assert_memory_equal(a->absorption, b->absorption, sizeof a->absorption);
        assert_memory_equal(&a->impedance, &b->impedance, sizeof a->impedance);
    }
    assert_int_equal(again->materials[1].branch_count, 5);
    assert_non_null(strstr(text, "\"branches\""));
    assert_null(strstr(text, "\"bands\""));
    free(text);
    cJSON_Delete(json);
    room_free(again);
    room_free(room);
}

/* Fitted to the frequencies of the time steps. */
static void branches_reach_the_solver_in_units_of_the_time_step(void **state)
{
    (void)state;
    struct error e;
    struct model *model = NULL;
    struct leapfrog_problem l;
    struct problem p;
    struct room *room = good_room(CURTAIN("branches = ( [1e-3, 0.5, 120.0] );"));
    assert_int_equal(model_make(&model, room, &e), 0);
    assert_int_equal(model_problem(&p, &l, model, 0, 1, &e), 0);
    int found = 0;
    for (int code = CELL_SOLID; code < CELL_CODES; code++) {
        const struct branch *b = l.branches[code];
        if (l.branch_count[code] != 1)
            continue;
        found++;
        assert_within(b->resistance, 0.5, 0.005);
        assert_within(b->inertance / model->grid.rate, 1e-3, 1e-5);
        assert_within(b->stiffness * model->grid.rate, 120.0, 1.2);
    }
    assert_int_equal(found, 1);
    model_problem_free(&p);
    model_free(model);
    room_free(room);
}

static void the_table_of_keys_lists_bands_and_branches(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    room_print_keys(stream);
    assert_int_equal(fclose(stream), 0);
    static const char *const there[] = {"materials.NAME.bands         numbers    Hz          -         63 to 8000 ",
                                        "materials.NAME.branches      branches   s, 1, 1/s   -         0 to 1e+12 "};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(text, there[i]))
            fail_msg("%s is not in\n%s", there[i], text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_are_read_in_either_bracket_and_as_any_number),
        cmocka_unit_test(sixteen_branches_are_taken_and_not_one_more),
        cmocka_unit_test(scattering_is_small_unless_it_is_given),
        cmocka_unit_test(classes_of_scattering_are_those_of_the_file_or_of_the_library),
        cmocka_unit_test(wrong_classes_of_scattering_are_refused_by_file_line_and_key),
        cmocka_unit_test(octaves_that_are_not_given_repeat_the_nearest_one),
        cmocka_unit_test(wrong_materials_are_refused_by_name_line_and_key),
        cmocka_unit_test(wrong_materials_of_the_library_are_refused_by_its_file_and_line),
        cmocka_unit_test(a_wrong_setting_is_refused_by_its_text_and_the_material),
        cmocka_unit_test(a_setting_replaces_what_the_material_was_before),
        cmocka_unit_test(a_setting_changes_a_material_of_the_library),
        cmocka_unit_test(json_gives_the_same_bits_back),
        cmocka_unit_test(branches_reach_the_solver_in_units_of_the_time_step),
        cmocka_unit_test(the_table_of_keys_lists_bands_and_branches),
    };
    return cmocka_run_group_tests_name("material", tests, room_files_set_up, room_files_tear_down);
}

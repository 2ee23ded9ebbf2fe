/* SPDX-License-Identifier: MIT */
/* Mistakes in a room file: all reported at once, in order, with familiar names; files that would take forever to read
 * are refused soon. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/stop.h"
#include "base/synonyms.h"
#include "base/text.h"
#include "room/grid/model.h"
#include "room/keys.h"
#include "room/reader.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/room_files.h"

/* The line of a message, counted from 0; the caller frees it. NULL: there are fewer. */
static char *line_of(const char *message, size_t number)
{
    for (; number && *message; number--) {
        message += strcspn(message, "\n");
        message += *message == '\n';
    }
    return *message ? text_format("%.*s", (int)strcspn(message, "\n"), message) : NULL;
}

static void refused(const char *text, struct error *e)
{
    memset(e, 0x55, sizeof *e);
    write_file("room.cfg", text);
    if (read_room("room.cfg", NULL, 0, e))
        fail_msg("taken: %.200s", text);
    assert_int_equal(e->code, ERROR_INPUT);
}

/* Each line begins with file and line of the mistake and contains the words; there are no further lines. */
static void assert_lines(const struct error *e, const char *const (*expected)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *line = line_of(e->message, i), *start = text_format("%s/%s", room_folder, expected[i][0]);
        if (!line || strncmp(line, start, strlen(start)) != 0 || !strstr(line, expected[i][1]))
            fail_msg("expected %s ... %s\n got %s\n in %s", start, expected[i][1], line ? line : "nothing", e->message);
        free(line);
        free(start);
    }
    char *rest = line_of(e->message, count);
    if (rest)
        fail_msg("one line too many: %s", rest);
}

static void all_mistakes_are_told_in_the_order_of_the_file(void **state)
{
    static const char text[] = "tme: { duration = 1.0; };\n"
                               "sources: ( { position = [1.0, 1.0, 9.0]; },\n"
                               " { position = [1.0, 1.0]; gain = 1e99; }, 7 );\n"
                               "receivers: ( { positon = [1.0, 1.0, 1.0]; } );\n"
                               "@include \"part.inc\"\n"
                               "materials: { felt = { absorption = 3; }; oak = { impedance = -1.0; }; };\n";
    static const char part[] = "grid: { rate = 5; };\n"
                               "room: { size = [4.0, 3.0, 2.5]; walls: { default = \"felt\"; z_min = \"plasterr\"; };\n"
                               " objects: ( { shape = \"bxo\"; from = 3; } ); };\n";
    static const char *const expected[][2] = {
        {"room.cfg:1: ", "tme: unknown key; did you mean time?"},
        {"room.cfg:2: ", "sources[0].position: z = 9 m lies outside the room, which spans 0 to 2.5 m"},
        {"room.cfg:3: ", "sources[1].position: expected three numbers"},
        {"room.cfg:3: ", "sources[1].gain: 1e+99 is out of range"},
        {"room.cfg:3: ", "sources[2]: expected a group"},
        {"room.cfg:4: ", "receivers[0].positon: unknown key; did you mean receivers[0].position?"},
        {"part.inc:1: ", "grid.rate: 5 is out of range"},
        {"part.inc:2: ", "room.walls.z_min: unknown material \"plasterr\"; did you mean \"plaster\"?"},
        {"part.inc:3: ", "room.objects[0].shape: unknown value \"bxo\"; did you mean \"box\"?"},
        {"room.cfg:6: ", "material felt: absorption: expected 8 numbers"},
    };
    struct error e;
    (void)state;
    write_file("part.inc", part);
    refused(text, &e);
    char *last = line_of(e.message, 10);
    assert_non_null(last);
    assert_string_equal(last, "and 1 more");
    free(last);
    *strstr(e.message, "\nand 1 more") = '\0';
    assert_lines(&e, expected, sizeof expected / sizeof *expected);
}

static void all_materials_that_no_wall_can_be_are_told(void **state)
{
    static const char text[] =
        "room: { size = [4.0, 3.0, 2.5]; walls: { default = \"b\"; z_min = \"a\"; z_max = \"c\"; }; };\n" ENDS
        "materials: {\n"
        "a = { absorption = [0.9, 0.02, 0.9, 0.02, 0.9, 0.02, 0.9, 0.02]; };\n"
        "b = { absorption = [0.02, 0.9, 0.02, 0.9, 0.02, 0.9, 0.02, 0.9]; };\n"
        "c = { absorption = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]; };\n"
        "};\n";
    static const char *const expected[][2] = {{"room.cfg:5: ", "material a: absorption: in the "},
                                              {"room.cfg:6: ", "material b: absorption: in the "}};
    struct room *room = good_room(text);
    struct model *model;
    struct error e;
    (void)state;
    memset(&e, 0x55, sizeof e);
    assert_int_equal(model_make(&model, room, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_lines(&e, expected, 2);
    room_free(room);
}

static void what_follows_from_a_mistake_is_not_told_too(void **state)
{
    static const struct {
        const char *text, *expected[1][2];
    } cases[] = {
        {"rom: { size = [4.0, 3.0, 2.5]; };\n" ENDS, {{"room.cfg:1: ", "did you mean room?"}}},
        {"room: { sise = [4.0, 3.0, 2.5]; };\n" ENDS, {{"room.cfg:1: ", "did you mean room.size?"}}},
        {"room: { size = [4.0, 3.0, -2.5]; };\n" ENDS, {{"room.cfg:1: ", "room.size[2]: -2.5 is out of range"}}},
        {"room: { size = [4.0, 3.0, 2.5]; points = [9, 9, 9]; };\n" ENDS, {{"room.cfg:1: ", "remove one of the two"}}},
        {WALL("plastik") ENDS, {{"room.cfg:1: ", "unknown material \"plastik\""}}}, /* of six walls */
        {OBJECT("{ shape = \"box\"; from = [1.0, 1.0]; to = [2.0, 2.0, 2.0]; material = \"brick\"; }") ENDS,
         {{"room.cfg:2: ", "room.objects[0].from: expected three numbers"}}},
        {OBJECT("{ shap = \"box\"; from = [1.0, 1.0, 1.0]; radius = 3; }") ENDS,
         {{"room.cfg:2: ", "did you mean room.objects[0].shape?"}}},
        {BOX SOURCE "receivers: ( { name = 5; position = [1.0, 1.0, 1.0]; } );",
         {{"room.cfg:3: ", "receivers[0].name: expected"}}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e;
        refused(cases[i].text, &e);
        assert_lines(&e, cases[i].expected, 1);
    }
}

static void very_many_mistakes_are_ten_lines_and_a_number(void **state)
{
    struct error e;
    char *text = text_copy(BOX SOURCE "receivers: (\n");
    (void)state;
    for (int i = 0; i < 57; i++) {
        char *longer = text_format("%s%s{ position = [9.0, 1.0, 1.0]; }", text, i ? ",\n" : "");
        assert_non_null(longer);
        free(text);
        text = longer;
    }
    char *whole = text_format("%s);\n", text);
    refused(whole, &e);
    free(text);
    for (size_t i = 0; i < 10; i++) {
        char *line = line_of(e.message, i),
             *start = text_format("%s/room.cfg:%zu: receivers[%zu]", room_folder, i + 4, i);
        assert_non_null(line);
        assert_memory_equal(line, start, strlen(start));
        free(line);
        free(start);
    }
    char *last = line_of(e.message, 10);
    assert_string_equal(last, "and 47 more");
    free(last);
    free(whole);
}

/* For any length of the lines, the message is truncated in time and gives the number of lines left out. */
static void long_lines_leave_room_for_the_number(void **state)
{
    struct diagnostics c = {0};
    struct error one = {.code = ERROR_INPUT}, all;
    (void)state;
    for (int i = 0; i < 12; i++) {
        memset(one.message, 'a' + i, 1000);
        assert_true(diagnostics_keep(&c, &one, (struct diagnostics_place){20 - i, 0, 0}));
    }
    assert_true(diagnostics_keep(&c, &one, (struct diagnostics_place){1, 0, 0})); /* the last once more */
    memset(&all, 0x55, sizeof all);
    assert_int_equal(diagnostics_tell(&c, &all), -1);
    assert_non_null(memchr(all.message, '\0', sizeof all.message));
    assert_int_equal(all.message[0], 'l');
    assert_int_equal(all.message[1001], 'k');
    assert_string_equal(strrchr(all.message, '\n'), "\nand 8 more");
    diagnostics_free(&c);
    assert_int_equal(diagnostics_tell(&c, &all), 0);
}

#define SOFA "{ shape = \"box\"; name = \"%s\"; from = [3.0, 2.0, 0.0]; to = [3.5, 2.5, 0.5]; material = \"brick\"; }"

static void objects_have_names_and_the_numbers_of_their_keys(void **state)
{
    static const char *const good[] = {"sofa", "Sofa (left), 2nd", "Küchentisch", "桌子"};
    static const struct {
        const char *name, *expected;
    } bad[] = {{"", "is empty"}, {"a\\nb", "is not readable text"}};
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char *object = text_format(SOFA, good[i]), *text = text_format(OBJECT("%s") ENDS, object);
        struct room *room = good_room(text);
        char name[OBJECT_NAME], *expected = text_format("room.objects[0] \"%s\"", good[i]);
        assert_string_equal(room->objects[0].name, good[i]);
        assert_string_equal(room_object_name(room, 0, name), expected);
        room_free(room);
        free(object);
        free(text);
        free(expected);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *object = text_format(SOFA, bad[i].name), *text = text_format(OBJECT("%s") ENDS, object);
        refused(text, &e);
        assert_non_null(strstr(e.message, "room.objects[0].name: "));
        assert_non_null(strstr(e.message, bad[i].expected));
        free(object);
        free(text);
    }
    char *object = text_format(SOFA, "sofa"), *text = text_format(OBJECT("%s,\n%s,\n%s") ENDS, object, object, object);
    static const char *const taken[][2] = {{"room.cfg:3: ", "room.objects: the name \"sofa\" is already used ("},
                                           {"room.cfg:4: ", "room.objects: the name \"sofa\" is already used ("}};
    refused(text, &e);
    assert_lines(&e, taken, 2);
    free(text);
    text = text_format(OBJECT("%s") SOURCE "receivers: ( { position = [3.2, 2.2, 0.2]; } );", object);
    refused(text, &e);
    assert_non_null(strstr(e.message, "lies inside room.objects[0] \"sofa\"; move it"));
    free(text);
    free(object);
}

static void names_of_any_script_are_taken(void **state)
{
    static const char *const good[] = {"Küche", "Ku\u0308che", "réservé 2", "Κουζίνα", "кухня", "厨房", "مطبخ"};
    static const char *const bad[] = {
        "a/b",      /* a folder */
        "a\u202Eb", /* turns the direction */
        "a\u200Bb", /* no width */
        "a\u2028b", /* a line separator */
        "a\xC2\x85"
        "b", /* a control character */
        "\uFEFFa",
        "a\xC2\xA0"
        "b",
        "..",
        "a\tb",
    };
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char *text =
            text_format(BOX "sources: ( { name = \"%s\"; position = [1.0, 1.0, 1.0]; } );\n" RECEIVER, good[i]);
        struct room *room = good_room(text);
        assert_string_equal(room->sources[0].name, good[i]);
        room_free(room);
        free(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text = text_format(BOX SOURCE "receivers: ( { name = \"%s\"; position = [1.0, 1.0, 1.0]; } );\n", bad[i]);
        refused(text, &e);
        if (!strstr(e.message, "receivers[0].name: ") || !strstr(e.message, "cannot be part of a file name"))
            fail_msg("%s: %s", bad[i], e.message);
        free(text);
    }
}

static void texts_that_are_not_utf8_are_told_by_line(void **state)
{
    static const char *const broken[] = {"K\374che",     /* Latin-1 */
                                         "\xC0\xAF",     /* / in two bytes */
                                         "\xED\xA0\x80", /* half a pair */
                                         "\xFF"};
    static const char *const places[] = {"materials: { felt: { impedance = 2.0; source = \"%s\"; }; };\n",
                                         "output: { format = \"%s\"; };\n", "zzz = (1, \"%s\");\n"};
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            char *text = text_format(places[k], broken[i]), *room = text_format("# \xFC\n%s" BOX ENDS, text);
            refused(room, &e);
            assert_non_null(strstr(e.message, "room.cfg:2: byte 0x"));
            assert_non_null(strstr(e.message, "save it as UTF-8"));
            free(text);
            free(room);
        }
}

/* A refused name is offered for a misspelt one all the same, without its control characters. */
static void names_with_control_characters_are_never_shown(void **state)
{
    static const char *const bodies[] = {"", "score: { events: ( { time = 0.0; instrument = \"bass\"; } ); };\n",
                                         "pickups: ( { instrument = \"bass_tap\"; place = 0.5; } );\n"};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int control = 1; control < ' '; control++) {
            struct error e;
            char *text =
                text_format("instruments: ( { name = \"b%css_top\"; type = \"string\"; } );\n%s", control, bodies[i]);
            refused(text, &e);
            for (const char *at = e.message; *at; at++)
                if ((unsigned char)*at < ' ' && (*at != '\n' || at[1] == '\n'))
                    fail_msg("control character %d in: %s", *at, e.message);
            char offered[64];
            snprintf(offered, sizeof offered, "did you mean \"b\\x%02xss_top\"?", control);
            if (i == 2 && control != '\n' && !strstr(e.message, offered))
                fail_msg("nothing is offered: %s", e.message);
            free(text);
        }
}

static void letters_are_decoded_strictly(void **state)
{
    uint32_t letter;
    (void)state;
    assert_int_equal(text_letter("A", &letter), 1);
    assert_int_equal(letter, 'A');
    assert_int_equal(text_letter("ü", &letter), 2);
    assert_int_equal(letter, 0xFC);
    assert_int_equal(text_letter("厨", &letter), 3);
    assert_int_equal(letter, 0x53A8);
    assert_int_equal(text_letter("\U0001F3B5", &letter), 4);
    assert_int_equal(letter, 0x1F3B5);
    static const char *const broken[] = {"\x80",
                                         "\xC3",
                                         "\xC3(",
                                         "\xC1\x81",
                                         "\xE0\x81\x81",
                                         "\xED\xBF\xBF",
                                         "\xF0\x80\x80",
                                         "\xF4\x90\x80\x80",
                                         "\xF8\x88\x80\x80\x80"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_int_equal(text_letter(broken[i], &letter), 0);
}

/* The library that ships: its names of materials and its other words for them. */
static void read_words(struct reader *r, struct material_words *words)
{
    struct error e;
    setenv("AULA_DATA", SOURCE_FOLDER, 1);
    assert_int_equal(reader_open(r, "rooms/materials.cfg", &e), 0);
    assert_int_equal(material_words_list(words, r), 0);
    setenv("AULA_DATA", room_folder, 1);
}

static void newcomers_words_are_understood(void **state)
{
    static const char *const materials[] = {"brick",        "upholstered_chairs", "plate_glass", "double_glazing",
                                            "gypsum_board", "melamine_foam",      "rigid"};
    static const struct {
        const char *word, *meant;
    } words[] = {{"glass", "double_glazing"},
                 {"Sofa", "upholstered_chairs"},
                 {"couch", "upholstered_chairs"},
                 {"drywall", "gypsum_board"},
                 {"foam", "melamine_foam"},
                 {"acoustic foam", "melamine_foam"},
                 {"brik", "brick"},
                 {"chairs", "upholstered_chairs"},
                 {"glazing", "double_glazing"},
                 {"Sofa.001", "upholstered_chairs"},
                 {"bed_left", "upholstered_chairs"},
                 {"Plaster Board", "gypsum_board"},
                 {"windows", "double_glazing"},
                 {"red BRICK 2", "brick"}};
    enum { MATERIALS = sizeof materials / sizeof *materials };
    struct reader r;
    struct material_words library;
    size_t meant[3];
    (void)state;
    read_words(&r, &library);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t found = text_meant(meant, 1, words[i].word, library.aliases, materials, MATERIALS);
        if (!found || strcmp(materials[*meant], words[i].meant) != 0)
            fail_msg("%s: expected %s, got %s", words[i].word, words[i].meant, found ? materials[*meant] : "nothing");
    }
    assert_int_equal(text_meant(meant, 3, "glass", library.aliases, materials, MATERIALS), 2);
    assert_int_equal(meant[1], 2);
    assert_int_equal(text_meant(meant, 3, "glassy", library.aliases, (const char *const[]){"rigid"}, 1), 0);
    assert_int_equal(text_meant(meant, 3, "unobtainium", library.aliases, materials, MATERIALS), 0);
    material_words_free(&library);
    reader_close(&r);
}

static bool is_key_or_choice(const char *name)
{
    for (size_t i = 0; i < key_count; i++) {
        if (!strcmp(keys[i].name, name))
            return true;
        for (size_t k = 0; k < keys[i].choice_count; k++)
            if (!strcmp(keys[i].choices[k], name))
                return true;
    }
    return false;
}

/* Each word once, in any of its forms, and each for something that exists: otherwise it would never be offered. */
static void check_table(const struct synonym *table, bool (*exists)(const char *name, const void *names),
                        const void *names)
{
    for (const struct synonym *s = table; s->word; s++) {
        char *plural = text_format("%ss", s->word);
        if (synonym_of(table, s->word) != s || synonym_of(table, plural) != s)
            fail_msg("%s stands twice, perhaps as its plural or written otherwise", s->word);
        for (const char *const *name = s->names; *name; name++)
            if (!exists(*name, names))
                fail_msg("%s stands for %s, which does not exist", s->word, *name);
        free(plural);
    }
}

/* Options, commands and engines are known to the program alone. */
static bool is_known_to_the_program(const char *name, const void *nothing)
{
    static const char others[] =
        " cuda engine cpu output set threads plot quiet verbose dry input render auralize preview "
        "metrics validate info bench report synth devices receiver source ";
    char *word = text_format(" %s ", name);
    const bool known = is_key_or_choice(name) || strstr(others, word);
    (void)nothing;
    free(word);
    return known;
}

static bool is_material(const char *name, const void *words)
{
    const struct material_words *w = words;
    size_t i = 0;
    while (i < w->count && strcmp(w->names[i], name) != 0)
        i++;
    return i < w->count;
}

static void every_synonym_stands_for_something(void **state)
{
    struct reader r;
    struct material_words library;
    size_t aliases = 0;
    (void)state;
    check_table(synonyms, is_known_to_the_program, NULL);
    read_words(&r, &library);
    check_table(library.aliases, is_material, &library);
    for (const struct synonym *s = library.aliases; s->word; s++, aliases++)
        if (is_material(s->word, &library))
            fail_msg("%s is a material itself", s->word);
    assert_true(aliases > 100);
    material_words_free(&library);
    reader_close(&r);
}

static double seconds_to_refuse(const char *text, struct error *e)
{
    const double began = processor_seconds();
    refused(text, e);
    return processor_seconds() - began;
}

enum { SOON = 20 }; /* s of processor time, with a sanitizer too; the bombs below would take years */

static void inclusions_are_bounded(void **state)
{
    struct error e;
    char name[32], *text = text_copy("");
    (void)state;
    for (int level = 0; level < 8; level++) { /* thirty inclusions of the next in each */
        char *body = text_copy("");
        for (int i = 0; i < 30; i++) {
            char *longer = text_format("%s@include \"level%d.inc\"\n", body, level + 1);
            free(body);
            body = longer;
        }
        snprintf(name, sizeof name, "level%d.inc", level);
        write_file(name, body);
        free(text);
        text = body;
    }
    write_file("level8.inc", "\n");
    const double seconds = seconds_to_refuse("@include \"level0.inc\"\n", &e);
    assert_non_null(strstr(e.message, "a room may include at most 256 files"));
    assert_true(seconds < SOON);
    free(text);
    /* few of them, but long */
    char *comment = malloc((1 << 20) + 1);
    memset(comment, ' ', 1 << 20);
    comment[1 << 20] = '\0';
    comment[0] = '#';
    write_file("long.inc", comment);
    free(comment);
    assert_true(seconds_to_refuse("@include \"long.inc\"\n@include \"long.inc\"\n@include \"long.inc\"\n"
                                  "@include \"long.inc\"\n@include \"long.inc\"\n",
                                  &e) < SOON);
    assert_non_null(strstr(e.message, "long.inc: with this included file the room is longer than 4 MB"));
    write_file("few.inc", "\n");
    struct room *room = good_room("@include \"few.inc\"\n@include \"few.inc\"\n" BOX ENDS);
    room_free(room);
}

/* `count` keys in each of `groups` groups; `between` stands between a key and its equals sign */
static char *many_keys(int groups, int count, const char *between)
{
    struct growing_text text = {0};
    for (int g = 0; g < groups; g++) {
        growing_text_add(&text, "g%d: {", g);
        for (int i = 0; i < count; i++)
            growing_text_add(&text, "a%x%s=1;", i, between);
        growing_text_add(&text, "};\n");
    }
    char *whole = growing_text_take(&text, NULL);
    assert_non_null(whole);
    return whole;
}

/* libconfig compares every key of a group with all before it. */
static void comparisons_of_keys_are_bounded(void **state)
{
    static const char *const between[] = {"", " ", "/* */", "\f", "# \n", "// :\n"};
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        char *text = many_keys(1, 4097, between[i]);
        refused(text, &e);
        assert_non_null(strstr(e.message, "may hold at most 4096 keys"));
        free(text);
    }
    char *text = many_keys(5, 4096, "");
    refused(text, &e);
    assert_non_null(strstr(e.message, "room.cfg:5: the groups { } up to here hold too many keys"));
    free(text);
}

static void reading_ends_once_a_stop_is_requested(void **state)
{
    struct error e;
    (void)state;
    write_file("part.inc", "\n");
    write_file("room.cfg", "@include \"part.inc\"\n@include \"nosuch.inc\"\n");
    stop_work(true);
    assert_null(read_room("room.cfg", NULL, 0, &e));
    stop_work(false);
    assert_int_equal(e.code, ERROR_STOPPED);
}

/* Lines of parts and of what follows them are those of their files, also where a part ends in a comment. */
static void mistakes_are_found_in_the_file_that_holds_them(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {{"@include \"outer.inc\" # and\n\nwrong1 = 1;\n", "room.cfg:3: wrong1: "},
                 {"@include \"outer.inc\" wrong1 = 1;\n", "room.cfg:1: wrong1: "},
                 {"\n  @include \"outer.inc\"\n@include \"empty.inc\"\nwrong1 = 1;\n", "room.cfg:4: wrong1: "},
                 {"\n@include \"outer.inc\"\ngrid = ;\n", "room.cfg:3: syntax error"},
                 {"\n@include \"outer.inc\"\n", "inner.inc:3: wrong3: "},
                 {"\n@include \"outer.inc\"\n", "outer.inc:4: wrong2: "},
                 {"\n@include \"broken.inc\"\n", "broken.inc:2: syntax error"}};
    (void)state;
    write_file("empty.inc", "");
    write_file("inner.inc", "\n\nwrong3 = 1; # without an end of the line");
    write_file("outer.inc", "# a part\n@include \"inner.inc\"\n\nwrong2 = 2; // nor here");
    write_file("broken.inc", "\ngrid = ;\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e;
        refused(cases[i].text, &e);
        if (!strstr(e.message, cases[i].expected))
            fail_msg("case %zu: \"%s\" lacks \"%s\"", i, e.message, cases[i].expected);
    }
}

static char *many_materials(size_t count, const char *separator, const char *before, const char *after)
{
    char *text = malloc(count * 40 + 1000), *at = text;
    assert_non_null(text);
    at += snprintf(at, 500, "%s", before);
    for (size_t i = 0; i < count; i++)
        at +=
            snprintf(at, 40, "%s%sm%zu%s { %simpedance%s 2.0 }", i ? separator : "", *separator == ',' ? "\"" : "", i,
                     *separator == ',' ? "\":" : " =", *separator == ',' ? "\"" : "", *separator == ',' ? "\":" : " =");
    snprintf(at, 400, "%s", after);
    return text;
}

static void keys_of_a_group_are_bounded(void **state)
{
    struct error e;
    (void)state;
    char *text = many_materials(100000, ";", BOX ENDS "materials: {\n", "; };\n");
    assert_true(seconds_to_refuse(text, &e) < SOON);
    assert_non_null(strstr(e.message, "room.cfg:5: a group { } may hold at most 4096 keys"));
    free(text);
    text = many_materials(100000, ",", "{ \"room\": { \"size\": [4, 3, 2.5] }, \"materials\": {", "} }");
    assert_true(seconds_to_refuse(text, &e) < SOON);
    assert_non_null(strstr(e.message, "may hold at most 4096 keys"));
    free(text);
    text = many_materials(4096, ";", BOX ENDS "materials: {\n", "; };\n");
    struct room *room = good_room(text);
    room_free(room);
    free(text);
}

static void sounds_are_not_taken_for_rooms(void **state)
{
    static const struct {
        const char *begins, *expected;
    } files[] = {{"RIFF\1\1\1\1WAVEfmt \1\1\1\1", "is a sound file (WAV), not a room file; use a text file"},
                 {"fLaC\1\1\1\1\1\1\1\1\1", "is a sound file (FLAC), not a room file"},
                 {"OggS\1\1\1\1\1\1\1\1\1", "is a sound file (Ogg), not a room file"},
                 {"MThd\1\1\1\1\1\1\1\1\1", "is a MIDI file, not a room file; set it as score.file"}};
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        refused(files[i].begins, &e);
        if (!strstr(e.message, files[i].expected))
            fail_msg("expected %s\n got %s", files[i].expected, e.message);
    }
    write_file("room.json", "{}");
    refused(files[0].begins, &e);
    assert_non_null(strstr(e.message, "use "));
    assert_non_null(strstr(e.message, "room.json for its room, or aula metrics"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_mistakes_are_told_in_the_order_of_the_file),
        cmocka_unit_test(all_materials_that_no_wall_can_be_are_told),
        cmocka_unit_test(what_follows_from_a_mistake_is_not_told_too),
        cmocka_unit_test(very_many_mistakes_are_ten_lines_and_a_number),
        cmocka_unit_test(long_lines_leave_room_for_the_number),
        cmocka_unit_test(objects_have_names_and_the_numbers_of_their_keys),
        cmocka_unit_test(names_of_any_script_are_taken),
        cmocka_unit_test(texts_that_are_not_utf8_are_told_by_line),
        cmocka_unit_test(names_with_control_characters_are_never_shown),
        cmocka_unit_test(letters_are_decoded_strictly),
        cmocka_unit_test(newcomers_words_are_understood),
        cmocka_unit_test(every_synonym_stands_for_something),
        cmocka_unit_test(inclusions_are_bounded),
        cmocka_unit_test(comparisons_of_keys_are_bounded),
        cmocka_unit_test(reading_ends_once_a_stop_is_requested),
        cmocka_unit_test(mistakes_are_found_in_the_file_that_holds_them),
        cmocka_unit_test(keys_of_a_group_are_bounded),
        cmocka_unit_test(sounds_are_not_taken_for_rooms),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}

/* SPDX-License-Identifier: MIT */
/* Meshes in metres with z up, and the materials of their names. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/text.h"
#include "geometry/importer.h"
#include "geometry/mesh.h"
#include "geometry/mesh_materials.h"
#include "geometry/mesh_read.h"
#include "support/box_files.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static void write_box(const char *format, const char *name, const char *from, const char *to)
{
    size_t length;
    char *text = box_text(format, &length), *at = *from ? strstr(text, from) : NULL;
    assert_non_null(text);
    FILE *f = fopen(scratch_path(name), "wb");
    assert_non_null(f);
    if (*from) {
        assert_non_null(at);
        fwrite(text, 1, (size_t)(at - text), f);
        fputs(to, f);
        at += strlen(from);
    } else {
        at = text;
    }
    fwrite(at, 1, length - (size_t)(at - text), f);
    assert_int_equal(fclose(f), 0);
    free(text);
}

static void read_box(const char *name, struct mesh_options o, struct mesh *m)
{
    struct error e;
    must(mesh_read(m, scratch_path(name), &o, &e), &e);
}

static void assert_bounds(const struct mesh *m, double x0, double x1, double y0, double y1, double z0, double z1)
{
    const double expected[2][3] = {{x0, y0, z0}, {x1, y1, z1}};
    double bounds[2][3];
    mesh_bounds(m, bounds[0], bounds[1]);
    for (int i = 0; i < 6; i++)
        assert_within(bounds[i / 3][i % 3], expected[i / 3][i % 3], 1e-4);
}

static void refused(const char *name, struct mesh_options o, const char *words)
{
    struct mesh m;
    struct error e;
    assert_int_equal(mesh_read(&m, scratch_path(name), &o, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, words) || !strstr(e.message, name))
        print_error("said:     %s\nexpected: %s\n", e.message, words);
    assert_non_null(strstr(e.message, words));
    assert_non_null(strstr(e.message, name));
    assert_null(m.triangles);
}

static void units_scale_to_metres(void **state)
{
    (void)state;
    static const double metres[MESH_UNIT_COUNT] = {0.0, 1.0, 0.01, 0.001, 0.0254, 0.3048};
    for (int u = MESH_UNIT_M; u < MESH_UNIT_COUNT; u++) {
        struct mesh m;
        char text[256];
        const double edge = 2.0 / metres[u];
        snprintf(text, sizeof text, "v 0 0 0\nv %.17g 0 0\nv 0 %.17g 0\nv 1e9 1e9 1e9\nf 1 2 3\n", edge, edge);
        scratch_write(scratch_path("a.OBJ"), text, strlen(text));
        read_box("a.OBJ", (struct mesh_options){.unit = (enum mesh_unit)u}, &m);
        assert_bounds(&m, 0, 2, 0, 2, 0, 0); /* a vertex without faces does not count */
        mesh_free(&m);
    }
}

static void the_unit_is_asked_for(void **state)
{
    (void)state;
    write_box(".obj", "a.obj", "", "");
    write_box(".stl", "a.stl", "", "");
    write_box(".ply", "a.ply", "", "");
    refused("a.obj", (struct mesh_options){0}, "states no unit; set `unit` to \"m\", \"cm\", \"mm\", \"inch\"");
    refused("a.stl", (struct mesh_options){0}, "states no unit; set `unit`");
    refused("a.ply", (struct mesh_options){0}, "states no unit; set `unit`");
}

static void wrong_extents_suggest_the_unit(void **state)
{
    (void)state;
    static const char in_mm[] = "v 0 0 0\nv 5000 0 0\nv 0 4000 0\nf 1 2 3\n",
                      in_m[] = "v 0 0 0\nv 5 0 0\nv 0 4 0\nf 1 2 3\n", far[] = "v 0 0 0\nv 1e9 0 0\nv 0 4 0\nf 1 2 3\n";
    scratch_write(scratch_path("a.obj"), in_mm, strlen(in_mm));
    refused("a.obj", (struct mesh_options){.unit = MESH_UNIT_M},
            "measures 5000 x 4000 x 0 m with unit = \"m\", which is too large for a room: unit = \"cm\" makes it 50 x "
            "40 x 0 m, "
            "unit = \"mm\" makes it 5 x 4 x 0 m, unit = \"inch\" makes it 127 x 101.6 x 0 m");
    scratch_write(scratch_path("a.obj"), in_m, strlen(in_m));
    refused("a.obj", (struct mesh_options){.unit = MESH_UNIT_MM},
            "measures 0.005 x 0.004 x 0 m with unit = \"mm\", which is too small for a room: unit = \"m\" makes it 5 x "
            "4 x 0 m");
    scratch_write(scratch_path("a.obj"), far, strlen(far));
    refused("a.obj", (struct mesh_options){.unit = MESH_UNIT_M}, "look for parts that lie far away");
}

static void y_up_is_turned_and_mirrors_keep_fronts(void **state)
{
    (void)state;
    struct mesh m;
    write_box(".obj", "a.obj", "", "");
    read_box("a.obj", (struct mesh_options){MESH_UNIT_M, MESH_UP_FILE, false}, &m);
    assert_bounds(&m, 0, 5, 0, 4, 0, 3);
    mesh_free(&m);
    read_box("a.obj", (struct mesh_options){MESH_UNIT_M, MESH_UP_Y, false}, &m);
    assert_bounds(&m, 0, 5, -3, 0, 0, 4);
    assert_within(mesh_volume(&m), 60.0, 1e-12);
    mesh_free(&m);
    read_box("a.obj", (struct mesh_options){MESH_UNIT_M, MESH_UP_Z, true}, &m);
    assert_bounds(&m, -5, 0, 0, 4, 0, 3);
    assert_within(mesh_volume(&m), 60.0, 1e-12);
    mesh_free(&m);
}

static void need_assimp(void)
{
    const char *reason = mesh_importer.unavailable();
    if (reason) {
        print_message("not tested: %s\n", reason);
        skip();
    }
}

static void formats_that_say_their_axes_and_units_are_believed(void **state)
{
    (void)state;
    struct mesh m;
    write_box(".gltf", "a.gltf", "", "");
    read_box("a.gltf", (struct mesh_options){MESH_UNIT_FT, MESH_UP_Z, false}, &m); /* against its specification */
    assert_bounds(&m, 0, 1.524, 0, 0.9144, -1.2192, 0);
    mesh_free(&m);
    need_assimp();
    write_box(".dae", "y.dae", "Z_UP", "Y_UP");
    read_box("y.dae", (struct mesh_options){0}, &m);
    assert_bounds(&m, 0, 5, -3, 0, 0, 4);
    mesh_free(&m);
    read_box("y.dae", (struct mesh_options){.up = MESH_UP_Z}, &m); /* the file is wrong: the user knows better */
    assert_bounds(&m, 0, 5, 0, 4, 0, 3);
    mesh_free(&m);
    write_box(".dae", "z.dae", "", "");
    read_box("z.dae", (struct mesh_options){.up = MESH_UP_Y}, &m);
    assert_bounds(&m, 0, 5, -3, 0, 0, 4);
    mesh_free(&m);
    write_box(".dae", "inch.dae", "meter=\"1\"", "meter=\"0.5\"");
    read_box("inch.dae", (struct mesh_options){0}, &m);
    assert_bounds(&m, 0, 2.5, 0, 2, 0, 1.5);
    mesh_free(&m);
    refused("inch.dae", (struct mesh_options){.unit = MESH_UNIT_INCH}, "states its own unit; remove `unit`");
}

static void what_cannot_be_read_says_what_to_do(void **state)
{
    (void)state;
    write_box(".ifc", "four.ifc", "IFC2X3", "IFC4");
    refused("four.ifc", (struct mesh_options){0},
            "is IFC4, and only IFC2X3 is supported; convert it with tools/ifc2obj");
    write_box(".ifc", "none.ifc", "FILE_SCHEMA", "FILE_NOTHING");
    refused("none.ifc", (struct mesh_options){0}, "states no IFC version");
    refused("a.skp", (struct mesh_options){0}, "export it from SketchUp as OBJ or DAE");
    refused("a.blend", (struct mesh_options){0}, "(.obj, .gltf, .glb, .stl, .ply, .dae, .ifc 2x3)");
    refused("obj", (struct mesh_options){0}, "is not a supported model format");
    refused("missing.glb", (struct mesh_options){0}, "cannot be read");
    scratch_write(scratch_path("bad.glb"), "glTF....", 8);
    refused("bad.glb", (struct mesh_options){0}, "the header is not that of a .glb");
    refused("missing.dae", (struct mesh_options){0},
            mesh_importer.unavailable() ? "export the model as OBJ or glTF" : "cannot be read");
    if (!mesh_importer.unavailable()) {
        scratch_write(scratch_path("bad.dae"), "<COLLADA", 8);
        refused("bad.dae", (struct mesh_options){0}, "assimp cannot read the file");
        write_box(".ifc", "up.ifc", "", "");
        refused("up.ifc", (struct mesh_options){.up = MESH_UP_Y}, "z is always up in this format; remove `up`");
    }
}

static void devices_and_folders_are_refused_at_once(void **state)
{
    (void)state;
    assert_int_equal(symlink("/dev/zero", scratch_path("endless.obj")), 0);
    refused("endless.obj", (struct mesh_options){.unit = MESH_UNIT_M}, "a pipe or a device");
    assert_int_equal(symlink("/", scratch_path("folder.obj")), 0);
    refused("folder.obj", (struct mesh_options){.unit = MESH_UNIT_M}, "a folder");
}

/* A PLY with this header and `bytes` bytes behind it. */
static int read_ply(const char *header, size_t bytes, struct error *e)
{
    const struct mesh_options options = {.unit = MESH_UNIT_M};
    struct mesh m;
    char text[4000];
    const int length = snprintf(text, sizeof text, "%s%*s", header, (int)bytes, "");
    scratch_write(scratch_path("model.ply"), text, (size_t)length);
    const int status = mesh_read(&m, scratch_path("model.ply"), &options, e);
    mesh_free(&m);
    return status;
}

static void a_damaged_ply_header_is_refused_before_the_library_reads_it(void **state)
{
    (void)state;
    static const struct {
        const char *header, *message;
        size_t bytes;
    } cases[] = {
        {"", "ends within its header", 0},
        {"plz\nformat ascii 1.0\nend_header\n", "model.ply:1: the file does not begin with ply", 9},
        {"ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nelemdnt face 12\nend_heade0 4\n",
         "model.ply:5: this is not a header line", 999},
        {"ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nend_heade0 4\n", "model.ply:5: ", 999},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n", "ends within its header", 0},
        {"ply\nformat acsii 1.0\nend_header\n", "model.ply:2: the format is not a PLY format", 9},
        {"ply\nformat ascii 1.0\nproperty float x\nend_header\n", "model.ply:3: ", 9},
        {"ply\nformat ascii 1.0\nelement vertex 3\nproperty flaot x\nend_header\n", "model.ply:4: ", 9},
        {"ply\nformat ascii 1.0\nelement vertex -3\nproperty float x\nend_header\n", "model.ply:3: ", 9},
        {"ply\nformat ascii 1.0\nelement vertex 3\nend_header\n", "more elements than a file can hold", 9},
        {"ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nend_header\n", "at least 10 bytes, and 9 follow",
         8},
        {"ply\nformat binary_little_endian 1.0\nelement vertex 1000000000\nproperty double x\nproperty float y\n"
         "end_header\n",
         "at least 12000000000 bytes, and 99 follow", 99},
        {"ply\nformat binary_big_endian 1.0\nelement vertex 18446744073709551615\nproperty double x\nend_header\n",
         "more elements than a file can hold", 99},
        {"ply\nformat binary_big_endian 1.0\nelement face 9223372036854775807\nproperty list char int x\n"
         "element edge 9223372036854775807\nproperty char x\nelement edge 9\nproperty char x\nend_header\n",
         "more elements than a file can hold", 99},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e = {ERROR_NONE, ""};
        if (!read_ply(cases[i].header, cases[i].bytes, &e) || !strstr(e.message, cases[i].message))
            fail_msg("case %zu: %s", i, e.message);
        assert_int_equal(e.code, ERROR_INPUT);
    }
}

static void patterns_match_whole_names(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"Wall", "Wall", true},
        {"Wall", "wall", false},
        {"Wall", "Walls", false},
        {"Wall*", "Walls", true},
        {"Wall*", "Wall", true},
        {"*wall", "Northwall", true},
        {"*a*b*c", "xaybzc", true},
        {"*a*b*c", "xaybz", false},
        {"W?ll", "Wall", true},
        {"W?ll", "Wll", false},
        {"T?r", "T\xC3\xBCr", true},
        {"T??r", "T\xC3\xBCr", false},
        {"*", "", true},
        {"", "", true},
        {"", "x", false},
        {"?", "", false},
        {"Wall[1]", "Wall[1]", true},
        {"Wall[1]", "Wall1", false},
        {"a\\*", "a\\b", true},
        {"**", "x", true},
        {"*?", "x", true},
        {"*??", "x", false},
        {"*\xC3\xBC", "T\xC3\xBC", true},
    };
    uint64_t comparisons = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (name_matches(cases[i].pattern, cases[i].name, &comparisons) != cases[i].matches) {
            print_error("\"%s\" and \"%s\"\n", cases[i].pattern, cases[i].name);
            fail();
        }
    static char many[60], name[10001]; /* no work that grows with the number of * */
    for (size_t i = 0; i < 58; i += 2)
        memcpy(many + i, "a*", 2);
    many[58] = 'b';
    memset(name, 'a', sizeof name - 1);
    comparisons = 0;
    assert_false(name_matches(many, name, &comparisons));
    assert_true(comparisons < 3 * sizeof name);
}

static size_t letter_bytes(const char *text)
{
    uint32_t letter;
    return text_letter(text, &letter);
}

/* The definition: exponential. */
static bool matches_by_definition(const char *pattern, const char *name)
{
    if (!*pattern)
        return !*name;
    if (*pattern == '*')
        return matches_by_definition(pattern + 1, name) ||
               (*name && matches_by_definition(pattern, name + letter_bytes(name)));
    const size_t of_pattern = letter_bytes(pattern), of_name = *name ? letter_bytes(name) : 0;
    return of_name && (*pattern == '?' || (of_pattern == of_name && !memcmp(pattern, name, of_name))) &&
           matches_by_definition(pattern + of_pattern, name + of_name);
}

/* Of at most 11 letters. */
static void random_word(struct random *r, const char *const letters[], size_t count, char word[48])
{
    *word = '\0';
    for (size_t length = random_between(r, 0, 11), used = 0; length > 0; length--)
        used += (size_t)snprintf(word + used, 48 - used, "%s", letters[random_between(r, 0, count - 1)]);
}

/* U+00FC and U+00BC end with the same byte. */
static void patterns_match_as_defined(void **state)
{
    static const char *const letters[] = {"a", "a", "a", "b", "\xC3\xBC", "\xC2\xBC", "*", "*", "*", "?"};
    struct random r = random_cases("patterns");
    size_t matched = 0;
    (void)state;
    for (int i = 0; i < case_count(200000); i++) {
        char pattern[48], name[48];
        uint64_t comparisons = 0;
        random_word(&r, letters, 10, pattern);
        random_word(&r, letters, 6, name);
        const bool expected = matches_by_definition(pattern, name);
        if (name_matches(pattern, name, &comparisons) != expected)
            fail_msg("\"%s\" and \"%s\": expected %d", pattern, name, expected);
        assert_true(comparisons >= 1 && comparisons <= 3 + (strlen(pattern) + 1) * (strlen(name) + 1));
        matched += expected;
    }
    assert_true(matched > 100);
}

/* Long words of few letters: their parts nearly match at many places. */
static void matching_without_question_marks_is_linear(void **state)
{
    struct random r = random_cases("linear matching");
    (void)state;
    for (int i = 0; i < case_count(20000); i++) {
        char pattern[MESH_NAME_MAX + 1], name[MESH_NAME_MAX + 1];
        const size_t part = random_between(&r, 1, MESH_NAME_MAX), rare = random_between(&r, 1, MESH_NAME_MAX);
        uint64_t comparisons = 0;
        memset(pattern, 'a', MESH_NAME_MAX);
        memset(name, 'a', MESH_NAME_MAX);
        for (size_t at = 0; at < MESH_NAME_MAX; at += part)
            pattern[at] = '*';
        for (size_t at = rare; at < MESH_NAME_MAX; at += rare)
            pattern[at] = random_between(&r, 0, 1) ? 'b' : pattern[at];
        pattern[MESH_NAME_MAX] = name[MESH_NAME_MAX] = '\0';
        name_matches(pattern, name, &comparisons);
        if (comparisons > 3 * MESH_NAME_MAX)
            fail_msg("%llu comparisons of %s", (unsigned long long)comparisons, pattern);
    }
}

/* A mesh of names alone. */
static struct mesh mesh_of_names(char **names, size_t count)
{
    return (struct mesh){.materials = names, .material_count = count};
}

static void the_work_of_matching_is_bounded(void **state)
{
    enum { NAMES = 40, PATTERNS = 2000 };
    static char name[MESH_NAME_MAX + 1], pattern[MESH_NAME_MAX + 2];
    static const char *patterns[PATTERNS];
    char *names[NAMES];
    size_t pattern_of[NAMES];
    struct error e;
    (void)state;
    memset(name, 'a', MESH_NAME_MAX);
    memset(pattern, 'a', MESH_NAME_MAX / 2);
    memcpy(pattern, "*?", 2);
    memcpy(pattern + MESH_NAME_MAX / 2, "b*", 2); /* a quarter of a million comparisons */
    for (size_t i = 0; i < NAMES; i++)
        names[i] = name;
    for (size_t i = 0; i < PATTERNS; i++)
        patterns[i] = pattern;
    const struct mesh m = mesh_of_names(names, NAMES);
    struct mesh_naming n = {.patterns = patterns, .pattern_count = PATTERNS, .where = "room.cfg"};
    uint64_t comparisons = 0;
    assert_false(name_matches(pattern, name, &comparisons));
    assert_true(comparisons * NAMES * PATTERNS > 2 * MESH_COMPARISONS_MAX);
    assert_int_equal(mesh_match_materials(&m, &n, pattern_of, NULL, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "room.cfg: matching these patterns"));
    assert_non_null(strstr(e.message, "use fewer, or patterns without ? after *"));
    stop_work(true);
    assert_int_equal(mesh_match_materials(&m, &n, pattern_of, NULL, &e), -1);
    stop_work(false);
    assert_int_equal(e.code, ERROR_STOPPED);
    memset(pattern, 'a', sizeof pattern - 1);
    n.pattern_count = 1;
    assert_int_equal(mesh_match_materials(&m, &n, pattern_of, NULL, &e), -1);
    assert_non_null(strstr(e.message, "is longer than the 1023 bytes"));
}

/* Linear patterns too are many and long enough; what they have not, nobody is told to leave out. */
static void advice_on_slow_patterns_fits_them(void **state)
{
    enum { NAMES = 1000, PATTERNS = 2000 };
    static char name[MESH_NAME_MAX + 1];
    static const char *patterns[PATTERNS];
    static char *names[NAMES];
    static size_t pattern_of[NAMES];
    struct error e;
    (void)state;
    memset(name, 'a', MESH_NAME_MAX);
    for (size_t i = 0; i < NAMES; i++)
        names[i] = name;
    for (size_t i = 0; i < PATTERNS; i++)
        patterns[i] = i ? "*b*" : "?b";
    const struct mesh m = mesh_of_names(names, NAMES);
    const struct mesh_naming n = {.patterns = patterns, .pattern_count = PATTERNS, .where = "room.cfg"};
    assert_int_equal(mesh_match_materials(&m, &n, pattern_of, NULL, &e), -1);
    assert_non_null(strstr(e.message, "room.cfg: matching these patterns"));
    assert_non_null(strstr(e.message, "use fewer, or shorter patterns"));
}

static const char *const library[] = {"brick", "carpet_on_concrete", "glass_large_pane", "plaster_on_brick", "rigid"};

static void the_first_match_wins(void **state)
{
    (void)state;
    static const char *const patterns[] = {"Ceil*", "C*", "Wall?", "*", "Floor"};
    struct mesh m;
    struct error e;
    size_t pattern_of[BOX_PARTS], matched[5];
    write_box(".obj", "a.obj", "", "");
    read_box("a.obj", (struct mesh_options){.unit = MESH_UNIT_M}, &m);
    const struct mesh_naming n = {patterns, 5, library, 5, "room.cfg: room.geometry.materials", NULL};
    must(mesh_match_materials(&m, &n, pattern_of, matched, &e), &e);
    for (size_t i = 0; i < BOX_PARTS; i++)
        assert_int_equal(pattern_of[i], !strcmp(m.materials[i], "Ceiling") ? 0
                                        : !strcmp(m.materials[i], "Walls") ? 2
                                                                           : 3);
    const size_t expected[5] = {1, 0, 1, 1, 0};
    assert_memory_equal(matched, expected, sizeof expected);
    mesh_free(&m);
}

static void names_without_a_match_are_one_error(void **state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 6 0\nusemtl Carpet\nf 1 2 3\nusemtl Brik\nf 1 2 4\nusemtl Known\nf 1 2 3\n"
        "usemtl\nf 1 2 3\nf 1 2 4\n";
    static const char *const patterns[] = {"Known"};
    struct mesh m;
    struct error e;
    size_t pattern_of[8];
    scratch_write(scratch_path("a.obj"), text, strlen(text));
    read_box("a.obj", (struct mesh_options){.unit = MESH_UNIT_M}, &m);
    const struct mesh_naming n = {patterns, 1, library, 5, "room.cfg: room.geometry.materials", NULL};
    assert_int_equal(mesh_match_materials(&m, &n, pattern_of, NULL, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_string_equal(
        e.message, "room.cfg: room.geometry.materials: no pattern matches 3 names of the model; add { name = \"..\"; "
                   "material = \"..\"; } for:\n"
                   "  \"\" (faces without a name), 9 m2\n"
                   "  \"Brik\", 6 m2: perhaps brick\n"
                   "  \"Carpet\", 3 m2: perhaps carpet_on_concrete");
    mesh_free(&m);
}

static void very_many_names_fit_one_error(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    static size_t pattern_of[300];
    FILE *f = fopen(scratch_path("a.obj"), "w");
    assert_non_null(f);
    fprintf(f, "v 0 0 0\nv 2 0 0\nv 0 3 0\n");
    for (int i = 0; i < 300; i++)
        fprintf(f, "usemtl %0*d\nf 1 2 3\n", 500, i);
    assert_int_equal(fclose(f), 0);
    read_box("a.obj", (struct mesh_options){.unit = MESH_UNIT_M}, &m);
    const struct mesh_naming n = {NULL, 0, library, 5, "room.cfg", NULL};
    assert_int_equal(mesh_match_materials(&m, &n, pattern_of, NULL, &e), -1);
    assert_non_null(strstr(e.message, "no pattern matches 300 names"));
    assert_non_null(strstr(e.message, "\n  and 280 more"));
    mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_scale_to_metres),
        cmocka_unit_test(the_unit_is_asked_for),
        cmocka_unit_test(wrong_extents_suggest_the_unit),
        cmocka_unit_test(y_up_is_turned_and_mirrors_keep_fronts),
        cmocka_unit_test(formats_that_say_their_axes_and_units_are_believed),
        cmocka_unit_test(what_cannot_be_read_says_what_to_do),
        cmocka_unit_test(devices_and_folders_are_refused_at_once),
        cmocka_unit_test(a_damaged_ply_header_is_refused_before_the_library_reads_it),
        cmocka_unit_test(patterns_match_whole_names),
        cmocka_unit_test(patterns_match_as_defined),
        cmocka_unit_test(matching_without_question_marks_is_linear),
        cmocka_unit_test(the_work_of_matching_is_bounded),
        cmocka_unit_test(advice_on_slow_patterns_fits_them),
        cmocka_unit_test(the_first_match_wins),
        cmocka_unit_test(names_without_a_match_are_one_error),
        cmocka_unit_test(very_many_names_fit_one_error),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

/* SPDX-License-Identifier: MIT */
/* OBJ files: what they say is read exactly; what is wrong names file, line, face and material. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "geometry/obj_read.h"
#include "support/box_files.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static struct mesh mesh;

static int read_bytes(const char *text, size_t length, struct error *e)
{
    scratch_write(scratch_path("file.obj"), text, length);
    return obj_read(&mesh, scratch_path("file.obj"), e);
}

static void read_text(const char *text)
{
    struct error e;
    must(read_bytes(text, strlen(text), &e), &e);
}

static void assert_triangle(size_t t, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(t < mesh.triangle_count);
    const uint32_t *v = mesh.triangles[t].vertex;
    if (v[0] != a || v[1] != b || v[2] != c) {
        print_error("triangle %zu is %u %u %u\n", t, v[0], v[1], v[2]);
        fail();
    }
}

/* Refused with this message after the file's name. */
static void refused(const char *text, const char *message)
{
    struct error e;
    assert_int_equal(read_bytes(text, strlen(text), &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    const char *said = strstr(e.message, "file.obj:");
    if (!said || strcmp(said + strlen("file.obj:"), message) != 0)
        print_error("said:     %s\nexpected: ..file.obj:%s\n", e.message, message);
    assert_non_null(said);
    assert_string_equal(said + strlen("file.obj:"), message);
    assert_null(mesh.triangles);
}

static void all_forms_of_corners_are_read(void **state)
{
    (void)state;
    read_text(SQUARE "vt 0 0\nvn 0 0 1\nf 1 2 3\nf 1/1 2/1 4/1\nf 2//1 3//1 4//1\nf 1/1/1 3/1/1 4/1/1\nf -4 -3 -1\nf "
                     "1/ 2// +3/1/\n");
    assert_int_equal(mesh.triangle_count, 6);
    assert_triangle(0, 0, 1, 2);
    assert_triangle(1, 0, 1, 3);
    assert_triangle(2, 1, 2, 3);
    assert_triangle(3, 0, 2, 3);
    assert_triangle(4, 0, 1, 3);
    assert_triangle(5, 0, 1, 2);
    mesh_free(&mesh);
}

static void negative_numbers_count_from_the_vertices_so_far(void **state)
{
    (void)state;
    read_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -3 -1\n");
    assert_triangle(0, 0, 1, 2);
    assert_triangle(1, 0, 1, 3);
    mesh_free(&mesh);
}

static void polygons_become_triangles(void **state)
{
    (void)state;
    read_text("v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nf 1 2 3 4 5\n"); /* an arrow: not convex */
    assert_int_equal(mesh.triangle_count, 3);
    assert_within(mesh_area(&mesh), 10.0, 1e-14); /* 16 - 4 * 3 / 2; a fan from corner 1 gives more */
    assert_int_equal(mesh.triangles[2].line, 6);
    mesh_free(&mesh);
}

static void numbers_keep_double_precision(void **state)
{
    (void)state;
    read_text("v 0.1 1e-3 -2.5E+2 1.0\nv 123456789.123456789 .5 5.\nv +1 0 0 0.5 0.5 0.5\nf 1 2 3\n");
    const double expected[3][3] = {{0.1, 1e-3, -250.0}, {123456789.123456789, 0.5, 5.0}, {1, 0, 0}};
    assert_memory_equal(mesh.vertices, expected, sizeof expected);
    mesh_free(&mesh);
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' 2>&1", scratch_folder);
    const bool made = system(command) == 0 && !setenv("LOCPATH", scratch_folder, 1);
    const locale_t comma = made ? newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0) : (locale_t)0;
    if (!comma) {
        print_message("not tested: localedef makes no de_DE.UTF-8: it comes with the package locales\n");
        skip();
    }
    const locale_t before = uselocale(comma);
    read_text("v 0.5 0 0\nv 1.5 0 0\nv 1 1.25 0\nf 1 2 3\n");
    double comma_read = strtod("1,5", NULL);
    uselocale(before);
    freelocale(comma);
    assert_within(comma_read, 1.5, 0.0); /* it was in force */
    assert_within(mesh.vertices[2][1], 1.25, 0.0);
    mesh_free(&mesh);
}

static void lines_end_and_continue_in_all_ways(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBFv 0 0 0 # one\r\nv 1 0 \\\r\n 0\r\n\r\n\t v\t1 1 0\r"
                               "# C:\\models\\\nv 0 1 0\nusemtl \\\n  A B \t\nf 1 2 \\\n 3 \\\n 4";
    read_text(text);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 2);
    assert_string_equal(mesh.materials[0], "A B");
    assert_int_equal(mesh.triangles[0].line, 10);
    mesh_free(&mesh);
}

static void lines_may_be_of_any_length(void **state)
{
    (void)state;
    enum { COPIES = 1000000 };
    struct growing_text t = {0};
    growing_text_add(&t, "# ");
    for (int i = 0; i < COPIES; i++)
        growing_text_bytes(&t, "xxxxxxxxxx", 10);
    growing_text_add(&t, "\nv 0 0 0");
    for (int i = 0; i < COPIES; i++)
        growing_text_bytes(&t, " ", 1);
    growing_text_add(&t, "\nv 1 0 0\nv 1 1 0\nunknown ");
    for (int i = 0; i < COPIES; i++)
        growing_text_bytes(&t, "y", 1);
    growing_text_add(&t, "\nf 1 2 3\n");
    size_t length;
    char *text = growing_text_take(&t, &length);
    assert_non_null(text);
    read_text(text);
    assert_int_equal(mesh.triangle_count, 1);
    assert_int_equal(mesh.triangles[0].line, 6);
    free(text);
    mesh_free(&mesh);
}

static void names_are_those_of_usemtl_else_of_groups(void **state)
{
    (void)state;
    read_text(SQUARE
              "f 1 2 3\no Room\nf 1 2 3\ng North wall\nf 1 2 3\nmtllib none.mtl\nusemtl unused\nusemtl Glass #2\n"
              "f 1 2 3\ng South wall\nf 1 2 3\nusemtl\nf 1 2 3\nusemtl glass #2\nf 1 2 3\nusemtl T\xFCr\nf 1 2 3\n");
    static const char *const expected[8] = {"",         "Room",       "North wall", "Glass #2",
                                            "Glass #2", "South wall", "glass #2",   "T\xEF\xBF\xBDr"};
    assert_int_equal(mesh.material_count, 7);
    for (size_t t = 0; t < 8; t++)
        assert_string_equal(mesh.materials[mesh.triangles[t].material], expected[t]);
    mesh_free(&mesh);
}

static void wrong_vertices_name_file_and_line(void **state)
{
    (void)state;
    refused("# x\nv 1 2\n", "2: vertex 1 has 2 coordinates; it needs 3");
    refused(SQUARE "v 1 2 x\n", "5: vertex 5: x is not a number between -1e12 and 1e12");
    refused("v 1 2 0x10\n", "1: vertex 1: 0x10 is not a number between -1e12 and 1e12");
    refused("v nan 0 0\n", "1: vertex 1: nan is not a number between -1e12 and 1e12");
    refused("v 0 inf 0\n", "1: vertex 1: inf is not a number between -1e12 and 1e12");
    refused("v 0 1e999 0\n", "1: vertex 1: 1e999 is not a number between -1e12 and 1e12");
    refused("v 0 -1.1e12 0\n", "1: vertex 1: -1.1e12 is not a number between -1e12 and 1e12");
    refused("v 0 1,5 0\n", "1: vertex 1: 1,5 is not a number between -1e12 and 1e12");
    refused("v 0 1e5e5 0\n", "1: vertex 1: 1e5e5 is not a number between -1e12 and 1e12");
}

static void wrong_faces_name_file_line_face_and_material(void **state)
{
    (void)state;
    const char *form = "expected a vertex number such as 7, 7/1, 7//3 or 7/1/3";
    char message[256];
    refused(SQUARE "f 1 2 3\nusemtl Oak\nf 1 2 5\n",
            "7: face 2 (material Oak): there is no vertex 5; the file has 4 before this line");
    refused(SQUARE "f 1 2 -5\n", "5: face 1: there is no vertex -5; the file has 4 before this line");
    refused(SQUARE "f 0 2 3\n", "5: face 1: there is no vertex 0; the file has 4 before this line, counted from 1");
    refused(SQUARE "f 1 2 9223372036854775807\n",
            "5: face 1: there is no vertex 9223372036854775807; the file has 4 before this line");
    refused(SQUARE "f 1 2 -9223372036854775808\n",
            "5: face 1: there is no vertex -9223372036854775808; the file has 4 before this line");
    refused(SQUARE "f 1 2 4294967297\n", "5: face 1: there is no vertex 4294967297; the file has 4 before this line");
    static const char *const bad[] = {"x", "1/2/3/4", "1.5", "/1", "1/x", "99999999999999999999", "--1", "1//2x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        snprintf(text, sizeof text, SQUARE "g Floor\nf 1 2 %s\n", bad[i]);
        snprintf(message, sizeof message, "6: face 1 (material Floor): %s is not a corner; %s", bad[i], form);
        refused(text, message);
    }
    refused(SQUARE "f 1 2\n", "5: face 1: has 2 corners; it needs at least 3");
}

static void files_that_are_none_are_refused(void **state)
{
    (void)state;
    struct error e;
    refused("", " contains no faces; it is empty or not an OBJ file");
    refused(SQUARE, " contains no faces; it is empty or not an OBJ file");
    refused("v 0 0 0\nsurf 0 1 0 1 1\n", "2: free-form surfaces are not supported; export polygons");
    assert_int_equal(read_bytes("v 0 0\0 0\n", 9, &e), -1);
    assert_non_null(strstr(e.message, "file.obj:1: contains a NUL byte"));
    assert_int_equal(obj_read(&mesh, scratch_folder, &e), -1);
    assert_non_null(strstr(e.message, "is a folder"));
    assert_int_equal(obj_read(&mesh, scratch_path("none.obj"), &e), -1);
    assert_non_null(strstr(e.message, "none.obj: cannot open: No such file"));
}

static void faces_have_limits(void **state)
{
    (void)state;
    struct growing_text t = {0};
    growing_text_add(&t, SQUARE "f");
    for (int i = 0; i < 5000; i++)
        growing_text_add(&t, " %d", i % 4 + 1);
    char *text = growing_text_take(&t, NULL);
    assert_non_null(text);
    refused(text, "5: face 1: has more than 4096 corners; export triangles");
    free(text);
}

/* Models beside the project: triangles and materials as other tools count them. */
static void models_of_others_are_read(void **state)
{
    (void)state;
    static const char folder[] = SOURCE_FOLDER "/../shared/models";
    static const struct {
        const char *name;
        size_t triangles, materials;
    } models[] = {{"ctk.obj", 1234, 8},
                  {"LivingRoom.obj", 3676, 17},
                  {"ProStudio.obj", 3768, 14},
                  {"Studio.obj", 468, 9},
                  {"Diffusor3D.obj", 988, 1}};
    struct error e;
    if (access(folder, R_OK)) {
        print_message("not tested: there is no %s\n", folder);
        skip();
    }
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, models[i].name);
        must(obj_read(&mesh, path, &e), &e);
        print_message("%s: %zu vertices, %zu triangles, %zu materials, %g m2\n", models[i].name, mesh.vertex_count,
                      mesh.triangle_count, mesh.material_count, mesh_area(&mesh));
        assert_int_equal(mesh.triangle_count, models[i].triangles);
        assert_int_equal(mesh.material_count, models[i].materials);
        mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_of_corners_are_read),
        cmocka_unit_test(negative_numbers_count_from_the_vertices_so_far),
        cmocka_unit_test(polygons_become_triangles),
        cmocka_unit_test(numbers_keep_double_precision),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(lines_end_and_continue_in_all_ways),
        cmocka_unit_test(lines_may_be_of_any_length),
        cmocka_unit_test(names_are_those_of_usemtl_else_of_groups),
        cmocka_unit_test(wrong_vertices_name_file_and_line),
        cmocka_unit_test(wrong_faces_name_file_line_face_and_material),
        cmocka_unit_test(files_that_are_none_are_refused),
        cmocka_unit_test(faces_have_limits),
        cmocka_unit_test(models_of_others_are_read),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

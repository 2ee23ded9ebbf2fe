/* SPDX-License-Identifier: MIT */
/* The faces of a room that let rays through are those whose voxels partitions join. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "render/image_room.h"
#include "support/room_files.h"

#include <cmocka.h>

#define SHEET "sheet = { impedance = 50.0; transmission = { mass = 40.0; }; };"
#define PLACES                                                                                                         \
    "grid: { rate = 6000.0; };\n"                                                                                      \
    "sources: ( { position = [0.5, 0.5, 0.5]; } );\n"                                                                  \
    "receivers: ( { position = [3.5, 1.5, 1.5]; } );\n"

/* Numbers of faces that are what. */
struct counts {
    size_t opaque, sheets, bodies;
};

static struct counts count(const char *text)
{
    struct room *room = good_room(text);
    struct model *m;
    struct image_room images;
    struct counts c = {0, 0, 0};
    struct error e;
    if (model_make(&m, room, &e) || image_room_make(&images, m, 0, 0.0, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < images.scene.count; i++) {
        const struct ray_face *f = &images.scene.faces[i];
        c.opaque += f->through == RAY_OPAQUE;
        c.sheets += f->through == RAY_SHEET;
        c.bodies += f->through == RAY_BODY;
        if (f->through != RAY_OPAQUE && !(fabs(f->normal[0]) > 0.99))
            fail_msg("face %zu lets rays through along the wall", i);
    }
    image_room_free(&images);
    model_free(m);
    room_free(room);
    return c;
}

static void both_sides_of_a_wall_let_rays_through_and_its_rims_do_not(void **state)
{
    (void)state;
    const struct counts c = count("room: { size = [4.0, 2.0, 2.0]; walls: { default = \"rigid\"; };\n"
                                  "  objects: ( { shape = \"box\"; from = [1.8, 0.0, 0.0]; to = [2.1, 2.0, 2.0]; "
                                  "material = \"sheet\"; } ); };\n"
                                  "materials: { " SHEET " };\n" PLACES);
    assert_int_equal(c.bodies, 4);
    assert_int_equal(c.sheets, 0);
    assert_int_equal(c.opaque, 12 + 8);
}

static void faces_without_air_behind_them_are_opaque(void **state)
{
    (void)state;
    const struct counts c = count("room: { size = [4.0, 2.0, 2.0]; walls: { default = \"sheet\"; };\n"
                                  "  objects: ( { shape = \"box\"; from = [1.8, 0.0, 0.0]; to = [2.4, 1.0, 1.0]; "
                                  "material = \"rigid\"; } ); };\n"
                                  "materials: { " SHEET " };\n" PLACES);
    assert_int_equal(c.bodies + c.sheets, 0);
}

/* Two boards of half the wall each: the faces between them are within the wall, and the wall passes where one ends. */
static void objects_that_touch_let_rays_through_their_outer_faces(void **state)
{
    (void)state;
    static const char *const ends[] = {"2.0", "0.9"}; /* of the second board */
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "room: { size = [4.0, 2.0, 2.0]; walls: { default = \"rigid\"; };\n"
            "  objects: ( { shape = \"box\"; from = [1.6, 0.0, 0.0]; to = [1.9, 2.0, 2.0]; material = \"sheet\"; },\n"
            "             { shape = \"box\"; from = [1.9, 0.0, 0.0]; to = [2.2, %s, 2.0]; material = \"other\"; } ); "
            "};\n"
            "materials: { " SHEET " other = { impedance = 50.0; transmission = { mass = 10.0; }; }; };\n" PLACES,
            ends[i]);
        const struct counts c = count(text);
        assert_int_equal(c.bodies, i ? 6 : 4); /* the inner face of the longer board is met beside the shorter one */
        assert_int_equal(c.sheets, 0);
    }
}

static void add_rectangle(FILE *f, double x, const char *material, int *vertices)
{
    const double y[4] = {0.0, 2.0, 2.0, 0.0}, z[4] = {0.0, 0.0, 2.0, 2.0};
    for (int i = 0; i < 4; i++)
        fprintf(f, "v %g %g %g\n", x, y[i], z[i]);
    fprintf(f, "usemtl %s\nf %d %d %d %d\n", material, *vertices + 1, *vertices + 2, *vertices + 3, *vertices + 4);
    *vertices += 4;
}

/* A box of 4 x 2 x 2 m that `count` rectangles divide. */
static void write_model(const double *at, int count)
{
    char text[2048];
    int vertices = 8;
    FILE *f = fmemopen(text, sizeof text, "w");
    assert_non_null(f);
    for (int i = 0; i < 8; i++)
        fprintf(f, "v %g %g %g\n", i & 1 ? 4.0 : 0.0, i & 2 ? 2.0 : 0.0, i & 4 ? 2.0 : 0.0);
    fprintf(f, "usemtl hard\nf 1 3 7 5\nf 2 4 8 6\nf 1 2 6 5\nf 3 4 8 7\nf 1 2 4 3\nf 5 6 8 7\n");
    for (int i = 0; i < count; i++)
        add_rectangle(f, at[i], "board", &vertices);
    fclose(f);
    write_file("pair.obj", text);
}

static void a_model_tells_sheets_from_bodies(void **state)
{
    (void)state;
    static const char room[] = "room: { geometry: { file = \"pair.obj\"; unit = \"m\"; default = \"rigid\";\n"
                               "  materials: ( { name = \"board\"; material = \"sheet\"; } ); }; };\n"
                               "materials: { " SHEET " };\n" PLACES;
    write_model((const double[]){2.0}, 1);
    struct counts c = count(room);
    assert_int_equal(c.sheets, 2);
    assert_int_equal(c.bodies, 0);
    write_model((const double[]){1.8, 2.1}, 2);
    c = count(room);
    assert_int_equal(c.sheets, 0);
    assert_int_equal(c.bodies, 4);
}

/* The grid rounds the sides of this room up by 1 mm and more. */
static void a_wall_reaches_the_walls_of_the_room_on_its_grid(void **state)
{
    (void)state;
    struct room *room = good_room("room: { size = [4.0, 2.06, 2.06]; walls: { default = \"rigid\"; };\n"
                                  "  objects: ( { shape = \"box\"; from = [1.8, 0.0, 0.0]; to = [2.1, 2.06, 2.06]; "
                                  "material = \"sheet\"; } ); };\n"
                                  "materials: { " SHEET " };\n" PLACES);
    struct model *m;
    struct image_room images;
    struct error e;
    double highest[3] = {0.0, 0.0, 0.0};
    if (model_make(&m, room, &e) || image_room_make(&images, m, 0, 0.0, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < images.scene.count; i++)
        for (int c = 0; c < 3 && images.scene.faces[i].solid != RAY_NO_SOLID; c++)
            for (int k = 0; k < 3; k++)
                highest[k] = fmax(highest[k], images.scene.faces[i].corner[c][k]);
    for (int k = 1; k < 3; k++) {
        assert_true(m->grid.rounding[k] > 1e-3);
        assert_true(highest[k] >= m->grid.size[k]);
    }
    image_room_free(&images);
    model_free(m);
    room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_of_a_wall_let_rays_through_and_its_rims_do_not),
        cmocka_unit_test(faces_without_air_behind_them_are_opaque),
        cmocka_unit_test(objects_that_touch_let_rays_through_their_outer_faces),
        cmocka_unit_test(a_wall_reaches_the_walls_of_the_room_on_its_grid),
        cmocka_unit_test(a_model_tells_sheets_from_bodies),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}

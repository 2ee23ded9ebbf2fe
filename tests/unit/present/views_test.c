/* SPDX-License-Identifier: MIT */
/* Rooms as voxels: every face is in one rectangle, models and packed rooms have the same areas, coarse rooms are
 * alike. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "present/views/coarse.h"
#include "present/views/findings.h"
#include "present/views/packed_room.h"
#include "present/views/picture.h"
#include "present/views/room_model.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

enum { NX = 17, NY = 13, NZ = 11, MATERIALS = 3 };
static struct random chance;
static const char *const names[MATERIALS] = {"wood \"x\"", "brick", "glass"};
static const double spacing = 0.25;

/* Random voxels of air within blocks of materials. */
static struct voxel_set *random_set(void)
{
    static const uint8_t outside[FACES] = {CELL_SOLID, CELL_SOLID + 1, CELL_FIXED,
                                           CELL_SOLID, CELL_SOLID + 2, CELL_SOLID};
    const size_t count[3] = {NX, NY, NZ};
    uint8_t cells[NX * NY * NZ];
    struct voxel_set *set;
    struct error e;
    for (size_t i = 0; i < sizeof cells; i++)
        cells[i] = random_unit(&chance) < 0.7 ? CELL_AIR : (uint8_t)random_between(&chance, CELL_FIXED, CELL_SOLID + 2);
    must(voxel_set_of_cells(&set, count, cells, outside, &e), &e);
    return set;
}

static struct viewed_room room_of(const struct voxel_set *set)
{
    static const struct view_mark marks[2] = {{"S", false, {1.0, 1.0, 1.0}}, {"R", true, {2.0, 1.5, 1.2}}};
    return (struct viewed_room){.set = set,
                                .origin = {1.0, -2.0, 0.5},
                                .spacing = spacing,
                                .materials = names,
                                .material_count = MATERIALS,
                                .marks = marks,
                                .mark_count = 2};
}

/* Faces of each side and code. */
static void count_faces(uint64_t faces[FACES][CELL_CODES], const struct voxel_set *set)
{
    memset(faces, 0, FACES * sizeof *faces);
    for (size_t z = 0; z < voxel_set_count(set, 2); z++)
        for (size_t y = 0; y < voxel_set_count(set, 1); y++) {
            const struct voxel_row row = voxel_set_row(set, y, z);
            for (int side = 0; side < FACES; side++)
                for (size_t i = 0; i < row.face_count[side]; i++)
                    faces[side][row.faces[side][i].code] += row.faces[side][i].length;
        }
}

static void every_face_is_in_one_rectangle(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct voxel_set *set = random_set();
        struct rectangles r = {0};
        struct error e;
        static uint64_t faces[FACES][CELL_CODES];
        count_faces(faces, set);
        must(rectangles_find(&r, set, &e), &e);
        for (size_t i = 0; i < r.count; i++) {
            const struct rectangle *q = &r.list[i];
            int axes[2];
            rectangle_axes(q->side, axes);
            for (uint32_t u = q->from[0]; u < q->to[0]; u++)
                for (uint32_t v = q->from[1]; v < q->to[1]; v++) {
                    size_t at[3];
                    at[q->side / 2] = q->at - q->side % 2;
                    at[axes[0]] = u;
                    at[axes[1]] = v;
                    const struct face_run *face = voxel_set_face(set, at[0], at[1], at[2], q->side);
                    assert_non_null(face);
                    assert_int_equal(face->code, q->code);
                    faces[q->side][q->code]--;
                }
        }
        for (int side = 0; side < FACES; side++)
            for (int code = 0; code < CELL_CODES; code++)
                assert_int_equal(faces[side][code], 0);
        rectangles_free(&r);
        voxel_set_free(set);
    }
}

/* m² of each material; [MATERIALS]: fixed. */
static void true_areas(double area[MATERIALS + 1], const struct viewed_room *room)
{
    static uint64_t faces[FACES][CELL_CODES];
    count_faces(faces, room->set);
    memset(area, 0, (MATERIALS + 1) * sizeof *area);
    for (int side = 0; side < FACES; side++)
        for (unsigned code = CELL_FIXED; code < CELL_CODES; code++)
            area[view_material(room, code)] += (double)faces[side][code] * spacing * spacing;
}

static uint32_t little(const char *bytes)
{
    uint32_t value = 0;
    for (int i = 4; i-- > 0;)
        value = value << 8 | (uint8_t)bytes[i];
    return value;
}

static double place(const char *bytes, int i)
{
    float value;
    memcpy(&value, bytes + 4 * i, sizeof value);
    return (double)value;
}

/* Area of a triangle, and what it adds to the volume that normals to the inside enclose. */
static double triangle(const char *const corner[3], double *volume)
{
    double p[3][3], n[3];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            p[k][i] = place(corner[k], i);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = (p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) - (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]);
    }
    *volume -= (p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2]) / 6.0;
    return 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static int item_int(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valueint;
}

static void a_glb_has_the_areas_and_the_volume(void **state)
{
    (void)state;
    struct voxel_set *set = random_set();
    const struct viewed_room room = room_of(set);
    double wanted[MATERIALS + 1], area[MATERIALS + 1] = {0}, volume = 0.0;
    struct error e;
    char *bytes;
    true_areas(wanted, &room);
    must(room_model_write(scratch_path("m.GLB"), &room, &e), &e);
    const size_t length = scratch_read(scratch_path("m.GLB"), &bytes);
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(little(bytes + 4), 2);
    assert_int_equal(little(bytes + 8), length);
    const uint32_t text = little(bytes + 12);
    assert_int_equal(text % 4, 0);
    assert_memory_equal(bytes + 16, "JSON", 4);
    cJSON *json = cJSON_ParseWithLength(bytes + 20, text);
    assert_non_null(json);
    assert_memory_equal(bytes + 24 + text, "BIN\0", 4);
    const char *binary = bytes + 28 + text;
    assert_int_equal(28 + text + little(bytes + 20 + text), length);
    const cJSON *accessors = cJSON_GetObjectItemCaseSensitive(json, "accessors"), *primitive;
    const cJSON *views = cJSON_GetObjectItemCaseSensitive(json, "bufferViews");
    const char *indices = binary + item_int(cJSON_GetArrayItem(views, 1), "byteOffset");
    cJSON_ArrayForEach(primitive,
                       cJSON_GetObjectItemCaseSensitive(
                           cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "meshes"), 0), "primitives"))
    {
        const cJSON *material =
            cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "materials"), item_int(primitive, "material"));
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(material, "name"));
        size_t index = 0;
        while (index < MATERIALS && strcmp(name, names[index]) != 0)
            index++;
        assert_true(index < MATERIALS || !strcmp(name, "fixed"));
        const cJSON *places = cJSON_GetArrayItem(
            accessors, item_int(cJSON_GetObjectItemCaseSensitive(primitive, "attributes"), "POSITION"));
        const cJSON *list = cJSON_GetArrayItem(accessors, item_int(primitive, "indices"));
        const char *first = binary + item_int(places, "byteOffset"), *order = indices + item_int(list, "byteOffset");
        for (int i = 0; i < item_int(list, "count"); i += 3) {
            const char *corner[3];
            for (int k = 0; k < 3; k++) {
                const uint32_t vertex = little(order + 4 * (i + k));
                assert_true(vertex < (uint32_t)item_int(places, "count"));
                corner[k] = first + 12 * vertex;
            }
            area[index] += triangle(corner, &volume);
        }
    }
    for (int i = 0; i <= MATERIALS; i++)
        assert_within(area[i], wanted[i], 1e-5);
    assert_within(volume, (double)voxel_set_air(set) * spacing * spacing * spacing, 1e-4);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, "nodes")), 3);
    cJSON_Delete(json);
    free(bytes);
    voxel_set_free(set);
    unlink(scratch_path("m.GLB"));
    assert_scratch_empty();
}

static void a_ply_has_the_areas_and_the_volume(void **state)
{
    (void)state;
    struct voxel_set *set = random_set();
    const struct viewed_room room = room_of(set);
    double wanted[MATERIALS + 1], area[MATERIALS + 1] = {0}, volume = 0.0;
    struct error e;
    char *bytes;
    true_areas(wanted, &room);
    must(room_model_write(scratch_path("m.ply"), &room, &e), &e);
    const size_t length = scratch_read(scratch_path("m.ply"), &bytes);
    assert_true(contains(bytes, length, "comment material 0 wood \"x\"\n"));
    const char *at = strstr(bytes, "element vertex "), *end = strstr(bytes, "end_header\n");
    assert_true(at && end);
    const size_t vertices = strtoul(at + 15, NULL, 10), faces = strtoul(strstr(bytes, "element face ") + 13, NULL, 10);
    const char *first = end + 11, *face = first + 15 * vertices;
    assert_int_equal((size_t)(first - bytes) + 15 * vertices + 19 * faces, length);
    for (size_t i = 0; i < faces; i++, face += 19) {
        assert_int_equal(*face, 4);
        const char *corner[4];
        for (int k = 0; k < 4; k++)
            corner[k] = first + 15 * (size_t)little(face + 1 + 4 * k);
        const char *const halves[2][3] = {{corner[0], corner[1], corner[2]}, {corner[0], corner[2], corner[3]}};
        for (int half = 0; half < 2; half++)
            area[(uint8_t)face[17]] += triangle(halves[half], &volume);
    }
    for (int i = 0; i <= MATERIALS; i++)
        assert_within(area[i], wanted[i], 1e-5);
    assert_within(volume, (double)voxel_set_air(set) * spacing * spacing * spacing, 1e-4);
    free(bytes);
    voxel_set_free(set);
    unlink(scratch_path("m.ply"));
    assert_int_equal(room_model_write(scratch_path("m.stl"), &room, &e), -1);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_scratch_empty();
}

static struct voxel_set *box(size_t n)
{
    static const uint8_t outside[FACES] = {CELL_SOLID, CELL_SOLID + 1, CELL_FIXED,
                                           CELL_SOLID, CELL_SOLID + 2, CELL_SOLID};
    const size_t count[3] = {n, n, n};
    uint8_t *cells = calloc(n * n * n, 1);
    struct voxel_set *set;
    struct error e;
    assert_non_null(cells);
    must(voxel_set_of_cells(&set, count, cells, outside, &e), &e);
    free(cells);
    return set;
}

static void a_coarse_box_has_the_walls_of_the_box(void **state)
{
    static uint64_t fine[FACES][CELL_CODES], coarse[FACES][CELL_CODES];
    struct voxel_set *set = box(24), *larger;
    struct error e;
    (void)state;
    must(coarse_set(&larger, set, 4, &e), &e);
    count_faces(fine, set);
    count_faces(coarse, larger);
    assert_int_equal(voxel_set_air(larger) * 64, voxel_set_air(set));
    for (int side = 0; side < FACES; side++)
        for (int code = 0; code < CELL_CODES; code++)
            assert_int_equal(coarse[side][code] * 16, fine[side][code]);
    voxel_set_free(larger);
    voxel_set_free(set);
}

static void too_many_rectangles_are_packed_by_coarser_voxels(void **state)
{
    struct voxel_set *set = random_set();
    const struct viewed_room room = room_of(set);
    struct packed_room whole, few;
    struct error e;
    (void)state;
    must(packed_room_make(&whole, &room, 1000000, &e), &e);
    assert_int_equal(whole.factor, 1);
    must(packed_room_make(&few, &room, whole.faces.count / 2, &e), &e);
    assert_true(few.factor > 1);
    assert_true(few.faces.count <= whole.faces.count / 2);
    assert_within(few.room.spacing, (double)few.factor * spacing, 1e-12);
    packed_room_free(&whole);
    packed_room_free(&few);
    voxel_set_free(set);
}

static void a_picture_looks_into_a_box(void **state)
{
    struct voxel_set *set = box(10);
    const struct viewed_room room = room_of(set);
    struct rectangles r = {0};
    struct picture p;
    size_t filled = 0;
    struct error e;
    (void)state;
    must(rectangles_find(&r, set, &e), &e);
    assert_int_equal(r.count, 6);
    must(picture_make(&p, &room, &r, &viewpoint_first, 200, 150, &e), &e);
    for (size_t i = 0; i < p.columns * p.rows; i++) {
        filled += p.pixels[i] != PICTURE_CLEAR;
        if (p.pixels[i] != PICTURE_CLEAR) /* the ceiling, and walls at y min and x max look away */
            assert_true((p.pixels[i] - 1) % FACES != FACE_Z_MAX && (p.pixels[i] - 1) % FACES != FACE_Y_MIN);
    }
    assert_true(filled > 200 * 150 / 5 && filled < 200 * 150 * 4 / 5);
    picture_free(&p);
    rectangles_free(&r);
    voxel_set_free(set);
}

static void findings_say_what_there_is_and_no_more(void **state)
{
    struct material_areas areas[1] = {{.mesh = 10, .wet = 9, .faces = 12, .corrected = 9, .buried = 1, .gaps = 3}};
    struct voxel_report r = {.volume = 60.0,
                             .materials = areas,
                             .material_count = 1,
                             .components = {{.volume = 90.0, .is_outside = true},
                                            {.volume = 61.0, .is_room = true},
                                            {.volume = 2.5, .place = {7.0, 8.0, 9.0}}},
                             .component_count = 3};
    char *text = NULL;
    size_t length = 0;
    (void)state;
    FILE *stream = open_memstream(&text, &length);
    findings_print(stream, &r, names);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "1 m2 lie behind other surfaces"));
    assert_null(strstr(text, "leak"));
    assert_null(strstr(text, "closed off"));
    free(text);
    r.closed_count = 3;
    r.closed_volume = 2.75;
    stream = open_memstream(&text, &length);
    findings_print(stream, &r, names);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "2.75 m3 in 3 parts not connected to the room: 2.5 m3 at (7, 8, 9) m, and 2 "
                                 "smaller parts\n"));
    assert_null(strstr(text, "61")); /* the room's volume before sheets became solid, and the outside */
    assert_null(strstr(text, "90"));
    free(text);
    cJSON *json = findings_json(&r, names);
    assert_int_equal(item_int(json, "volume"), 60);
    assert_int_equal(item_int(json, "closed_off_count"), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, "closed_off")), 1);
    assert_int_equal(item_int(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "materials"), 0), "wet"), 9);
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_face_is_in_one_rectangle),
        cmocka_unit_test(a_glb_has_the_areas_and_the_volume),
        cmocka_unit_test(a_ply_has_the_areas_and_the_volume),
        cmocka_unit_test(a_coarse_box_has_the_walls_of_the_box),
        cmocka_unit_test(too_many_rectangles_are_packed_by_coarser_voxels),
        cmocka_unit_test(a_picture_looks_into_a_box),
        cmocka_unit_test(findings_say_what_there_is_and_no_more),
    };
    chance = random_cases("views");
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

/* SPDX-License-Identifier: MIT */
/* A box room and a mesh of its walls and objects are one room: the same voxels, codes of faces and places on the
 * grid. */
#include "room/grid/model.h"
#include "support/random_cases.h"
#include "support/small_room.h"
#include "validate/scene/meshes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDES = 1024 /* of a cylinder: within 1e-6 m for a radius of 0.2 m */ };

static void add_rounded(struct scene_mesh *t, const struct object *o, uint32_t material)
{
    double w[3], u[3] = {0, 0, 0}, v[3], square = 0.0, along = 0.0;
    for (int k = 0; k < 3; k++)
        square += (o->to[k] - o->from[k]) * (o->to[k] - o->from[k]);
    for (int k = 0; k < 3; k++)
        w[k] = (o->to[k] - o->from[k]) / sqrt(square);
    const int least = fabs(w[0]) <= fabs(w[1]) && fabs(w[0]) <= fabs(w[2]) ? 0 : fabs(w[1]) <= fabs(w[2]) ? 1 : 2;
    for (int k = 0; k < 3; k++)
        u[k] = (k == least) - w[least] * w[k];
    for (int k = 0; k < 3; k++)
        along += u[k] * u[k];
    for (int k = 0; k < 3; k++)
        u[k] /= sqrt(along);
    for (int k = 0; k < 3; k++)
        v[k] = w[(k + 1) % 3] * u[(k + 2) % 3] - w[(k + 2) % 3] * u[(k + 1) % 3];
    for (int n = 0; n < SIDES; n++) {
        double rim[2][2][3];
        for (int end = 0; end < 2; end++)
            for (int next = 0; next < 2; next++) {
                const double angle = 2.0 * M_PI * ((n + next) % SIDES) / SIDES;
                for (int k = 0; k < 3; k++)
                    rim[end][next][k] =
                        (end ? o->to : o->from)[k] + o->radius * (cos(angle) * u[k] + sin(angle) * v[k]);
            }
        mesh_add_quad(t, rim[0][0], rim[0][1], rim[1][1], rim[1][0], material);
        mesh_add(t, o->from, rim[0][0], rim[0][1], material);
        mesh_add(t, o->to, rim[1][0], rim[1][1], material);
    }
}

static void make_triangles(struct scene_mesh *t, const struct room *box, const double size[3])
{
    mesh_add_box(t, (double[]){0, 0, 0}, size, 0);
    for (size_t i = 0; i < t->count; i++) /* by side */
        t->triangles[i].material = (uint32_t)box->walls[t->triangles[i].material];
    for (size_t i = 0; i < box->object_count; i++) {
        const struct object *o = &box->objects[i];
        const size_t first = t->count;
        if (o->shape == SHAPE_CYLINDER)
            add_rounded(t, o, (uint32_t)o->material);
        else
            mesh_add_box(t, o->from, o->to, 0);
        for (size_t k = first; k < t->count; k++)
            t->triangles[k].material = (uint32_t)o->material;
    }
}

/* The room with these triangles in place of its box; its new arrays end with drop_room. */
static struct room room_of(const struct room *box, const struct scene_mesh *t)
{
    struct room room = *box;
    room.sized_by_points = false;
    room.objects = NULL;
    room.object_count = 0;
    room.geometry.given = true;
    room.geometry.seal = VOXELIZE_SEAL;
    room.geometry.origin = (struct origin){"hall.cfg", 3};
    room.mesh = (struct mesh){.vertices = calloc(3 * t->count, sizeof *room.mesh.vertices),
                              .vertex_count = 3 * t->count,
                              .triangles = calloc(t->count, sizeof *room.mesh.triangles),
                              .triangle_count = t->count,
                              .material_count = box->material_count};
    room.mesh_materials = calloc(box->material_count, sizeof *room.mesh_materials);
    assert_true(room.mesh.vertices && room.mesh.triangles && room.mesh_materials);
    for (size_t i = 0; i < box->material_count; i++)
        room.mesh_materials[i] = i;
    for (size_t i = 0; i < t->count; i++) {
        room.mesh.triangles[i].material = t->triangles[i].material;
        for (uint32_t k = 0; k < 3; k++) {
            room.mesh.triangles[i].vertex[k] = (uint32_t)(3 * i + k);
            memcpy(room.mesh.vertices[3 * i + k], t->triangles[i].corner[k], sizeof *room.mesh.vertices);
        }
    }
    mesh_bounds(&room.mesh, room.lower, room.size);
    for (int k = 0; k < 3; k++)
        room.size[k] -= room.lower[k];
    return room;
}

static struct room mesh_of(const struct room *box, const double size[3])
{
    struct scene_mesh t = {.count = 0};
    make_triangles(&t, box, size);
    struct room room = room_of(box, &t);
    for (size_t i = 0; i < box->object_count; i++)
        if (box->objects[i].shape == SHAPE_CYLINDER) /* its many edges would reach out by a hundredth of X */
            room.geometry.seal = 0.0;
    mesh_clear(&t);
    return room;
}

static void drop_room(struct room *room)
{
    free(room->mesh.vertices);
    free(room->mesh.triangles);
    free(room->mesh_materials);
}

static struct model *make(const struct room *room)
{
    struct model *m;
    struct error e;
    if (model_make(&m, room, &e))
        fail_msg("%s", e.message);
    return m;
}

static void assert_same_voxels(const struct model *box, const struct model *mesh)
{
    for (int axis = 0; axis < 3; axis++)
        assert_int_equal(box->grid.voxels[axis], mesh->grid.voxels[axis]);
    const size_t *n = box->grid.voxels;
    for (size_t z = 0; z < n[2]; z++)
        for (size_t y = 0; y < n[1]; y++) {
            const struct voxel_row a = voxel_set_row(box->voxels.set, y, z);
            const struct voxel_row b = voxel_set_row(mesh->voxels.set, y, z);
            if (a.air_count != b.air_count)
                fail_msg("%s: row %zu, %zu has %zu runs of air, not %zu", box->room->path, y, z, b.air_count,
                         a.air_count);
            if (a.air_count)
                assert_memory_equal(a.air, b.air, a.air_count * sizeof *a.air);
            for (size_t x = 0; x < n[0]; x++)
                for (int side = 0; side < FACES; side++) {
                    const struct face_run *face = voxel_set_face(box->voxels.set, x, y, z, side);
                    const struct face_run *other = voxel_set_face(mesh->voxels.set, x, y, z, side);
                    if ((face != NULL) != (other != NULL))
                        fail_msg("%s: %zu, %zu, %zu, side %d: %s air beyond, as the box says", box->room->path, x, y, z,
                                 side, face ? "no" : "there is");
                    if (face && face->code != other->code)
                        fail_msg("%zu, %zu, %zu, side %d: %s, not %s", x, y, z, side,
                                 box->room->materials[other->code - CELL_SOLID].name,
                                 box->room->materials[face->code - CELL_SOLID].name);
                }
        }
}

static void assert_same_channel(const struct channel *a, const struct channel *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_true(a->entries[i].point == b->entries[i].point);
        assert_true(a->entries[i].weight == b->entries[i].weight);
    }
}

static void assert_same_places(const struct model *a, const struct model *b)
{
    for (size_t i = 0; i < a->room->source_count; i++)
        assert_same_channel(&a->sources[i].channel, &b->sources[i].channel);
    for (size_t i = 0; i < room_channel_count(a->room); i++)
        assert_same_channel(&a->receivers[i].channel, &b->receivers[i].channel);
}

static struct room *read_shipped(const char *name, const char *scheme, double rate)
{
    char path[512], settings[3][64];
    const char *const given[] = {settings[0], settings[1]};
    struct room *room;
    struct error e;
    snprintf(path, sizeof path, "%s/rooms/%s.cfg", SOURCE_FOLDER, name);
    snprintf(settings[0], sizeof settings[0], "grid.scheme=\"%s\"", scheme);
    snprintf(settings[1], sizeof settings[1], "grid.rate=%g", rate);
    if (room_read(&room, path, given, 2, &e))
        fail_msg("%s", e.message);
    return room;
}

/* Areas differ, as a mesh has its own and a box that of whole cells. */
static void a_mesh_of_every_shipped_box_room_has_its_voxels(void **state)
{
    (void)state;
    static const struct {
        const char *name, *scheme;
        double rate;
    } cases[] = {{"classroom", "7-point", 9000},      {"classroom", "19-point", 6000},
                 {"corridor", "7-point", 8000},       {"corridor", "19-point", 8000},
                 {"studio", "7-point", 9000},         {"studio", "19-point", 9000},
                 {"hall", "7-point", 2500},           {"hall", "19-point", 2500},
                 {"gong_in_hall", "7-point", 4000},   {"drum_roll_in_studio", "7-point", 8000},
                 {"marimba_phrase", "7-point", 8000}, {"string_quartet_pluck", "7-point", 6000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct room *box = read_shipped(cases[i].name, cases[i].scheme, cases[i].rate);
        struct model *m = make(box);
        struct room mesh = mesh_of(box, box->sized_by_points ? m->grid.size : box->size);
        struct model *other = make(&mesh);
        assert_same_voxels(m, other);
        assert_same_places(m, other);
        for (size_t k = 0; k < box->material_count; k++)
            if (!(fabs(m->space.area[k] - other->space.area[k]) <= 0.06 * m->space.area[k] + 0.2))
                fail_msg("%s: %s has %g m2, not %g", cases[i].name, box->materials[k].name, other->space.area[k],
                         m->space.area[k]);
        model_free(m);
        model_free(other);
        drop_room(&mesh);
        room_free(box);
    }
}

/* Areas, too, where walls and objects lie on faces of cells: so a render has the same bits. */
static void a_box_of_whole_cells_is_its_mesh_to_the_bit(void **state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        struct small_room f;
        small_room_set_up(&f);
        f.room.grid.scheme = turn % 2 ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
        f.room.material_count = 2;
        f.room.walls[FACE_Y_MAX] = 0;
        struct model *m = make(&f.room);
        const double x = m->grid.spacing;
        memcpy(f.room.size, m->grid.size, sizeof f.room.size);
        model_free(m);
        f.room.object_count = 1;
        f.object = (struct object){.shape = SHAPE_BOX,
                                   .from = {12 * x, 4 * x, turn / 2 ? 0.0 : 3 * x},
                                   .to = {15 * x, 7 * x, 6 * x},
                                   .material = 0};
        m = make(&f.room);
        struct room mesh = mesh_of(&f.room, f.room.size);
        struct model *other = make(&mesh);
        assert_true(same_sets(m->voxels.set, other->voxels.set));
        assert_same_places(m, other);
        model_free(m);
        model_free(other);
        drop_room(&mesh);
    }
}

/* ---- rooms of triangles */

static const double panel_at = 2.013, door_from = 1.6;

/* 4 x 2 x 1.5 m of material 1; an upright panel without thickness, at x = panel_at + slope y, which leaves a door at
 * the end of y. */
static struct scene_mesh with_panel(uint32_t panel, double slope)
{
    struct scene_mesh t = {.count = 0};
    mesh_add_box(&t, (double[]){0, 0, 0}, (double[]){4, 2, 1.5}, 0);
    for (size_t i = 0; i < t.count; i++)
        t.triangles[i].material = 1;
    mesh_add_quad(&t, (double[]){panel_at, 0, 0}, (double[]){panel_at + slope * door_from, door_from, 0},
                  (double[]){panel_at + slope * door_from, door_from, 1.5}, (double[]){panel_at, 0, 1.5}, panel);
    return t;
}

static void place_at(double to[3], double x, double y, double z)
{
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

static void refuse(const struct room *room, const char *first, const char *second)
{
    struct model *m;
    struct error e = {0};
    assert_int_equal(model_make(&m, room, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, first) || !strstr(e.message, second))
        fail_msg("%s", e.message);
}

/* Every point of a receiver is on its side of the panel: centres of air exactly, corners of such voxels nearly. */
static void nothing_is_heard_through_a_panel_without_thickness(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int turn = 0; turn < case_count(60); turn++) {
        struct small_room f;
        small_room_set_up(&f);
        const bool corners = turn % 2, lower = turn / 2 % 2;
        const double slope = turn / 4 % 2 ? random_uniform(&r, -1.0, 0.9) : 0.0;
        f.room.grid.scheme = corners ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
        struct scene_mesh t = with_panel(0, slope);
        const double beside = random_uniform(&r, 0.0005, 0.12), y = random_uniform(&r, 0.3, 1.2);
        place_at(f.source.position, 3.7, 1.8, 0.7);
        place_at(f.receiver.position, panel_at + slope * y + (lower ? -beside : beside), y,
                 random_uniform(&r, 0.1, 1.4));
        struct room room = room_of(&f.room, &t);
        struct model *m = make(&room);
        const struct channel *c = &m->receivers[0].channel;
        assert_true(c->count > 0);
        for (size_t i = 0; i < c->count; i++) {
            const uint64_t point = c->entries[i].point;
            const double centre = corners ? 0.0 : 0.5, slack = corners ? m->grid.spacing : 0.0;
            const double px = m->grid.origin[0] + ((double)(point % m->grid.points[0]) + centre) * m->grid.spacing;
            const double py = m->grid.origin[1] +
                              ((double)(point / m->grid.points[0] % m->grid.points[1]) + centre) * m->grid.spacing;
            const double beyond = px - panel_at - slope * py; /* along x */
            if (lower ? !(beyond <= slack * (1.0 + fabs(slope))) : !(beyond >= -slack * (1.0 + fabs(slope))))
                fail_msg("%s, slope %g, %g m %s the panel, y = %g m: a point %g m beyond it, %g of %g",
                         corners ? "19-point" : "7-point", slope, beside, lower ? "before" : "behind", y, fabs(beyond),
                         c->entries[i].weight, m->grid.spacing);
        }
        assert_true(m->voxels.report.sheet_voxels > 0);
        model_free(m);
        drop_room(&room);
        mesh_clear(&t);
    }
}

static void a_room_elsewhere_is_the_same_room(void **state)
{
    (void)state;
    static const double shift[3] = {-7.25, 11.5, 2.375};
    for (int scheme = 0; scheme < 2; scheme++) {
        struct small_room f;
        small_room_set_up(&f);
        f.room.grid.scheme = scheme ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
        struct scene_mesh t = with_panel(0, 0.0);
        place_at(f.source.position, 3.0, 1.0, 0.7);
        place_at(f.receiver.position, 0.8, 1.7, 0.6);
        struct room room = room_of(&f.room, &t);
        struct model *m = make(&room);
        for (size_t i = 0; i < t.count; i++)
            for (int k = 0; k < 9; k++)
                t.triangles[i].corner[k / 3][k % 3] += shift[k % 3];
        for (int k = 0; k < 3; k++) {
            f.source.position[k] += shift[k];
            f.receiver.position[k] += shift[k];
        }
        struct room moved = room_of(&f.room, &t);
        struct model *other = make(&moved);
        assert_same_voxels(m, other);
        const struct channel *a = &m->receivers[0].channel, *b = &other->receivers[0].channel;
        assert_int_equal(a->count, b->count);
        for (size_t i = 0; i < a->count; i++) {
            assert_true(a->entries[i].point == b->entries[i].point);
            assert_true(fabs(a->entries[i].weight - b->entries[i].weight) <= 1e-9);
        }
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(other->receivers[0].position[k] - m->receivers[0].position[k] - shift[k]) <= 1e-9);
            assert_true(fabs(other->grid.origin[k] - m->grid.origin[k] - shift[k]) <= 1e-9);
        }
        model_free(m);
        model_free(other);
        drop_room(&room);
        drop_room(&moved);
        mesh_clear(&t);
    }
}

static void a_room_that_is_open_or_in_parts_is_refused_by_line(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    struct scene_mesh t = {.count = 0};
    place_at(f.source.position, 3.0, 1.0, 0.7);
    place_at(f.receiver.position, 0.8, 1.7, 0.6);
    mesh_add_box(&t, (double[]){0, 0, 0}, (double[]){4, 2, 1.5}, 0);
    for (size_t i = 0; i < t.count; i++)
        t.triangles[i].material = 1;
    t.count -= 1; /* half of the ceiling */
    struct room room = room_of(&f.room, &t);
    refuse(&room, "hall.cfg:3: room.geometry: the room is open to the outside", "wide; close it");
    drop_room(&room);
    t.count += 1;
    mesh_add_quad(&t, (double[]){panel_at, 0, 0}, (double[]){panel_at, 2, 0}, (double[]){panel_at, 2, 1.5},
                  (double[]){panel_at, 0, 1.5}, 1);
    f.receiver.origin = (struct origin){"hall.cfg", 9};
    room = room_of(&f.room, &t);
    refuse(&room, "hall.cfg:9: receiver R at (0.8, 1.7, 0.6) m is in a space of", "move it there");
    drop_room(&room);
    mesh_clear(&t);
}

/* The 7-point scheme needs a voxel beyond a face at p = 0. */
static void a_fixed_surface_has_a_voxel_behind_it(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    struct scene_mesh t = with_panel(2, 0.0);
    t.triangles[2 * FACE_Z_MIN].material = t.triangles[2 * FACE_Z_MIN + 1].material = 2;
    place_at(f.source.position, 3.0, 1.0, 0.7);
    place_at(f.receiver.position, 0.8, 1.7, 0.6);
    struct room room = room_of(&f.room, &t);
    struct model *m = make(&room);
    assert_false(voxel_set_is_air(m->voxels.set, 9, 9, 0));
    assert_int_equal(voxel_set_face(m->voxels.set, 9, 9, 1, FACE_Z_MIN)->code, CELL_FIXED);
    assert_true(fabs(m->grid.origin[2] + m->grid.spacing) < 1e-9);
    model_free(m);
    drop_room(&room);
    mesh_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_of_every_shipped_box_room_has_its_voxels),
        cmocka_unit_test(a_box_of_whole_cells_is_its_mesh_to_the_bit),
        cmocka_unit_test(nothing_is_heard_through_a_panel_without_thickness),
        cmocka_unit_test(a_room_elsewhere_is_the_same_room),
        cmocka_unit_test(a_room_that_is_open_or_in_parts_is_refused_by_line),
        cmocka_unit_test(a_fixed_surface_has_a_voxel_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

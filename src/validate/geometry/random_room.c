/* SPDX-License-Identifier: MIT */
#include "validate/geometry/random_room.h"

#include <math.h>
#include <string.h>

static double between(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

static uint32_t any_material(struct random *r)
{
    return (uint32_t)random_between(r, 0, SCENE_MESH_MATERIALS - FACES);
}

/* --- meshes, in units of the spacing --- */

/* Moves a mesh and appends it. */
static void add_moved(struct scene_mesh *to, const struct scene_mesh *from, const double by[3])
{
    for (size_t i = 0; i < from->count; i++) {
        double corner[3][3];
        memcpy(corner, from->triangles[i].corner, sizeof corner);
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++)
                corner[c][axis] += by[axis];
        mesh_add(to, corner[0], corner[1], corner[2], from->triangles[i].material);
    }
}

/* A box, a ball or a sheet, turned at random or not, that does not touch the source. */
static void add_object(struct scene_mesh *mesh, const double size[3], const double source[3], struct random *r)
{
    struct scene_mesh object = {.count = 0};
    double centre[3], half[3], reach = 0.0, away = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = between(r, 0.3, fmax(1.0, 0.2 * size[axis]));
        centre[axis] = between(r, 0.0, size[axis]);
        reach += half[axis] * half[axis];
        away += (centre[axis] - source[axis]) * (centre[axis] - source[axis]);
    }
    if (!(sqrt(away) > sqrt(reach) + 3.0))
        return;
    const double from[3] = {-half[0], -half[1], -half[2]}, none[3] = {0.0, 0.0, 0.0};
    const double sheet[4][3] = {
        {from[0], from[1], 0}, {half[0], from[1], 0}, {half[0], half[1], 0}, {from[0], half[1], 0}};
    switch (random_between(r, 0, 2)) {
    case 0:
        mesh_add_box(&object, from, half, any_material(r));
        break;
    case 1:
        mesh_add_sphere(&object, none, fmin(half[0], fmin(half[1], half[2])), 2, any_material(r));
        break;
    default:
        mesh_add_quad(&object, sheet[0], sheet[1], sheet[2], sheet[3], any_material(r));
    }
    if (random_between(r, 0, 1))
        mesh_turn(&object, between(r, 0.0, 90.0), between(r, 0.0, 90.0), between(r, 0.0, 90.0));
    add_moved(mesh, &object, centre);
    mesh_clear(&object);
}

static int make_mesh(struct random_room *room, bool close_corners, struct random *r, struct error *e)
{
    static const double most[3] = {140.0, 70.0, 35.0};
    struct scene_mesh mesh = {.count = 0};
    double size[3], source[3], turned[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = between(r, 8.0, random_between(r, 0, 1) ? most[axis] : 0.4 * most[axis]);
        source[axis] = 0.5 * size[axis];
    }
    if (random_between(r, 0, 3)) {
        mesh_add_box(&mesh, (const double[]){0, 0, 0}, size, any_material(r));
        for (size_t objects = random_between(r, 0, 5); objects-- > 0;)
            add_object(&mesh, size, source, r);
    } else
        mesh_add_sphere(&mesh, source, 0.5 * fmin(size[0], fmin(size[1], size[2])), 3, any_material(r));
    const bool turns = random_between(r, 0, 1);
    const double yaw = turns ? between(r, 0.0, 90.0) : 0.0, pitch = turns ? between(r, 0.0, 30.0) : 0.0;
    mesh_turn(&mesh, yaw, pitch, 0.0);
    mesh_turn_point(turned, source, yaw, pitch, 0.0);
    const int status = voxel_room_make(&room->room, &mesh, 1.0, turned, close_corners, e);
    mesh_clear(&mesh);
    return status;
}

static int make_model(struct random_room *room, const struct scene_mesh *all, bool close_corners, struct random *r,
                      struct error *e)
{
    const size_t i = random_between(r, 0, MODELS_SHIPPED - 1);
    return voxel_room_make(&room->room, &all[i], spacing_for(&all[i], between(r, 2e4, 8e4)), models[i].source,
                           close_corners, e);
}

/* --- cells --- */

/* An upright partition across x or y, of one to four voxels, as wide as the box or less. */
static void add_partition(struct scene *s, struct random *r)
{
    const size_t *n = s->problem.points, axis = random_between(r, 0, 1), other = 1 - axis;
    size_t from[3] = {0, 0, 0}, to[3] = {n[0], n[1], n[2]};
    from[axis] = random_between(r, 0, n[axis] - 1);
    to[axis] = from[axis] + random_between(r, 1, 4);
    to[axis] = to[axis] < n[axis] ? to[axis] : n[axis];
    if (random_between(r, 0, 1)) {
        from[other] = random_between(r, 0, n[other] - 1);
        to[other] = random_between(r, from[other] + 1, n[other]);
    }
    scene_fill(s, from, to, PARTITION_CODE);
}

/* A box, larger or smaller than tiles, with blocks of any materials, or higher and without
 * blocks. If its walls have no branches, a GPU steps it by tiles only, in several chunks of
 * planes. */
static int make_blocks(struct scene *s, struct random *r, struct error *e)
{
    const bool empty = random_between(r, 0, 1);
    const size_t most[3] = {150, 130, empty ? 90 : 26};
    size_t n[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = random_between(r, random_between(r, 1, most[axis] / 2), most[axis]);
    if (scene_box(s, n[0], n[1], n[2], PRECISION_DOUBLE, e))
        return -1;
    for (int face = 0; face < FACES; face++)
        s->outside[face] = (uint8_t)random_between(r, CELL_SOLID, CELL_SOLID + SCENE_MESH_MATERIALS - 1);
    if (empty)
        return 0;
    if (random_between(r, 0, 3) == 0) { /* a fixed layer */
        const size_t none[3] = {0, 0, 0}, inner[3] = {n[0] > 2, n[1] > 2, n[2] > 2};
        scene_fill(s, none, n, CELL_FIXED);
        scene_fill(s, inner, (const size_t[]){n[0] - inner[0], n[1] - inner[1], n[2] - inner[2]}, CELL_AIR);
    }
    for (size_t blocks = random_between(r, 0, 4); blocks-- > 0;) {
        size_t from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = random_between(r, 0, n[axis] - 1);
            to[axis] = random_between(r, from[axis] + 1, from[axis] + n[axis] / 3 + 1);
            to[axis] = to[axis] < n[axis] ? to[axis] : n[axis];
        }
        scene_fill(s, from, to, (uint8_t)random_between(r, CELL_FIXED, CELL_SOLID + SCENE_MESH_MATERIALS - 1));
    }
    for (size_t partitions = random_between(r, 0, 3); partitions-- > 0;)
        add_partition(s, r);
    s->cells[random_bits(r) % (n[0] * n[1] * n[2])] = CELL_AIR;
    if (random_between(r, 0, 3) == 0)
        scene_random_areas(s, r);
    return 0;
}

static int make_cells(struct random_room *room, struct random *r, struct error *e)
{
    struct scene *s = &room->scene;
    for (;;) {
        const int status =
            room->form == ROOM_OF_CELLS ? scene_random(s, 40, PRECISION_DOUBLE, r, e) : make_blocks(s, r, e);
        if (status || scene_voxels(s, e))
            return -1;
        if (voxel_set_air(s->leapfrog.voxels) > 8)
            break;
        scene_free(s);
    }
    room->room.set = (struct voxel_set *)s->leapfrog.voxels;
    room->room.lattice.spacing = 1.0;
    return 0;
}

int layered_room_make(struct random_room *room, size_t layers, struct error *e)
{
    const size_t none[3] = {0, 0, 0}, from[3] = {layers, 1, 0}, to[3] = {layers + 80, 19, 11},
                 all[3] = {layers + 81, 20, 11};
    struct scene *s = &room->scene;
    *room = (struct random_room){.form = ROOM_OF_BLOCKS};
    if (scene_box(s, all[0], all[1], all[2], PRECISION_DOUBLE, e))
        return -1;
    scene_fill(s, none, all, CELL_FIXED);
    scene_fill(s, from, to, CELL_AIR);
    if (scene_voxels(s, e))
        return -1;
    room->room.set = (struct voxel_set *)s->leapfrog.voxels;
    room->room.lattice.spacing = 1.0;
    return 0;
}

int random_room_make(struct random_room *room, const struct scene_mesh *all, bool close_corners, struct random *r,
                     struct error *e)
{
    const size_t draw = random_between(r, 0, 9);
    *room = (struct random_room){.form = draw < 4   ? ROOM_OF_MESH
                                         : draw < 5 ? ROOM_OF_MODEL
                                         : draw < 8 ? ROOM_OF_BLOCKS
                                                    : ROOM_OF_CELLS};
    if (room->form == ROOM_OF_MESH)
        return make_mesh(room, close_corners, r, e);
    return room->form == ROOM_OF_MODEL ? make_model(room, all, close_corners, r, e) : make_cells(room, r, e);
}

void random_room_free(struct random_room *room)
{
    if (room->form == ROOM_OF_MESH || room->form == ROOM_OF_MODEL)
        voxel_room_free(&room->room);
    else
        scene_free(&room->scene);
    *room = (struct random_room){.form = ROOM_OF_MESH};
}

/* SPDX-License-Identifier: MIT */
#include "room/grid/partition_walls.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

static const char *const wall_names[FACES] = {[FACE_X_MIN] = "x_min", [FACE_X_MAX] = "x_max", [FACE_Y_MIN] = "y_min",
                                              [FACE_Y_MAX] = "y_max", [FACE_Z_MIN] = "z_min", [FACE_Z_MAX] = "z_max"};

static bool transmits(const struct model *m, size_t material)
{
    return material < m->room->material_count && m->room->materials[material].transmission.given;
}

static int warn(struct model *m, const struct origin *origin, const char *key, size_t material, struct error *e)
{
    char where[512];
    const struct room *room = m->room;
    m->partitions.of[material].on_wall = true;
    return lines_add(&m->warnings, &m->warning_count, e,
                     "%s: %s: %s has transmission, but behind an outer wall there is no air that sound could pass to; "
                     "enlarge the room and draw the partition as an object between two parts of it, or use a material "
                     "without transmission",
                     origin_text(origin->file ? origin : &room->size_origin, room->path, where, sizeof where), key,
                     room->materials[material].name);
}

/* Walls that only room.walls.default names are told once. */
static int warn_of_keys(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    const bool is_box = room_form(room) == ROOM_BOX;
    bool by_default = false;
    for (int wall = is_box ? 0 : FACE_Z_MIN; wall < FACES; wall++) {
        const struct origin *origin = &room->wall_origins[wall];
        char key[40];
        if (!transmits(m, room->walls[wall]) || (!origin->file && by_default))
            continue;
        by_default = by_default || !origin->file;
        snprintf(key, sizeof key, "room.walls.%s", origin->file ? wall_names[wall] : "default");
        if (warn(m, origin->file ? origin : &room->default_origin, key, room->walls[wall], e))
            return -1;
    }
    for (size_t i = 0; !is_box && i < room->side_count; i++) {
        const bool own = room->sides_origin.file != NULL;
        char key[60] = "room.walls.default";
        if (!transmits(m, room->sides[i]) || (!own && by_default))
            continue;
        by_default = by_default || !own;
        if (own)
            snprintf(key, sizeof key, "room.walls.sides[%zu]", i);
        if (warn(m, own ? &room->sides_origin : &room->default_origin, key, room->sides[i], e))
            return -1;
    }
    return 0;
}

enum { SLENDER = 3 }; /* extents of a sheet re its thickness: strips of a wall that stand on the floor are none */

/* The axis along which an object is thinnest, if it is a sheet and one of its two faces across it lies on an outer wall of a box; else
 * -1. Less than a cell apart there is no air on the grid. */
static int axis_on_wall(const struct model *m, const struct object *object)
{
    const struct room *room = m->room;
    double lower[3], upper[3];
    int thin = 0;
    object_bounds(object, lower, upper);
    for (int k = 1; k < 3; k++)
        if (upper[k] - lower[k] < upper[thin] - lower[thin])
            thin = k;
    for (int k = 0; k < 3; k++)
        if (k != thin && upper[k] - lower[k] < SLENDER * (upper[thin] - lower[thin]))
            return -1;
    const double begin = room->lower[thin], end = begin + room->size[thin], cell = m->grid.spacing;
    const bool at_begin = lower[thin] - begin < cell, at_end = end - upper[thin] < cell;
    return at_begin || at_end ? thin : -1;
}

static int warn_of_objects(struct model *m, struct error *e)
{
    const struct room *room = m->room;
    char where[512], name[OBJECT_NAME];
    for (size_t i = 0; i < room->object_count && room_form(room) == ROOM_BOX; i++) {
        const struct object *object = &room->objects[i];
        const int axis = transmits(m, object->material) ? axis_on_wall(m, object) : -1;
        if (axis < 0)
            continue;
        m->partitions.of[object->material].on_wall = true;
        if (lines_add(&m->warnings, &m->warning_count, e,
                      "%s: %s lies on an outer wall across %c, behind which there is no air, so that "
                      "it lets no sound through; leave air of more than %.2g m behind it, or use a material without "
                      "transmission in place of %s",
                      origin_text(&object->origin, room->path, where, sizeof where), room_object_name(room, i, name),
                      "xyz"[axis], m -> grid.spacing, room->materials[object->material].name))
            return -1;
    }
    return 0;
}

int partition_walls_warn(struct model *m, struct error *e)
{
    if (room_form(m->room) == ROOM_MESH)
        return 0;
    return warn_of_keys(m, e) || warn_of_objects(m, e) ? -1 : 0;
}

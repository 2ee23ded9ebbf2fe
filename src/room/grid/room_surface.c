/* SPDX-License-Identifier: MIT */
#include "room/grid/room_surface.h"

#include <stdlib.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "geometry/overlaps.h"

enum { BLOCK_TRIANGLES = 12 };

/* Corners of the six sides of a box, in the order of enum face; numbered as by object_corner. */
static const size_t sides[FACES][4] = {
    [FACE_X_MIN] = {0, 2, 6, 4}, [FACE_X_MAX] = {1, 3, 7, 5}, [FACE_Y_MIN] = {0, 1, 5, 4},
    [FACE_Y_MAX] = {2, 3, 7, 6}, [FACE_Z_MIN] = {0, 1, 3, 2}, [FACE_Z_MAX] = {4, 5, 7, 6}};

void room_surface_free(struct room_surface *s)
{
    free(s->materials);
    free(s->triangles);
    free(s->solids);
    memset(s, 0, sizeof *s);
}

static void add_triangle(struct room_surface *s, const double a[3], const double b[3], const double c[3],
                         size_t material)
{
    struct surface_triangle *t = &s->triangles[s->surface.triangle_count++];
    memcpy(t->corner[0], a, sizeof t->corner[0]);
    memcpy(t->corner[1], b, sizeof t->corner[1]);
    memcpy(t->corner[2], c, sizeof t->corner[2]);
    surface_triangle_paint(t, (uint32_t)material);
}

static void add_quad(struct room_surface *s, const double a[3], const double b[3], const double c[3], const double d[3],
                     size_t material)
{
    add_triangle(s, a, b, c, material);
    add_triangle(s, a, c, d, material);
}

static void add_box_walls(struct room_surface *s, const struct room *room, const double size[3])
{
    double corners[OBJECT_CORNERS][3];
    for (size_t k = 0; k < OBJECT_CORNERS; k++)
        for (int i = 0; i < 3; i++)
            corners[k][i] = k >> i & 1 ? size[i] : 0.0;
    for (int side = 0; side < FACES; side++)
        add_quad(s, corners[sides[side][0]], corners[sides[side][1]], corners[sides[side][2]], corners[sides[side][3]],
                 room->walls[side]);
}

static void plan_corner(const struct room *room, size_t index, bool upper, double corner[3])
{
    corner[0] = room->corners[index][0];
    corner[1] = room->corners[index][1];
    corner[2] = upper ? room->heights[index] : 0.0;
}

/* A prism over the floor plan: floor and ceiling as triangles, and its walls. */
static void add_polygon_walls(struct room_surface *s, const struct room *room)
{
    double corners[4][3];
    for (size_t i = 0; i < room->plan_count; i++)
        for (int upper = 0; upper < 2; upper++) {
            for (int k = 0; k < 3; k++)
                plan_corner(room, room->plan[i][k], upper, corners[k]);
            add_triangle(s, corners[0], corners[1], corners[2], room->walls[upper ? FACE_Z_MAX : FACE_Z_MIN]);
        }
    for (size_t i = 0; i < room->corner_count; i++) {
        const size_t next = (i + 1) % room->corner_count;
        plan_corner(room, i, false, corners[0]);
        plan_corner(room, next, false, corners[1]);
        plan_corner(room, next, true, corners[2]);
        plan_corner(room, i, true, corners[3]);
        add_quad(s, corners[0], corners[1], corners[2], corners[3], room->sides[i]);
    }
}

static void add_mesh(struct room_surface *s, const struct room *room)
{
    const struct mesh *m = &room->mesh;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const struct triangle *t = &m->triangles[i];
        add_triangle(s, m->vertices[t->vertex[0]], m->vertices[t->vertex[1]], m->vertices[t->vertex[2]],
                     room->mesh_materials[t->material]);
    }
}

/* A box or wedge rotated by multiples of 90 degrees stays a box or wedge with other corners. */
static void add_block(struct surface_solid *solid, const struct object *o)
{
    const bool turned = !object_is_axis_parallel(o), wedge = o->shape == SHAPE_WEDGE;
    double matrix[3][3];
    solid->shape = wedge ? (turned ? SOLID_TURNED_WEDGE : SOLID_WEDGE) : turned ? SOLID_TURNED_BOX : SOLID_BOX;
    if (!turned)
        object_bounds(o, solid->from, solid->to);
    if (solid->shape == SOLID_BOX)
        return;
    object_turn(o, matrix);
    for (int i = 0; i < 3; i++) {
        solid->centre[i] = 0.5 * (o->from[i] + o->to[i]);
        solid->half[i] = 0.5 * (o->to[i] - o->from[i]);
        for (int k = 0; k < 3; k++)
            solid->axes[k][i] = matrix[i][k];
    }
    if (wedge)
        object_slope(o, solid->slope);
}

static void add_polygon(struct surface_solid *solid, const struct object *o)
{
    solid->shape = SOLID_PRISM;
    solid->corners = (const double(*)[2])o->corners;
    solid->corner_count = o->corner_count;
    object_bounds(o, solid->from, solid->to);
}

static void add_object(struct room_surface *s, const struct object *o)
{
    struct surface_solid *solid = &s->solids[s->surface.solid_count++];
    *solid = (struct surface_solid){.radius = o->radius, .material = (uint32_t)o->material};
    if (o->shape == SHAPE_BOX || o->shape == SHAPE_WEDGE) {
        add_block(solid, o);
    } else if (o->shape == SHAPE_POLYGON) {
        add_polygon(solid, o);
    } else if (o->shape == SHAPE_SPHERE) {
        solid->shape = SOLID_SPHERE;
        memcpy(solid->centre, o->position, sizeof solid->centre);
    } else {
        solid->shape = SOLID_CYLINDER;
        memcpy(solid->from, o->from, sizeof solid->from);
        memcpy(solid->to, o->to, sizeof solid->to);
    }
}

static void add_materials(struct room_surface *s, const struct room *room)
{
    for (size_t i = 0; i < room->material_count; i++) {
        const bool fixed = boundary_kind_of(&room->materials[i])->fixed;
        s->materials[i] = (struct surface_material){.name = room->materials[i].name,
                                                    .code = fixed ? CELL_FIXED : (uint8_t)(CELL_SOLID + i),
                                                    .joins = room->materials[i].transmission.given};
    }
}

/* Allocates the most that the room can need. */
static int make_arrays(struct room_surface *s, const struct room *room, struct error *e)
{
    const size_t triangles = BLOCK_TRIANGLES + 4 * room->corner_count + room->mesh.triangle_count;
    if (triangles > SURFACE_TRIANGLES_MAX)
        return fail(e, ERROR_INPUT, "%s: %zu triangles exceed the %d that a grid takes; simplify the model", room->path,
                    triangles, (int)SURFACE_TRIANGLES_MAX);
    if (room->material_count > CELL_CODES - CELL_SOLID)
        return fail(e, ERROR_INPUT, "%s: %zu materials exceed the %d that a grid tells apart; merge some", room->path,
                    room->material_count, CELL_CODES - CELL_SOLID);
    s->materials = calloc(room->material_count + 1, sizeof *s->materials);
    s->triangles = calloc(triangles, sizeof *s->triangles);
    s->solids = calloc(room->object_count + 1, sizeof *s->solids);
    if (!s->materials || !s->triangles || !s->solids)
        return fail(e, ERROR_MEMORY, "%s: out of memory", room->path);
    s->surface.materials = s->materials;
    s->surface.material_count = room->material_count;
    s->surface.triangles = s->triangles;
    s->surface.solids = s->solids;
    return 0;
}

/* In a box and a plan there are none. */
static int part_overlaps(struct room_surface *s, const struct room *room, struct error *e)
{
    char where[512];
    const int status = overlaps_part(&s->triangles, &s->surface.triangle_count, e);
    s->surface.triangles = s->triangles;
    if (status && e->code == ERROR_INPUT) {
        const struct error found = *e;
        return fail(e, ERROR_INPUT, "%s: room.geometry: %s",
                    origin_text(&room->geometry.origin, room->path, where, sizeof where), found.message);
    }
    return status;
}

int room_surface_draw(struct room_surface *s, const struct room *room, const double size[3], struct error *e)
{
    const enum room_form form = room_form(room);
    if (make_arrays(s, room, e))
        return -1;
    add_materials(s, room);
    if (form == ROOM_MESH)
        add_mesh(s, room);
    else if (form == ROOM_POLYGON)
        add_polygon_walls(s, room);
    else if (size)
        add_box_walls(s, room, size);
    for (size_t i = 0; i < room->object_count; i++)
        add_object(s, &room->objects[i]);
    return 0;
}

int room_surface_make(struct room_surface *s, const struct room *room, const double size[3], struct error *e)
{
    if (room_surface_draw(s, room, size, e))
        return -1;
    return room_form(room) == ROOM_MESH ? part_overlaps(s, room, e) : 0;
}

/* SPDX-License-Identifier: MIT */
#include "studio/scene.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_materials.h"
#include "geometry/rays/facets.h"
#include "io/base64.h"
#include "io/json_build.h"
#include "io/text_stream.h"
#include "room/grid/room_surface.h"

enum { TRIANGLES_MAX = 2000000 };
static const double deviation = 0.01; /* m: of facets from round objects */

/* Corners of triangles as a graphics card takes them. */
struct corners {
    float *values; /* [9 * count] */
    size_t count, room;
    bool lost; /* out of memory */
};

static void add_corners(void *context, const double corner[3][3], bool curved)
{
    struct corners *c = context;
    (void)curved;
    if (c->count == c->room && !c->lost) {
        const size_t room = c->room ? 2 * c->room : 1024;
        float *larger = realloc(c->values, 9 * room * sizeof *larger);
        c->lost = !larger;
        c->values = larger ? larger : c->values;
        c->room = larger ? room : c->room;
    }
    if (c->lost)
        return;
    for (int i = 0; i < 9; i++)
        c->values[9 * c->count + (size_t)i] = (float)corner[i / 3][i % 3];
    c->count++;
}

static cJSON *numbers(const double *values, size_t count)
{
    return cJSON_CreateDoubleArray(values, (int)count);
}

/* A run of triangles of one material. key NULL: the file does not name its material. */
static void add_part(cJSON *parts, const char *kind, size_t index, const char *name, const char *key,
                     const char *material, size_t first, size_t end)
{
    cJSON *part = cJSON_CreateObject();
    if (end == first) {
        cJSON_Delete(part);
        return;
    }
    cJSON_AddStringToObject(part, "kind", kind);
    cJSON_AddNumberToObject(part, "index", (double)index);
    cJSON_AddStringToObject(part, "name", name);
    if (key)
        cJSON_AddStringToObject(part, "key", key);
    else
        cJSON_AddNullToObject(part, "key");
    cJSON_AddStringToObject(part, "material", material);
    cJSON_AddNumberToObject(part, "first", (double)first);
    cJSON_AddNumberToObject(part, "count", (double)(end - first));
    cJSON_AddItemToArray(parts, part);
}

/* ---- Walls ---- */

static void add_surface(struct corners *c, const struct surface *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        add_corners(c, s->triangles[i].corner, false);
}

static const char *material_of(const struct room *room, const struct surface_triangle *t)
{
    return room->materials[t->material].name;
}

/* The order of triangles is that of room_surface_draw: two for each side of a box. */
static void add_box(cJSON *parts, struct corners *c, const struct room *room, const struct surface *s)
{
    for (size_t side = 0; side < s->triangle_count / 2; side++) {
        char key[64];
        snprintf(key, sizeof key, "room.walls.%s", face_names[side]);
        const size_t first = c->count;
        add_surface(c, s, 2 * side, 2 * side + 2);
        add_part(parts, "wall", side, face_names[side], key, material_of(room, &s->triangles[2 * side]), first,
                 c->count);
    }
}

/* Floor and ceiling in turns, then two triangles for each side. */
static void add_polygon(cJSON *parts, struct corners *c, const struct room *room, const struct surface *s)
{
    const size_t plan = 2 * room->plan_count;
    for (size_t upper = 0; upper < 2; upper++) {
        const size_t first = c->count;
        const char *name = face_names[upper ? FACE_Z_MAX : FACE_Z_MIN];
        char key[64];
        snprintf(key, sizeof key, "room.walls.%s", name);
        for (size_t i = upper; i < plan; i += 2)
            add_surface(c, s, i, i + 1);
        add_part(parts, "wall", upper, name, key, material_of(room, &s->triangles[upper]), first, c->count);
    }
    for (size_t i = plan, side = 0; i + 1 < s->triangle_count; i += 2, side++) {
        const size_t first = c->count;
        char name[32];
        snprintf(name, sizeof name, "side %zu", side + 1);
        add_surface(c, s, i, i + 2);
        add_part(parts, "wall", 2 + side, name, NULL, material_of(room, &s->triangles[i]), first, c->count);
    }
}

/* The rule of the file for a name of the mesh: the first that matches has the material. */
static void mesh_key(char *key, size_t size, const struct room *room, const char *name)
{
    uint64_t comparisons = 0;
    for (size_t i = 0; i < room->geometry.material_count; i++)
        if (name_matches(room->geometry.materials[i].name, name, &comparisons)) {
            snprintf(key, size, "room.geometry.materials[%zu].material", i);
            return;
        }
    *key = '\0';
}

static void add_mesh(cJSON *parts, struct corners *c, const struct room *room)
{
    const struct mesh *m = &room->mesh;
    for (size_t k = 0; k < m->material_count; k++) {
        const size_t first = c->count;
        char key[64];
        if (room->mesh_materials[k] == SIZE_MAX)
            continue;
        for (size_t i = 0; i < m->triangle_count; i++) {
            const struct triangle *t = &m->triangles[i];
            double corner[3][3];
            for (int v = 0; v < 3; v++)
                memcpy(corner[v], m->vertices[t->vertex[v]], sizeof corner[v]);
            if (t->material == k)
                add_corners(c, (const double(*)[3])corner, false);
        }
        mesh_key(key, sizeof key, room, m->materials[k]);
        add_part(parts, "wall", k, m->materials[k], *key ? key : NULL, room->materials[room->mesh_materials[k]].name,
                 first, c->count);
    }
}

static int add_objects(cJSON *parts, struct corners *c, const struct room *room, const struct surface *s,
                       struct error *e)
{
    for (size_t i = 0; i < s->solid_count; i++) {
        const struct facet_sink sink = {c, add_corners};
        const size_t first = c->count;
        double off;
        char key[64], name[64];
        if (facets_of(&sink, &s->solids[i], deviation, &off, e))
            return -1;
        snprintf(key, sizeof key, "room.objects[%zu].material", i);
        snprintf(name, sizeof name, "object %zu", i + 1);
        add_part(parts, "object", i, room->objects[i].name ? room->objects[i].name : name, key,
                 room->materials[room->objects[i].material].name, first, c->count);
    }
    return 0;
}

static int add_shapes(cJSON *scene, const struct room *room, struct error *e)
{
    struct room_surface surface = {0};
    struct corners c = {0};
    cJSON *parts = cJSON_AddArrayToObject(scene, "parts");
    int status = room_surface_draw(&surface, room, room->size, e);
    if (!status && surface.surface.triangle_count > TRIANGLES_MAX)
        status = fail(e, ERROR_INPUT, "%s: a page cannot draw %zu triangles; simplify the model", room->path,
                      surface.surface.triangle_count);
    const enum room_form form = room_form(room);
    if (!status && form == ROOM_MESH)
        add_mesh(parts, &c, room);
    else if (!status && form == ROOM_POLYGON)
        add_polygon(parts, &c, room, &surface.surface);
    else if (!status)
        add_box(parts, &c, room, &surface.surface);
    status = status || add_objects(parts, &c, room, &surface.surface, e);
    struct text_stream text;
    FILE *stream = status ? NULL : text_stream_open(&text);
    if (stream)
        base64_write(stream, (const uint8_t *)c.values, 9 * c.count * sizeof *c.values);
    char *positions = stream ? text_stream_close(&text, NULL) : NULL;
    if (!status && (c.lost || !positions))
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        cJSON_AddStringToObject(scene, "positions", positions);
    free(positions);
    free(c.values);
    room_surface_free(&surface);
    return status ? -1 : 0;
}

/* ---- What stands in the room ---- */

static cJSON *add_item(cJSON *list, const char *of, size_t index, const struct origin *origin)
{
    cJSON *item = cJSON_CreateObject();
    char key[64];
    snprintf(key, sizeof key, "%s[%zu]", of, index);
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "key", key);
    if (origin->line)
        cJSON_AddNumberToObject(item, "line", origin->line);
    return item;
}

static void add_sources(cJSON *scene, const struct room *room)
{
    cJSON *list = cJSON_AddArrayToObject(scene, "sources");
    for (size_t i = 0; i < room->source_count; i++) {
        const struct source *s = &room->sources[i];
        cJSON *item = add_item(list, "sources", i, &s->origin);
        cJSON_AddStringToObject(item, "name", s->name);
        cJSON_AddItemToObject(item, "position", numbers(s->position, 3));
        cJSON_AddItemToObject(item, "orientation", numbers(s->orientation, 3));
        cJSON_AddStringToObject(item, "directivity",
                                s->directivity < DIRECTIVITIES ? directivity_names[s->directivity] : "file");
        cJSON_AddBoolToObject(item, "impulse", s->signal == SIGNAL_IMPULSE);
    }
}

static void add_receivers(cJSON *scene, const struct room *room)
{
    cJSON *list = cJSON_AddArrayToObject(scene, "receivers");
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        cJSON *item = add_item(list, "receivers", i, &r->origin);
        cJSON_AddStringToObject(item, "name", r->name);
        cJSON_AddStringToObject(item, "type", receiver_type_names[r->kind]);
        cJSON_AddItemToObject(item, "position", numbers(r->position, 3));
        cJSON_AddItemToObject(item, "orientation", numbers(r->orientation, 3));
        if (r->kind == RECEIVER_AMBISONIC)
            cJSON_AddNumberToObject(item, "order", (double)r->order);
    }
}

static void add_object_list(cJSON *scene, const struct room *room)
{
    cJSON *list = cJSON_AddArrayToObject(scene, "objects");
    for (size_t i = 0; i < room->object_count; i++) {
        const struct object *o = &room->objects[i];
        cJSON *item = add_item(list, "room.objects", i, &o->origin);
        cJSON_AddStringToObject(item, "name", o->name ? o->name : "");
        cJSON_AddStringToObject(item, "shape", shape_names[o->shape]);
        cJSON_AddStringToObject(item, "material", room->materials[o->material].name);
        if (o->shape == SHAPE_SPHERE) {
            cJSON_AddItemToObject(item, "position", numbers(o->position, 3));
        } else if (o->shape == SHAPE_POLYGON) {
            cJSON *corners = cJSON_AddArrayToObject(item, "corners");
            for (size_t k = 0; k < o->corner_count; k++)
                cJSON_AddItemToArray(corners, numbers(o->corners[k], 2));
            cJSON_AddNumberToObject(item, "bottom", o->bottom);
            cJSON_AddNumberToObject(item, "top", o->top);
        } else {
            cJSON_AddItemToObject(item, "from", numbers(o->from, 3));
            cJSON_AddItemToObject(item, "to", numbers(o->to, 3));
            cJSON_AddItemToObject(item, "rotation", numbers(o->rotation, 3));
        }
        if (o->shape == SHAPE_SPHERE || o->shape == SHAPE_CYLINDER)
            cJSON_AddNumberToObject(item, "radius", o->radius);
    }
}

static void add_materials(cJSON *scene, const struct room *room)
{
    cJSON *list = cJSON_AddArrayToObject(scene, "materials");
    for (size_t i = 0; i < room->material_count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", room->materials[i].name);
        cJSON_AddItemToArray(list, item);
    }
}

/* The box around the room. */
static void add_bounds(cJSON *scene, const struct room *room)
{
    double upper[3];
    for (int k = 0; k < 3; k++)
        upper[k] = room->lower[k] + room->size[k];
    cJSON_AddItemToObject(scene, "lower", numbers(room->lower, 3));
    cJSON_AddItemToObject(scene, "upper", numbers(upper, 3));
}

static void add_plan(cJSON *scene, const struct room *room)
{
    cJSON *plan = cJSON_AddArrayToObject(scene, "plan");
    for (size_t i = 0; i < room->corner_count; i++)
        cJSON_AddItemToArray(plan, numbers(room->corners[i], 2));
}

cJSON *scene_json(const struct room *room, struct error *e)
{
    static const char *const forms[] = {[ROOM_BOX] = "box", [ROOM_POLYGON] = "polygon", [ROOM_MESH] = "mesh"};
    cJSON *scene = cJSON_CreateObject();
    cJSON_AddStringToObject(scene, "form", forms[room_form(room)]);
    add_bounds(scene, room);
    add_materials(scene, room);
    add_object_list(scene, room);
    add_sources(scene, room);
    add_receivers(scene, room);
    if (room->has_corners)
        add_plan(scene, room);
    if (add_shapes(scene, room, e)) {
        cJSON_Delete(scene);
        return NULL;
    }
    return scene;
}

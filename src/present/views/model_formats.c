/* SPDX-License-Identifier: MIT */
#include "present/views/model_formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/json_build.h"

/* Binary glTF, after the Khronos Group's glTF 2.0 specification (2021), section 4: two chunks, JSON and binary. */

enum {
    GLB_HEADER = 12,
    CHUNK_HEADER = 8,
    CHUNK_JSON = 0x4E4F534A,
    CHUNK_BINARY = 0x004E4942,
    TYPE_UINT = 5125,
    TYPE_FLOAT = 5126,
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963,
    VERTEX_BYTES = 12,
    FACE_INDICES = 6, /* two triangles */
    FACE_BYTES = RECTANGLE_CORNERS * VERTEX_BYTES + 4 * FACE_INDICES
};

/* Rectangles of one code: a primitive. */
struct part {
    size_t first, count;
    size_t material;
};

/* y up: x stays, y is the old z and z the old -y. */
static void turn_up(float turned[3], const float place[3])
{
    turned[0] = place[0];
    turned[1] = place[2];
    turned[2] = -place[1];
}

static size_t find_parts(struct part parts[CELL_CODES], const struct viewed_room *room, const struct rectangles *faces)
{
    size_t count = 0;
    for (size_t i = 0; i < faces->count; i++) {
        const size_t material = view_material(room, faces->list[i].code);
        if (!count || parts[count - 1].material != material)
            parts[count++] = (struct part){.first = i, .material = material};
        parts[count - 1].count++;
    }
    return count;
}

static cJSON *add_numbers(cJSON *object, const char *name, const float *values, int count)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber((double)values[i]));
    return array;
}

static void add_view(cJSON *views, size_t offset, size_t length, int target)
{
    cJSON *view = cJSON_CreateObject();
    cJSON_AddNumberToObject(view, "buffer", 0);
    cJSON_AddNumberToObject(view, "byteOffset", (double)offset);
    cJSON_AddNumberToObject(view, "byteLength", (double)length);
    cJSON_AddNumberToObject(view, "target", target);
    cJSON_AddItemToArray(views, view);
}

static cJSON *add_accessor(cJSON *accessors, int view, size_t offset, int type, size_t count, const char *shape)
{
    cJSON *accessor = cJSON_CreateObject();
    cJSON_AddNumberToObject(accessor, "bufferView", view);
    cJSON_AddNumberToObject(accessor, "byteOffset", (double)offset);
    cJSON_AddNumberToObject(accessor, "componentType", type);
    cJSON_AddNumberToObject(accessor, "count", (double)count);
    cJSON_AddStringToObject(accessor, "type", shape);
    cJSON_AddItemToArray(accessors, accessor);
    return accessor;
}

static void find_bounds(float low[3], float high[3], const struct viewed_room *room, const struct rectangles *faces,
                        const struct part *part)
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (size_t i = part->first; i < part->first + part->count; i++)
        for (int corner = 0; corner < RECTANGLE_CORNERS; corner++) {
            float place[3], turned[3];
            model_corner(place, room, &faces->list[i], corner);
            turn_up(turned, place);
            for (int k = 0; k < 3; k++) {
                low[k] = fminf(low[k], turned[k]);
                high[k] = fmaxf(high[k], turned[k]);
            }
        }
}

/* Indices count from the part's own first vertex. */
static void add_part(cJSON *primitives, cJSON *accessors, const struct viewed_room *room,
                     const struct rectangles *faces, const struct part *part, size_t number)
{
    float low[3], high[3];
    find_bounds(low, high, room, faces, part);
    cJSON *places = add_accessor(accessors, 0, RECTANGLE_CORNERS * VERTEX_BYTES * part->first, TYPE_FLOAT,
                                 RECTANGLE_CORNERS * part->count, "VEC3");
    add_numbers(places, "min", low, 3);
    add_numbers(places, "max", high, 3);
    add_accessor(accessors, 1, sizeof(uint32_t) * FACE_INDICES * part->first, TYPE_UINT, FACE_INDICES * part->count,
                 "SCALAR");
    cJSON *primitive = cJSON_CreateObject(), *attributes = cJSON_AddObjectToObject(primitive, "attributes");
    cJSON_AddNumberToObject(attributes, "POSITION", (double)(2 * number));
    cJSON_AddNumberToObject(primitive, "indices", (double)(2 * number + 1));
    cJSON_AddNumberToObject(primitive, "material", (double)number);
    cJSON_AddItemToArray(primitives, primitive);
}

/* Linear value of an sRGB level (IEC 61966-2-1), as glTF colours are linear. */
static float linear(uint32_t level)
{
    const double share = level / 255.0;
    return (float)(share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4));
}

static void add_material(cJSON *materials, const struct viewed_room *room, size_t index)
{
    const uint32_t colour = view_colour(index);
    const float factor[4] = {linear(colour >> 16), linear(colour >> 8 & 255u), linear(colour & 255u), 1.0f};
    cJSON *material = cJSON_CreateObject();
    cJSON_AddStringToObject(material, "name", view_material_name(room, index));
    cJSON *surface = cJSON_AddObjectToObject(material, "pbrMetallicRoughness");
    add_numbers(surface, "baseColorFactor", factor, 4);
    cJSON_AddNumberToObject(surface, "metallicFactor", 0);
    cJSON_AddNumberToObject(surface, "roughnessFactor", 1);
    cJSON_AddItemToArray(materials, material);
}

/* The room, and an empty node at each source and receiver. */
static void add_nodes(cJSON *json, const struct viewed_room *room)
{
    cJSON *scene = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(scene, "nodes");
    cJSON *nodes = cJSON_AddArrayToObject(json, "nodes"), *node = cJSON_CreateObject();
    cJSON_AddStringToObject(node, "name", "room");
    cJSON_AddNumberToObject(node, "mesh", 0);
    cJSON_AddItemToArray(nodes, node);
    cJSON_AddItemToArray(all, cJSON_CreateNumber(0));
    for (size_t i = 0; i < room->mark_count; i++) {
        const struct view_mark *mark = &room->marks[i];
        const float place[3] = {(float)mark->position[0], (float)mark->position[1], (float)mark->position[2]};
        float turned[3];
        char *name = text_format("%s %s", mark->receiver ? "receiver" : "source", mark->name);
        turn_up(turned, place);
        node = cJSON_CreateObject();
        cJSON_AddItemToObject(node, "name", name ? cJSON_CreateString(name) : json_noted(NULL));
        add_numbers(node, "translation", turned, 3);
        cJSON_AddItemToArray(nodes, node);
        cJSON_AddItemToArray(all, cJSON_CreateNumber((double)(i + 1)));
        free(name);
    }
    cJSON *scenes = cJSON_AddArrayToObject(json, "scenes");
    cJSON_AddItemToArray(scenes, scene);
    cJSON_AddNumberToObject(json, "scene", 0);
}

/* As text; NULL: out of memory. */
static char *describe(const struct viewed_room *room, const struct rectangles *faces)
{
    struct part parts[CELL_CODES];
    const size_t count = find_parts(parts, room, faces);
    const size_t vertices = RECTANGLE_CORNERS * VERTEX_BYTES * faces->count;
    cJSON *json = cJSON_CreateObject(), *asset = cJSON_AddObjectToObject(json, "asset");
    cJSON_AddStringToObject(asset, "version", "2.0");
    cJSON_AddStringToObject(asset, "generator", "aula " AULA_VERSION);
    add_nodes(json, room);
    cJSON *meshes = cJSON_AddArrayToObject(json, "meshes"), *mesh = cJSON_CreateObject();
    cJSON_AddStringToObject(mesh, "name", "room");
    cJSON *primitives = cJSON_AddArrayToObject(mesh, "primitives");
    cJSON_AddItemToArray(meshes, mesh);
    cJSON *materials = cJSON_AddArrayToObject(json, "materials");
    cJSON *accessors = cJSON_AddArrayToObject(json, "accessors");
    for (size_t i = 0; i < count; i++) {
        add_part(primitives, accessors, room, faces, &parts[i], i);
        add_material(materials, room, parts[i].material);
    }
    cJSON *views = cJSON_AddArrayToObject(json, "bufferViews");
    add_view(views, 0, vertices, TARGET_VERTICES);
    add_view(views, vertices, sizeof(uint32_t) * FACE_INDICES * faces->count, TARGET_INDICES);
    cJSON *buffers = cJSON_AddArrayToObject(json, "buffers"), *buffer = cJSON_CreateObject();
    cJSON_AddNumberToObject(buffer, "byteLength", (double)(FACE_BYTES * faces->count));
    cJSON_AddItemToArray(buffers, buffer);
    return json_text(json);
}

static void write_vertices(FILE *stream, const struct viewed_room *room, const struct rectangles *faces)
{
    for (size_t i = 0; i < faces->count; i++)
        for (int corner = 0; corner < RECTANGLE_CORNERS; corner++) {
            float place[3], turned[3];
            model_corner(place, room, &faces->list[i], corner);
            turn_up(turned, place);
            for (int k = 0; k < 3; k++)
                model_put_float(stream, turned[k]);
        }
}

static void write_indices(FILE *stream, const struct viewed_room *room, const struct rectangles *faces)
{
    static const uint32_t triangles[FACE_INDICES] = {0, 1, 2, 0, 2, 3};
    uint32_t base = 0;
    for (size_t i = 0; i < faces->count; i++) {
        const bool begins =
            i == 0 || view_material(room, faces->list[i].code) != view_material(room, faces->list[i - 1].code);
        base = begins ? 0 : base + RECTANGLE_CORNERS;
        for (int k = 0; k < FACE_INDICES; k++)
            model_put(stream, base + triangles[k], 4);
    }
}

int glb_write(FILE *stream, const struct viewed_room *room, const struct rectangles *faces, struct error *e)
{
    char *json = describe(room, faces);
    if (!json)
        return fail(e, ERROR_MEMORY, "out of memory");
    const size_t length = strlen(json), padded = (length + 3) / 4 * 4, binary = FACE_BYTES * faces->count;
    const size_t total = GLB_HEADER + 2 * CHUNK_HEADER + padded + binary;
    if (total > UINT32_MAX) {
        free(json);
        return fail(e, ERROR_INPUT,
                    "the %zu faces of the room exceed the 4 GB limit of GLB; use a coarser grid or write PLY",
                    faces->count);
    }
    fputs("glTF", stream);
    model_put(stream, 2, 4);
    model_put(stream, (uint32_t)total, 4);
    model_put(stream, (uint32_t)padded, 4);
    model_put(stream, CHUNK_JSON, 4);
    fputs(json, stream);
    for (size_t i = length; i < padded; i++)
        putc(' ', stream);
    free(json);
    model_put(stream, (uint32_t)binary, 4);
    model_put(stream, CHUNK_BINARY, 4);
    write_vertices(stream, room, faces);
    write_indices(stream, room, faces);
    return 0;
}

/* PLY, after Turk, "The PLY Polygon File Format" (1994). */

static void write_header(FILE *stream, const struct viewed_room *room, const struct rectangles *faces)
{
    fputs("ply\nformat binary_little_endian 1.0\ncomment made by aula " AULA_VERSION "; metres, z up\n", stream);
    for (size_t i = 0; i <= room->material_count; i++) {
        fprintf(stream, "comment material %zu ", i);
        for (const char *c = view_material_name(room, i); *c; c++)
            putc((unsigned char)*c < ' ' ? ' ' : *c, stream);
        putc('\n', stream);
    }
    fprintf(stream,
            "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
            "property uchar green\nproperty uchar blue\nelement face %zu\n"
            "property list uchar uint vertex_indices\nproperty ushort material\nend_header\n",
            RECTANGLE_CORNERS * faces->count, faces->count);
}

int ply_write(FILE *stream, const struct viewed_room *room, const struct rectangles *faces, struct error *e)
{
    if (faces->count > UINT32_MAX / RECTANGLE_CORNERS)
        return fail(e, ERROR_INPUT, "the %zu faces of the room exceed the index range of PLY; use a coarser grid",
                    faces->count);
    write_header(stream, room, faces);
    for (size_t i = 0; i < faces->count; i++) {
        const uint32_t colour = view_colour(view_material(room, faces->list[i].code));
        for (int corner = 0; corner < RECTANGLE_CORNERS; corner++) {
            float place[3];
            model_corner(place, room, &faces->list[i], corner);
            for (int k = 0; k < 3; k++)
                model_put_float(stream, place[k]);
            for (int shift = 16; shift >= 0; shift -= 8)
                model_put(stream, colour >> shift & 255u, 1);
        }
    }
    for (size_t i = 0; i < faces->count; i++) {
        model_put(stream, RECTANGLE_CORNERS, 1);
        for (uint32_t corner = 0; corner < RECTANGLE_CORNERS; corner++)
            model_put(stream, (uint32_t)(RECTANGLE_CORNERS * i) + corner, 4);
        model_put(stream, (uint32_t)view_material(room, faces->list[i].code), 2);
    }
    return 0;
}

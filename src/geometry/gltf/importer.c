/* SPDX-License-Identifier: MIT */
/* Meshes from glTF 2.0: shapes and names of materials, with mesh quantization and instances. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/gltf/accessor.h"
#include "geometry/gltf/placement.h"
#include "geometry/importer.h"

enum { DEPTH_MAX = 1000 };                                            /* of nodes within nodes */
enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6, MODES = 7 }; /* of primitives; others are points and lines */

/* Corners by number. */
struct corners {
    double *at; /* [count][3]; of indices [count] */
    size_t count;
};

struct import {
    struct mesh_builder *builder;
    struct gltf document;
    struct corners *kept; /* [accessors.count]: positions that were read */
    bool *seen;           /* [nodes.count] */
};

static const char *unavailable(void)
{
    return NULL;
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "glTF 2.0 and GLB, with mesh quantization and instances");
}

/* ---- triangles */

/* Parts go by their own names where they have no material. */
static int add_name(uint32_t *material, struct import *in, const cJSON *primitive, const cJSON *mesh, const cJSON *node,
                    struct error *e)
{
    const cJSON *of[3] = {NULL, mesh, node};
    if (gltf_object(&of[0], &in->document, &in->document.materials, primitive, "material", e))
        return -1;
    const char *name = "";
    for (int i = 0; i < 3 && !*name; i++) {
        const char *found = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(of[i], "name"));
        name = found ? found : "";
    }
    return mesh_add_material(in->builder, in->document.path, name, material, e);
}

static int read_positions(struct corners *c, struct import *in, const cJSON *primitive, struct error *e)
{
    struct gltf *g = &in->document;
    const cJSON *attributes = cJSON_GetObjectItemCaseSensitive(primitive, "attributes");
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(attributes, "POSITION");
    size_t index;
    *c = (struct corners){NULL, 0};
    if (!number)
        return 0;
    if (gltf_index(&index, g, &g->accessors, number, "POSITION", e))
        return -1;
    struct corners *kept = &in->kept[index];
    if (!kept->at && accessor_read(&kept->at, &kept->count, g, g->accessors.at[index], 3, e))
        return -1;
    *c = *kept;
    return 0;
}

static int add_triangle(struct import *in, const struct corners *positions, const size_t number[3],
                        const struct placement *p, uint32_t material, struct error *e)
{
    const bool mirrored = placement_mirrors(p);
    struct triangle t = {.material = material};
    for (int corner = 0; corner < 3; corner++) {
        const size_t index = number[mirrored && corner ? 3 - corner : corner];
        double at[3];
        if (index >= positions->count)
            return gltf_damaged(&in->document, e, "a triangle has a corner that is not there");
        const double *v = positions->at + 3 * index;
        for (int k = 0; k < 3; k++) {
            at[k] = p->row[k][0] * v[0] + p->row[k][1] * v[1] + p->row[k][2] * v[2] + p->row[k][3];
            if (!mesh_coordinate_valid(at[k]))
                return gltf_damaged(&in->document, e, "a coordinate is not a number, or beyond 1e12");
        }
        t.vertex[corner] = (uint32_t)in->builder->mesh.vertex_count;
        if (mesh_add_vertex(in->builder, in->document.path, at, e))
            return -1;
    }
    return mesh_add_triangle(in->builder, in->document.path, &t, e);
}

/* Which corners triangle i of a primitive has, in the order of its mode. */
static void corners_of(size_t corner[3], size_t mode, size_t i)
{
    const size_t first = mode == MODE_TRIANGLES ? 3 * i : mode == MODE_STRIP ? i : i + 1;
    const size_t odd = mode == MODE_STRIP ? i % 2 : 0;
    corner[0] = first;
    corner[1] = first + 1 + odd;
    corner[2] = mode == MODE_FAN ? 0 : first + 2 - odd;
}

static int add_primitive(struct import *in, const cJSON *primitive, const cJSON *mesh, const cJSON *node,
                         const struct placement *p, struct error *e)
{
    struct gltf *g = &in->document;
    struct corners positions, indices = {NULL, 0};
    const cJSON *accessor;
    uint32_t material;
    size_t mode;
    int status = 0;
    if (gltf_whole(&mode, g, primitive, "mode", MODE_TRIANGLES, e))
        return -1;
    if (mode < MODE_TRIANGLES || mode >= MODES)
        return 0;
    if (gltf_object(&accessor, g, &g->accessors, primitive, "indices", e) ||
        read_positions(&positions, in, primitive, e) || add_name(&material, in, primitive, mesh, node, e) ||
        (accessor && accessor_read(&indices.at, &indices.count, g, accessor, 1, e)))
        return -1;
    const size_t count = accessor ? indices.count : positions.count;
    const size_t triangles = mode == MODE_TRIANGLES ? count / 3 : count > 2 ? count - 2 : 0;
    for (size_t i = 0; i < triangles && !status; i++) {
        size_t corner[3];
        corners_of(corner, mode, i);
        for (int k = 0; k < 3 && accessor; k++) {
            const double index = indices.at[corner[k]];
            corner[k] = index >= 0.0 && index < (double)positions.count ? (size_t)index : SIZE_MAX;
        }
        status = add_triangle(in, &positions, corner, p, material, e);
    }
    free(indices.at);
    return status;
}

/* ---- nodes */

static int add_mesh(struct import *in, const cJSON *mesh, const cJSON *node, const struct placement *p, struct error *e)
{
    const cJSON *primitive;
    cJSON_ArrayForEach(primitive, cJSON_GetObjectItemCaseSensitive(mesh, "primitives"))
    {
        if (add_primitive(in, primitive, mesh, node, p, e))
            return -1;
    }
    return 0;
}

static int add_instances(struct import *in, const cJSON *node, const struct placement *p, struct error *e)
{
    const cJSON *mesh;
    struct placement *list = NULL;
    size_t count = 0;
    if (gltf_object(&mesh, &in->document, &in->document.meshes, node, "mesh", e) ||
        (mesh && placement_instances(&list, &count, &in->document, node, e)))
        return -1;
    int status = 0;
    for (size_t i = 0; i < count && !status; i++) {
        const struct placement whole = placement_of(p, &list[i]);
        status = add_mesh(in, mesh, node, &whole, e);
    }
    free(list);
    return status;
}

static int add_nodes(struct import *in, const cJSON *numbers, const struct placement *above, int depth,
                     struct error *e);

static int add_node(struct import *in, const cJSON *number, const struct placement *above, int depth, struct error *e)
{
    const struct gltf *g = &in->document;
    struct placement own;
    size_t index;
    if (gltf_index(&index, g, &g->nodes, number, "a node", e))
        return -1;
    if (in->seen[index] || depth > DEPTH_MAX)
        return gltf_damaged(g, e, "node %zu is in two places, or too deep", index);
    in->seen[index] = true;
    const cJSON *node = g->nodes.at[index];
    if (placement_read(&own, g, node, e))
        return -1;
    const struct placement whole = placement_of(above, &own);
    return add_instances(in, node, &whole, e) ||
                   add_nodes(in, cJSON_GetObjectItemCaseSensitive(node, "children"), &whole, depth + 1, e)
               ? -1
               : 0;
}

static int add_nodes(struct import *in, const cJSON *numbers, const struct placement *above, int depth, struct error *e)
{
    const cJSON *number;
    cJSON_ArrayForEach(number, numbers)
    {
        if (add_node(in, number, above, depth, e))
            return -1;
    }
    return 0;
}

/* The scene that the file shows, or its first. */
static int add_scene(struct import *in, struct error *e)
{
    const struct gltf *g = &in->document;
    const cJSON *scene;
    if (gltf_object(&scene, g, &g->scenes, g->json, "scene", e))
        return -1;
    if (!scene && g->scenes.count)
        scene = g->scenes.at[0];
    if (!scene)
        return gltf_damaged(g, e, "it has no scene");
    return add_nodes(in, cJSON_GetObjectItemCaseSensitive(scene, "nodes"), &placement_none, 0, e);
}

/* The process ends after it: nothing else is freed. */
static int import(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    struct import in = {.builder = b};
    (void)file_axes;
    if (gltf_open(&in.document, path, e))
        return -1;
    in.kept = calloc(in.document.accessors.count + 1, sizeof *in.kept);
    in.seen = calloc(in.document.nodes.count + 1, sizeof *in.seen);
    if (!in.kept || !in.seen)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (add_scene(&in, e))
        return -1;
    return b->mesh.triangle_count ? 0 : fail(e, ERROR_INPUT, "%s: holds no faces", path);
}

const struct mesh_importer gltf_importer = {
    .name = "gltf", .unavailable = unavailable, .describe = describe, .import = import, .reads_others = true};

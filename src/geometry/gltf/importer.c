/* SPDX-License-Identifier: MIT */
/* Reads meshes from glTF 2.0: geometry and material names, with mesh quantization and instances. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/gltf/accessor.h"
#include "geometry/gltf/document.h"
#include "geometry/importer.h"

/* Where nodes of a glTF file stand, and instances of their meshes. */

/* Rows of an affine map: x' = m[0][0] x + m[0][1] y + m[0][2] z + m[0][3]. */
struct placement {
    double row[3][4];
};

static const struct placement placement_none = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};

static struct placement placement_of(const struct placement *outer, const struct placement *inner)
{
    struct placement p;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            p.row[i][j] = j == 3 ? outer->row[i][3] : 0.0;
            for (int k = 0; k < 3; k++)
                p.row[i][j] += outer->row[i][k] * inner->row[k][j];
        }
    return p;
}

static bool placement_mirrors(const struct placement *p)
{
    double determinant = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        determinant += p->row[0][i] * (p->row[1][j] * p->row[2][k] - p->row[1][k] * p->row[2][j]);
    }
    return determinant < 0.0;
}

/* Translation, rotation as a quaternion (x, y, z, w), which rounding may have left no unit one, scale. */
static struct placement compose(const double t[3], const double q[4], const double s[3])
{
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double unit = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    const double x = unit * q[0], y = unit * q[1], z = unit * q[2], w = unit * q[3];
    const double turn[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)},
                               {2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)},
                               {2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)}};
    struct placement p;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            p.row[i][j] = turn[i][j] * s[j];
        p.row[i][3] = t[i];
    }
    return p;
}

/* Unchanged where there is no such member. */
static int read_numbers(double *values, int count, const struct gltf *g, const cJSON *node, const char *name,
                        struct error *e)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(node, name), *item;
    int i = 0;
    if (!array)
        return 0;
    if (cJSON_GetArraySize(array) != count)
        return gltf_damaged(g, e, "%s of a node does not have %d numbers", name, count);
    cJSON_ArrayForEach(item, array)
    {
        if (!cJSON_IsNumber(item))
            return gltf_damaged(g, e, "%s of a node does not have %d numbers", name, count);
        values[i++] = item->valuedouble;
    }
    return 0;
}

static int placement_read(struct placement *p, const struct gltf *g, const cJSON *node, struct error *e)
{
    double t[3] = {0.0, 0.0, 0.0}, q[4] = {0.0, 0.0, 0.0, 1.0}, s[3] = {1.0, 1.0, 1.0}, columns[16];
    if (read_numbers(t, 3, g, node, "translation", e) || read_numbers(q, 4, g, node, "rotation", e) ||
        read_numbers(s, 3, g, node, "scale", e) || read_numbers(columns, 16, g, node, "matrix", e))
        return -1;
    *p = compose(t, q, s);
    for (int i = 0; i < 12 && cJSON_HasObjectItem(node, "matrix"); i++)
        p->row[i / 4][i % 4] = columns[i % 4 * 4 + i / 4];
    return 0;
}

/* Attributes of all instances; NULL: what all have. */
struct attributes {
    double *translation, *rotation, *scale;
    size_t count;
    bool any;
};

static int read_attribute(double **values, struct attributes *a, struct gltf *g, const cJSON *attributes,
                          const char *name, size_t components, struct error *e)
{
    const cJSON *accessor;
    size_t count;
    *values = NULL;
    if (gltf_object(&accessor, g, &g->accessors, attributes, name, e))
        return -1;
    if (!accessor)
        return 0;
    if (accessor_read(values, &count, g, accessor, components, e))
        return -1;
    if (a->any && count != a->count)
        return gltf_damaged(g, e, "attributes of instances have different counts, %zu and %zu", a->count, count);
    a->any = true;
    a->count = count;
    return 0;
}

static int read_attributes(struct attributes *a, struct gltf *g, const cJSON *instancing, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(instancing, "attributes");
    *a = (struct attributes){.any = false};
    if (read_attribute(&a->translation, a, g, list, "TRANSLATION", 3, e) ||
        read_attribute(&a->rotation, a, g, list, "ROTATION", 4, e) ||
        read_attribute(&a->scale, a, g, list, "SCALE", 3, e))
        return -1;
    return a->any ? 0 : gltf_damaged(g, e, "instances have no translation, rotation or scale");
}

static int placement_instances(struct placement **list, size_t *count, struct gltf *g, const cJSON *node,
                               struct error *e)
{
    static const double none[3] = {0.0, 0.0, 0.0}, upright[4] = {0.0, 0.0, 0.0, 1.0}, same[3] = {1.0, 1.0, 1.0};
    const cJSON *extensions = cJSON_GetObjectItemCaseSensitive(node, "extensions");
    const cJSON *instancing = cJSON_GetObjectItemCaseSensitive(extensions, "EXT_mesh_gpu_instancing");
    struct attributes a = {.count = 1};
    if (instancing && read_attributes(&a, g, instancing, e))
        return -1;
    *count = a.count;
    *list = calloc(a.count + 1, sizeof **list);
    for (size_t i = 0; i < a.count && *list; i++)
        (*list)[i] = compose(a.translation ? a.translation + 3 * i : none, a.rotation ? a.rotation + 4 * i : upright,
                             a.scale ? a.scale + 3 * i : same);
    free(a.translation);
    free(a.rotation);
    free(a.scale);
    return *list ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", g->path);
}

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
            return gltf_damaged(&in->document, e, "a triangle refers to a missing vertex");
        const double *v = positions->at + 3 * index;
        for (int k = 0; k < 3; k++) {
            at[k] = p->row[k][0] * v[0] + p->row[k][1] * v[1] + p->row[k][2] * v[2] + p->row[k][3];
            if (!mesh_coordinate_valid(at[k]))
                return gltf_damaged(&in->document, e, "a coordinate is not a number or exceeds 1e12");
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
        return gltf_damaged(g, e, "node %zu has two parents or is nested too deeply", index);
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

/* Adds the default scene of the file, or its first. */
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

/* Nothing is freed, because the process exits afterwards. */
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
    return b->mesh.triangle_count ? 0 : fail(e, ERROR_INPUT, "%s: contains no faces", path);
}

const struct mesh_importer gltf_importer = {
    .name = "gltf", .unavailable = unavailable, .describe = describe, .import = import, .reads_others = true};

/* SPDX-License-Identifier: MIT */
#include "geometry/gltf/placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/gltf/accessor.h"

const struct placement placement_none = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};

struct placement placement_of(const struct placement *outer, const struct placement *inner)
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

bool placement_mirrors(const struct placement *p)
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
        return gltf_damaged(g, e, "%s of a node has not %d numbers", name, count);
    cJSON_ArrayForEach(item, array)
    {
        if (!cJSON_IsNumber(item))
            return gltf_damaged(g, e, "%s of a node has not %d numbers", name, count);
        values[i++] = item->valuedouble;
    }
    return 0;
}

int placement_read(struct placement *p, const struct gltf *g, const cJSON *node, struct error *e)
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
        return gltf_damaged(g, e, "attributes of instances are of %zu and of %zu", a->count, count);
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

int placement_instances(struct placement **list, size_t *count, struct gltf *g, const cJSON *node, struct error *e)
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
    return *list ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory for %zu instances", g->path, a.count);
}

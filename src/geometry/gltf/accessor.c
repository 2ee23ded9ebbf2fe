/* SPDX-License-Identifier: MIT */
#include "geometry/gltf/accessor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { COUNT_MAX = 1 << 27, STRIDE_MAX = 252 }; /* elements; bytes, of the specification */

/* How components are stored. */
struct storage {
    size_t type, bytes; /* of a component */
    bool normalized;
};

static int storage_of(struct storage *s, const struct gltf *g, const cJSON *of, struct error *e)
{
    static const size_t bytes[] = {1, 1, 2, 2, 0, 4, 4}; /* 5120: signed, unsigned .., 5126: float */
    if (gltf_whole(&s->type, g, of, "componentType", 0, e))
        return -1;
    s->bytes = s->type >= 5120 && s->type <= 5126 ? bytes[s->type - 5120] : 0;
    s->normalized = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(of, "normalized"));
    return s->bytes ? 0 : gltf_damaged(g, e, "%zu is not a component type", s->type);
}

static double component(const uint8_t *at, const struct storage *s)
{
    const uint32_t low = at[0] | (s->bytes > 1 ? (uint32_t)at[1] << 8 : 0);
    const uint32_t all = low | (s->bytes > 2 ? (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24 : 0);
    float number;
    switch (s->type) {
    case 5120:
        return s->normalized ? fmax((int8_t)low / 127.0, -1.0) : (int8_t)low;
    case 5121:
        return s->normalized ? low / 255.0 : low;
    case 5122:
        return s->normalized ? fmax((int16_t)low / 32767.0, -1.0) : (int16_t)low;
    case 5123:
        return s->normalized ? low / 65535.0 : low;
    case 5125:
        return all;
    default:
        memcpy(&number, &all, sizeof number);
        return (double)number;
    }
}

/* Elements in a view, `stride` bytes from each to the next. */
struct elements {
    struct gltf_bytes bytes;
    size_t stride;
    struct storage storage;
};

/* Those of the view and offset that `of` names; `otherwise`: the distance where the view says none. */
static int find_elements(struct elements *found, struct gltf *g, const cJSON *of, size_t components, size_t count,
                         struct error *e)
{
    const cJSON *view;
    size_t offset;
    const size_t size = components * found->storage.bytes;
    if (gltf_object(&view, g, &g->views, of, "bufferView", e) || gltf_whole(&offset, g, of, "byteOffset", 0, e))
        return -1;
    if (!view)
        return gltf_damaged(g, e, "a sparse accessor has no buffer view");
    if (gltf_view(&found->bytes, g, view, e) || gltf_whole(&found->stride, g, view, "byteStride", size, e))
        return -1;
    if (found->stride < size || found->stride > STRIDE_MAX)
        return gltf_damaged(g, e, "byteStride %zu is not valid", found->stride);
    if (count && (offset > found->bytes.count || size > found->bytes.count - offset ||
                  (count - 1) * found->stride > found->bytes.count - offset - size))
        return gltf_damaged(g, e, "an accessor extends beyond its buffer view");
    found->bytes.at += count ? offset : 0;
    return 0;
}

static void read_element(double *values, const struct elements *from, size_t index, size_t components)
{
    for (size_t k = 0; k < components; k++)
        values[k] = component(from->bytes.at + index * from->stride + k * from->storage.bytes, &from->storage);
}

/* Replaces some of them. */
static int read_sparse(double *values, size_t all, struct gltf *g, const cJSON *sparse, const struct storage *storage,
                       size_t components, struct error *e)
{
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(sparse, "indices");
    struct elements indices, replaced = {.storage = *storage};
    size_t count;
    if (gltf_whole(&count, g, sparse, "count", 0, e) || storage_of(&indices.storage, g, where, e))
        return -1;
    if (count > all)
        return gltf_damaged(g, e, "a sparse accessor of %zu elements replaces %zu", all, count);
    if (find_elements(&indices, g, where, 1, count, e) ||
        find_elements(&replaced, g, cJSON_GetObjectItemCaseSensitive(sparse, "values"), components, count, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        double index;
        read_element(&index, &indices, i, 1);
        if (!(index >= 0.0 && index < (double)all))
            return gltf_damaged(g, e, "a sparse accessor replaces a missing element");
        read_element(values + components * (size_t)index, &replaced, i, components);
    }
    return 0;
}

static int check_type(const struct gltf *g, const cJSON *accessor, size_t components, struct error *e)
{
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(accessor, "type"));
    const char *wanted = components == 1 ? "SCALAR" : components == 3 ? "VEC3" : "VEC4";
    return type && !strcmp(type, wanted) ? 0 : gltf_damaged(g, e, "an accessor is not of type %s", wanted);
}

int accessor_read(double **values, size_t *count, struct gltf *g, const cJSON *accessor, size_t components,
                  struct error *e)
{
    const cJSON *sparse = cJSON_GetObjectItemCaseSensitive(accessor, "sparse");
    const bool dense = cJSON_HasObjectItem(accessor, "bufferView");
    struct elements from;
    *values = NULL;
    if (check_type(g, accessor, components, e) || storage_of(&from.storage, g, accessor, e) ||
        gltf_whole(count, g, accessor, "count", 0, e))
        return -1;
    if (*count > COUNT_MAX)
        return gltf_damaged(g, e, "an accessor has more than %d elements; simplify the model", COUNT_MAX);
    if (dense && find_elements(&from, g, accessor, components, *count, e))
        return -1;
    if (memory_demand((double)(*count * components * sizeof **values), e, "%s: its numbers", g->path))
        return -1;
    *values = calloc(*count * components + 1, sizeof **values); /* zeros without a view */
    if (!*values)
        return fail(e, ERROR_MEMORY, "%s: out of memory", g->path);
    for (size_t i = 0; i < *count && dense; i++)
        read_element(*values + components * i, &from, i, components);
    return sparse ? read_sparse(*values, *count, g, sparse, &from.storage, components, e) : 0;
}

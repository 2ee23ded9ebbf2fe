/* SPDX-License-Identifier: MIT */
#include "geometry/gltf/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "geometry/gltf/uri.h"

static const size_t file_max = (size_t)2 << 30; /* bytes */
static const double whole_max = 0x1p40;

int gltf_damaged(const struct gltf *g, struct error *e, const char *format, ...)
{
    char why[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return fail(e, ERROR_INPUT, "%s: is not a valid glTF file: %s", g->path, why);
}

/* ---- members */

int gltf_whole(size_t *value, const struct gltf *g, const cJSON *of, const char *name, size_t otherwise,
               struct error *e)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(of, name);
    *value = otherwise;
    if (!item)
        return 0;
    const double number = cJSON_IsNumber(item) ? item->valuedouble : -1.0;
    if (!(number >= 0.0 && number <= whole_max) || number != floor(number))
        return gltf_damaged(g, e, "%s is not a whole number", name);
    *value = (size_t)number;
    return 0;
}

int gltf_index(size_t *index, const struct gltf *g, const struct gltf_list *list, const cJSON *number, const char *name,
               struct error *e)
{
    const double value = cJSON_IsNumber(number) ? number->valuedouble : -1.0;
    *index = 0;
    if (!(value >= 0.0 && value < (double)list->count) || value != floor(value))
        return gltf_damaged(g, e, "%s is not an index below %zu", name, list->count);
    *index = (size_t)value;
    return 0;
}

int gltf_object(const cJSON **object, const struct gltf *g, const struct gltf_list *list, const cJSON *of,
                const char *name, struct error *e)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(of, name);
    size_t index;
    *object = NULL;
    if (!number)
        return 0;
    if (gltf_index(&index, g, list, number, name, e))
        return -1;
    *object = list->at[index];
    return 0;
}

static int make_list(struct gltf_list *list, const struct gltf *g, const char *name, struct error *e)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(g->json, name), *item;
    list->at = calloc((size_t)cJSON_GetArraySize(array) + 1, sizeof(const cJSON *));
    if (!list->at)
        return fail(e, ERROR_MEMORY, "%s: out of memory", g->path);
    cJSON_ArrayForEach(item, array) list->at[list->count++] = item;
    return 0;
}

static int make_lists(struct gltf *g, struct error *e)
{
    int status = make_list(&g->scenes, g, "scenes", e) || make_list(&g->nodes, g, "nodes", e) ||
                 make_list(&g->meshes, g, "meshes", e) || make_list(&g->materials, g, "materials", e) ||
                 make_list(&g->accessors, g, "accessors", e) || make_list(&g->views, g, "bufferViews", e) ||
                 make_list(&g->buffers, g, "buffers", e);
    g->bytes = status ? NULL : calloc(g->buffers.count + 1, sizeof *g->bytes);
    if (!status && !g->bytes)
        status = fail(e, ERROR_MEMORY, "%s: out of memory", g->path);
    return status ? -1 : 0;
}

/* ---- extensions */

/* Read here, or of no matter for shapes: names that begin so. */
static bool is_understood(const char *name)
{
    static const char *const known[] = {"KHR_mesh_quantization",
                                        "EXT_mesh_gpu_instancing",
                                        "KHR_materials_",
                                        "KHR_texture_",
                                        "EXT_texture_",
                                        "MSFT_texture_",
                                        "KHR_lights_",
                                        "EXT_lights_",
                                        "KHR_xmp"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i], strlen(known[i])))
            return true;
    return false;
}

static int check_extensions(const struct gltf *g, struct error *e)
{
    const cJSON *required = cJSON_GetObjectItemCaseSensitive(g->json, "extensionsRequired"), *item;
    struct growing_text names = {0};
    char shown[QUOTED];
    size_t count = 0;
    bool compressed = false;
    cJSON_ArrayForEach(item, required)
    {
        const char *name = cJSON_IsString(item) ? item->valuestring : "";
        if (is_understood(name))
            continue;
        growing_text_add(&names, "%s%s", count++ ? ", " : "", quoted(shown, name));
        compressed = compressed || strstr(name, "compression") != NULL;
    }
    char *text = count ? growing_text_take(&names, NULL) : NULL;
    if (!count)
        return 0;
    if (!text)
        return fail(e, ERROR_MEMORY, "%s: out of memory", g->path);
    fail(e, ERROR_INPUT,
         "%s: requires the glTF extension%s %s, which %s not supported; export it without %s, or as OBJ", g->path,
         count == 1 ? "" : "s", text, count == 1 ? "is" : "are", compressed ? "compression" : "it");
    free(text);
    return -1;
}

/* ---- the file */

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The chunks of a .glb: JSON, then what the first buffer holds. Chunks of other kinds may follow. */
static int take_chunks(struct gltf *g, struct gltf_bytes *text, const struct gltf_bytes *file, struct error *e)
{
    enum { HEADER = 12, CHUNK = 8 };
    static const uint32_t json_kind = 0x4e4f534a, binary_kind = 0x004e4942;
    if (file->count < HEADER || word_at(file->at + 4) != 2)
        return gltf_damaged(g, e, "the header is not that of a .glb file of version 2");
    for (size_t at = HEADER; file->count - at >= CHUNK;) {
        const size_t length = word_at(file->at + at);
        const uint32_t kind = word_at(file->at + at + 4);
        at += CHUNK;
        if (length > file->count - at)
            return gltf_damaged(g, e, "a chunk is longer than the file");
        const struct gltf_bytes chunk = {file->at + at, length};
        if (kind == json_kind && !text->at)
            *text = chunk;
        else if (kind == binary_kind && !g->binary.at)
            g->binary = chunk;
        at += length;
    }
    return text->at ? 0 : gltf_damaged(g, e, "it contains no JSON");
}

static int check_version(const struct gltf *g, struct error *e)
{
    char shown[QUOTED];
    const cJSON *asset = cJSON_GetObjectItemCaseSensitive(g->json, "asset");
    const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(asset, "version"));
    if (!version)
        return gltf_damaged(g, e, "it states no version");
    return !strncmp(version, "2.", 2)
               ? 0
               : fail(e, ERROR_INPUT, "%s: is glTF %s; export it as glTF 2.0", g->path, quoted(shown, version));
}

int gltf_open(struct gltf *g, const char *path, struct error *e)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, which some write */
    struct gltf_bytes file, text = {NULL, 0};
    *g = (struct gltf){.path = path};
    if (uri_read_file(&file, path, file_max, e))
        return -1;
    if (file.count >= 4 && !memcmp(file.at, "glTF", 4)) {
        if (take_chunks(g, &text, &file, e))
            return -1;
    } else {
        text = file;
    }
    const size_t skipped = text.count >= 3 && !memcmp(text.at, mark, 3) ? 3 : 0;
    g->json = cJSON_ParseWithLength((const char *)text.at + skipped, text.count - skipped);
    if (!cJSON_IsObject(g->json))
        return gltf_damaged(g, e, "it contains no JSON");
    return check_version(g, e) || check_extensions(g, e) || make_lists(g, e) ? -1 : 0;
}

/* ---- buffers */

static int read_buffer(struct gltf_bytes *bytes, struct gltf *g, size_t index, struct error *e)
{
    const cJSON *buffer = g->buffers.at[index], *uri = cJSON_GetObjectItemCaseSensitive(buffer, "uri");
    size_t length;
    if (gltf_whole(&length, g, buffer, "byteLength", 0, e))
        return -1;
    if (cJSON_IsString(uri)) {
        if (uri_read(bytes, g->path, uri->valuestring, file_max, e))
            return -1;
    } else if (index == 0 && g->binary.at) {
        *bytes = g->binary;
    } else {
        return gltf_damaged(g, e, "buffer %zu has no data", index);
    }
    if (bytes->count < length)
        return gltf_damaged(g, e, "buffer %zu has %zu bytes instead of %zu", index, bytes->count, length);
    return 0;
}

int gltf_view(struct gltf_bytes *bytes, struct gltf *g, const cJSON *view, struct error *e)
{
    const cJSON *buffer = cJSON_GetObjectItemCaseSensitive(view, "buffer");
    size_t index, offset, length;
    if (gltf_index(&index, g, &g->buffers, buffer, "buffer of a view", e) ||
        gltf_whole(&offset, g, view, "byteOffset", 0, e) || gltf_whole(&length, g, view, "byteLength", 0, e) ||
        (!g->bytes[index].at && read_buffer(&g->bytes[index], g, index, e)))
        return -1;
    const struct gltf_bytes *all = &g->bytes[index];
    if (offset > all->count || length > all->count - offset)
        return gltf_damaged(g, e, "a buffer view extends beyond its buffer");
    *bytes = (struct gltf_bytes){all->at + offset, length};
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* A glTF 2.0 file: its JSON, and the bytes of its buffers. Nothing is freed, because the process
 * that reads it exits afterwards (geometry/importer.h). */
#ifndef AULA_GEOMETRY_GLTF_DOCUMENT_H
#define AULA_GEOMETRY_GLTF_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"

/* The objects of an array of the document. */
struct gltf_list {
    const cJSON **at; /* [count] */
    size_t count;
};

struct gltf_bytes {
    const uint8_t *at; /* NULL: not read yet */
    size_t count;
};

struct gltf {
    const char *path;
    const cJSON *json;
    struct gltf_list scenes, nodes, meshes, materials, accessors, views, buffers;
    struct gltf_bytes *bytes; /* [buffers.count] */
    struct gltf_bytes binary; /* of a .glb */
};

/* A .gltf or .glb, by its first bytes. ERROR_INPUT: it is damaged, of another version, or requires an extension that
 * is not read; ERROR_MEMORY. */
int gltf_open(struct gltf *g, const char *path, struct error *e);

/* The member that is an index of a list: *object; NULL: there is no such member. ERROR_INPUT: it is no index. */
int gltf_object(const cJSON **object, const struct gltf *g, const struct gltf_list *list, const cJSON *of,
                const char *name, struct error *e);

/* The same of a JSON number. */
int gltf_index(size_t *index, const struct gltf *g, const struct gltf_list *list, const cJSON *number, const char *name,
               struct error *e);

/* A member that is a whole number, `otherwise` where it is missing. ERROR_INPUT: it is something else. */
int gltf_whole(size_t *value, const struct gltf *g, const cJSON *of, const char *name, size_t otherwise,
               struct error *e);

/* Bytes of a buffer view (an object of `views`). ERROR_INPUT: the buffer cannot be read, or is too short. */
int gltf_view(struct gltf_bytes *bytes, struct gltf *g, const cJSON *view, struct error *e);

/* fail() with a reason that begins with the path. */
int gltf_damaged(const struct gltf *g, struct error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif

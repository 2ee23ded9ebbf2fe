/* SPDX-License-Identifier: MIT */
/* Triangles with materials as read from a model file: in its units and axes, without repairs. */
#ifndef AULA_GEOMETRY_MESH_H
#define AULA_GEOMETRY_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct triangle {
    uint32_t vertex[3];
    uint32_t material; /* index of mesh.materials */
    uint32_t line;     /* of the file, from 1; 0: the format has none */
};

struct mesh {
    double (*vertices)[3];
    size_t vertex_count;
    struct triangle *triangles;
    size_t triangle_count;
    char **materials; /* names as the file gives them; faces before any name have "" */
    size_t material_count;
    uint64_t checksum; /* of the mesh as read from a file (mesh_read.c); 0: not read from a file */
};

void mesh_free(struct mesh *m); /* safe on a zeroed struct */

/* Fills a mesh vertex by vertex and triangle by triangle, within limits: no file takes more memory than there is. */

enum { MESH_COUNT_MAX = 1 << 27, MESH_MATERIALS_MAX = 65535, MESH_NAME_MAX = 1023 }; /* vertices, triangles; bytes */

#define MESH_COORDINATE_MAX 1e12 /* in units of the file */

/* Zero it first; ends with mesh_builder_take or mesh_builder_free. */
struct mesh_builder {
    struct mesh mesh;
    size_t vertex_room, triangle_room, material_room;
    void *names; /* tree of the materials' names */
};

/* `path` stands at the beginning of messages. ERROR_INPUT: beyond the limits; ERROR_MEMORY. */
int mesh_add_vertex(struct mesh_builder *b, const char *path, const double position[3], struct error *e);
int mesh_add_triangle(struct mesh_builder *b, const char *path, const struct triangle *t, struct error *e);

/* Index of the material of this name, which is added when it is new. Bytes that are no UTF-8 and control characters
 * become U+FFFD: names go into messages, JSON and files. */
int mesh_add_material(struct mesh_builder *b, const char *path, const char *name, uint32_t *index, struct error *e);

/* Whether it is a number that a mesh may hold: finite, at most MESH_COORDINATE_MAX in magnitude. */
bool mesh_coordinate_valid(double value);

void mesh_builder_take(struct mesh_builder *b, struct mesh *m); /* the mesh is the caller's; frees the rest */
void mesh_builder_free(struct mesh_builder *b);

#endif

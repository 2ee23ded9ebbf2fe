/* SPDX-License-Identifier: MIT */
/* Triangles with materials, as files of models give them: units and axes of the file, nothing repaired. */
#ifndef AULA_GEOMETRY_MESH_H
#define AULA_GEOMETRY_MESH_H

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
    uint64_t checksum; /* geometry/mesh_checksum.h, of what the file gives; 0: not read from one */
};

void mesh_free(struct mesh *m); /* safe on a zeroed struct */

#endif

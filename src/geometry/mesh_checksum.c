/* SPDX-License-Identifier: MIT */
#include "geometry/mesh_checksum.h"

#include <string.h>

static uint64_t add(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

uint64_t mesh_checksum(const struct mesh *m)
{
    uint64_t sum = 0xcbf29ce484222325u;
    if (m->vertex_count)
        sum = add(sum, m->vertices, m->vertex_count * sizeof *m->vertices);
    for (size_t i = 0; i < m->triangle_count; i++) { /* without the line, which comments move */
        sum = add(sum, m->triangles[i].vertex, sizeof m->triangles[i].vertex);
        sum = add(sum, &m->triangles[i].material, sizeof m->triangles[i].material);
    }
    for (size_t i = 0; i < m->material_count; i++)
        sum = add(sum, m->materials[i], strlen(m->materials[i]) + 1);
    return sum;
}

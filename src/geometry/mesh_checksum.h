/* SPDX-License-Identifier: MIT */
/* A number that tells whether a model is the one that it was. */
#ifndef AULA_GEOMETRY_MESH_CHECKSUM_H
#define AULA_GEOMETRY_MESH_CHECKSUM_H

#include "geometry/mesh.h"

/* FNV-1a, 64 bits, of the vertices, the triangles with their materials, and the names of these: of all that a room
 * takes from a file. Comments do not matter. It finds changes, not forgeries. */
uint64_t mesh_checksum(const struct mesh *m);

#endif

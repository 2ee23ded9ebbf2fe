/* SPDX-License-Identifier: MIT */
/* Where nodes of a glTF file stand, and instances of their meshes. */
#ifndef AULA_GEOMETRY_GLTF_PLACEMENT_H
#define AULA_GEOMETRY_GLTF_PLACEMENT_H

#include "geometry/gltf/document.h"

/* Rows of an affine map: x' = m[0][0] x + m[0][1] y + m[0][2] z + m[0][3]. */
struct placement {
    double row[3][4];
};

extern const struct placement placement_none;

/* First `inner`, then `outer`. */
struct placement placement_of(const struct placement *outer, const struct placement *inner);
/* Whether it turns fronts into backs. */
bool placement_mirrors(const struct placement *p);

/* That of a node in the one above it: its matrix, or its translation, rotation and scale. ERROR_INPUT. */
int placement_read(struct placement *p, const struct gltf *g, const cJSON *node, struct error *e);

/* Those of the instances of the node's mesh (EXT_mesh_gpu_instancing), in the node: [*count], fresh memory; one that
 * changes nothing where the node has none. ERROR_INPUT, ERROR_MEMORY. */
int placement_instances(struct placement **list, size_t *count, struct gltf *g, const cJSON *node, struct error *e);

#endif

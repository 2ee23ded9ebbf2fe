/* SPDX-License-Identifier: MIT */
/* Rooms of triangles and solids as voxels, for tests of the voxelizer. */
#ifndef AULA_TESTS_VOXELIZED_H
#define AULA_TESTS_VOXELIZED_H

#include "validate/scene/meshes.h"

extern const struct voxelize_options voxelize_plain; /* sealed and cropped */

struct voxelized {
    struct voxel_set *set;
    struct voxel_report report;
    struct error error;
    int status;
};

/* The air that a source is in. The first may fail; the others fail the test then. */
struct voxelized voxelized_try(const struct surface *s, const struct lattice *l, const double source[3],
                               const struct voxelize_options *o);
struct voxelized voxelized_room(const struct surface *s, const struct lattice *l, const double source[3],
                                const struct voxelize_options *o);
struct voxelized voxelized_mesh(const struct scene_mesh *mesh, double spacing, const double source[3]);
void voxelized_drop(struct voxelized *v);

#endif

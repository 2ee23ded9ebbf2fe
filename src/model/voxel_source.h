/* The voxel set of a room of boxes and cylinders. */
#ifndef AULA_MODEL_VOXEL_SOURCE_H
#define AULA_MODEL_VOXEL_SOURCE_H

#include "model/voxels.h"
#include "voxels/voxel_set.h"

/* Code of what lies behind a wall. The 7-point scheme has a layer of fixed points before a fixed wall, so that what is
 * behind has no effect; the 19-point scheme holds the points on it. */
uint8_t voxel_source_outside(const struct voxels *v, int wall);

/* Row by row; areas are whole. *set is NULL where there are more voxels than can be stepped. */
int voxel_source_make(struct voxel_set **set, const struct voxels *v, struct error *e);

#endif

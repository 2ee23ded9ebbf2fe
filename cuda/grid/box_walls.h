/* SPDX-License-Identifier: MIT */
/* What is behind the walls of the box that holds a room. */
#ifndef AULA_CUDA_BOX_WALLS_H
#define AULA_CUDA_BOX_WALLS_H

#include "geometry/voxels/voxel_set.h"
#include "solver/schemes/leapfrog/corners.h"

/* The face that most voxels of air at each side of the set have there; where none has one, one without surface. */
int box_walls_find(struct corner_face walls[FACES], const struct voxel_set *v, struct error *e);

#endif

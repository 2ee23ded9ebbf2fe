/* SPDX-License-Identifier: MIT */
/* A room of larger voxels, to be looked at. */
#ifndef AULA_PRESENT_VIEWS_COARSE_H
#define AULA_PRESENT_VIEWS_COARSE_H

#include "geometry/voxels/voxel_set.h"

/* Voxels of factor x factor x factor, with one more around the set: voxel (1, 1, 1) begins where the set does. A voxel
 * is air when more than half of it is; what is not has the code of most faces that are in it, or else beside it. Sheets
 * thinner than half a voxel are lost. All areas are whole. Takes three bytes a voxel. ERROR_MEMORY, ERROR_STOPPED. */
int coarse_set(struct voxel_set **coarse, const struct voxel_set *set, size_t factor, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Coarsens the voxels of a room for display. */
#ifndef AULA_PRESENT_VIEWS_COARSE_H
#define AULA_PRESENT_VIEWS_COARSE_H

#include "geometry/voxels/voxel_set.h"

/* Voxels of factor x factor x factor, with one more around the set: voxel (1, 1, 1) begins where the set does. A voxel
 * is air if more than half of it is; a solid one has the code of the majority of faces in it, or next to it. Sheets thinner
 * than half a voxel disappear. All areas are whole. Needs three bytes per voxel. ERROR_MEMORY, ERROR_STOPPED. */
int coarse_set(struct voxel_set **coarse, const struct voxel_set *set, size_t factor, struct error *e);

#endif

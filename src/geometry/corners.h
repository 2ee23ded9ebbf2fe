/* SPDX-License-Identifier: MIT */
/* Closes voxels of air that touch only along an edge or at a corner, for the 19-point scheme. Their
 * shared grid point would connect air that no face connects, so one side becomes solid. */
#ifndef AULA_GEOMETRY_CORNERS_H
#define AULA_GEOMETRY_CORNERS_H

#include "geometry/room_cuts.h"

/* At each point the eight voxels around it form groups that are joined through faces. Where there is more than one, the
 * greatest is kept: by the number of voxels, then by the number of their faces that lead to air, then by their greatest
 * index. All points are judged on the same state, then all other groups are closed at once, and again until nothing is
 * left to close. A closed voxel shows what it saw in the solid voxel of the lowest index that shares a face with it at
 * such a point. *count of voxels closed, in all slabs, which call it together. ERROR_MEMORY,
 * ERROR_STOPPED. */
int corners_close(struct room_cuts *r, uint64_t *count, struct error *e);

#endif

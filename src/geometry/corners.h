/* SPDX-License-Identifier: MIT */
/* Closes voxels of air that touch only along an edge or at a corner, for the 19-point scheme. Their
 * shared grid point would connect air that no face connects, so one side becomes solid. */
#ifndef AULA_GEOMETRY_CORNERS_H
#define AULA_GEOMETRY_CORNERS_H

#include "geometry/room_cuts.h"

/* At each point the eight surrounding voxels form groups connected through faces. If there are
 * several, the largest is kept: by number of voxels, then by number of faces that lead to air, then
 * by highest index. All points are judged on the same state and then all other groups are closed
 * together; this repeats until nothing is left to close. A closed voxel shows the element that it
 * saw in the solid voxel of the lowest index that shares a face with it at such a point. Called by
 * all slabs together; *count: number of closed voxels in all of them. ERROR_MEMORY, ERROR_STOPPED. */
int corners_close(struct room_cuts *r, uint64_t *count, struct error *e);

#endif

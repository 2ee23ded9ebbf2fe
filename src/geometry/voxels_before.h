/* SPDX-License-Identifier: MIT */
/* Where the corners of a face lie on the staircase that stands for a slanted surface, for the 19-point scheme, whose
 * points they are.
 *
 * In front of a staircase the pressure is higher at points in its notches, with little air around them, than at those
 * that stand out. Theory (38a) therefore divides the area of a face between its corners by the number of voxels around
 * each that are before the surface. Triangles count as planes, so that the corner between two walls is no notch. */
#ifndef AULA_GEOMETRY_VOXELS_BEFORE_H
#define AULA_GEOMETRY_VOXELS_BEFORE_H

#include "geometry/room_cuts.h"

/* For a face of a voxel of air, and what it shows: as struct face_run has it. 0 if the surface is along the axes, is a
 * wall of the lattice, or passes the face by. */
unsigned voxels_before(const struct room_cuts *r, const size_t at[3], int side, const struct seen *seen);

#endif

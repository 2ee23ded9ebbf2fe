/* SPDX-License-Identifier: MIT */
/* Finds where a room leaks: the widest path from a source to the outside. */
#ifndef AULA_GEOMETRY_LEAKS_H
#define AULA_GEOMETRY_LEAKS_H

#include "geometry/room_cuts.h"
#include "geometry/voxelize.h"

/* Sets the leaks of the report; source: a position in the room. Clearance is the number of steps
 * from a voxel to one with a cut link. Voxels of ever lower clearance are added until source and
 * outside connect. The hole then lies on the path between them through voxels of that clearance: in
 * the plane of the surrounding surfaces if they lie in one, or else at the exit of the path. A
 * source near walls has little clearance itself, so it moves by a few steps to where there is more
 * as the clearance grows. Each hole is plugged before the search for the next. ERROR_MEMORY,
 * ERROR_STOPPED. */
int leaks_find(struct voxel_report *report, const struct surface *surface, const struct lattice *lattice,
               const double source[3], double seal, int threads, struct error *e);

#endif

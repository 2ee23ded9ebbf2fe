/* SPDX-License-Identifier: MIT */
/* Finds where a room leaks: the widest path from a source to the outside. */
#ifndef AULA_GEOMETRY_LEAKS_H
#define AULA_GEOMETRY_LEAKS_H

#include "geometry/room_cuts.h"
#include "geometry/voxelize.h"

/* Sets the report's leaks; source: a position in the room. Clearance is the number of steps from a voxel to one with a
 * cut link. Voxels of ever lower clearance are added until source and outside join: the hole is on the way between them
 * through voxels of that clearance, in the plane of the surfaces around it where these lie in one, else where the way
 * comes out. A source beside walls has little clearance itself: as clearance grows it moves to where there is more, by
 * a few steps each time. A hole is plugged to look for the next. ERROR_MEMORY, ERROR_STOPPED. */
int leaks_find(struct voxel_report *report, const struct surface *surface, const struct lattice *lattice,
               const double source[3], double seal, int threads, struct error *e);

#endif

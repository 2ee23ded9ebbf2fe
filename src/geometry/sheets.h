/* SPDX-License-Identifier: MIT */
/* Thin sheets in a room: they cut links between voxels of its air, and become one voxel thick. */
#ifndef AULA_GEOMETRY_SHEETS_H
#define AULA_GEOMETRY_SHEETS_H

#include "geometry/room_cuts.h"

/* Of both ends of each cut link the voxel with more cut links becomes solid, the upper one where they have as many; all
 * are judged on the same state, so that the order does not matter. A link that only a seal crosses counts where the
 * links on both sides of it are cut, in a seam: elsewhere it is beyond the edge of a surface. *count of voxels, and the
 * first of them (unchanged when there are none), in the whole padded lattice. All slabs call it. ERROR_MEMORY,
 * ERROR_STOPPED. */
int sheets_fill(struct room_cuts *r, uint64_t *count, size_t place[3], struct error *e);

#endif

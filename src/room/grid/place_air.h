/* SPDX-License-Identifier: MIT */
/* Places in the air of a room. */
#ifndef AULA_ROOM_GRID_PLACE_AIR_H
#define AULA_ROOM_GRID_PLACE_AIR_H

#include "room/grid/model.h"

/* Whether a receiver can stand at a position: in air, and one voxel away from walls that may run through voxels. */
bool place_is_air(const struct model *m, const double at[3]);

#endif

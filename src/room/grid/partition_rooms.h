/* SPDX-License-Identifier: MIT */
/* The rooms that partitions divide the air of a grid into, and the faces that they join. */
#ifndef AULA_ROOM_GRID_PARTITION_ROOMS_H
#define AULA_ROOM_GRID_PARTITION_ROOMS_H

#include "geometry/voxels/solid_runs.h"
#include "room/grid/model.h"

/* Fills m->partitions: faces and area of each material, rooms, and those of sources and receivers. m->partitions.set
 * has all voxels. ERROR_MEMORY, ERROR_STOPPED. */
int partition_rooms_find(struct model *m, struct error *e);

/* The run of solid voxels that a partition joins straight through a face of a voxel of air; false: there is none. */
bool partition_behind(struct solid_run *run, const struct model *m, const size_t at[3], int side);

#endif

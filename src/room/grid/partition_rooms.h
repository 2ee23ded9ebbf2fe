/* SPDX-License-Identifier: MIT */
/* The rooms that partitions divide the air of a grid into, and the faces that they join. */
#ifndef AULA_ROOM_GRID_PARTITION_ROOMS_H
#define AULA_ROOM_GRID_PARTITION_ROOMS_H

#include "room/grid/model.h"

/* Fills m->partitions: faces and area of each material, rooms, and those of sources and receivers. m->partitions.set
 * has all voxels. ERROR_MEMORY, ERROR_STOPPED. */
int partition_rooms_find(struct model *m, struct error *e);

/* The number of solid voxels from a voxel of air through a face of a material with transmission to the next air behind
 * it, straight through faces of such materials; 0: there is none. *behind: the face there, seen from the air. */
size_t partition_depth(const struct face_run **behind, const struct model *m, const size_t at[3], int side);

#endif

/* SPDX-License-Identifier: MIT */
/* Notes for the user on the voxels of a room and on its size. */
#ifndef AULA_ROOM_GRID_VOXEL_NOTES_H
#define AULA_ROOM_GRID_VOXEL_NOTES_H

#include "room/grid/model.h"

/* Adds a note for each kind of voxel or triangle that was closed, filled or dropped. */
int voxel_notes(struct model *m, struct error *e);

/* Adds notes on sizes that suggest a wrong unit or axis: very large rooms, cells above 1 m, models
 * with y up. */

int size_notes(struct model *m, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* What the user should know of the voxels that a room became. */
#ifndef AULA_ROOM_GRID_VOXEL_NOTES_H
#define AULA_ROOM_GRID_VOXEL_NOTES_H

#include "room/grid/model.h"

/* Adds a note for what was closed, filled, dropped or left out. */
int voxel_notes(struct model *m, struct error *e);

/* Notes on sizes that may come from a mistaken unit or axis: very large rooms, cells above 1 m, models with y up. */

int size_notes(struct model *m, struct error *e);

#endif

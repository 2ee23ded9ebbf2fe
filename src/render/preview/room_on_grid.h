/* SPDX-License-Identifier: MIT */
/* A room on another grid than its file asks for. */
#ifndef AULA_RENDER_PREVIEW_ROOM_ON_GRID_H
#define AULA_RENDER_PREVIEW_ROOM_ON_GRID_H

#include "room/grid/grid.h"

/* A shallow copy of the room with a grid of this rate, Hz. `own` is the grid that the file asks
 * for: the copy keeps its scheme and its points per wavelength at the end of the valid band, and a
 * room sized by points keeps its size in metres. `room` owns the members. */
struct room room_on_grid(const struct room *room, const struct grid *own, double rate);

#endif

/* SPDX-License-Identifier: MIT */
/* A room on another grid than its file asks for. */
#ifndef AULA_RENDER_PREVIEW_ROOM_ON_GRID_H
#define AULA_RENDER_PREVIEW_ROOM_ON_GRID_H

#include "room/grid/grid.h"

/* A shallow copy of the room with a grid of this rate, Hz. `own` is the grid that the file asks for: its scheme and its
 * points to a wavelength at the edge of the valid band are kept, and a room sized by points keeps its size in metres.
 * Members it points to belong to `room`. */
struct room room_on_grid(const struct room *room, const struct grid *own, double rate);

#endif

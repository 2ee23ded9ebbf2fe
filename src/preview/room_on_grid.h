/* A room on another grid than the one that its file asks for. */
#ifndef AULA_PREVIEW_ROOM_ON_GRID_H
#define AULA_PREVIEW_ROOM_ON_GRID_H

#include "model/grid.h"

/* A copy of the room with a grid of this rate (Hz) in place of what was asked for. `own` is the grid that was: a room
 * sized by points keeps the size it has there. What the copy points to belongs to `room`. */
struct room room_on_grid(const struct room *room, const struct grid *own, double rate);

#endif

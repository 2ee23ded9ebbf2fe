/* SPDX-License-Identifier: MIT */
/* Notes probable mistakes of placement: objects that extend beyond the room, and sources and
 * receivers that are closer to something than the grid resolves. */
#ifndef AULA_ROOM_GRID_NEIGHBOURS_H
#define AULA_ROOM_GRID_NEIGHBOURS_H

#include "room/grid/grid.h"
#include "room/room.h"

/* Adds a line for each mistake. Objects entirely outside are left to the warning of objects that
 * cover no grid point. */
int neighbours_note(char ***notes, size_t *count, const struct room *room, const struct grid *g, struct error *e);

/* Distance, m, from a position in the air to the surface of an object; 0 inside. Underestimated
 * near the edges of a wedge's slope. */
double distance_to_object(const struct object *object, const double position[3]);

#endif

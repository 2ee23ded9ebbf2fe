/* SPDX-License-Identifier: MIT */
/* Partitions that lie on the outer walls of a room, behind which there is no air. */
#ifndef AULA_ROOM_GRID_PARTITION_WALLS_H
#define AULA_ROOM_GRID_PARTITION_WALLS_H

#include "room/grid/model.h"

/* Warns of keys of walls, and of objects of a box, that have transmission and nothing behind. Sets on_wall of their
 * materials. ERROR_MEMORY. */
int partition_walls_warn(struct model *m, struct error *e);

#endif

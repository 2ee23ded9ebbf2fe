/* SPDX-License-Identifier: MIT */
/* Free edges of a room, which deflect its rays. */
#ifndef AULA_RENDER_ROOM_EDGES_H
#define AULA_RENDER_ROOM_EDGES_H

#include "room/grid/model.h"

struct ray_edges;

/* Finds the edges of the room as its file describes it. On the grid the size of a box is rounded,
 * and an object flush with a wall would stand off it. Zero *edges first; free with ray_edges_free,
 * after errors too. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int room_edges_make(struct ray_edges *edges, const struct room *room, const struct grid *grid, struct error *e);

struct room_edges {
    size_t count;
    double length; /* m: total */
};

/* Only the number and length of the edges. */
int room_edges_measure(struct room_edges *measured, const struct model *m, struct error *e);

#endif

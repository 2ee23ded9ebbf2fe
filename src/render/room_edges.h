/* SPDX-License-Identifier: MIT */
/* Free edges of a room, which turn its rays. */
#ifndef AULA_RENDER_ROOM_EDGES_H
#define AULA_RENDER_ROOM_EDGES_H

#include "room/grid/model.h"

struct ray_edges;

/* Of a room on its grid, as its file gives it: the grid rounds the size of a box, and what stands against a wall would
 * stand beside it. Zero them first; end with ray_edges_free, also after an error. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int room_edges_make(struct ray_edges *edges, const struct room *room, const struct grid *grid, struct error *e);

struct room_edges {
    size_t count;
    double length; /* m: of all */
};

/* Their number and length alone. */
int room_edges_measure(struct room_edges *measured, const struct model *m, struct error *e);

#endif

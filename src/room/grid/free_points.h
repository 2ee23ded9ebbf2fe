/* SPDX-License-Identifier: MIT */
/* The points and weights that a source or a tap of a model has in the middle of the air: where a wall of the grid folds
 * a stencil back, as it was before. By them the direct sound can be told from what walls send back. */
#ifndef AULA_ROOM_GRID_FREE_POINTS_H
#define AULA_ROOM_GRID_FREE_POINTS_H

#include "room/grid/model.h"
#include "solver/schemes/free_air.h"

/* Spacings between a source and a receiver within which the grid's direct sound is replaced by that of air
 * (render/near_sound.h); orders, which are raised by (spacing/distance)^n without bound, from ORDERS_NEAREST on. */
#define DIRECT_SOUND_SPACINGS 8.0
#define ORDERS_NEAREST 0.7

/* Of a drive, by its index in m->sources, of the source `source`. Free with air_points_free. ERROR_MEMORY. */
int free_points_of_drive(struct air_points *a, const struct model *m, size_t source, size_t drive, struct error *e);

/* Of a tap, by its index in m->receivers, of the receiver `receiver`. */
int free_points_of_tap(struct air_points *a, const struct model *m, size_t receiver, size_t tap, struct error *e);

#endif

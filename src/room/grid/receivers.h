/* SPDX-License-Identifier: MIT */
/* Places the taps of each kind of receiver on the grid. */
#ifndef AULA_ROOM_GRID_RECEIVERS_H
#define AULA_ROOM_GRID_RECEIVERS_H

#include "room/grid/model.h"
#include "room/grid/placement.h"

/* Fills m->receivers: the taps of each receiver in turn. Those of order n are (s/c)^n times a harmonic of the field,
 * Pa/m^n. Fails as placement_make; the caller frees those placed before. */
int receivers_place(struct model *m, struct error *e);

/* The placement of one position of a receiver. */
struct placement receiver_placement(const struct model *m, size_t receiver, size_t place);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds the connected parts of the air across all slabs. */
#ifndef AULA_GEOMETRY_AIR_PARTS_H
#define AULA_GEOMETRY_AIR_PARTS_H

#include "geometry/room_cuts.h"

/* Sets air.part to the number of the part that a run belongs to, counted in the order of their first runs, and
 * r->parts, the same in all slabs. cut: by the links that nothing cuts; else by all, after sheets are solid. All slabs
 * call it, with the air of halos known. ERROR_MEMORY, ERROR_STOPPED. */
int air_parts_find(struct room_cuts *r, bool cut, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds the parts of the air that partitions join: those beside a triangle or solid whose material lets sound through.
 * Walls at the ends of a lattice join nothing. */
#ifndef AULA_GEOMETRY_JOINED_PARTS_H
#define AULA_GEOMETRY_JOINED_PARTS_H

#include "geometry/room_cuts.h"

/* Sets joined[part] of r->parts, all false before; the same in all slabs. The parts are those of air_parts_find.
 * ERROR_MEMORY, ERROR_STOPPED. */
int joined_parts_find(bool *joined, const struct room_cuts *r, struct error *e);

#endif

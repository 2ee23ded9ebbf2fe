/* SPDX-License-Identifier: MIT */
/* Exchanges the planes that neighbouring slabs share. */
#ifndef AULA_GEOMETRY_HALO_H
#define AULA_GEOMETRY_HALO_H

#include "geometry/room_cuts.h"

/* Whether there is a slab below; above. */
void halo_neighbours(bool neighbours[2], const struct room_cuts *r);
/* The own planes, planes[0] .. planes[1] - 1 of those here, that are the halo of the neighbour below (0) or above
 * (1). */
void halo_given(size_t planes[2], const struct room_cuts *r, int side);

#endif

/* SPDX-License-Identifier: MIT */
/* Finds where solids thinner than a spacing cut links between voxels that they do not cover. */
#ifndef AULA_GEOMETRY_THIN_SOLIDS_H
#define AULA_GEOMETRY_THIN_SOLIDS_H

#include "geometry/room_cuts.h"

/* Adds to the crossings those of solids that pass between two neighbouring centres: where the line enters one and where
 * it leaves it. Left out are those at the border of voxels that the same solid covers, where the air on both sides is
 * joined around it by links that nothing touches: a round solid would grow by them. Needs crossings of triangles and
 * solids.rows. ERROR_INPUT when there are too many elements, ERROR_MEMORY, ERROR_STOPPED. */
int thin_solids_cut(struct room_cuts *r, struct error *e);

#endif

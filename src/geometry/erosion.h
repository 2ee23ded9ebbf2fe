/* SPDX-License-Identifier: MIT */
/* Air at least some steps away from everything that cuts links. */
#ifndef AULA_GEOMETRY_EROSION_H
#define AULA_GEOMETRY_EROSION_H

#include "geometry/room_cuts.h"

/* *to: the voxels of `from` whose six neighbours are in it; beyond the lattice counts as in it. With `cuts`, also no
 * link of theirs is cut: the first step. *to is joined. ERROR_MEMORY, ERROR_STOPPED. */
int erode(struct regions *to, const struct regions *from, const struct room_cuts *cuts, struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* A grid spacing that meets the sizes of a room. */
#ifndef AULA_RENDER_MODES_SPACING_H
#define AULA_RENDER_MODES_SPACING_H

#include "room/room.h"

/* The error of a mode's frequency is that of the room's sizes. */
#define SPACING_ERROR 0.001 /* of each size: what has to be met */

struct spacing {
    double metres; /* X */
    double error;  /* the largest displacement of a wall, over the size along its axis */
};

/* The coarsest spacing from `coarsest` down to `finest` at which the walls of a box, the corners of a floor plan or the
 * bounding box of a mesh lie within half of SPACING_ERROR of the lattice; failing that, the spacing with the least
 * error. Lengths in m. */
struct spacing spacing_find(const struct room *room, double coarsest, double finest);

#endif

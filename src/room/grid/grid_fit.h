/* SPDX-License-Identifier: MIT */
/* Chooses the spacing and offset of the grid that displace the faces of a room least. Voxels round
 * each wall to a face between two of them. Let faces parallel to the axes lie at x_p with areas
 * A_p. Among the spacings X from the coarsest allowed down to GRID_FIT_FINEST of it, the one is
 * chosen that minimizes Σ_p A_p d_p², with d_p the distance of x_p from the nearest plane of the
 * lattice. In a box the lattice begins at the walls; in other rooms its offset along each axis is
 * given by the angle of Σ_p A_p e^{2πi x_p/X}. */
#ifndef AULA_ROOM_GRID_GRID_FIT_H
#define AULA_ROOM_GRID_GRID_FIT_H

#include "room/room.h"

/* The shortest side of the room gains at most three cells, which is enough for every wall. */
#define GRID_FIT_FINEST 0.93

struct grid_fit {
    double spacing;   /* m */
    double offset[3]; /* m: a plane of the lattice; 0 in a box */
};

/* Rooms that have less than a tenth of their area along the axes stay as they are: the coarsest spacing, from their
 * least corner on. ERROR_INPUT, ERROR_MEMORY as room_surface_make. */
int grid_fit_make(struct grid_fit *fit, const struct room *room, double coarsest, struct error *e);

#endif

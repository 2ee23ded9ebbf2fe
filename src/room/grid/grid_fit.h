/* SPDX-License-Identifier: MIT */
/* The grid on which the faces of a room lie as nearly as possible where they are.
 *
 * Voxels round each wall to a face between two of them. Let faces that are parallel to the axes lie at x_p and have
 * the areas A_p. Then, of spacings X from the coarsest allowed down to GRID_FIT_FINEST of it, the one is taken for which
 *
 *     Σ_p A_p d_p²,   d_p the distance of x_p from the nearest plane of the lattice
 *
 * is least. In a box the lattice begins at the walls; in other rooms, along each axis, where the angle of
 * Σ_p A_p e^{2πi x_p/X} says.
 */
#ifndef AULA_ROOM_GRID_GRID_FIT_H
#define AULA_ROOM_GRID_GRID_FIT_H

#include "room/room.h"

/* Nor finer than lets the shortest side of the room change by three cells, which are enough for every wall. */
#define GRID_FIT_FINEST 0.93

struct grid_fit {
    double spacing;   /* m */
    double offset[3]; /* m: a plane of the lattice; 0 in a box */
};

/* Rooms that have less than a tenth of their area along the axes stay as they are: the coarsest spacing, from their
 * least corner on. ERROR_INPUT, ERROR_MEMORY as room_surface_make. */
int grid_fit_make(struct grid_fit *fit, const struct room *room, double coarsest, struct error *e);

#endif

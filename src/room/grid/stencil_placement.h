/* SPDX-License-Identifier: MIT */
/* Places sources and receivers on the 19-point grid, whose points are the corners of voxels. */
#ifndef AULA_ROOM_GRID_STENCIL_PLACEMENT_H
#define AULA_ROOM_GRID_STENCIL_PLACEMENT_H

#include "room/grid/placement.h"
#include "room/grid/point_stencil.h"

/* A position on a point uses that point alone, any other the stencil of point_stencil.h. Beyond a wall of the box the
 * field is its mirror image, so weights of points there are added to the points' images within, with opposite sign for
 * a wall held at p = 0; this costs no accuracy at any distance. What a source adds is divided by m, the share of air
 * among the eight voxels at the point (1/2 on a flat wall), so that source and receiver are reciprocal.
 *
 * The stencil holds in air alone, where waves are plane: near objects it shrinks to the largest radius whose ball
 * touches no other voxel, and where there is none to the near points that no object hides; a note says so. A position
 * in a voxel of an object, though not in the object itself, moves to the nearest air voxel.
 *
 * The position lies within the box and in no object. */
int stencil_place(struct placed *placed, struct model *m, const struct placement *p, struct error *e);

/* The stencil of a position that stencil_place has placed, before weights beyond walls are folded
 * back; its points are relative to base[3]. ERROR_MEMORY. */
int stencil_unfolded(struct point_stencil *stencil, long base[3], const struct model *m, const struct placement *p,
                     struct error *e);

/* Whether the straight line between two positions in a room, m, passes only through air, on a grid
 * of either scheme. The line may cross at most 30 faces of voxels. */
bool stencil_sees(const struct model *m, const double from[3], const double to[3]);

#endif

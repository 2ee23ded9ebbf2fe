/* SPDX-License-Identifier: MIT */
/* Places sources and receivers on the grid. */
#ifndef AULA_ROOM_GRID_PLACEMENT_H
#define AULA_ROOM_GRID_PLACEMENT_H

#include "room/grid/model.h"
#include "solver/schemes/free_air.h"

/* A source or receiver to place. */
struct placement {
    const char *what, *name; /* "source", "S1": for messages */
    const struct origin *origin;
    const double *position; /* m */
    const size_t *voxel;    /* of air, that holds it or is the nearest; NULL: there are no voxels */
    double scale;           /* of its weights, which sum to 1 */
    bool drives;            /* a source: what it adds is divided by the share of air around each point */
};

/* Refuses sources and receivers outside the room, inside objects and in fixed layers. Needs no
 * voxels. */
int placement_check(const struct model *m, struct error *e);

/* 7-point grids: on a point that point; between points the weights of order 0 of field_placement.h, by which the level
 * of a plane wave is within 0.02 dB; next to objects, slanted walls, and beyond the last points before a wall trilinear
 * weights (0 to -0.8 dB at the edge of the band) over the eight points around the position, renormalised over those
 * that are air and joined with the position's voxel by others of them, so that none is behind a wall. 19-point grids:
 * the stencil of stencil_placement.h, of which notes are added to the model's. After an error, which a stop on request
 * is too, nothing is allocated. */
int placement_make(struct placed *placed, struct model *m, const struct placement *p, struct error *e);

/* Fills *e with "FILE:LINE: source S at (x, y, z) m REASON" and returns -1. */
int placement_refuse(const struct placement *p, struct error *e, const char *reason);

/* The points and weights that a source or a tap of a model has in the middle of the air: where a wall of the grid folds
 * a stencil back, as it was before. By them the direct sound can be told from what walls send back. */

/* Spacings between a source and a receiver within which the grid's direct sound is replaced by that of air
 * (render/near_sound.h); orders, which are raised by (spacing/distance)^n without bound, from ORDERS_NEAREST on. */
#define DIRECT_SOUND_SPACINGS 8.0
#define ORDERS_NEAREST 0.7

/* Of a drive, by its index in m->sources, of the source `source`. Free with air_points_free. ERROR_MEMORY. */
int free_points_of_drive(struct air_points *a, const struct model *m, size_t source, size_t drive, struct error *e);

/* Of a tap, by its index in m->receivers, of the receiver `receiver`. */
int free_points_of_tap(struct air_points *a, const struct model *m, size_t receiver, size_t tap, struct error *e);

#endif

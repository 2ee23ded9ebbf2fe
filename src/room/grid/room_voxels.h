/* SPDX-License-Identifier: MIT */
/* The voxels of a room of any form: its walls, mesh and objects on the lattice of its grid, and the
 * report of the voxelizer. */
#ifndef AULA_ROOM_GRID_ROOM_VOXELS_H
#define AULA_ROOM_GRID_ROOM_VOXELS_H

#include "geometry/voxel_report.h"
#include "geometry/voxels/voxel_set.h"
#include "room/grid/grid.h"

struct voxel_slabs; /* solver/parts/voxel_slabs.h */

struct room_voxels {
    struct voxel_set *set;      /* NULL: more voxels than can be stepped */
    struct voxel_slabs *slabs;  /* parts have made the set: `set` has its size and the rows near sources and receivers;
                                   NULL: `set` has them all */
    struct voxel_report report; /* of a coarser lattice then, without source voxels */
    bool has_mesh;              /* whose closed parts enclose air */
    bool has_margin;            /* of a voxel around the air */
};

/* `g`: from grid_make; the grid of a room that is not a box shrinks to the extent of its air.
 * Sources and receivers must lie in the air, outside objects. With the 7-point scheme the fixed
 * walls of a box are layers of its voxels, and other rooms with fixed materials have one more voxel
 * on each side. Fails if the room is open to the outside, contains no air, or does not connect its
 * sources and receivers; the message begins with the location in the room file. ERROR_INPUT,
 * ERROR_MEMORY, ERROR_STOPPED. */
int room_voxels_make(struct room_voxels *v, struct grid *g, const struct room *room, struct error *e);
/* The same; t: transport to the parts that make one slab of voxels each; NULL: a single part. This process alone makes
 * all voxels of rooms with transmission, as partitions join those of several slabs. */
int room_voxels_make_in_parts(struct room_voxels *v, struct grid *g, const struct room *room, struct transport *t,
                              struct error *e);
void room_voxels_free(struct room_voxels *v); /* safe on a zeroed struct */

/* The voxel of air of a source or, from room->source_count on, of a receiver. NULL: there is no set. */
const size_t *room_voxels_seed(const struct room_voxels *v, size_t index);

/* Whether a wall of a box is a layer of fixed voxels: with the 7-point scheme only. With the 19-point scheme the faces
 * to the wall are fixed. */
bool room_voxels_has_layer(const struct grid *g, const struct room *room, int wall);

/* Whether the faces of a solid voxel's neighbours hold it at p = 0. */
bool room_voxels_is_fixed(const struct voxel_set *set, const size_t at[3]);

#endif

/* SPDX-License-Identifier: MIT */
/* Random rooms of voxels for checks of kernels: meshes with objects and sheets, cells filled at
 * random. */
#ifndef AULA_VALIDATE_GEOMETRY_RANDOM_ROOM_H
#define AULA_VALIDATE_GEOMETRY_RANDOM_ROOM_H

#include "validate/geometry/model_room.h"
#include "validate/scene/scene.h"

enum random_room_form { ROOM_OF_MESH, ROOM_OF_MODEL, ROOM_OF_BLOCKS, ROOM_OF_CELLS, RANDOM_ROOM_FORMS };

struct random_room {
    enum random_room_form form;
    struct voxel_room room; /* for meshes */
    struct scene scene;     /* for cells; owns the voxels */
};

/* `models`: MODELS_SHIPPED models, read once by the caller. Free with random_room_free, also
 * after an error. */
int random_room_make(struct random_room *r, const struct scene_mesh *models, bool close_corners, struct random *random,
                     struct error *e);

/* A box behind a number of fixed layers along x, with one layer behind it and along y, and walls
 * along z. Tiles begin only at certain columns; if no tile can begin at the grid's first
 * columns, tiles load some columns without air. Free with random_room_free, also after an error.
 * ERROR_MEMORY. */
int layered_room_make(struct random_room *r, size_t layers, struct error *e);
void random_room_free(struct random_room *r);

/* The code of upright partitions in three quarters of the rooms of blocks, from the lowest to the highest plane. */
enum { PARTITION_CODE = CELL_SOLID + SCENE_MESH_MATERIALS };

#endif

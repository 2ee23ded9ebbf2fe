/* SPDX-License-Identifier: MIT */
/* Random rooms of voxels for checks of kernels: meshes with objects and sheets, cells filled at random. */
#ifndef AULA_VALIDATE_GEOMETRY_RANDOM_ROOM_H
#define AULA_VALIDATE_GEOMETRY_RANDOM_ROOM_H

#include "validate/geometry/model_room.h"
#include "validate/scene/scene.h"

enum random_room_form { ROOM_OF_MESH, ROOM_OF_MODEL, ROOM_OF_BLOCKS, ROOM_OF_CELLS, RANDOM_ROOM_FORMS };

struct random_room {
    enum random_room_form form;
    struct voxel_room room; /* of a mesh */
    struct scene scene;     /* of cells, which owns the voxels */
};

/* `models`: read once by the caller, MODELS_SHIPPED of them. Ends with random_room_free, also after an error. */
int random_room_make(struct random_room *r, const struct scene_mesh *models, bool close_corners, struct random *random,
                     struct error *e);

/* A box behind so many fixed layers along x, with one after it and along y, and walls along z. Tiles begin at some
 * columns alone; where the layers are too many for one to begin at the grid's first columns, they load some without
 * air. Ends with random_room_free, also after an error. ERROR_MEMORY. */
int layered_room_make(struct random_room *r, size_t layers, struct error *e);
void random_room_free(struct random_room *r);

#endif

/* SPDX-License-Identifier: MIT */
/* Rooms from models on a lattice: the shipped models, and those of a folder that the caller
 * names. */
#ifndef AULA_VALIDATE_GEOMETRY_MODEL_ROOM_H
#define AULA_VALIDATE_GEOMETRY_MODEL_ROOM_H

#include "geometry/voxelize.h"
#include "geometry/voxels/voxel_set.h"
#include "validate/scene/meshes.h"
#include "validate/validate.h"

enum { MODELS_SHIPPED = 4, MODELS = 7 };

/* Models from index MODELS_SHIPPED are files in the folder of --models. */
struct model_file {
    const char *name, *file;
    double source[3]; /* m: a position in its air, with free space around it */
};
extern const struct model_file models[MODELS];

/* Whether the file of a model exists; otherwise a row reports that it is skipped. */
bool model_is_there(size_t index, const struct validation *v, struct report *r, const char *check);

/* Adds its triangles, in metres, with one material for each name of the file. */
int model_read(struct scene_mesh *mesh, size_t index, const struct validation *v, struct error *e);

/* A room on a lattice that begins at its lowest corner. */
struct voxel_room {
    struct voxel_set *set;
    struct voxel_report report;
    struct lattice lattice;
};

/* `close_corners`: as required by the 19-point scheme. Free with voxel_room_free, also after an
 * error. */
int voxel_room_make(struct voxel_room *room, const struct scene_mesh *mesh, double spacing, const double source[3],
                    bool close_corners, struct error *e);
void voxel_room_free(struct voxel_room *room);

/* Spacing at which the box around a mesh has about this number of voxels. */
double spacing_for(const struct scene_mesh *mesh, double voxels);

#endif

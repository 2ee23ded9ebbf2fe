/* SPDX-License-Identifier: MIT */
/* Random rooms made by several parts, each with its slab of planes, compared with the same rooms
 * made by one. */
#ifndef AULA_VALIDATE_GEOMETRY_SLAB_ROOM_H
#define AULA_VALIDATE_GEOMETRY_SLAB_ROOM_H

#include "geometry/voxelize.h"
#include "validate/scene/meshes.h"

enum { SLAB_ROOM_SOLIDS = 400, SLAB_ROOM_SEEDS = 3, SLAB_ROOM_PLAN = 5 };

/* A mesh or a box with sheets, objects of any shape, and walls with holes; some leak, and in
 * some a source lies in a solid. */
struct slab_room {
    struct scene_mesh mesh;
    struct surface_solid solids[SLAB_ROOM_SOLIDS];
    double plans[SLAB_ROOM_SOLIDS][SLAB_ROOM_PLAN][2];
    struct surface surface; /* points to the members above: do not move the struct */
    struct lattice lattice;
    struct source_voxel source_voxels[SLAB_ROOM_SEEDS];
    size_t source_voxel_count;
    struct voxelize_options options;
};

/* Free with slab_room_free. */
void slab_room_draw(struct slab_room *s, struct random *r);
void slab_room_free(struct slab_room *s);

/* Result of one part. */
struct slab_outcome {
    struct voxel_planes made;
    struct voxel_report report;
    struct error error;
    int status;
};
void slab_outcome_free(struct slab_outcome *o); /* safe on a zeroed struct */

/* Made by parts that are threads of this process, outcomes[parts]. ERROR_MEMORY, ERROR_ENGINE:
 * not attempted. */
int slab_room_make(struct slab_outcome *outcomes, const struct slab_room *s, int parts, struct error *e);

/* NULL if the result of `parts` parts equals that of one, bit for bit; otherwise the name of the
 * difference. */
const char *slab_room_difference(const struct slab_outcome *whole, const struct slab_outcome *outcomes, int parts,
                                 size_t source_voxel_count);

#endif

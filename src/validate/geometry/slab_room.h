/* SPDX-License-Identifier: MIT */
/* Random rooms that are made by several parts, each its slab of planes, against the same rooms made by one. */
#ifndef AULA_VALIDATE_GEOMETRY_SLAB_ROOM_H
#define AULA_VALIDATE_GEOMETRY_SLAB_ROOM_H

#include "geometry/voxelize.h"
#include "validate/scene/meshes.h"

enum { SLAB_ROOM_SOLIDS = 400, SLAB_ROOM_SEEDS = 3, SLAB_ROOM_PLAN = 5 };

/* A mesh or a box with sheets, objects of any shape, walls with holes in them; some leak, in some a source is in a
 * solid. */
struct slab_room {
    struct scene_mesh mesh;
    struct surface_solid solids[SLAB_ROOM_SOLIDS];
    double plans[SLAB_ROOM_SOLIDS][SLAB_ROOM_PLAN][2];
    struct surface surface; /* points to the members before it: do not move the struct */
    struct lattice lattice;
    struct source_voxel seeds[SLAB_ROOM_SEEDS];
    size_t seed_count;
    struct voxelize_options options;
};

/* Ends with slab_room_free. */
void slab_room_draw(struct slab_room *s, struct random *r);
void slab_room_free(struct slab_room *s);

/* What one part makes of it. */
struct slab_outcome {
    struct voxel_planes made;
    struct voxel_report report;
    struct error error;
    int status;
};
void slab_outcome_free(struct slab_outcome *o); /* safe on a zeroed struct */

/* By parts that are threads of this process, outcomes[parts]. ERROR_MEMORY, ERROR_ENGINE: not even tried. */
int slab_room_make(struct slab_outcome *outcomes, const struct slab_room *s, int parts, struct error *e);

/* NULL: what `parts` made is, bit for bit, what one made; else what differs. */
const char *slab_room_difference(const struct slab_outcome *whole, const struct slab_outcome *outcomes, int parts,
                                 size_t seed_count);

#endif

/* SPDX-License-Identifier: MIT */
/* Image sources in rooms of any faces: each mirror of the room in turn, each way followed by rays. */
#ifndef AULA_RENDER_HYBRID_MESH_IMAGES_H
#define AULA_RENDER_HYBRID_MESH_IMAGES_H

#include "geometry/rays/edges.h"
#include "render/hybrid/image_paths.h"
#include "render/hybrid/mirrors.h"

struct mesh_room {
    const struct ray_scene *scene;
    const struct ray_tree *tree;
    const struct mirrors *mirrors;
    const struct ray_edges *edges; /* NULL: none turns sound off its way */
    double sound_speed;            /* m/s */
};

/* Sequences of mirrors that are worth a try. */
struct mirror_sequences {
    uint32_t (*list)[PATH_WALLS_MAX]; /* [count]: ends with MIRROR_NONE where shorter */
    size_t count;
};

/* Of `least` mirrors or more and `order` at most: those that rays from the source meet, if they are reflected as by
 * mirrors. A way is missed if less than about 1/rays of the sound takes it. ERROR_MEMORY. */
int mirror_sequences_find(struct mirror_sequences *s, const struct mesh_room *room, const double source[3],
                          size_t least, size_t order, size_t rays, struct error *e);
void mirror_sequences_free(struct mirror_sequences *s); /* safe on a zeroed struct */

/* The order to which all sequences of this room's mirrors are tried, at most so many of an order above 1; 1 or more. */
size_t mesh_images_all(const struct mirrors *mirrors, size_t order, double tries);

/* Adds the ways of at most `order` reflections, PATH_WALLS_MAX at most, and at most `longest` m that nothing blocks:
 * those over all sequences of up to `all` mirrors, and those over the given longer ones (NULL: none). The material is
 * that of the face that is met. ERROR_MEMORY, ERROR_STOPPED. */
int mesh_images_find(struct image_paths *paths, const struct mesh_room *room, const double source[3],
                     const double receiver[3], size_t all, const struct mirror_sequences *longer, double longest,
                     struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* Image sources in rooms of arbitrary faces: sequences of mirrors are tried one by one, and each
 * path is verified by ray casting. */
#ifndef AULA_RENDER_HYBRID_MESH_IMAGES_H
#define AULA_RENDER_HYBRID_MESH_IMAGES_H

#include "geometry/rays/edges.h"
#include "render/hybrid/image_paths.h"
#include "render/hybrid/mirrors.h"

struct mesh_room {
    const struct ray_scene *scene;
    const struct ray_tree *tree;
    const struct mirrors *mirrors;
    const struct ray_edges *edges; /* that deflect sound off paths; NULL: none */
    double sound_speed;            /* m/s */
};

/* Candidate sequences of mirrors. */
struct mirror_sequences {
    uint32_t (*list)[PATH_WALLS_MAX]; /* [count]: shorter ones end with MIRROR_NONE */
    size_t count;
};

/* Sequences of `least` to `order` mirrors that specular rays from the source meet. A path is missed
 * if it carries less than about 1/rays of the sound. ERROR_MEMORY. */
int mirror_sequences_find(struct mirror_sequences *s, const struct mesh_room *room, const double source[3],
                          size_t least, size_t order, size_t rays, struct error *e);
void mirror_sequences_free(struct mirror_sequences *s); /* safe on a zeroed struct */

/* Order, at least 1, up to which all sequences of these mirrors are tried: above order 1, at most
 * `tries` of them. */
size_t mesh_images_all(const struct mirrors *mirrors, size_t order, double tries);

/* Adds the unobstructed paths of at most `order` reflections (at most PATH_WALLS_MAX) and at most
 * `longest` m: over all sequences of up to `all` mirrors, and over the given longer ones (NULL:
 * none). Each reflection has the material of the face it meets. ERROR_MEMORY, ERROR_STOPPED. */
int mesh_images_find(struct image_paths *paths, const struct mesh_room *room, const double source[3],
                     const double receiver[3], size_t all, const struct mirror_sequences *longer, double longest,
                     struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* The planes of a room's flat faces, in which image sources are mirrored. */
#ifndef AULA_RENDER_HYBRID_MIRRORS_H
#define AULA_RENDER_HYBRID_MIRRORS_H

#include "geometry/rays/scene.h"

#define MIRROR_NONE UINT32_MAX /* of a face that is part of a round solid */

struct mirror {
    double normal[3], offset;  /* n · x = offset, m */
    double lower[3], upper[3]; /* m: the box around its faces */
};

/* Faces whose corners are within MIRROR_FLAT of a larger one's plane are on it, whatever their material: walls of many
 * triangles are one mirror. */
#define MIRROR_FLAT 1e-4 /* m */

struct mirrors {
    struct mirror *list; /* [count] */
    size_t count;
    uint32_t *of_face; /* [scene->count] */
};

/* ERROR_MEMORY. */
int mirrors_make(struct mirrors *m, const struct ray_scene *scene, struct error *e);
void mirrors_free(struct mirrors *m); /* safe on a zeroed struct */

/* The image of a place. Returns false where the place is on the plane, and its own image. */
bool mirror_image(double image[3], const struct mirror *mirror, const double place[3]);

#endif

/* SPDX-License-Identifier: MIT */
/* Planes of the flat faces of a room, in which image sources are mirrored. */
#ifndef AULA_RENDER_HYBRID_MIRRORS_H
#define AULA_RENDER_HYBRID_MIRRORS_H

#include "geometry/rays/scene.h"

#define MIRROR_NONE UINT32_MAX /* of a face of a curved solid */

struct mirror {
    double normal[3], offset;  /* n · x = offset, m */
    double lower[3], upper[3]; /* m: bounding box of its faces */
};

/* Faces whose corners are within MIRROR_FLAT of a larger face's plane belong to it, whatever their
 * material: a wall of many triangles is one mirror. */
#define MIRROR_FLAT 1e-4 /* m */

struct mirrors {
    struct mirror *list; /* [count] */
    size_t count;
    uint32_t *of_face; /* [scene->count] */
};

/* ERROR_MEMORY. */
int mirrors_make(struct mirrors *m, const struct ray_scene *scene, struct error *e);
void mirrors_free(struct mirrors *m); /* safe on a zeroed struct */

/* Mirror image of a position. Returns false if the position is on the plane and equals its image. */
bool mirror_image(double image[3], const struct mirror *mirror, const double place[3]);

#endif

/* SPDX-License-Identifier: MIT */
/* Spheres around receivers, in which rays are counted by the length of their ways. */
#ifndef AULA_BAND_LATE_SPHERES_H
#define AULA_BAND_LATE_SPHERES_H

#include "rays/tree.h"

/* Unit vector `index` of `count` alike on the sphere: a Fibonacci spiral. */
void late_spiral(double direction[3], size_t index, size_t count);

struct late_sphere {
    double radius; /* m: the largest */
    double share;  /* of its volume, what its centre sees */
    bool cut;      /* faces reach into it: only what its centre sees of a way counts */
    bool rained;   /* diffuse reflections are heard by rain; false: by the sphere as well, faces are too close */
};

/* Around a receiver: as far as the closest face, or LATE_RADIUS, cut by faces, where that is less. */
void late_sphere_make(struct late_sphere *s, const struct ray_scene *scene, const struct ray_tree *tree,
                      const double centre[3]);

/* Moves a place that lies on faces, or within rounding of them, off them by LATE_OFF: into the room, which is where most
 * directions meet a face, and of two such sides to the one that sees more. */
#define LATE_OFF 1e-4 /* m */
void late_place_off_faces(double place[3], const struct ray_scene *scene, const struct ray_tree *tree);

/* Whether the centre sees a place. */
bool late_sphere_sees(const struct ray_tree *tree, const double centre[3], const double place[3]);

#endif

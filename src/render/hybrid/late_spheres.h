/* SPDX-License-Identifier: MIT */
/* Spheres around receivers, in which rays are counted by the length of their ways. */
#ifndef AULA_RENDER_HYBRID_LATE_SPHERES_H
#define AULA_RENDER_HYBRID_LATE_SPHERES_H

#include "geometry/rays/tree.h"

/* Unit vector `index` of `count` alike on the sphere: a Fibonacci spiral. */
void late_spiral(double direction[3], size_t index, size_t count);

enum { LATE_RADII = 16 };

struct late_sphere {
    double clear; /* m: to the closest face */
    bool rained;  /* diffuse reflections are heard by rain; false: by the sphere as well, faces are too close */
    int count;    /* of radii beyond it, which faces reach into; each is √2 times the one before */
    double radius[LATE_RADII], share[LATE_RADII]; /* m; of the sphere's volume, what its centre sees */
};

/* A sphere as a ray meets it. */
struct late_ball {
    double radius, share; /* as above */
    bool cut;             /* only what its centre sees of a way counts */
};

/* The spheres around a receiver: up to LATE_SPREAD of the mean distance of what it sees, or LATE_RADIUS. */
void late_sphere_make(struct late_sphere *s, const struct ray_scene *scene, const struct ray_tree *tree,
                      const double centre[3]);

/* The longer the way, the larger the sphere: late sound changes less from place to place, and comes by fewer rays. */
struct late_ball late_sphere_after(const struct late_sphere *s, double way);

/* Moves a place that lies on faces, or within rounding of them, off them by LATE_OFF: into the room, which is where
 * most directions meet a face, and of two such sides to the one that sees more. */
#define LATE_OFF 1e-4 /* m */
void late_place_off_faces(double place[3], const struct ray_scene *scene, const struct ray_tree *tree);

/* Whether the centre sees a place. */
bool late_sphere_sees(const struct ray_tree *tree, const double centre[3], const double place[3]);

#endif

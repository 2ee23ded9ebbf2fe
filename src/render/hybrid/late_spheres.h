/* SPDX-License-Identifier: MIT */
/* Detection spheres around receivers, sized by the path length of rays. */
#ifndef AULA_RENDER_HYBRID_LATE_SPHERES_H
#define AULA_RENDER_HYBRID_LATE_SPHERES_H

#include "geometry/rays/tree.h"

/* Unit vector `index` of `count` spread evenly over the sphere: a Fibonacci spiral. */
void late_spiral(double direction[3], size_t index, size_t count);

#define LATE_RADIUS 0.3 /* m: of spheres; LATE_WIDENING of longer paths */
#define LATE_WIDENING 0.1
enum { LATE_RADII = 16 };

struct late_sphere {
    double clear; /* m: to the closest face */
    bool rained;  /* rain detects diffuse reflections; false: spheres do, because faces are too close */
    int count;    /* number of larger radii, into which faces reach; each is √2 times the previous one */
    double radius[LATE_RADII], share[LATE_RADII]; /* m; share of the sphere's volume that its centre sees */
};

/* A sphere for one ray. */
struct late_ball {
    double radius, share; /* as above */
    bool cut;             /* count only the visible part of a segment */
};

/* The spheres around a receiver: up to LATE_SPREAD of the mean distance of its visible
 * surroundings, at least LATE_RADIUS. */
void late_sphere_make(struct late_sphere *s, const struct ray_scene *scene, const struct ray_tree *tree,
                      const double centre[3]);

/* Sphere for a path length. It grows with the path, because late sound varies less from position to
 * position and consists of fewer rays. */
ON_DEVICE struct late_ball late_sphere_after(const struct late_sphere *s, double way)
{
    const double wanted = fmax(LATE_WIDENING * way, LATE_RADIUS);
    struct late_ball ball = {wanted, 1.0, false};
    int i = s->count;
    if (wanted <= s->clear)
        return ball;
    while (i > 0 && s->radius[i - 1] > wanted)
        i--;
    ball.radius = i ? s->radius[i - 1] : s->clear;
    ball.share = i ? s->share[i - 1] : 1.0;
    ball.cut = i > 0;
    return ball;
}

/* Moves a position on faces, or within rounding of them, off by LATE_OFF into the room: to the side
 * on which most directions meet a face, and of two such sides to the one with the wider view. */
#define LATE_OFF 1e-4 /* m */
void late_place_off_faces(double place[3], const struct ray_scene *scene, const struct ray_tree *tree);

#endif

/* SPDX-License-Identifier: MIT */
/* A bounding-volume tree over the faces of a scene: the closest face on a ray, and whether anything is on it.
 *
 * Binned surface-area heuristic (Wald 2007, "On fast construction of SAH-based bounding volume hierarchies"), eight
 * boxes a node in single precision, widened so that no rounding misses a face; faces are tested in double precision,
 * watertight along their edges (Woop, Benthin, Wald 2013, "Watertight ray/triangle intersection"), with exact signs
 * where an edge is met. The result is that of a test of every face, bit for bit. */
#ifndef AULA_GEOMETRY_RAYS_TREE_H
#define AULA_GEOMETRY_RAYS_TREE_H

#include <math.h>

#include "geometry/rays/scene.h"

struct ray {
    double origin[3];    /* m, in or near the box around the scene */
    double direction[3]; /* unit vector */
    double reach;        /* m: faces are met at distances > 0 and < reach; INFINITY */
    uint32_t left;       /* a face that is not met: the one on which the ray begins; RAY_NO_FACE */
};
#define RAY_NO_FACE UINT32_MAX

struct ray_hit {
    double distance; /* m */
    uint32_t face;   /* index of scene.faces */
};

struct ray_tree {
    struct ray_node *nodes;
    size_t node_count;
    struct ray_leaf_face *leaves; /* the faces in the order of the tree's leaves */
    size_t leaf_count;
    double centre[3]; /* m: boxes are relative to it */
};

/* The scene may be freed afterwards. Zero the tree first; it ends with ray_tree_free, also after an error. ERROR_MEMORY;
 * ERROR_STOPPED. */
int ray_tree_make(struct ray_tree *t, const struct ray_scene *s, struct error *e);
void ray_tree_free(struct ray_tree *t);

/* The first face on a ray; of several at the same distance the last of the scene. False: there is none. */
bool ray_tree_closest(const struct ray_tree *t, const struct ray *ray, struct ray_hit *hit);

/* Whether any face is on a ray. */
bool ray_tree_blocked(const struct ray_tree *t, const struct ray *ray);

/* The same by testing every face. */
bool ray_tree_closest_of_all(const struct ray_tree *t, const struct ray *ray, struct ray_hit *hit);

/* Where a ray that met a face goes on: the place of the hit, moved away from the edges of its face and off it, to the
 * side that the ray came from, by far more than rounding and far less than anything heard (1e-9 of the scene's extent),
 * so that the next ray starts on the right side of every face around. normal (may be NULL): of the face, towards that
 * side. */
ON_DEVICE void ray_leave(double origin[3], double normal[3], const struct ray_scene *s, const struct ray *ray,
                         const struct ray_hit *hit)
{
    const struct ray_face *f = &s->faces[hit->face];
    double along = 0.0;
    for (int k = 0; k < 3; k++) {
        along += f->normal[k] * ray->direction[k];
        origin[k] = ray->origin[k] + hit->distance * ray->direction[k];
    }
    const double shift = 1e-9 * s->extent, off = along > 0.0 ? -1.0 : 1.0;
    double to_middle[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        to_middle[k] = (f->corner[0][k] + f->corner[1][k] + f->corner[2][k]) / 3.0 - origin[k];
        length += to_middle[k] * to_middle[k];
    }
    const double wanted = 8.0 * shift / sqrt(length), inwards = wanted < 1.0 ? wanted : 1.0;
    for (int k = 0; k < 3; k++) {
        origin[k] += (length > 0.0 ? inwards * to_middle[k] : 0.0) + off * shift * f->normal[k];
        if (normal)
            normal[k] = off * f->normal[k];
    }
}

/* Where a ray that passes through a face goes on, on its other side: ray_leave's place, mirrored at the face. */
ON_DEVICE void ray_pass(double origin[3], const struct ray_scene *s, const struct ray *ray, const struct ray_hit *hit)
{
    double normal[3];
    ray_leave(origin, normal, s, ray, hit);
    for (int k = 0; k < 3; k++)
        origin[k] -= 2e-9 * s->extent * normal[k];
}

#endif

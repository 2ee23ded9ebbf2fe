/* SPDX-License-Identifier: MIT */
/* The exact test of a face, by which every way through a tree decides. */
#ifndef AULA_GEOMETRY_RAYS_TREE_LEAF_H
#define AULA_GEOMETRY_RAYS_TREE_LEAF_H

#include "geometry/rays/intersect.h"
#include "geometry/rays/tree_build.h"

/* Whether a face is met before *hit, which becomes it then; of two at the same distance the later one of the scene. */
static inline bool ray_leaf_meets(struct ray_hit *hit, const struct sheared_ray *ray, const struct ray_leaf_face *leaf,
                                  uint32_t left)
{
    const double distance = sheared_ray_meets(ray, leaf->corner);
    if (!(distance > 0.0) || leaf->face == left || distance > hit->distance)
        return false;
    if (distance == hit->distance && (hit->face == RAY_NO_FACE || leaf->face < hit->face))
        return false;
    hit->distance = distance;
    hit->face = leaf->face;
    return true;
}

#endif

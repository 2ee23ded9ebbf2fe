/* SPDX-License-Identifier: MIT */
/* The nodes of the ray tree, and its construction. */
#ifndef AULA_GEOMETRY_RAYS_TREE_BUILD_H
#define AULA_GEOMETRY_RAYS_TREE_BUILD_H

#include <stdalign.h>

#include "geometry/rays/intersect.h"
#include "geometry/rays/tree.h"

enum { RAY_LANES = 8, RAY_DEPTH_MAX = 96, RAY_STACK = (RAY_LANES - 1) * RAY_DEPTH_MAX + RAY_LANES };

/* A node, or the first of some faces in the tree's leaves: index << RAY_LINK_BITS | count of faces, 0 for a node. */
typedef uint32_t ray_link;
enum { RAY_LINK_BITS = 3, RAY_LINK_FACES = (1 << RAY_LINK_BITS) - 1 };

/* Eight children with their boxes, relative to the tree's centre; an empty one has a box that no ray meets. */
struct ray_node {
    alignas(32) float bound[3][2][RAY_LANES]; /* [axis][lower, upper][child], m */
    ray_link child[RAY_LANES];
};

struct ray_leaf_face {
    double corner[3][3]; /* m */
    uint32_t face;       /* index of scene.faces */
};

/* The exact test of a face, by which every way through a tree decides. */

/* Whether a face is met before *hit, which becomes it then; of two at the same distance the later one of the scene. */
ON_DEVICE bool ray_leaf_meets(struct ray_hit *hit, const struct sheared_ray *ray, const struct ray_leaf_face *leaf,
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

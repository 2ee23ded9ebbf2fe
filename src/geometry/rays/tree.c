/* SPDX-License-Identifier: MIT */
#include "geometry/rays/tree.h"

#include <math.h>

#include "geometry/rays/tree_leaf.h"

bool ray_tree_closest_of_all(const struct ray_tree *t, const struct ray *ray, struct ray_hit *hit)
{
    const struct sheared_ray sheared = sheared_ray_of(ray->origin, ray->direction);
    *hit = (struct ray_hit){ray->reach, RAY_NO_FACE};
    for (size_t i = 0; i < t->leaf_count; i++)
        ray_leaf_meets(hit, &sheared, &t->leaves[i], ray->left);
    return hit->face != RAY_NO_FACE;
}

void ray_leave(double origin[3], double normal[3], const struct ray_scene *s, const struct ray *ray,
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

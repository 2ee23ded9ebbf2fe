/* SPDX-License-Identifier: MIT */
#include "geometry/rays/tree.h"

#include <math.h>
#include <xmmintrin.h>

#include "geometry/rays/tree_build.h"

bool ray_tree_closest_of_all(const struct ray_tree *t, const struct ray *ray, struct ray_hit *hit)
{
    const struct sheared_ray sheared = sheared_ray_of(ray->origin, ray->direction);
    *hit = (struct ray_hit){ray->reach, RAY_NO_FACE};
    for (size_t i = 0; i < t->leaf_count; i++)
        ray_leaf_meets(hit, &sheared, &t->leaves[i], ray->left);
    return hit->face != RAY_NO_FACE;
}

/* The way of a ray through our own tree. */

/* Beyond what three roundings in single precision lose of a distance to a box. */
static const float widening = 1.0f + 0x1p-20f;

/* Each number once for every lane. */
struct box_ray {
    _Alignas(16) float origin[3][RAY_LANES], inverse[3][RAY_LANES];
    int near[3]; /* which bound of an axis is met first: 0 lower, 1 upper */
};

static struct box_ray box_ray_of(const struct ray_tree *t, const struct ray *ray)
{
    struct box_ray r;
    for (int k = 0; k < 3; k++) {
        const double d = ray->direction[k], least = 1e-30;
        for (int lane = 0; lane < RAY_LANES; lane++) {
            r.origin[k][lane] = (float)(ray->origin[k] - t->centre[k]);
            r.inverse[k][lane] = (float)(1.0 / (fabs(d) > least ? d : copysign(least, d)));
        }
        r.near[k] = signbit(d) ? 1 : 0;
    }
    return r;
}

/* Distances at which a ray enters the boxes of a node; bit i: it meets box i before `reach`. */
static inline unsigned enter_boxes(float entry[RAY_LANES], const struct ray_node *n, const struct box_ray *r,
                                   float reach)
{
    unsigned met = 0;
#ifdef __SSE2__
    for (int half = 0; half < RAY_LANES; half += 4) {
        __m128 from = _mm_setzero_ps(), to = _mm_set1_ps(reach);
        for (int k = 0; k < 3; k++) {
            const __m128 o = _mm_load_ps(r->origin[k]), inverse = _mm_load_ps(r->inverse[k]);
            const __m128 in = _mm_sub_ps(_mm_load_ps(n->bound[k][r->near[k]] + half), o);
            const __m128 out = _mm_sub_ps(_mm_load_ps(n->bound[k][1 - r->near[k]] + half), o);
            from = _mm_max_ps(_mm_mul_ps(in, inverse), from);
            to = _mm_min_ps(_mm_mul_ps(out, inverse), to);
        }
        _mm_storeu_ps(entry + half, from);
        to = _mm_mul_ps(to, _mm_set1_ps(widening));
        met |= (unsigned)_mm_movemask_ps(_mm_cmple_ps(from, to)) << half;
    }
#else
    for (int i = 0; i < RAY_LANES; i++) {
        float from = 0.0f, to = reach;
        for (int k = 0; k < 3; k++) {
            const float in = (n->bound[k][r->near[k]][i] - r->origin[k][i]) * r->inverse[k][i];
            const float out = (n->bound[k][1 - r->near[k]][i] - r->origin[k][i]) * r->inverse[k][i];
            from = in > from ? in : from;
            to = out < to ? out : to;
        }
        entry[i] = from;
        met |= (unsigned)(from <= to * widening) << i;
    }
#endif
    return met;
}

/* A child that waits for its turn. */
struct pending {
    ray_link link;
    float entry;
};

/* Puts the children that a ray meets on the stack, the closest on top. */
static inline struct pending *push(struct pending *top, const struct ray_node *n, unsigned met,
                                   const float entry[RAY_LANES])
{
    struct pending *const bottom = top;
    do {
        const int lane = __builtin_ctz(met);
        const struct pending p = {n->child[lane], entry[lane]};
        struct pending *at = top++;
        met &= met - 1;
        for (; at > bottom && at[-1].entry < p.entry; at--)
            *at = at[-1];
        *at = p;
    } while (met);
    return top;
}

/* The closest of the children that a ray meets, where there are any; the others are put on the stack. */
static inline ray_link descend(struct pending **top, const struct ray_node *n, unsigned met,
                               const float entry[RAY_LANES])
{
    const unsigned others = met & (met - 1), i = (unsigned)__builtin_ctz(met);
    if (!others)
        return n->child[i];
    if (others & (others - 1)) {
        *top = push(*top, n, met, entry);
        return (--*top)->link;
    }
    const unsigned j = (unsigned)__builtin_ctz(others), far = entry[j] < entry[i] ? i : j;
    *(*top)++ = (struct pending){n->child[far], entry[far]};
    return n->child[i + j - far];
}

static inline bool walk(const struct ray_tree *t, const struct ray *ray, struct ray_hit *hit, bool any)
{
    const struct box_ray boxes = box_ray_of(t, ray);
    const struct sheared_ray sheared = sheared_ray_of(ray->origin, ray->direction);
    struct pending stack[RAY_STACK], *top = stack;
    float reach = (float)ray->reach * widening;
    *hit = (struct ray_hit){ray->reach, RAY_NO_FACE};
    *top++ = (struct pending){0, 0.0f};
    while (top > stack) {
        ray_link link = (--top)->link;
        if (top->entry > reach)
            continue;
        while (!(link & RAY_LINK_FACES)) {
            float entry[RAY_LANES];
            const struct ray_node *n = &t->nodes[link >> RAY_LINK_BITS];
            const unsigned met = enter_boxes(entry, n, &boxes, reach);
            if (!met)
                break;
            link = descend(&top, n, met, entry);
        }
        const struct ray_leaf_face *leaf = &t->leaves[link >> RAY_LINK_BITS], *end = leaf + (link & RAY_LINK_FACES);
        for (; leaf < end; leaf++)
            if (ray_leaf_meets(hit, &sheared, leaf, ray->left)) {
                if (any)
                    return true;
                reach = (float)hit->distance * widening;
            }
    }
    return hit->face != RAY_NO_FACE;
}

bool ray_tree_closest(const struct ray_tree *t, const struct ray *ray, struct ray_hit *hit)
{
    return walk(t, ray, hit, false);
}

bool ray_tree_blocked(const struct ray_tree *t, const struct ray *ray)
{
    struct ray_hit hit;
    return walk(t, ray, &hit, true);
}

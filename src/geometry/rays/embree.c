/* SPDX-License-Identifier: MIT */
/* Embree 3 (Wald et al. 2014, "Embree: a kernel framework for efficient CPU ray tracing") in place of the nodes of our
 * own tree. Its primitives are our leaves: their boxes, and our exact test of their faces in double precision. Its
 * single precision thus neither moves a hit nor opens a crack. */
#include <embree3/rtcore.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "geometry/rays/library.h"
#include "geometry/rays/tree_leaf.h"

/* Of half the box around the scene: boxes are wider by more than origins, directions, reciprocals of these and
 * distances lose in single precision, some 2^-21 of the extent. */
static const float margin = 0x1p-18f;

/* Beyond what a distance loses in single precision. */
static const float widening = 1.0f + 0x1p-20f;

struct leaf {
    uint32_t first, count; /* of ray_tree.leaves */
    float lower[3], upper[3];
};

struct within {
    RTCDevice device;
    RTCScene scene;
    struct leaf *leaves; /* [count] */
    size_t count;
};

/* What the test of a leaf is given. */
struct seeking {
    struct RTCIntersectContext context; /* first */
    const struct ray_tree *tree;
    const struct leaf *leaves;
    struct sheared_ray sheared;
    uint32_t left;
    struct ray_hit hit;
};

static const char *unavailable(void)
{
    return NULL;
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "%d.%d.%d", RTC_VERSION_MAJOR, RTC_VERSION_MINOR, RTC_VERSION_PATCH);
}

static void bounds_of(const struct RTCBoundsFunctionArguments *a)
{
    const struct within *w = a->geometryUserPtr;
    const struct leaf *leaf = &w->leaves[a->primID];
    *a->bounds_o = (struct RTCBounds){.lower_x = leaf->lower[0],
                                      .lower_y = leaf->lower[1],
                                      .lower_z = leaf->lower[2],
                                      .upper_x = leaf->upper[0],
                                      .upper_y = leaf->upper[1],
                                      .upper_z = leaf->upper[2]};
}

static bool meets(struct seeking *s, uint32_t index)
{
    const struct leaf *leaf = &s->leaves[index];
    bool met = false;
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++)
        met = ray_leaf_meets(&s->hit, &s->sheared, &s->tree->leaves[i], s->left) || met;
    return met;
}

static void intersect(const struct RTCIntersectFunctionNArguments *a)
{
    struct seeking *s = (struct seeking *)a->context;
    struct RTCRayHit *found = (struct RTCRayHit *)a->rayhit;
    if (!a->valid[0] || !meets(s, a->primID))
        return;
    found->ray.tfar = (float)s->hit.distance * widening;
    found->hit.geomID = a->geomID;
    found->hit.primID = a->primID;
}

static void occlude(const struct RTCOccludedFunctionNArguments *a)
{
    if (a->valid[0] && meets((struct seeking *)a->context, a->primID))
        ((struct RTCRay *)a->ray)->tfar = -INFINITY;
}

static struct RTCRay ray_of(const struct ray_tree *t, const struct ray *ray)
{
    return (struct RTCRay){.org_x = (float)(ray->origin[0] - t->centre[0]),
                           .org_y = (float)(ray->origin[1] - t->centre[1]),
                           .org_z = (float)(ray->origin[2] - t->centre[2]),
                           .dir_x = (float)ray->direction[0],
                           .dir_y = (float)ray->direction[1],
                           .dir_z = (float)ray->direction[2],
                           .tfar = (float)ray->reach * widening,
                           .mask = UINT32_MAX};
}

static void seek(struct seeking *s, const struct ray_tree *t, const struct ray *ray)
{
    rtcInitIntersectContext(&s->context);
    s->tree = t;
    s->leaves = ((const struct within *)t->within)->leaves;
    s->sheared = sheared_ray_of(ray->origin, ray->direction);
    s->left = ray->left;
    s->hit = (struct ray_hit){ray->reach, RAY_NO_FACE};
}

static bool closest(const struct ray_tree *t, const struct ray *ray, struct ray_hit *hit)
{
    const struct within *w = t->within;
    struct RTCRayHit single = {.ray = ray_of(t, ray), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    struct seeking s;
    seek(&s, t, ray);
    rtcIntersect1(w->scene, &s.context, &single);
    *hit = s.hit;
    return hit->face != RAY_NO_FACE;
}

static bool blocked(const struct ray_tree *t, const struct ray *ray)
{
    const struct within *w = t->within;
    struct RTCRay single = ray_of(t, ray);
    struct seeking s;
    seek(&s, t, ray);
    rtcOccluded1(w->scene, &s.context, &single);
    return s.hit.face != RAY_NO_FACE;
}

static void add_leaf(struct within *w, const struct ray_node *n, int lane, const float wider[3])
{
    struct leaf *leaf = &w->leaves[w->count++];
    leaf->first = n->child[lane] >> RAY_LINK_BITS;
    leaf->count = n->child[lane] & RAY_LINK_FACES;
    for (int k = 0; k < 3; k++) {
        leaf->lower[k] = n->bound[k][0][lane] - wider[k];
        leaf->upper[k] = n->bound[k][1][lane] + wider[k];
    }
}

static void add_leaves(struct within *w, const struct ray_tree *t)
{
    float wider[3] = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; k++) /* the root has the box around all */
        for (int lane = 0; lane < RAY_LANES; lane++)
            if (t->nodes[0].bound[k][0][lane] <= t->nodes[0].bound[k][1][lane])
                wider[k] = fmaxf(wider[k], margin * fmaxf(fabsf(t->nodes[0].bound[k][0][lane]),
                                                          fabsf(t->nodes[0].bound[k][1][lane])));
    for (size_t i = 0; i < t->node_count; i++)
        for (int lane = 0; lane < RAY_LANES; lane++)
            if (t->nodes[i].child[lane] & RAY_LINK_FACES)
                add_leaf(w, &t->nodes[i], lane, wider);
}

static int commit(struct within *w)
{
    w->device = rtcNewDevice("threads=1,set_affinity=0");
    if (!w->device)
        return -1;
    w->scene = rtcNewScene(w->device);
    RTCGeometry geometry = rtcNewGeometry(w->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetSceneFlags(w->scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetGeometryUserPrimitiveCount(geometry, (unsigned)w->count);
    rtcSetGeometryUserData(geometry, w);
    rtcSetGeometryBoundsFunction(geometry, bounds_of, NULL);
    rtcSetGeometryIntersectFunction(geometry, intersect);
    rtcSetGeometryOccludedFunction(geometry, occlude);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(w->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(w->scene);
    return rtcGetDeviceError(w->device) == RTC_ERROR_NONE ? 0 : -1;
}

static void release(void *within)
{
    struct within *w = within;
    if (!w)
        return;
    if (w->scene)
        rtcReleaseScene(w->scene);
    if (w->device)
        rtcReleaseDevice(w->device);
    free(w->leaves);
    free(w);
}

static int make(void **within, const struct ray_tree *t, struct error *e)
{
    struct within *w = calloc(1, sizeof *w);
    if (w)
        w->leaves = calloc(t->leaf_count + 1, sizeof *w->leaves);
    if (!w || !w->leaves) {
        release(w);
        return fail(e, ERROR_MEMORY, "out of memory for Embree's tree of %zu faces", t->leaf_count);
    }
    add_leaves(w, t);
    if (commit(w)) {
        release(w);
        return fail(e, ERROR_MEMORY, "Embree makes no tree of %zu faces: set AULA_RAYS to \"own\"", t->leaf_count);
    }
    *within = w;
    return 0;
}

const struct ray_library ray_library = {.name = "embree",
                                        .unavailable = unavailable,
                                        .describe = describe,
                                        .make = make,
                                        .free = release,
                                        .walk = {"embree", closest, blocked}};

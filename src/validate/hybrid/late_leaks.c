/* SPDX-License-Identifier: MIT */
/* Rays must not escape from closed surfaces, and the tree must agree with a test of every face. */
#include <math.h>
#include <string.h>

#include "validate/hybrid/checks.h"
#include "validate/hybrid/late_rig.h"

static double uniform(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

/* A sphere with corners moved in and out at random, alike in all triangles of a corner; it need
 * not be convex. */
static void add_bumps(struct scene_mesh *m, struct random *r, double roughness)
{
    const uint64_t salt = random_bits(r);
    mesh_add_sphere(m, (const double[]){0.0, 0.0, 0.0}, 1.0, 3, 0);
    for (size_t i = 0; i < m->count; i++)
        for (int c = 0; c < 3; c++) {
            double *p = m->triangles[i].corner[c];
            struct random own = {salt};
            for (int k = 0; k < 3; k++) { /* merges corners that differ only by rounding */
                p[k] = round(p[k] * 0x1p20) * 0x1p-20;
                own.state = random_bits(&own) ^ (uint64_t)(int64_t)(p[k] * 0x1p20);
            }
            const double radius = 5.0 * (1.0 + roughness * (random_unit(&own) - 0.5));
            for (int k = 0; k < 3; k++)
                p[k] *= radius;
        }
}

static void add_closed(struct scene_mesh *m, struct random *r, int kind)
{
    double shift[3], size[3];
    if (kind % 3 == 2) {
        for (int k = 0; k < 3; k++)
            size[k] = exp(uniform(r, log(0.2), log(40.0)));
        mesh_add_box(m, (const double[]){-size[0], -size[1], -size[2]}, size, 0);
    } else {
        add_bumps(m, r, kind % 3 ? 1.0 : 0.05);
    }
    mesh_turn(m, uniform(r, 0.0, 360.0), uniform(r, -90.0, 90.0), uniform(r, 0.0, 360.0));
    for (int k = 0; k < 3; k++)
        shift[k] = kind % 2 ? uniform(r, -1000.0, 1000.0) : 0.0;
    for (size_t i = 0; i < m->count; i++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                m->triangles[i].corner[c][k] += shift[k];
}

/* Follows paths from the centre of a surface from face to face, half of them by Lambert's law,
 * half specular. Returns the number that hit no face, or one from outside. The first corner of a
 * face determines on which side the centre lies, as the surface is star-shaped. */
static size_t count_leaks(const struct late_rig *rig, const struct ray_tree *tree, size_t segments, struct random *r)
{
    const struct ray_scene *s = &rig->scene;
    double middle[3] = {0.0, 0.0, 0.0}, origin[3], normal[3];
    size_t leaks = 0;
    for (size_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += s->faces[i].corner[0][k] / (double)s->count;
    struct ray ray = {.left = RAY_NO_FACE, .reach = INFINITY};
    for (size_t i = 0; i < segments; i++) {
        struct ray_hit hit;
        if (i % 50 == 0) {
            memcpy(ray.origin, middle, sizeof middle);
            late_rig_direction(ray.direction, r);
            ray.left = RAY_NO_FACE;
        }
        const bool met = ray_tree_closest(tree, &ray, &hit);
        double side = 0.0, along = 0.0;
        for (int k = 0; k < 3 && met; k++) {
            side += s->faces[hit.face].normal[k] * (middle[k] - s->faces[hit.face].corner[0][k]);
            along += s->faces[hit.face].normal[k] * ray.direction[k];
        }
        if (!met || side * along > 0.0) {
            leaks++;
            i += 49 - i % 50;
            continue;
        }
        ray_leave(origin, normal, s, &ray, &hit);
        memcpy(ray.origin, origin, sizeof origin);
        ray.left = hit.face;
        along = 0.0;
        for (int k = 0; k < 3; k++)
            along += 2.0 * normal[k] * ray.direction[k];
        if (i % 2)
            late_rig_lambert(ray.direction, normal, r);
        else
            for (int k = 0; k < 3; k++)
                ray.direction[k] -= along * normal[k];
    }
    return leaks;
}

/* Number of rays of any origin and direction for which the tree and a test of every face differ. */
static size_t count_different(const struct late_rig *rig, const struct ray_tree *tree, int rays, struct random *r)
{
    size_t different = 0;
    for (int n = 0; n < rays; n++) {
        struct ray ray = {.reach = INFINITY, .left = RAY_NO_FACE};
        struct ray_hit found, expected;
        late_rig_direction(ray.direction, r);
        for (int k = 0; k < 3; k++)
            ray.origin[k] = uniform(r, rig->scene.lower[k], rig->scene.upper[k]);
        ray_tree_closest(tree, &ray, &found);
        ray_tree_closest_of_all(tree, &ray, &expected);
        different += found.face != expected.face || memcmp(&found.distance, &expected.distance, sizeof found.distance);
    }
    return different;
}

enum { SURFACES = 100, RAYS_ANYWHERE = 200 };

static int check_surface(size_t *leaks, size_t *different, const struct surface *surface, size_t segments,
                         struct random *r, struct error *e)
{
    const struct late_rig_wall wall = {0.1, 0.1}, walls[6] = {wall, wall, wall, wall, wall, wall};
    struct late_rig rig = {.walls = NULL};
    struct ray_tree tree = {.nodes = NULL};
    const int status = late_rig_make(&rig, surface, walls, 6, e) || ray_tree_make(&tree, &rig.scene, e);
    if (!status) {
        *leaks += count_leaks(&rig, &tree, segments, r);
        *different += count_different(&rig, &tree, RAYS_ANYWHERE, r);
    }
    ray_tree_free(&tree);
    late_rig_free(&rig);
    return status ? -1 : 0;
}

int check_band_leaks(struct validation *v, struct report *r, struct error *e)
{
    const size_t segments = v->full ? 100000 : 2000;
    size_t leaks = 0, different = 0;
    for (int i = 0; i < SURFACES; i++) {
        struct scene_mesh m = {.triangles = NULL};
        add_closed(&m, &v->random, i);
        const struct surface surface = surface_of(&m);
        const int status = check_surface(&leaks, &different, &surface, segments, &v->random, e);
        mesh_clear(&m);
        if (status)
            return -1;
    }
    report_bound(r, "leaks", (double)leaks, 0.0, "segments that escape from %d closed surfaces, of %g segments",
                 (int)SURFACES, (double)(segments * SURFACES));
    report_bound(r, "leaks", (double)different, 0.0, "rays for which the tree and a test of every face differ, of %d",
                 (int)(SURFACES * RAYS_ANYWHERE));
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_spheres.h"

#include <math.h>
#include <string.h>

#include "render/hybrid/late_rays.h"

static const double pi = 3.14159265358979323846, golden_angle = 2.39996322972865332;

void late_spiral(double direction[3], size_t index, size_t count)
{
    const double z = (2.0 * (double)index + 1.0) / (double)count - 1.0, out = sqrt(1.0 - z * z);
    const double angle = fmod((double)index * golden_angle, 2.0 * pi);
    direction[0] = out * cos(angle);
    direction[1] = out * sin(angle);
    direction[2] = z;
}

enum { AROUND = 2048 };

/* Distances to the next face, at most `reach`, in AROUND directions spread evenly over the sphere. */
static void look_around(double ways[AROUND], const struct ray_tree *tree, const double centre[3], double reach)
{
    struct ray ray = {.reach = reach, .left = RAY_NO_FACE};
    memcpy(ray.origin, centre, sizeof ray.origin);
    for (size_t i = 0; i < AROUND; i++) {
        struct ray_hit hit;
        late_spiral(ray.direction, i, AROUND);
        ways[i] = ray_tree_closest(tree, &ray, &hit) ? hit.distance : reach;
    }
}

/* Mean of (distance/radius)³ over directions, each limited to 1. */
static double seen_share(const double ways[AROUND], double radius)
{
    double sum = 0.0;
    for (size_t i = 0; i < AROUND; i++)
        sum += pow(fmin(ways[i] / radius, 1.0), 3.0);
    return fmax(sum / AROUND, 1e-6);
}

enum { ON_MOST = 3 }; /* faces of different directions that meet at a position: a corner */

/* Normals of faces on whose planes a position lies, within their bounding boxes. */
static int faces_at(double normals[ON_MOST][3], const struct ray_scene *scene, const double place[3])
{
    const double on = 1e-5; /* m */
    int count = 0;
    for (size_t f = 0; f < scene->count && count < ON_MOST; f++) {
        const struct ray_face *face = &scene->faces[f];
        double above = 0.0;
        bool near = true, known = false;
        for (int k = 0; k < 3; k++) {
            const double a = face->corner[0][k], b = face->corner[1][k], c = face->corner[2][k];
            above += face->normal[k] * (place[k] - a);
            near = near && place[k] >= fmin(fmin(a, b), c) - on && place[k] <= fmax(fmax(a, b), c) + on;
        }
        for (int i = 0; i < count; i++)
            known = known || fabs(normals[i][0] * face->normal[0] + normals[i][1] * face->normal[1] +
                                  normals[i][2] * face->normal[2]) > 0.999;
        if (near && !known && fabs(above) <= on)
            memcpy(normals[count++], face->normal, sizeof face->normal);
    }
    return count;
}

/* Ranks a position: number of evenly spread directions that meet a face, plus a fraction below 1
 * that grows with the distance they see. */
static double enclosure(const struct ray_tree *tree, const double place[3])
{
    enum { DIRECTIONS = 256 };
    struct ray ray = {.origin = {place[0], place[1], place[2]}, .reach = INFINITY, .left = RAY_NO_FACE};
    double met = 0.0, seen = 0.0;
    for (size_t i = 0; i < DIRECTIONS; i++) {
        struct ray_hit hit;
        late_spiral(ray.direction, i, DIRECTIONS);
        if (!ray_tree_closest(tree, &ray, &hit))
            continue;
        met += 1.0;
        seen += fmin(hit.distance, 1.0) / (DIRECTIONS + 1);
    }
    return met + seen;
}

void late_place_off_faces(double place[3], const struct ray_scene *scene, const struct ray_tree *tree)
{
    double normals[ON_MOST][3], best[3] = {place[0], place[1], place[2]}, most = -1.0;
    const int count = faces_at(normals, scene, place);
    for (int sides = 0; count && sides < 1 << count; sides++) {
        double tried[3] = {place[0], place[1], place[2]};
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                tried[k] += (sides >> i & 1 ? -LATE_OFF : LATE_OFF) * normals[i][k];
        const double enclosed = enclosure(tree, tried);
        if (enclosed > most) {
            most = enclosed;
            memcpy(best, tried, sizeof best);
        }
    }
    memcpy(place, best, sizeof best);
}

void late_sphere_make(struct late_sphere *s, const struct ray_scene *scene, const struct ray_tree *tree,
                      const double centre[3])
{
    const double clear = 0.999 * ray_scene_distance(scene, centre), far = 100.0; /* m */
    double ways[AROUND], mean = 0.0, radius = fmax(clear, LATE_RADIUS);
    *s = (struct late_sphere){.clear = clear, .rained = clear >= LATE_NEAREST};
    look_around(ways, tree, centre, far);
    for (size_t i = 0; i < AROUND; i++)
        mean += ways[i] < far ? ways[i] / AROUND : 0.0; /* almost no energy returns through an opening */
    if (clear >= LATE_RADIUS)
        radius *= sqrt(2.0);
    for (; s->count < LATE_RADII && radius <= fmax(LATE_SPREAD * mean, LATE_RADIUS); radius *= sqrt(2.0)) {
        s->share[s->count] = seen_share(ways, radius);
        s->radius[s->count++] = radius;
    }
}

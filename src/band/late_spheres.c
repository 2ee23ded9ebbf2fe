/* SPDX-License-Identifier: MIT */
#include "band/late_spheres.h"

#include <math.h>
#include <string.h>

#include "band/late_rays.h"

static const double pi = 3.14159265358979323846, golden_angle = 2.39996322972865332;

void late_spiral(double direction[3], size_t index, size_t count)
{
    const double z = (2.0 * (double)index + 1.0) / (double)count - 1.0, out = sqrt(1.0 - z * z);
    const double angle = fmod((double)index * golden_angle, 2.0 * pi);
    direction[0] = out * cos(angle);
    direction[1] = out * sin(angle);
    direction[2] = z;
}

/* The mean of (way/radius)³ over directions, ways up to the next face. */
static double seen_share(const struct ray_tree *tree, const double centre[3], double radius)
{
    enum { DIRECTIONS = 4096 };
    struct ray ray = {.reach = radius, .left = RAY_NO_FACE};
    double sum = 0.0;
    memcpy(ray.origin, centre, sizeof ray.origin);
    for (size_t i = 0; i < DIRECTIONS; i++) {
        struct ray_hit hit;
        late_spiral(ray.direction, i, DIRECTIONS);
        sum += ray_tree_closest(tree, &ray, &hit) ? pow(hit.distance / radius, 3.0) : 1.0;
    }
    return sum / DIRECTIONS;
}

enum { ON_MOST = 3 }; /* faces of different directions that meet at a place: a corner */

/* Directions of faces on whose planes a place lies, within the boxes around them. */
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

/* Of directions alike on the sphere, those that meet a face, and less than one for how far they see of a metre. */
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
    const double clear = 0.999 * ray_scene_distance(scene, centre);
    *s = (struct late_sphere){.radius = clear, .share = 1.0, .rained = clear >= LATE_NEAREST};
    if (clear >= LATE_RADIUS)
        return;
    s->cut = true;
    s->radius = LATE_RADIUS;
    s->share = fmax(seen_share(tree, centre, LATE_RADIUS), 1e-6);
}

bool late_sphere_sees(const struct ray_tree *tree, const double centre[3], const double place[3])
{
    struct ray ray = {.reach = 0.0, .left = RAY_NO_FACE};
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        ray.origin[k] = centre[k];
        ray.direction[k] = place[k] - centre[k];
        square += ray.direction[k] * ray.direction[k];
    }
    ray.reach = sqrt(square);
    for (int k = 0; k < 3; k++)
        ray.direction[k] /= ray.reach;
    return !(ray.reach > 0.0) || !ray_tree_blocked(tree, &ray);
}

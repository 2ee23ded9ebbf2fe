/* SPDX-License-Identifier: MIT */
#include "render/hybrid/path_points.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- An empty box */

/* The line from the receiver to the image crosses the images of an axis' walls one after another. */
struct axis_crossings {
    double size, from, length; /* m: of the box, of the receiver, and to the image, along the axis */
    size_t count, next;        /* crossings, and the next one from the image on */
    bool up;                   /* to the side of the wall at L */
};

static size_t reflections_along(const struct image_path *path, int axis)
{
    size_t count = 0;
    for (uint32_t w = 0; w < path->wall_count; w++)
        if (fabs(path->walls[w].normal[axis]) > 0.5)
            count += path->walls[w].count;
    return count;
}

/* Along an axis, from the receiver: to the image after so many crossings upwards or downwards, theory (76). */
static double length_of(const struct axis_crossings *a, double source, bool up)
{
    const double count = up ? (double)a->count : -(double)a->count;
    const double shift = a->count % 2 ? (count + 1.0) * a->size - source : count * a->size + source;
    return shift - a->from;
}

/* The path tells the direction of the crossings; its own distance is not always that to the image (image_room_paths). */
static struct axis_crossings crossings_of(const struct image_path *path, int axis, double size, double source,
                                          double receiver)
{
    struct axis_crossings a = {.size = size, .from = receiver, .count = reflections_along(path, axis)};
    const double told = path->distance * path->arrival[axis];
    const double down = length_of(&a, source, false), up = length_of(&a, source, true);
    a.up = fabs(up - told) < fabs(down - told);
    a.length = a.up ? up : down;
    return a;
}

/* k of the plane kL at which the index-th crossing from the receiver lies. */
static double plane_of(const struct axis_crossings *a, size_t index)
{
    return a->up ? (double)index + 1.0 : -(double)index;
}

/* Fraction of the line from the receiver to the next crossing; -1 after the last. */
static double place_of(const struct axis_crossings *a)
{
    if (a->next == a->count)
        return -1.0;
    const double place = (plane_of(a, a->count - 1 - a->next) * a->size - a->from) / a->length;
    return place >= 0.0 ? fmin(place, 1.0) : 0.0; /* NaN: source and receiver on the wall */
}

/* The coordinate in the box of one in the unfolded space. */
static double fold(double place, double size)
{
    const double within = fabs(remainder(place, 2.0 * size));
    return fmin(within, size);
}

void box_path_points(double (*points)[3], uint32_t *materials, const struct image_path *path,
                     const struct image_box *box, const double source[3], const double receiver[3])
{
    struct axis_crossings along[3];
    for (int axis = 0; axis < 3; axis++)
        along[axis] = crossings_of(path, axis, box->size[axis], source[axis], receiver[axis]);
    memcpy(points[0], source, sizeof points[0]);
    for (uint32_t n = 1; n <= path->order; n++) {
        int first = 0;
        for (int axis = 1; axis < 3; axis++)
            if (place_of(&along[axis]) > place_of(&along[first]))
                first = axis;
        struct axis_crossings *a = &along[first];
        const double place = place_of(a), plane = plane_of(a, a->count - 1 - a->next);
        const bool far = fmod(fabs(plane), 2.0) > 0.5;
        for (int axis = 0; axis < 3; axis++)
            points[n][axis] = fold(along[axis].from + place * along[axis].length, along[axis].size);
        points[n][first] = far ? a->size : 0.0;
        materials[n - 1] = box->materials[2 * first + far];
        a->next++;
    }
    memcpy(points[path->order + 1], receiver, sizeof points[0]);
}

/* ---- Any faces */

static void cross(double point[3], const struct mirror *mirror, const double from[3], const double image[3])
{
    double above = mirror->offset, along = 0.0;
    for (int k = 0; k < 3; k++) {
        above -= from[k] * mirror->normal[k];
        along += (image[k] - from[k]) * mirror->normal[k];
    }
    for (int k = 0; k < 3; k++)
        point[k] = from[k] + above / along * (image[k] - from[k]);
}

void mesh_path_points(double (*points)[3], uint32_t *materials, const struct image_path *path,
                      const struct mirrors *mirrors, const double source[3], const double receiver[3])
{
    double image[PATH_WALLS_MAX + 1][3]; /* [n]: after n mirrors */
    memcpy(image[0], source, sizeof image[0]);
    for (uint32_t n = 0; n < path->order; n++)
        mirror_image(image[n + 1], &mirrors->list[path->mirrors[n]], image[n]);
    memcpy(points[path->order + 1], receiver, sizeof points[0]);
    for (uint32_t n = path->order; n > 0; n--) {
        cross(points[n], &mirrors->list[path->mirrors[n - 1]], points[n + 1], image[n]);
        materials[n - 1] = path->walls[n - 1].material;
    }
    memcpy(points[0], source, sizeof points[0]);
}

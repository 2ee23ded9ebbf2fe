/* SPDX-License-Identifier: MIT */
/* Paths of the image-source model: from a source by specular reflections to a receiver (Allen,
 * Berkley 1979, "Image method for efficiently simulating small-room acoustics", J. Acoust. Soc. Am.
 * 65, 943-950). */
#ifndef AULA_RENDER_HYBRID_IMAGE_PATHS_H
#define AULA_RENDER_HYBRID_IMAGE_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"

enum { PATH_WALLS_MAX = 6 };

/* Walls of one material that a path meets at one angle. */
struct path_wall {
    uint32_t material;
    uint32_t count;   /* reflections */
    double cosine;    /* of the angle of incidence from the normal, 0 .. 1 */
    double normal[3]; /* unit, in the space unfolded along the path: its component along the arrival is cosine */
};

struct image_path {
    double distance;     /* m: length of the path, the distance from the receiver to the image */
    double departure[3]; /* unit vector in which the path leaves the source */
    double arrival[3];   /* unit vector from the receiver to the image */
    uint32_t order;      /* reflections */
    uint32_t wall_count; /* of walls[] */
    struct path_wall walls[PATH_WALLS_MAX];
    uint32_t mirrors[PATH_WALLS_MAX]; /* [order], from the source on: indices of struct mirrors; 0 in a box */
    double turned[OCTAVE_BANDS];      /* fraction of its energy that free edges deflect (path_walls.h) */
};

/* Zeroed: empty. */
struct image_paths {
    struct image_path *list; /* [count] */
    size_t count, capacity;
};

/* ERROR_MEMORY. */
int image_paths_add(struct image_paths *paths, const struct image_path *path, struct error *e);
void image_paths_free(struct image_paths *paths); /* safe on a zeroed struct */

/* Sorts by distance; equal distances keep their order. ERROR_MEMORY. */
int image_paths_sort(struct image_paths *paths, struct error *e);

/* An empty box from (0, 0, 0) to size[3], m. */
struct image_box {
    double size[3]; /* m */
    uint32_t materials[FACES];
};

/* Adds the paths of at most `order` reflections and at most `longest` m in a box: all its images,
 * of order n at most (2n + 1)(2n² + 2n + 3)/3. The direct path has order 0. ERROR_MEMORY. */
int box_images_find(struct image_paths *paths, const struct image_box *box, const double source[3],
                    const double receiver[3], size_t order, double longest, struct error *e);

#endif

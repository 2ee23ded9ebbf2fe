/* SPDX-License-Identifier: MIT */
/* Points at which an image path meets the walls. */
#ifndef AULA_RENDER_HYBRID_PATH_POINTS_H
#define AULA_RENDER_HYBRID_PATH_POINTS_H

#include "render/hybrid/image_paths.h"
#include "render/hybrid/mirrors.h"

/* Both fill points [path->order + 2][3], m: the source, each reflection in turn, the receiver; and
 * materials [path->order], of the reflections. They unfold the path into the straight line from the
 * receiver to its image: the line crosses the image of each wall where the path meets the wall.
 * source, receiver: those with which the path was found. */

/* Of a path of box_images_find: the images of the walls of an axis are the planes kL. */
void box_path_points(double (*points)[3], uint32_t *materials, const struct image_path *path,
                     const struct image_box *box, const double source[3], const double receiver[3]);

/* Of a path of mesh_images_find. */
void mesh_path_points(double (*points)[3], uint32_t *materials, const struct image_path *path,
                      const struct mirrors *mirrors, const double source[3], const double receiver[3]);

#endif

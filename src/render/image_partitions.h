/* SPDX-License-Identifier: MIT */
/* Partitions for rays: the faces of a room that let rays through. */
#ifndef AULA_RENDER_IMAGE_PARTITIONS_H
#define AULA_RENDER_IMAGE_PARTITIONS_H

#include "geometry/rays/tree.h"
#include "room/grid/model.h"
#include "room/grid/room_surface.h"

/* Extends solids that end at the walls of a box as it was asked for to those of the box on its grid, where some material
 * has transmission: a slit of a few millimetres lets more through than a partition. */
void image_partitions_close_slits(struct room_surface *surface, const struct model *m);

/* Sets `through` of the faces whose material has transmission and which have air of the room on both sides, as its voxels
 * tell at a few places of each face. Faces of solids are those of bodies. A triangle of a model is that of a body if
 * another face lies between it and the air behind it. Where the voxels are not known, solids are bodies, and other faces
 * are opaque. */
void image_partitions_mark(struct ray_scene *scene, const struct ray_tree *tree, const struct model *m);

#endif

/* SPDX-License-Identifier: MIT */
/* A room as its voxels, with the names that pictures and models of it show. All of it is borrowed. */
#ifndef AULA_PRESENT_VIEWS_VIEWED_ROOM_H
#define AULA_PRESENT_VIEWS_VIEWED_ROOM_H

#include "geometry/voxels/voxel_set.h"

/* A source or a receiver. */
struct view_mark {
    const char *name;
    bool receiver;
    double position[3]; /* m */
};

struct viewed_room {
    const struct voxel_set *set;
    double origin[3];             /* m: least corner of voxel (0, 0, 0) */
    double spacing;               /* X, m */
    const char *const *materials; /* [material_count]: names of the codes CELL_SOLID + i */
    size_t material_count;
    const struct view_mark *marks; /* [mark_count] */
    size_t mark_count;
};

/* The material of a face's code: index of materials; material_count for CELL_FIXED, and codes beyond. */
size_t view_material(const struct viewed_room *r, unsigned code);
/* Its name; "fixed" for material_count. */
const char *view_material_name(const struct viewed_room *r, size_t material);

/* Colour of a material, 0xRRGGBB: those of DRAWING_SERIES in light pages, then lighter and darker ones. */
uint32_t view_colour(size_t material);

#endif

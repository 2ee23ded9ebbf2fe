/* SPDX-License-Identifier: MIT */
/* Writes the voxel faces of a room as a 3D model (PLY or GLB). */
#ifndef AULA_PRESENT_VIEWS_ROOM_MODEL_H
#define AULA_PRESENT_VIEWS_ROOM_MODEL_H

#include "geometry/voxels/voxel_set.h"

/* A room as its voxels, with the names that pictures and models of it show. All of it is borrowed. */

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

/* ERROR_USAGE when the name ends neither in .ply nor in .glb. */
int room_model_check_name(const char *path, struct error *e);

/* Writes the faces, joined to rectangles, that look into the air: PLY (binary, little endian, z up, metres) with the
 * colour of the material at each vertex and its number at each face, or GLB (glTF 2.0, y up, metres) with a named
 * material for each of the room's, and a named node for each source and receiver. Complete or absent. ERROR_OUTPUT,
 * ERROR_MEMORY, ERROR_STOPPED; ERROR_INPUT when there is no face, or more than the format can count. */
int room_model_write(const char *path, const struct viewed_room *room, struct error *e);

#endif

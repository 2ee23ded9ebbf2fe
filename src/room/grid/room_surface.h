/* SPDX-License-Identifier: MIT */
/* Converts the walls, mesh and objects of a room to a surface for geometry/voxelize.h. */
#ifndef AULA_ROOM_GRID_ROOM_SURFACE_H
#define AULA_ROOM_GRID_ROOM_SURFACE_H

#include "geometry/surface.h"
#include "room/room.h"

/* Material i of the surface is room.materials[i], and solid i is room.objects[i]; the mesh and the walls are
 * triangles. */
struct room_surface {
    struct surface surface; /* reads the arrays below, and the corners of the room's polygons */
    struct surface_material *materials;
    struct surface_triangle *triangles;
    struct surface_solid *solids;
};

/* `size`: size of a box on its grid, m; NULL: the walls of the box are the ends of the lattice
 * (lattice.walled) and are left out. Ignored for other rooms. Zero *s first, and call
 * room_surface_free also after an error. ERROR_INPUT: more triangles than can be voxelized, or more
 * materials than faces can distinguish; ERROR_MEMORY. */
int room_surface_make(struct room_surface *s, const struct room *room, const double size[3], struct error *e);

/* The same, but keeps all coinciding faces of a mesh. */
int room_surface_draw(struct room_surface *s, const struct room *room, const double size[3], struct error *e);
void room_surface_free(struct room_surface *s);

#endif

/* The voxel map: which voxels are air, which are fixed at 0, and the material of all others. With the 7-point stencil each
 * voxel is a point of the grid.
 *
 * One byte per voxel, made plane by plane from the geometry on demand, so that the map is never stored as a whole.
 * Other geometries only need to fill planes. */
#ifndef AULA_MODEL_VOXELS_H
#define AULA_MODEL_VOXELS_H

#include "acoustics/cell.h"
#include "model/grid.h"
#include "solver/solver.h"

struct voxels {
    const struct room *room;
    enum air_stencil stencil;
    size_t points[3]; /* voxels along each axis */
    double spacing;
    size_t object_planes[2]; /* range of planes that an object may touch */
};

void voxels_make(struct voxels *v, const struct room *room, const struct grid *g);

/* Writes cells[nz][ny][nx] (enum cell) of planes z0 .. z0 + nz - 1; `voxels` is a struct voxels. Later objects cover
 * earlier ones. */
void voxels_cells(const void *voxels, size_t z0, size_t nz, uint8_t *cells);

/* The cell of one point. */
uint8_t voxels_cell(const struct voxels *v, size_t x, size_t y, size_t z);

/* Bounding box of an object's points: range[axis] = {first, end}. */
void voxels_object_bounds(const struct voxels *v, const struct object *object, size_t range[3][2]);

/* The points x of a row inside an object: range = {first, end}, equal when there are none. */
void voxels_object_row(const struct voxels *v, const struct object *object, size_t y, size_t z, size_t range[2]);

/* Whether a wall is a layer of fixed voxels within the box. With the 19-point stencil it never is: walls pass through
 * points, and those of a fixed wall are held at 0. */
bool voxels_wall_is_fixed(const struct voxels *v, int wall);

/* Whether an object covers at least one grid point. */
bool voxels_object_visible(const struct voxels *v, size_t object);

#endif

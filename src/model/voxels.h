/* The voxel map: which voxels are air, which are fixed at 0, and the material of all others. With the 7-point scheme the
 * points of the grid are the centres of voxels, with the 19-point scheme their corners.
 *
 * One byte per voxel, made plane by plane from the geometry on demand, so that the map is never stored as a whole.
 * Other geometries only need to fill planes. */
#ifndef AULA_MODEL_VOXELS_H
#define AULA_MODEL_VOXELS_H

#include "acoustics/cell.h"
#include "model/grid.h"
#include "solver/solver.h"

/* A voxel of air that counts as part of an object (model/closing.h). */
struct closed_voxel {
    uint64_t voxel; /* voxels_index */
    uint32_t object;
};

struct voxels {
    const struct room *room;
    enum air_stencil stencil;
    size_t count[3]; /* along each axis */
    double spacing;
    size_t object_planes[2];           /* range of planes that an object may touch */
    const struct closed_voxel *closed; /* [closed_count], by ascending index; borrowed */
    size_t closed_count;
};

void voxels_make(struct voxels *v, const struct room *room, const struct grid *g);

/* Writes cells[nz][ny][nx] (enum cell) of planes z0 .. z0 + nz - 1; `voxels` is a struct voxels. Later objects cover
 * earlier ones. */
void voxels_cells(const void *voxels, size_t z0, size_t nz, uint8_t *cells);

/* The cell of one voxel. */
uint8_t voxels_cell(const struct voxels *v, size_t x, size_t y, size_t z);

/* (z ny + y) nx + x of a voxel. */
uint64_t voxels_index(const struct voxels *v, const size_t at[3]);

/* The object that a voxel belongs to; room->object_count: none. */
size_t voxels_object_at(const struct voxels *v, const size_t at[3]);

/* The first entry of v->closed with at least this index; closed_count: none. */
size_t voxels_closed_from(const struct voxels *v, uint64_t index);

/* Bounding box of an object's voxels: range[axis] = {first, end}. */
void voxels_object_bounds(const struct voxels *v, const struct object *object, size_t range[3][2]);

/* The voxels x of a row inside an object: range = {first, end}, equal when there are none. */
void voxels_object_row(const struct voxels *v, const struct object *object, size_t y, size_t z, size_t range[2]);

/* Whether a wall is a layer of fixed voxels within the box: with the 7-point scheme only. With the 19-point scheme the
 * faces to the wall are fixed. */
bool voxels_wall_is_fixed(const struct voxels *v, int wall);

/* Whether an object covers at least one voxel. */
bool voxels_object_visible(const struct voxels *v, size_t object);

#endif

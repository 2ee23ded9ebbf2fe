/* Voxels of air that touch only along an edge or at a corner, for the 19-point scheme: their common point would join
 * what no air joins, so one side is closed. */
#ifndef AULA_MODEL_CLOSING_H
#define AULA_MODEL_CLOSING_H

#include "model/voxels.h"

/* Closes such voxels in a map of the 19-point scheme, and sets v->closed to the list, *closed, which the caller frees
 * after the map. At each point the eight voxels around it form groups that are joined through faces. Where there is more
 * than one, the greatest is kept: by the number of voxels, then by the number of their faces that lead to air, then by
 * their greatest index. All points are judged on the same map, then all other groups are closed at once, and again until
 * nothing is left to close: the result does not depend on an order. A closed voxel becomes part of the object of the
 * solid voxel of the lowest index that shares a face with it at such a point.
 *
 * Looks through the planes at which objects begin, change and end; nothing is done without objects, with the 7-point
 * scheme, or in grids of more than 3e10 voxels, which nothing steps. *closed is
 * NULL when nothing was closed. ERROR_MEMORY, ERROR_STOPPED. */
int voxels_close(struct voxels *v, struct closed_voxel **closed, struct error *e);

#endif

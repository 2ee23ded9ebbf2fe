/* SPDX-License-Identifier: MIT */
#include "room/grid/place_air.h"

#include <math.h>

static const double ON_FACE = 1e-6; /* voxels */

/* Whether a wall or an object holds a point of the 19-point grid at this place at p = 0. `voxel`: the voxel of air around
 * the place. */
static bool is_held(const struct model *m, const double place[3], const long voxel[3])
{
    const struct voxel_set *set = m->voxels.set;
    for (int wall = 0; wall < FACES; wall++) {
        const struct face_run *face = voxel_set_face(set, (size_t)voxel[0], (size_t)voxel[1], (size_t)voxel[2], wall);
        const double end = (double)voxel[wall / 2] + (double)(wall % 2);
        if (face && face->code == CELL_FIXED && fabs(place[wall / 2] - end) < ON_FACE)
            return true;
    }
    return false;
}

/* The last voxel of a box that lost part of a cell reaches to its wall. */
bool place_is_air(const struct model *m, const double at[3])
{
    const bool plain = room_is_plain(m->room);
    const long reach = plain ? 0 : 1;
    double place[3];
    long voxel[3];
    for (int k = 0; k < 3; k++) {
        place[k] = grid_place(&m->grid, at, k);
        if (!(place[k] >= (double)reach && (plain || place[k] < (double)m->grid.voxels[k])))
            return false;
        voxel[k] = (long)fmin(place[k], (double)m->grid.voxels[k] - 1.0);
        place[k] = fmin(place[k], (double)m->grid.voxels[k]);
    }
    for (long z = -reach; z <= reach; z++)
        for (long y = -reach; y <= reach; y++)
            for (long x = -reach; x <= reach; x++)
                if (!voxel_set_is_air(m->voxels.set, (size_t)(voxel[0] + x), (size_t)(voxel[1] + y),
                                      (size_t)(voxel[2] + z)))
                    return false;
    return room_object_at(m->room, at) == m->room->object_count &&
           (m->grid.stencil == STENCIL_7_POINT || !is_held(m, place, voxel));
}

/* SPDX-License-Identifier: MIT */
#include "render/modes/places.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 4000 };

static void centre_of(double at[3], const struct model *m, const size_t voxel[3])
{
    for (int axis = 0; axis < 3; axis++)
        at[axis] = m->grid.origin[axis] + ((double)voxel[axis] + 0.5) * m->grid.spacing;
}

/* How far a voxel lies towards corner 0 .. 7, in sizes of the room. */
static double towards(const struct model *m, const size_t voxel[3], int corner)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double share = (double)voxel[axis] / (double)m->grid.voxels[axis];
        sum += corner >> axis & 1 ? share : -share;
    }
    return sum;
}

/* The extreme voxels are at the ends of runs of air. */
static int find_corners(size_t (*corners)[3], const struct model *m, struct error *e)
{
    const struct voxel_set *set = m->voxels.set;
    double best[OWN_CORNERS];
    for (int i = 0; i < OWN_CORNERS; i++)
        best[i] = -INFINITY;
    for (size_t z = 0; z < voxel_set_count(set, 2); z++)
        for (size_t y = 0; y < voxel_set_count(set, 1); y++) {
            const struct voxel_row row = voxel_set_row(set, y, z);
            for (size_t run = 0; run < row.air_count; run++)
                for (int corner = 0; corner < OWN_CORNERS; corner++) {
                    const size_t voxel[3] = {corner & 1 ? row.air[run].end - 1 : row.air[run].start, y, z};
                    const double value = towards(m, voxel, corner);
                    if (value > best[corner]) {
                        best[corner] = value;
                        memcpy(corners[corner], voxel, sizeof voxel);
                    }
                }
        }
    return best[0] > -INFINITY ? 0 : fail(e, ERROR_INPUT, "%s: the room holds no air", m->room->path);
}

static double halton(size_t index, size_t base)
{
    double value = 0.0, share = 1.0;
    for (; index; index /= base) {
        share /= (double)base;
        value += share * (double)(index % base);
    }
    return value;
}

static bool is_within(const struct model *m, const size_t voxel[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (voxel[axis] < 1 || voxel[axis] + 1 >= m->grid.voxels[axis])
            return false;
    for (size_t z = voxel[2] - 1; z <= voxel[2] + 1; z++)
        for (size_t y = voxel[1] - 1; y <= voxel[1] + 1; y++)
            for (size_t x = voxel[0] - 1; x <= voxel[0] + 1; x++)
                if (!voxel_set_is_air(m->voxels.set, x, y, z))
                    return false;
    return true;
}

int own_places_find(double (*places)[3], size_t *count, const struct model *m, struct error *e)
{
    static const size_t bases[3] = {2, 3, 5};
    size_t corners[OWN_CORNERS][3];
    *count = 0;
    if (!m->voxels.set)
        return fail(e, ERROR_INPUT, "%s: the room has more voxels than can be stepped; lower --to", m->room->path);
    if (find_corners(corners, m, e))
        return -1;
    for (int i = 0; i < OWN_CORNERS; i++)
        centre_of(places[(*count)++], m, corners[i]);
    for (size_t trial = 1; trial <= TRIALS && *count < OWN_PLACES; trial++) {
        size_t voxel[3];
        for (int axis = 0; axis < 3; axis++)
            voxel[axis] = (size_t)(halton(trial, bases[axis]) * (double)m->grid.voxels[axis]);
        if (is_within(m, voxel))
            centre_of(places[(*count)++], m, voxel);
    }
    return 0;
}

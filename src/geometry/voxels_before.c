/* SPDX-License-Identifier: MIT */
#include "geometry/voxels_before.h"

#include <math.h>

/* Of the unit normal along the axis of a face: a larger one is along that axis. */
static const double ALONG = 1.0 - 1e-6;
static const double ROUNDING = 0.01; /* of a level, in 1/SNAP_UNITS */
static const double LEAST = 0.001;   /* of the way from the solid voxel to the air: the plane is not closer to either */

/* The two layers of voxels at the corners of a face: [layer][v][u], layer 0 is that of the air, and u and v are the
 * axes after that of the face. */
enum { ACROSS = 3 };
struct block {
    bool air[2][ACROSS][ACROSS];
};

/* The voxel of a block; beyond the lattice the index wraps. */
static void voxel_of(size_t voxel[3], const size_t at[3], int side, int layer, int v, int u)
{
    const int axis = side / 2;
    voxel[axis] = at[axis] + (layer ? (side % 2 ? 1 : (size_t)-1) : 0);
    voxel[(axis + 1) % 3] = at[(axis + 1) % 3] + (size_t)(u - 1);
    voxel[(axis + 2) % 3] = at[(axis + 2) % 3] + (size_t)(v - 1);
}

/* Distance of a voxel's centre from the plane of a triangle, in 1/SNAP_UNITS. `from`: the part's lowest plane. */
static double level_of(const struct snapped_triangle *t, const size_t voxel[3], size_t from, double sign)
{
    double level = 0.0;
    for (int k = 0; k < 3; k++) {
        const int64_t index = (int64_t)(voxel[k] + (k == 2 ? from : 0));
        level += t->normal[k] * (double)(SNAP_UNITS * index + SNAP_UNITS / 2 - t->corner[0][k]);
    }
    return sign * level;
}

/* The voxels before the plane, which is moved, if it has to, between the voxels of the face. */
static void before_plane(struct block *b, const struct room_cuts *r, const struct snapped_triangle *t,
                         const size_t at[3], int side)
{
    double level[2][ACROSS][ACROSS];
    const double sign = (t->normal[side / 2] > 0.0) == (side % 2) ? -1.0 : 1.0; /* levels rise towards the air */
    for (int layer = 0; layer < 2; layer++)
        for (int v = 0; v < ACROSS; v++)
            for (int u = 0; u < ACROSS; u++) {
                size_t voxel[3];
                voxel_of(voxel, at, side, layer, v, u);
                level[layer][v][u] = level_of(t, voxel, r->planes.from, sign);
            }
    const double air = level[0][1][1], solid = level[1][1][1], least = LEAST * (air - solid);
    const double plane = fmin(fmax(0.0, solid + least), air - least);
    for (int layer = 0; layer < 2; layer++)
        for (int v = 0; v < ACROSS; v++)
            for (int u = 0; u < ACROSS; u++)
                b->air[layer][v][u] = level[layer][v][u] > plane - ROUNDING;
}

/* The voxels outside a solid, or those of air if other things close the face. */
static void outside_solid(struct block *b, const struct room_cuts *r, size_t solid, const size_t at[3], int side)
{
    size_t beyond[3];
    voxel_of(beyond, at, side, 1, 1, 1);
    const bool covered = solid_covers(&r->solids, solid, beyond);
    for (int layer = 0; layer < 2; layer++)
        for (int v = 0; v < ACROSS; v++)
            for (int u = 0; u < ACROSS; u++) {
                size_t voxel[3];
                voxel_of(voxel, at, side, layer, v, u);
                b->air[layer][v][u] =
                    covered ? !solid_covers(&r->solids, solid, voxel) : regions_run_at(&r->air, voxel) != NO_RUN;
            }
}

static unsigned count_around(const struct block *b, unsigned corner)
{
    const unsigned u = corner & 1, v = corner >> 1;
    unsigned count = 0;
    for (unsigned i = 0; i < 8; i++)
        count += b->air[i & 1][v + (i >> 1 & 1)][u + (i >> 2)];
    return count;
}

unsigned voxels_before(const struct room_cuts *r, const size_t at[3], int side, const struct seen *seen)
{
    struct block b;
    unsigned before = 0, counts[FACE_CORNERS];
    bool equal = true;
    if (seen->element == ELEMENT_NONE || !(seen->component > 0.0 && seen->component < ALONG))
        return 0;
    if (seen->element < r->snapped.count)
        before_plane(&b, r, &r->snapped.triangles[seen->element], at, side);
    else if (seen->element - r->snapped.count < r->surface->solid_count)
        outside_solid(&b, r, seen->element - r->snapped.count, at, side);
    else
        return 0;
    for (unsigned i = 0; i < FACE_CORNERS; i++) {
        counts[i] = count_around(&b, i);
        if (counts[i] < 1 || counts[i] > 7) /* not at a staircase */
            return 0;
        equal = equal && counts[i] == counts[0];
        before |= counts[i] << FACE_BEFORE_BITS * i;
    }
    return equal ? 0 : before;
}

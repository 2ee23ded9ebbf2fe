/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/corners.h"

void corner_settle(struct corner *c, unsigned air)
{
    c->pattern = air;
    if (air == PATTERN_ALL)
        return;
    for (int i = 0; i < CORNER_VOXELS; i++)
        for (int axis = 0; axis < 3; axis++)
            if (c->faces[i][axis].code == CELL_FIXED)
                c->pattern = 0;
}

struct corner corner_at(const struct voxel_set *v, const size_t at[3])
{
    struct corner c = {.pattern = 0};
    unsigned air = 0;
    for (unsigned i = 0; i < CORNER_VOXELS; i++) {
        /* wraps below 0, where there is no air */
        const size_t x = at[0] + (i & 1u) - 1, y = at[1] + (i >> 1 & 1u) - 1, z = at[2] + (i >> 2) - 1;
        if (!voxel_set_is_air(v, x, y, z))
            continue;
        air |= 1u << i;
        for (int axis = 0; axis < 3; axis++) {
            const struct face_run *face = voxel_set_face(v, x, y, z, 2 * axis + !(i >> axis & 1u));
            if (face)
                c.faces[i][axis] = (struct corner_face){face->code, face->area};
        }
    }
    corner_settle(&c, air);
    return c;
}

struct row_wall corner_wall(const struct leapfrog_problem *l, const struct corner *c)
{
    struct row_wall wall = {.key.mass = (uint8_t)__builtin_popcount(c->pattern)};
    if (c->pattern == 0 || c->pattern == PATTERN_ALL)
        return wall;
    for (int i = 0; i < CORNER_VOXELS; i++)
        for (int axis = 0; axis < 3; axis++)
            if (c->faces[i][axis].code >= CELL_SOLID)
                wall_key_add(&wall.key, l, c->faces[i][axis].code,
                             c->faces[i][axis].area * (AREA_UNITS / 4 / FACE_AREA_UNITS));
    wall.branched = wall_key_branched(&wall.key, l);
    wall.weight = wall_key_weight(&wall.key, l);
    return wall;
}

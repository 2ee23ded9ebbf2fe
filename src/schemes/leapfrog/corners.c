#include "schemes/leapfrog/corners.h"

unsigned corner_pattern(const uint8_t codes[CORNER_VOXELS])
{
    unsigned pattern = 0;
    for (int i = 0; i < CORNER_VOXELS; i++) {
        if (codes[i] == CELL_FIXED)
            return 0;
        pattern |= (unsigned)(codes[i] == CELL_AIR) << i;
    }
    return pattern;
}

struct row_wall corner_wall(const struct leapfrog_problem *l, const uint8_t codes[CORNER_VOXELS], unsigned pattern)
{
    struct row_wall wall = {.key.mass = (uint8_t)__builtin_popcount(pattern)};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < CORNER_VOXELS; i++) {
            const int other = i ^ 1 << axis;
            if (pattern >> i & 1u && codes[other] >= CELL_SOLID)
                wall_key_add(&wall.key, l, codes[other], AREA_UNITS / 4);
        }
    wall.branched = wall_key_branched(&wall.key, l);
    wall.weight = wall_key_weight(&wall.key, l);
    return wall;
}

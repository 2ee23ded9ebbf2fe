/* SPDX-License-Identifier: MIT */
#include "dsp/space/sphere_areas.h"

#include <math.h>

#include "dsp/space/direction_tree.h"

int sphere_areas(double *areas, const double (*directions)[3], size_t count, struct error *e)
{
    const size_t least = 20000, points = 20 * count > least ? 20 * count : least;
    const double turn = M_PI * (3.0 - sqrt(5.0));
    struct direction_tree tree;
    if (direction_tree_make(&tree, directions, count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        areas[i] = 0.0;
    for (size_t p = 0; p < points; p++) {
        const double z = 1.0 - (2.0 * (double)p + 1.0) / (double)points, r = sqrt(1.0 - z * z);
        const double point[3] = {r * cos(turn * (double)p), r * sin(turn * (double)p), z};
        areas[direction_tree_nearest(&tree, point, NULL, NULL)] += 1.0 / (double)points;
    }
    direction_tree_free(&tree);
    return 0;
}

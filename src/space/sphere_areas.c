/* SPDX-License-Identifier: MIT */
#include "space/sphere_areas.h"

#include <math.h>

static size_t nearest(const double point[3], const double (*directions)[3], size_t count)
{
    size_t best = 0;
    double most = -2.0;
    for (size_t i = 0; i < count; i++) {
        const double cosine = point[0] * directions[i][0] + point[1] * directions[i][1] + point[2] * directions[i][2];
        if (cosine > most) {
            most = cosine;
            best = i;
        }
    }
    return best;
}

void sphere_areas(double *areas, const double (*directions)[3], size_t count)
{
    const size_t least = 20000, points = 20 * count > least ? 20 * count : least;
    const double turn = M_PI * (3.0 - sqrt(5.0));
    for (size_t i = 0; i < count; i++)
        areas[i] = 0.0;
    for (size_t p = 0; p < points; p++) {
        const double z = 1.0 - (2.0 * (double)p + 1.0) / (double)points, r = sqrt(1.0 - z * z);
        const double point[3] = {r * cos(turn * (double)p), r * sin(turn * (double)p), z};
        areas[nearest(point, directions, count)] += 1.0 / (double)points;
    }
}

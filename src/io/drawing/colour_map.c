/* SPDX-License-Identifier: MIT */
#include "io/drawing/colour_map.h"

#include <math.h>

uint32_t map_colour(double share)
{
    static const double points[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142}, {38, 130, 142},
                                       {31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {180, 222, 44}, {253, 231, 37}};
    enum { LAST = sizeof points / sizeof *points - 1 };
    const double at = LAST * (share > 0.0 ? fmin(1.0, share) : 0.0);
    const int k = at < LAST ? (int)at : LAST - 1;
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++)
        colour = colour << 8 | (uint32_t)lrint(points[k][i] + (at - k) * (points[k + 1][i] - points[k][i]));
    return colour;
}

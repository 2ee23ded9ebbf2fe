/* SPDX-License-Identifier: MIT */
#include "geometry/geodesic_sphere.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void subdivide(const double corner[3][3], int subdivisions, geodesic_triangle *add, void *context)
{
    double middle[3][3];
    if (subdivisions == 0) {
        add(context, corner);
        return;
    }
    for (int i = 0; i < 3; i++) { /* of the edge from corner i to the next; the same from either triangle */
        const double *p = corner[i], *q = corner[(i + 1) % 3];
        double length = 0.0;
        for (int k = 0; k < 3; k++) {
            middle[i][k] = p[k] + q[k];
            length += middle[i][k] * middle[i][k];
        }
        for (int k = 0; k < 3; k++)
            middle[i][k] /= sqrt(length);
    }
    const double *const parts[4][3] = {{corner[0], middle[0], middle[2]},
                                       {middle[0], corner[1], middle[1]},
                                       {middle[2], middle[1], corner[2]},
                                       {middle[0], middle[1], middle[2]}};
    for (int i = 0; i < 4; i++) {
        double part[3][3];
        for (int k = 0; k < 3; k++)
            memcpy(part[k], parts[i][k], sizeof part[k]);
        subdivide((const double(*)[3])part, subdivisions - 1, add, context);
    }
}

void geodesic_sphere(int subdivisions, geodesic_triangle *add, void *context)
{
    const double g = (1.0 + sqrt(5.0)) / 2.0, scale = 1.0 / sqrt(1.0 + g * g);
    const double v[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                             {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    static const int faces[ICOSAHEDRON][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                              {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                              {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                              {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (int f = 0; f < ICOSAHEDRON; f++) {
        double corner[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                corner[i][k] = v[faces[f][i]][k] * scale;
        subdivide((const double(*)[3])corner, subdivisions, add, context);
    }
}

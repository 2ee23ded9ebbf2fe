/* SPDX-License-Identifier: MIT */
/* One ray against one triangle (Woop, Benthin, Wald 2013). */
#ifndef AULA_GEOMETRY_RAYS_INTERSECT_H
#define AULA_GEOMETRY_RAYS_INTERSECT_H

#include <math.h>
#include <stdbool.h>

#include "base/device.h"

/* A ray prepared: axis z is the one along which its direction is largest; the shear makes it the z axis. */
struct sheared_ray {
    double origin[3];
    int x, y, z;
    double shear[3];
};

ON_DEVICE struct sheared_ray sheared_ray_of(const double origin[3], const double direction[3])
{
    const double a = fabs(direction[0]), b = fabs(direction[1]), c = fabs(direction[2]);
    struct sheared_ray r;
    for (int k = 0; k < 3; k++)
        r.origin[k] = origin[k];
    r.z = a >= b && a >= c ? 0 : b >= c ? 1 : 2;
    r.x = (r.z + 1) % 3;
    r.y = (r.z + 2) % 3;
    r.shear[0] = direction[r.x] / direction[r.z];
    r.shear[1] = direction[r.y] / direction[r.z];
    r.shear[2] = 1.0 / direction[r.z];
    return r;
}

/* a b - c d where the rounded products are equal: exact in sign. */
ON_DEVICE double edge_remainder(double a, double b, double c, double d)
{
    const double product = a * b;
    return fma(a, b, -product) - fma(c, d, -product);
}

/* z where the longest edge of a triangle along x and y is closest to x = y = 0; NAN where twice its area there, `sum`,
 * is 2⁻²⁸ of the square of that edge or more. */
ON_DEVICE double along_sliver(double sum, const double x[3], const double y[3], const double z[3])
{
    double square = 0.0;
    int i = 0;
    for (int k = 0; k < 3; k++) {
        const double dx = x[(k + 1) % 3] - x[k], dy = y[(k + 1) % 3] - y[k], length = dx * dx + dy * dy;
        i = length > square ? k : i;
        square = fmax(length, square);
    }
    if (!(fabs(sum) < 0x1p-28 * square))
        return NAN;
    const int j = (i + 1) % 3;
    const double share = -(x[i] * (x[j] - x[i]) + y[i] * (y[j] - y[i])) / square;
    return z[i] + fmin(fmax(share, 0.0), 1.0) * (z[j] - z[i]);
}

/* The distance along the ray, in units of its direction's length, at which it passes through a triangle or its border;
 * NAN: it does not. The sign of each edge function is exact: rounded products compare as the exact ones do unless they
 * are equal. Two triangles with an edge in common thus never both miss a ray between them. The edge functions of a
 * sliver are what rounding makes of them, and their ratios say nothing: it is met where its longest edge is. */
ON_DEVICE double sheared_ray_meets(const struct sheared_ray *r, const double corner[3][3])
{
    double x[3], y[3], z[3], side[3];
    for (int i = 0; i < 3; i++) {
        const double along = corner[i][r->z] - r->origin[r->z];
        x[i] = corner[i][r->x] - r->origin[r->x] - r->shear[0] * along;
        y[i] = corner[i][r->y] - r->origin[r->y] - r->shear[1] * along;
        z[i] = along;
    }
    side[0] = x[2] * y[1] - y[2] * x[1];
    side[1] = x[0] * y[2] - y[0] * x[2];
    side[2] = x[1] * y[0] - y[1] * x[0];
    if (side[0] == 0.0 || side[1] == 0.0 || side[2] == 0.0) {
        side[0] = side[0] == 0.0 ? edge_remainder(x[2], y[1], y[2], x[1]) : side[0];
        side[1] = side[1] == 0.0 ? edge_remainder(x[0], y[2], y[0], x[2]) : side[1];
        side[2] = side[2] == 0.0 ? edge_remainder(x[1], y[0], y[1], x[0]) : side[2];
    }
    if ((side[0] < 0.0 || side[1] < 0.0 || side[2] < 0.0) && (side[0] > 0.0 || side[1] > 0.0 || side[2] > 0.0))
        return NAN;
    const double sum = side[0] + side[1] + side[2];
    if (sum == 0.0)
        return NAN;
    /* no edge is longer than `extent` */
    const double extent = fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + fabs(y[0]) + fabs(y[1]) + fabs(y[2]);
    if (fabs(sum) < 0x1p-28 * (extent * extent)) {
        const double along = along_sliver(sum, x, y, z);
        if (!isnan(along))
            return along * r->shear[2];
    }
    return (side[0] * z[0] + side[1] * z[1] + side[2] * z[2]) * r->shear[2] / sum;
}

#endif

/* SPDX-License-Identifier: MIT */
/* One ray against one triangle (Woop, Benthin, Wald 2013). */
#ifndef AULA_RAYS_INTERSECT_H
#define AULA_RAYS_INTERSECT_H

#include <math.h>
#include <stdbool.h>

/* A ray prepared: axis z is the one along which its direction is largest; the shear makes it the z axis. */
struct sheared_ray {
    double origin[3];
    int x, y, z;
    double shear[3];
};

static inline struct sheared_ray sheared_ray_of(const double origin[3], const double direction[3])
{
    const double a = fabs(direction[0]), b = fabs(direction[1]), c = fabs(direction[2]);
    struct sheared_ray r = {.origin = {origin[0], origin[1], origin[2]}};
    r.z = a >= b && a >= c ? 0 : b >= c ? 1 : 2;
    r.x = (r.z + 1) % 3;
    r.y = (r.z + 2) % 3;
    r.shear[0] = direction[r.x] / direction[r.z];
    r.shear[1] = direction[r.y] / direction[r.z];
    r.shear[2] = 1.0 / direction[r.z];
    return r;
}

/* a b - c d where the rounded products are equal: exact in sign. */
static inline double edge_remainder(double a, double b, double c, double d)
{
    const double product = a * b;
    return fma(a, b, -product) - fma(c, d, -product);
}

/* The distance along the ray, in units of its direction's length, at which it passes through a triangle or its border;
 * NAN: it does not. The sign of each edge function is exact: rounded products compare as the exact ones do unless they
 * are equal. Two triangles with an edge in common thus never both miss a ray between them. */
static inline double sheared_ray_meets(const struct sheared_ray *r, const double corner[3][3])
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
    return (side[0] * z[0] + side[1] * z[1] + side[2] * z[2]) * r->shear[2] / sum;
}

#endif

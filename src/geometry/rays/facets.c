/* SPDX-License-Identifier: MIT */
#include "geometry/rays/facets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/floor_plan.h"
#include "geometry/geodesic_sphere.h"

static const double pi = 3.14159265358979323846;

enum { BLOCK_TRIANGLES = 12, AROUND_MIN = 12, AROUND_MAX = 256, SUBDIVISIONS_MAX = 5 };

/* How far, of its radius, the middles of a sphere's facets are inside the sphere through their corners, for an
 * icosahedron subdivided 0, 1 .. times: 1 - the smallest distance of a facet's plane from the centre (checked by
 * rays_test). */
static const double sphere_sagitta[SUBDIVISIONS_MAX + 1] = {0.2053455277, 0.0658276410, 0.0177530532,
                                                            0.0045283676, 0.0011378833, 0.0002848354};

static void subtract(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

static double triple(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Turns a triangle so that its normal points away from a place inside a convex solid. */
static void add_outward(const struct facet_sink *to, const double inside[3], const double a[3], const double b[3],
                        const double c[3], bool curved)
{
    double corner[3][3], edge[3], other[3], from[3];
    subtract(edge, b, a);
    subtract(other, c, a);
    subtract(from, a, inside);
    const bool outward = triple(from, edge, other) >= 0.0;
    memcpy(corner[0], a, sizeof corner[0]);
    memcpy(corner[1], outward ? b : c, sizeof corner[1]);
    memcpy(corner[2], outward ? c : b, sizeof corner[2]);
    to->add(to->context, (const double(*)[3])corner, curved);
}

/* ---- boxes and wedges */

static void block_corners(double corners[8][3], const struct surface_solid *s)
{
    const bool straight = s->shape == SOLID_BOX;
    double rise[3] = {0.0, 0.0, 0.0};
    const bool wedge = s->shape == SOLID_WEDGE || s->shape == SOLID_TURNED_WEDGE;
    for (int axis = 0; axis < 3 && wedge; axis++)
        for (int i = 0; i < 3; i++)
            rise[axis] += s->slope[i] * s->axes[axis][i];
    for (int k = 0; k < 8; k++) {
        bool high[3] = {k & 1, k >> 1 & 1, k >> 2 & 1};
        double beyond = 0.0, size = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            beyond += rise[axis] * (high[axis] ? s->half[axis] : -s->half[axis]);
            size += fabs(rise[axis]) * s->half[axis];
        }
        if (wedge && beyond > 0.5 * size) /* over the low side: the corner below it */
            high[2] = !high[2];
        for (int i = 0; i < 3; i++) {
            corners[k][i] = straight ? (high[i] ? s->to[i] : s->from[i]) : s->centre[i];
            for (int axis = 0; axis < 3 && !straight; axis++)
                corners[k][i] += (high[axis] ? s->half[axis] : -s->half[axis]) * s->axes[axis][i];
        }
    }
}

static void add_block(const struct facet_sink *to, const struct surface_solid *s)
{
    /* corner x + 2 y + 4 z; each edge is cut the same way by both of its sides, and each side into two */
    static const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double corners[8][3], middle[3] = {0.0, 0.0, 0.0};
    block_corners(corners, s);
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 3; i++)
            middle[i] += 0.125 * corners[k][i];
    for (int side = 0; side < 6; side++) {
        const int *c = sides[side];
        add_outward(to, middle, corners[c[0]], corners[c[1]], corners[c[2]], false);
        add_outward(to, middle, corners[c[0]], corners[c[2]], corners[c[3]], false);
    }
}

/* ---- prisms */

static void prism_corner(double corner[3], const struct surface_solid *s, size_t index, bool upper)
{
    corner[0] = s->corners[index % s->corner_count][0];
    corner[1] = s->corners[index % s->corner_count][1];
    corner[2] = upper ? s->to[2] : s->from[2];
}

static void add_plan(const struct facet_sink *to, const struct surface_solid *s, const uint32_t plan[3], bool upper)
{
    double c[3][3];
    for (int i = 0; i < 3; i++)
        prism_corner(c[i], s, plan[i], upper);
    const double below[3] = {c[0][0], c[0][1], upper ? c[0][2] - 1.0 : c[0][2] + 1.0};
    add_outward(to, below, c[0], c[1], c[2], false);
}

static int add_prism(const struct facet_sink *to, const struct surface_solid *s, struct error *e)
{
    uint32_t(*plan)[3] = calloc(s->corner_count, sizeof *plan);
    size_t count = 0;
    const bool clockwise = floor_plan_area(s->corners, s->corner_count) < 0.0;
    if (!plan)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = floor_plan_triangles(s->corners, s->corner_count, plan, &count, e);
    for (size_t i = 0; i < count && !status; i++)
        for (int upper = 0; upper < 2; upper++)
            add_plan(to, s, plan[i], upper);
    for (size_t i = 0; i < s->corner_count && !status; i++) {
        double low[3], low_next[3], high[3], high_next[3], first[3][3], second[3][3];
        prism_corner(low, s, clockwise ? i + 1 : i, false);
        prism_corner(low_next, s, clockwise ? i : i + 1, false);
        prism_corner(high, s, clockwise ? i + 1 : i, true);
        prism_corner(high_next, s, clockwise ? i : i + 1, true);
        memcpy(first[0], low, sizeof low);
        memcpy(first[1], low_next, sizeof low);
        memcpy(first[2], high_next, sizeof low);
        memcpy(second[0], low, sizeof low);
        memcpy(second[1], high_next, sizeof low);
        memcpy(second[2], high, sizeof low);
        to->add(to->context, (const double(*)[3])first, false);
        to->add(to->context, (const double(*)[3])second, false);
    }
    free(plan);
    return status;
}

/* ---- cylinders */

/* Facets around a cylinder whose corners are at (1 + q) r and whose middles are at (1 - q) r: cos(π/n) =
 * (1-q)/(1+q). */
static size_t around(const struct surface_solid *s, double deviation)
{
    const double q = deviation / s->radius;
    const double count = q < 1.0 ? ceil(pi / acos((1.0 - q) / (1.0 + q))) : 0.0;
    return count < AROUND_MIN ? AROUND_MIN : count > AROUND_MAX ? AROUND_MAX : (size_t)count;
}

static void add_cylinder(const struct facet_sink *to, const struct surface_solid *s, double wanted, double *deviation)
{
    const size_t count = around(s, wanted);
    double axis[3], across[3], up[3], middle[3], ring[2][AROUND_MAX][3], length = 0.0, across_length = 0.0;
    const double radius = 2.0 * s->radius / (1.0 + cos(pi / (double)count));
    subtract(axis, s->to, s->from);
    for (int i = 0; i < 3; i++)
        length += axis[i] * axis[i];
    const int least = fabs(axis[0]) <= fabs(axis[1]) && fabs(axis[0]) <= fabs(axis[2]) ? 0
                      : fabs(axis[1]) <= fabs(axis[2])                                 ? 1
                                                                                       : 2;
    for (int i = 0; i < 3; i++)
        across[i] = (i == least ? 1.0 : 0.0) - axis[least] * axis[i] / length;
    for (int i = 0; i < 3; i++)
        across_length += across[i] * across[i];
    for (int i = 0; i < 3; i++) {
        across[i] /= sqrt(across_length);
        middle[i] = 0.5 * (s->from[i] + s->to[i]);
    }
    for (int i = 0; i < 3; i++)
        up[i] = (axis[(i + 1) % 3] * across[(i + 2) % 3] - axis[(i + 2) % 3] * across[(i + 1) % 3]) / sqrt(length);
    for (size_t n = 0; n < count; n++) {
        const double angle = 2.0 * pi * (double)n / (double)count;
        for (int i = 0; i < 3; i++) {
            const double out = radius * (cos(angle) * across[i] + sin(angle) * up[i]);
            ring[0][n][i] = s->from[i] + out;
            ring[1][n][i] = s->to[i] + out;
        }
    }
    for (size_t n = 0; n < count; n++) {
        const size_t next = (n + 1) % count;
        add_outward(to, middle, ring[0][n], ring[0][next], ring[1][next], true);
        add_outward(to, middle, ring[0][n], ring[1][next], ring[1][n], true);
        for (int end = 0; end < 2 && n > 0 && next > 0; end++)
            add_outward(to, middle, ring[end][0], ring[end][n], ring[end][next], false);
    }
    *deviation = radius - s->radius;
}

/* ---- spheres */

struct ball {
    const struct facet_sink *to;
    const struct surface_solid *solid;
    double radius;
};

static void add_of_ball(void *context, const double corner[3][3])
{
    const struct ball *b = context;
    double placed[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            placed[i][k] = b->solid->centre[k] + b->radius * corner[i][k];
    add_outward(b->to, b->solid->centre, placed[0], placed[1], placed[2], true);
}

static int subdivisions_for(const struct surface_solid *s, double deviation)
{
    int n = 1;
    while (n < SUBDIVISIONS_MAX && s->radius * sphere_sagitta[n] / (2.0 - sphere_sagitta[n]) > deviation)
        n++;
    return n;
}

static void add_sphere(const struct facet_sink *to, const struct surface_solid *s, double wanted, double *deviation)
{
    const int n = subdivisions_for(s, wanted);
    struct ball b = {to, s, s->radius * 2.0 / (2.0 - sphere_sagitta[n])};
    geodesic_sphere(n, add_of_ball, &b);
    *deviation = b.radius - s->radius;
}

size_t facets_max(const struct surface_solid *s, double deviation)
{
    switch (s->shape) {
    case SOLID_PRISM:
        return 4 * s->corner_count;
    case SOLID_CYLINDER:
        return 4 * around(s, deviation);
    case SOLID_SPHERE:
        return (size_t)ICOSAHEDRON << 2 * subdivisions_for(s, deviation);
    default:
        return BLOCK_TRIANGLES;
    }
}

int facets_of(const struct facet_sink *to, const struct surface_solid *s, double wanted, double *deviation,
              struct error *e)
{
    *deviation = 0.0;
    switch (s->shape) {
    case SOLID_PRISM:
        return add_prism(to, s, e);
    case SOLID_CYLINDER:
        add_cylinder(to, s, wanted, deviation);
        return 0;
    case SOLID_SPHERE:
        add_sphere(to, s, wanted, deviation);
        return 0;
    default:
        add_block(to, s);
        return 0;
    }
}

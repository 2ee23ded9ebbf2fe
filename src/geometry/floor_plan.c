/* SPDX-License-Identifier: MIT */
#include "geometry/floor_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/polygon.h"

static const double resolution = 1e-9; /* of the extent */

/* Twice the area of the triangle a, b, p; above 0 where p lies to the left of a..b. */
static double side_of(const double a[2], const double b[2], const double p[2])
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static double distance_to_side(const double a[2], const double b[2], const double p[2])
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, square = d[0] * d[0] + d[1] * d[1];
    const double along = square > 0.0 ? ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / square : 0.0;
    const double t = fmin(fmax(along, 0.0), 1.0);
    return hypot(a[0] + t * d[0] - p[0], a[1] + t * d[1] - p[1]);
}

/* Whether the sides p..q and u..v have a place in common, or come closer than `near`. */
static bool sides_meet(const double p[2], const double q[2], const double u[2], const double v[2], double near)
{
    if (fmax(p[0], q[0]) < fmin(u[0], v[0]) - near || fmax(u[0], v[0]) < fmin(p[0], q[0]) - near ||
        fmax(p[1], q[1]) < fmin(u[1], v[1]) - near || fmax(u[1], v[1]) < fmin(p[1], q[1]) - near)
        return false;
    if (distance_to_side(p, q, u) <= near || distance_to_side(p, q, v) <= near || distance_to_side(u, v, p) <= near ||
        distance_to_side(u, v, q) <= near)
        return true;
    return (side_of(p, q, u) > 0.0) != (side_of(p, q, v) > 0.0) && (side_of(u, v, p) > 0.0) != (side_of(u, v, q) > 0.0);
}

void floor_plan_bounds(const double (*corners)[2], size_t count, double lower[2], double upper[2])
{
    for (int axis = 0; axis < 2; axis++) {
        lower[axis] = upper[axis] = corners[0][axis];
        for (size_t i = 1; i < count; i++) {
            lower[axis] = fmin(lower[axis], corners[i][axis]);
            upper[axis] = fmax(upper[axis], corners[i][axis]);
        }
    }
}

struct plan_fault floor_plan_fault(const double (*corners)[2], size_t count)
{
    double lower[2], upper[2];
    floor_plan_bounds(corners, count, lower, upper);
    const double near = resolution * fmax(upper[0] - lower[0], upper[1] - lower[1]);
    for (size_t i = 0; i < count; i++) {
        const double *before = corners[(i + count - 1) % count];
        if (hypot(corners[i][0] - before[0], corners[i][1] - before[1]) <= near)
            return (struct plan_fault){PLAN_REPEATS, i, i};
    }
    for (size_t i = 0; i < count; i++) {
        const double *p = corners[(i + count - 1) % count], *q = corners[i], *s = corners[(i + 1) % count];
        if (distance_to_side(q, s, p) <= near || distance_to_side(p, q, s) <= near)
            return (struct plan_fault){PLAN_TURNS_BACK, i, i};
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 2; k < count && k - i < count - 1; k++)
            if (sides_meet(corners[i], corners[i + 1], corners[k], corners[(k + 1) % count], near))
                return (struct plan_fault){PLAN_CROSSES, i, k};
    return (struct plan_fault){PLAN_SOUND, 0, 0};
}

double floor_plan_area(const double (*corners)[2], size_t count)
{
    double twice = 0.0;
    for (size_t i = 1; i + 1 < count; i++)
        twice += side_of(corners[0], corners[i], corners[i + 1]);
    return 0.5 * twice;
}

/* Crossings of the ray towards larger x; each side is taken from its lower end, so that a side that two plans share has
 * the same rounding in both. */
bool floor_plan_holds(const double (*corners)[2], size_t count, const double at[2])
{
    bool inside = false;
    for (size_t i = 0; i < count; i++) {
        const double *low = corners[i], *high = corners[(i + 1) % count];
        if ((low[1] > at[1]) == (high[1] > at[1]))
            continue;
        if (low[1] > high[1]) {
            const double *other = low;
            low = high;
            high = other;
        }
        inside ^= side_of(low, high, at) > 0.0;
    }
    return inside;
}

double floor_plan_distance(const double (*corners)[2], size_t count, const double at[2])
{
    double distance = INFINITY;
    for (size_t i = 0; i < count; i++)
        distance = fmin(distance, distance_to_side(corners[i], corners[(i + 1) % count], at));
    return distance;
}

int floor_plan_triangles(const double (*corners)[2], size_t count, uint32_t (*triangles)[3], size_t *triangle_count,
                         struct error *e)
{
    struct ear_clipper clipper = {0};
    double(*vertices)[3] = calloc(count, sizeof *vertices);
    uint32_t *order = calloc(count, sizeof *order);
    int result = vertices && order ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !result; i++) {
        memcpy(vertices[i], corners[i], sizeof corners[i]);
        order[i] = (uint32_t)i;
    }
    *triangle_count = 0;
    result =
        result || polygon_triangles(&clipper, (const double(*)[3])vertices, order, count, triangle_count, e) ? -1 : 0;
    if (!result)
        memcpy(triangles, clipper.triangles, *triangle_count * sizeof *triangles);
    ear_clipper_free(&clipper);
    free(order);
    free(vertices);
    return result;
}

/* SPDX-License-Identifier: MIT */
#include "geometry/solid.h"

#include <math.h>

#include "geometry/floor_plan.h"

static const double pi = 3.14159265358979323846;
static const double on_slope = 1e-9;  /* of a wedge's extent: on its slope */
static const double parallel = 1e-12; /* of a direction's length: its component across a face that it is along */

static bool is_turned(const struct surface_solid *s)
{
    return s->shape == SOLID_TURNED_BOX || s->shape == SOLID_TURNED_WEDGE;
}

static bool is_sloped(const struct surface_solid *s)
{
    return s->shape == SOLID_WEDGE || s->shape == SOLID_TURNED_WEDGE;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- what it holds */

static bool in_cylinder(const struct surface_solid *s, const double at[3])
{
    double along = 0.0, length = 0.0, distance = 0.0;
    for (int i = 0; i < 3; i++) {
        along += (at[i] - s->from[i]) * (s->to[i] - s->from[i]);
        length += (s->to[i] - s->from[i]) * (s->to[i] - s->from[i]);
        distance += (at[i] - s->from[i]) * (at[i] - s->from[i]);
    }
    const double t = along / length;
    return t >= 0.0 && t < 1.0 && distance - t * along <= s->radius * s->radius;
}

static bool in_sphere(const struct surface_solid *s, const double at[3])
{
    double distance = 0.0;
    for (int i = 0; i < 3; i++)
        distance += (at[i] - s->centre[i]) * (at[i] - s->centre[i]);
    return distance <= s->radius * s->radius;
}

/* The position along a turned box's own axis, from its centre. */
static double own_place(const struct surface_solid *s, const double at[3], int axis)
{
    double place = 0.0;
    for (int i = 0; i < 3; i++)
        place += (at[i] - s->centre[i]) * s->axes[axis][i];
    return place;
}

static bool in_bounds(const struct surface_solid *s, const double at[3])
{
    for (int i = 0; i < 3; i++)
        if (!(at[i] >= s->from[i] && at[i] < s->to[i]))
            return false;
    return true;
}

static bool in_turned_bounds(const struct surface_solid *s, const double at[3])
{
    for (int i = 0; i < 3; i++) {
        const double place = own_place(s, at, i);
        if (!(place >= -s->half[i] && place < s->half[i]))
            return false;
    }
    return true;
}

/* How far beyond the slope of a wedge. */
static double beyond_slope(const struct surface_solid *s, const double at[3])
{
    double beyond = 0.0;
    for (int i = 0; i < 3; i++)
        beyond += (at[i] - s->centre[i]) * s->slope[i];
    return beyond;
}

/* A position on a plane is in a solid that lies on the plane's upper side: its outward normal points down along the
 * first axis that it has a part of. */
static bool holds_border(const double normal[3])
{
    const double first = normal[0] != 0.0 ? normal[0] : normal[1] != 0.0 ? normal[1] : normal[2];
    return first < 0.0;
}

static bool under_slope(const struct surface_solid *s, const double at[3])
{
    const double beyond = beyond_slope(s, at), near = on_slope * (s->half[0] + s->half[1] + s->half[2]);
    return fabs(beyond) <= near ? holds_border(s->slope) : beyond < 0.0;
}

static bool in_prism(const struct surface_solid *s, const double at[3])
{
    return at[2] >= s->from[2] && at[2] < s->to[2] && floor_plan_holds(s->corners, s->corner_count, at);
}

bool solid_holds(const struct surface_solid *s, const double at[3])
{
    if (s->shape == SOLID_CYLINDER)
        return in_cylinder(s, at);
    if (s->shape == SOLID_SPHERE)
        return in_sphere(s, at);
    if (s->shape == SOLID_PRISM)
        return in_prism(s, at);
    return (is_turned(s) ? in_turned_bounds(s, at) : in_bounds(s, at)) && (!is_sloped(s) || under_slope(s, at));
}

/* ---- area and extent */

static double cylinder_length(const struct surface_solid *s)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (s->to[i] - s->from[i]) * (s->to[i] - s->from[i]);
    return sqrt(square);
}

static double prism_area(const struct surface_solid *s)
{
    double around = 0.0;
    for (size_t i = 0; i < s->corner_count; i++) {
        const double *next = s->corners[(i + 1) % s->corner_count];
        around += hypot(next[0] - s->corners[i][0], next[1] - s->corners[i][1]);
    }
    return 2.0 * fabs(floor_plan_area(s->corners, s->corner_count)) + around * (s->to[2] - s->from[2]);
}

/* A wedge has half of the volume of its box, in prisms whose bases are right triangles: of its box's sides two are
 * whole and two are halved. The slope's parts along its own axes give its run and height. */
static double wedge_area(const struct surface_solid *s)
{
    double side[3], part[3], area = 0.0;
    int across = 0;
    for (int i = 0; i < 3; i++) {
        side[i] = 2.0 * s->half[i];
        part[i] = fabs(dot(s->slope, s->axes[i]));
        across = part[i] < part[across] ? i : across; /* the axis along which the slope does not rise */
    }
    const double run = side[(across + 1) % 3], height = side[(across + 2) % 3];
    area += side[across] * (run + height + hypot(run, height)) + run * height;
    return area;
}

double solid_area(const struct surface_solid *s)
{
    double side[3];
    if (s->shape == SOLID_SPHERE)
        return 4.0 * pi * s->radius * s->radius;
    if (s->shape == SOLID_CYLINDER)
        return 2.0 * pi * s->radius * (s->radius + cylinder_length(s));
    if (s->shape == SOLID_PRISM)
        return prism_area(s);
    if (is_sloped(s))
        return wedge_area(s);
    for (int i = 0; i < 3; i++)
        side[i] = s->shape == SOLID_BOX ? s->to[i] - s->from[i] : 2.0 * s->half[i];
    return 2.0 * (side[0] * side[1] + side[0] * side[2] + side[1] * side[2]);
}

void solid_extent(double range[2], const struct surface_solid *s, int axis)
{
    double reach = 0.0, low = s->centre[axis], high = s->centre[axis];
    if (is_turned(s)) {
        for (int i = 0; i < 3; i++)
            reach += s->half[i] * fabs(s->axes[i][axis]);
    } else if (s->shape == SOLID_SPHERE) {
        reach = s->radius;
    } else {
        low = fmin(s->from[axis], s->to[axis]);
        high = fmax(s->from[axis], s->to[axis]);
    }
    if (s->shape == SOLID_CYLINDER) {
        /* the end discs extend by radius times the sine of the angle between the axis and this direction */
        const double part = (s->to[axis] - s->from[axis]) / cylinder_length(s), square = 1.0 - part * part;
        reach = s->radius * sqrt(square > 0.0 ? square : 0.0);
    }
    range[0] = low - reach;
    range[1] = high + reach;
}

/* ---- lines through it */

/* Cuts a chord to where beyond + slope t <= 0; where that does not depend on t, holds says. False: nothing is left. */
static bool cut_by_plane(struct chord *c, double beyond, double slope, double length, bool holds)
{
    if (fabs(slope) <= parallel * length)
        return beyond < 0.0 || (beyond == 0.0 && holds);
    if (slope > 0.0)
        c->to = fmin(c->to, -beyond / slope);
    else
        c->from = fmax(c->from, -beyond / slope);
    return c->from <= c->to;
}

/* Cuts a chord to where a t² + 2 b t + c <= 0; a line that misses leaves a point. */
static bool cut_by_square(struct chord *chord, double a, double b, double c)
{
    if (!(a > 0.0))
        return c <= 0.0;
    const double root = sqrt(fmax(b * b - a * c, 0.0));
    chord->from = fmax(chord->from, (-b - root) / a);
    chord->to = fmin(chord->to, (-b + root) / a);
    return chord->from <= chord->to;
}

static bool cut_by_bounds(struct chord *c, const struct surface_solid *s, const double start[3],
                          const double direction[3], double length)
{
    for (int i = 0; i < 3; i++) {
        const bool turned = is_turned(s);
        const double place = turned ? own_place(s, start, i) : start[i];
        const double slope = turned ? dot(direction, s->axes[i]) : direction[i];
        const double low = turned ? -s->half[i] : s->from[i], high = turned ? s->half[i] : s->to[i];
        if (!cut_by_plane(c, place - high, slope, length, false) || !cut_by_plane(c, low - place, -slope, length, true))
            return false;
    }
    return true;
}

static bool cut_by_slope(struct chord *c, const struct surface_solid *s, const double start[3],
                         const double direction[3], double length)
{
    const double slope = dot(direction, s->slope);
    if (fabs(slope) <= parallel * length)
        return under_slope(s, start);
    return cut_by_plane(c, beyond_slope(s, start), slope, length, false);
}

static bool cut_by_round(struct chord *c, const struct surface_solid *s, const double start[3],
                         const double direction[3], double length)
{
    const bool is_sphere = s->shape == SOLID_SPHERE;
    double unit[3] = {0.0, 0.0, 0.0}, offset[3];
    const double axis_length = is_sphere ? 1.0 : cylinder_length(s);
    for (int i = 0; i < 3; i++) {
        unit[i] = is_sphere ? 0.0 : (s->to[i] - s->from[i]) / axis_length;
        offset[i] = start[i] - (is_sphere ? s->centre[i] : s->from[i]);
    }
    const double along = dot(offset, unit), slope = dot(direction, unit);
    double a = dot(direction, direction) - slope * slope;
    a = a > parallel * length * length ? a : 0.0; /* along the axis */
    if (!cut_by_square(c, a, dot(offset, direction) - along * slope,
                       dot(offset, offset) - along * along - s->radius * s->radius))
        return false;
    return is_sphere || (cut_by_plane(c, along - axis_length, slope, length, false) &&
                         cut_by_plane(c, -along, -slope, length, true));
}

static double *end_of(struct chord *chords, size_t index)
{
    return index % 2 ? &chords[index / 2].to : &chords[index / 2].from;
}

/* Adds one to `count` ends of chords, which ascend. */
static void insert_end(struct chord *chords, size_t count, double place)
{
    for (; count > 0 && *end_of(chords, count - 1) > place; count--)
        *end_of(chords, count) = *end_of(chords, count - 1);
    *end_of(chords, count) = place;
}

/* Of a line that is not upright: in turn it enters and leaves the plan. `chords` has room for the crossings. */
static size_t cross_plan(struct chord *chords, const struct surface_solid *s, const double start[3],
                         const double direction[3])
{
    size_t count = 0;
    for (size_t i = 0; i < s->corner_count; i++) {
        const double *p = s->corners[i], *q = s->corners[(i + 1) % s->corner_count];
        /* on which side of the line the ends are */
        const double side_p = direction[0] * (p[1] - start[1]) - direction[1] * (p[0] - start[0]);
        const double side_q = direction[0] * (q[1] - start[1]) - direction[1] * (q[0] - start[0]);
        if ((side_p > 0.0) == (side_q > 0.0))
            continue;
        const double share = side_p / (side_p - side_q);
        double along = 0.0, square = 0.0;
        for (int k = 0; k < 2; k++) {
            along += (p[k] + share * (q[k] - p[k]) - start[k]) * direction[k];
            square += direction[k] * direction[k];
        }
        insert_end(chords, count++, along / square);
    }
    return count / 2;
}

static size_t cross_prism(struct chord *chords, const struct surface_solid *s, const double start[3],
                          const double direction[3], double length)
{
    struct chord between = {-INFINITY, INFINITY};
    size_t kept = 0, count = 1;
    if (!cut_by_plane(&between, start[2] - s->to[2], direction[2], length, false) ||
        !cut_by_plane(&between, s->from[2] - start[2], -direction[2], length, true))
        return 0;
    chords[0] = between;
    if (hypot(direction[0], direction[1]) <= parallel * length)
        return floor_plan_holds(s->corners, s->corner_count, start);
    count = cross_plan(chords, s, start, direction);
    for (size_t i = 0; i < count; i++) {
        const struct chord c = {fmax(chords[i].from, between.from), fmin(chords[i].to, between.to)};
        if (c.from < c.to)
            chords[kept++] = c;
    }
    return kept;
}

size_t solid_chords_max(const struct surface_solid *s)
{
    return s->shape == SOLID_PRISM ? s->corner_count / 2 + 1 : 1;
}

size_t solid_chords(struct chord *chords, const struct surface_solid *s, const double start[3],
                    const double direction[3])
{
    const double length = sqrt(dot(direction, direction));
    struct chord c = {-INFINITY, INFINITY};
    bool any;
    if (s->shape == SOLID_PRISM)
        return cross_prism(chords, s, start, direction, length);
    if (s->shape == SOLID_CYLINDER || s->shape == SOLID_SPHERE)
        any = cut_by_round(&c, s, start, direction, length);
    else
        any = cut_by_bounds(&c, s, start, direction, length) &&
              (!is_sloped(s) || cut_by_slope(&c, s, start, direction, length));
    chords[0] = c;
    return any;
}

/* ---- which way its border faces */

static double cylinder_component(const struct surface_solid *s, const double at[3], int axis)
{
    const double length = cylinder_length(s);
    double along = 0.0, radial[3], distance = 0.0;
    for (int i = 0; i < 3; i++)
        along += (at[i] - s->from[i]) * (s->to[i] - s->from[i]) / length;
    for (int i = 0; i < 3; i++) {
        radial[i] = at[i] - s->from[i] - along * (s->to[i] - s->from[i]) / length;
        distance += radial[i] * radial[i];
    }
    distance = sqrt(distance);
    const double to_end = fmin(fabs(along), fabs(length - along));
    if (to_end < fabs(s->radius - distance) || !(distance > 0.0))
        return fabs(s->to[axis] - s->from[axis]) / length;
    return fabs(radial[axis]) / distance;
}

static double sphere_component(const struct surface_solid *s, const double at[3], int axis)
{
    double distance = 0.0;
    for (int i = 0; i < 3; i++)
        distance += (at[i] - s->centre[i]) * (at[i] - s->centre[i]);
    return distance > 0.0 ? fabs(at[axis] - s->centre[axis]) / sqrt(distance) : 1.0;
}

static double prism_component(const struct surface_solid *s, const double at[3], int axis)
{
    const double to_end = fmin(fabs(at[2] - s->from[2]), fabs(s->to[2] - at[2]));
    double least = INFINITY, component = 0.0;
    for (size_t i = 0; i < s->corner_count; i++) {
        const double *p = s->corners[i], *q = s->corners[(i + 1) % s->corner_count];
        const double d[2] = {q[0] - p[0], q[1] - p[1]}, length = hypot(d[0], d[1]);
        const double t = ((at[0] - p[0]) * d[0] + (at[1] - p[1]) * d[1]) / (length * length);
        const double within = fmin(fmax(t, 0.0), 1.0);
        const double distance = hypot(p[0] + within * d[0] - at[0], p[1] + within * d[1] - at[1]);
        if (distance < least) {
            least = distance;
            component = axis == 2 ? 0.0 : fabs(d[1 - axis]) / length;
        }
    }
    return to_end < least ? (axis == 2 ? 1.0 : 0.0) : component;
}

/* Of a turned box, and of wedges, whose slope is one face more. */
static double flat_component(const struct surface_solid *s, const double at[3], int axis)
{
    double least = INFINITY, component = 1.0;
    for (int i = 0; i < 3; i++) {
        const double depth = fabs(s->half[i] - fabs(own_place(s, at, i)));
        if (depth < least) {
            least = depth;
            component = fabs(s->axes[i][axis]);
        }
    }
    if (is_sloped(s) && fabs(beyond_slope(s, at)) < least)
        component = fabs(s->slope[axis]);
    return component;
}

double solid_component(const struct surface_solid *s, const double at[3], int axis)
{
    switch (s->shape) {
    case SOLID_BOX:
        return 1.0;
    case SOLID_CYLINDER:
        return cylinder_component(s, at, axis);
    case SOLID_SPHERE:
        return sphere_component(s, at, axis);
    case SOLID_PRISM:
        return prism_component(s, at, axis);
    default:
        return flat_component(s, at, axis);
    }
}

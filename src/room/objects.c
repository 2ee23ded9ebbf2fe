/* SPDX-License-Identifier: MIT */
/* Geometry of objects, and their names in messages. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "geometry/floor_plan.h"
#include "room/room.h"

/* Cosine of an angle in degrees, exact for multiples of 90. */
static double cosine(double degrees)
{
    static const double quarters[] = {1.0, 0.0, -1.0, 0.0};
    const double turns = fmod(fabs(degrees), 360.0), quarter = turns / 90.0;
    return quarter == floor(quarter) ? quarters[(int)quarter % 4] : cos(turns * 3.14159265358979324 / 180.0);
}

static double sine(double degrees)
{
    return cosine(degrees - 90.0);
}

void object_turn(const struct object *o, double matrix[3][3])
{
    const double cz = cosine(o->rotation[0]), sz = sine(o->rotation[0]), cy = cosine(o->rotation[1]),
                 sy = sine(o->rotation[1]), cx = cosine(o->rotation[2]), sx = sine(o->rotation[2]);
    const double rows[3][3] = {{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
                               {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
                               {-sy, cy * sx, cy * cx}};
    memcpy(matrix, rows, sizeof rows);
}

static bool is_turned(const struct object *o)
{
    return o->rotation[0] != 0.0 || o->rotation[1] != 0.0 || o->rotation[2] != 0.0;
}

static int rise_axis(const struct object *o)
{
    return o->rises == RISE_Y_MIN || o->rises == RISE_Y_MAX;
}

static double rise_sign(const struct object *o)
{
    return o->rises == RISE_X_MAX || o->rises == RISE_Y_MAX ? 1.0 : -1.0;
}

void object_corner(const struct object *o, size_t index, double corner[3])
{
    double matrix[3][3];
    bool high[3] = {index & 1, index >> 1 & 1, index >> 2 & 1};
    if (o->shape == SHAPE_WEDGE && high[rise_axis(o)] != (rise_sign(o) > 0.0))
        high[2] = false;
    object_turn(o, matrix);
    for (int i = 0; i < 3; i++)
        corner[i] = high[i] ? o->to[i] : o->from[i];
    for (int i = 0; i < 3 && is_turned(o); i++) {
        corner[i] = 0.5 * (o->from[i] + o->to[i]);
        for (int k = 0; k < 3; k++)
            corner[i] += matrix[i][k] * (high[k] ? 0.5 : -0.5) * (o->to[k] - o->from[k]);
    }
}

static void bounds_of_corners(const struct object *o, double lower[3], double upper[3])
{
    double corner[3];
    for (size_t k = 0; k < OBJECT_CORNERS; k++) {
        object_corner(o, k, corner);
        for (int i = 0; i < 3; i++) {
            lower[i] = k ? fmin(lower[i], corner[i]) : corner[i];
            upper[i] = k ? fmax(upper[i], corner[i]) : corner[i];
        }
    }
}

static void bounds_of_cylinder(const struct object *o, double lower[3], double upper[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (o->to[i] - o->from[i]) * (o->to[i] - o->from[i]);
    for (int i = 0; i < 3; i++) {
        /* the end discs extend by radius times the sine of the angle between the axis and this direction */
        const double along = o->to[i] - o->from[i], reach = o->radius * sqrt(fmax(1.0 - along * along / square, 0.0));
        lower[i] = fmin(o->from[i], o->to[i]) - reach;
        upper[i] = fmax(o->from[i], o->to[i]) + reach;
    }
}

void object_bounds(const struct object *o, double lower[3], double upper[3])
{
    switch (o->shape) {
    case SHAPE_CYLINDER:
        bounds_of_cylinder(o, lower, upper);
        return;
    case SHAPE_SPHERE:
        for (int i = 0; i < 3; i++) {
            lower[i] = o->position[i] - o->radius;
            upper[i] = o->position[i] + o->radius;
        }
        return;
    case SHAPE_POLYGON:
        floor_plan_bounds((const double(*)[2])o->corners, o->corner_count, lower, upper);
        lower[2] = o->bottom;
        upper[2] = o->top;
        return;
    default:
        bounds_of_corners(o, lower, upper);
    }
}

/* Whether a position is on the inner side of a plane: `beyond` it by so much, along its outward normal. */
static bool is_behind(double beyond, const double normal[3])
{
    const double first = normal[0] != 0.0 ? normal[0] : normal[1] != 0.0 ? normal[1] : normal[2];
    return beyond < 0.0 || (beyond == 0.0 && first < 0.0);
}

bool object_is_axis_parallel(const struct object *o)
{
    double matrix[3][3];
    object_turn(o, matrix);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (matrix[i][k] != 0.0 && fabs(matrix[i][k]) != 1.0)
                return false;
    return true;
}

static bool bounds_hold(const struct object *o, const double at[3])
{
    double lower[3], upper[3];
    bounds_of_corners(o, lower, upper);
    for (int i = 0; i < 3; i++)
        if (!(at[i] >= lower[i] && at[i] < upper[i]))
            return false;
    return true;
}

/* `own`: from the centre, along the axes of the object. */
static bool faces_hold(const struct object *o, double matrix[3][3], const double own[3])
{
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * (o->to[k] - o->from[k]);
        const double out[3] = {matrix[0][k], matrix[1][k], matrix[2][k]}, back[3] = {-out[0], -out[1], -out[2]};
        if (!is_behind(own[k] - half, out) || !is_behind(-own[k] - half, back))
            return false;
    }
    return true;
}

void object_slope(const struct object *o, double normal[3])
{
    const int axis = rise_axis(o);
    const double run = o->to[axis] - o->from[axis], height = o->to[2] - o->from[2], length = hypot(run, height);
    double matrix[3][3];
    object_turn(o, matrix);
    for (int i = 0; i < 3; i++)
        normal[i] = (run * matrix[i][2] - rise_sign(o) * height * matrix[i][axis]) / length;
}

/* Whether a position is below the slope of a wedge. */
static bool slope_holds(const struct object *o, const double own[3])
{
    const int axis = rise_axis(o);
    const double run = o->to[axis] - o->from[axis], height = o->to[2] - o->from[2];
    double normal[3];
    object_slope(o, normal);
    return is_behind(run * own[2] - rise_sign(o) * height * own[axis], normal);
}

static bool block_holds(const struct object *o, const double at[3])
{
    double matrix[3][3], own[3] = {0.0, 0.0, 0.0};
    object_turn(o, matrix);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            own[k] += matrix[i][k] * (at[i] - 0.5 * (o->from[i] + o->to[i]));
    if (!(object_is_axis_parallel(o) ? bounds_hold(o, at) : faces_hold(o, matrix, own)))
        return false;
    return o->shape == SHAPE_BOX || slope_holds(o, own);
}

static bool box_holds(const struct object *o, const double at[3])
{
    for (int i = 0; i < 3; i++)
        if (!(at[i] >= o->from[i] && at[i] < o->to[i]))
            return false;
    return true;
}

static bool cylinder_holds(const struct object *o, const double at[3])
{
    double along = 0.0, length = 0.0, distance = 0.0;
    for (int i = 0; i < 3; i++) {
        along += (at[i] - o->from[i]) * (o->to[i] - o->from[i]);
        length += (o->to[i] - o->from[i]) * (o->to[i] - o->from[i]);
        distance += (at[i] - o->from[i]) * (at[i] - o->from[i]);
    }
    double t = along / length;
    return t >= 0.0 && t < 1.0 && distance - t * along <= o->radius * o->radius;
}

static bool sphere_holds(const struct object *o, const double at[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (at[i] - o->position[i]) * (at[i] - o->position[i]);
    return square <= o->radius * o->radius;
}

bool object_holds(const struct object *o, const double at[3])
{
    switch (o->shape) {
    case SHAPE_CYLINDER:
        return cylinder_holds(o, at);
    case SHAPE_SPHERE:
        return sphere_holds(o, at);
    case SHAPE_POLYGON:
        return at[2] >= o->bottom && at[2] < o->top &&
               floor_plan_holds((const double(*)[2])o->corners, o->corner_count, at);
    default:
        return o->shape == SHAPE_BOX && !is_turned(o) ? box_holds(o, at) : block_holds(o, at);
    }
}

size_t room_object_at(const struct room *room, const double position[3])
{
    for (size_t i = room->object_count; i-- > 0;)
        if (object_holds(&room->objects[i], position))
            return i;
    return room->object_count;
}

const char *room_object_name(const struct room *room, size_t index, char text[OBJECT_NAME])
{
    char name[QUOTED];
    const char *given = room->objects[index].name;
    snprintf(text, OBJECT_NAME, "room.objects[%zu]%s%s%s", index, given ? " \"" : "", given ? quoted(name, given) : "",
             given ? "\"" : "");
    return text;
}

bool room_is_plain(const struct room *room)
{
    bool plain = room_form(room) == ROOM_BOX;
    for (size_t i = 0; i < room->object_count; i++)
        plain = plain && ((room->objects[i].shape == SHAPE_BOX && object_is_axis_parallel(&room->objects[i])) ||
                          room->objects[i].shape == SHAPE_CYLINDER);
    return plain;
}

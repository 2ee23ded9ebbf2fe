/* SPDX-License-Identifier: MIT */
/* Rooms with corners: divides the floor plan into triangles and finds the ceiling height above it.
 * Also tests whether a position lies inside a room of any form. */
#include <math.h>
#include <stdlib.h>

#include "geometry/floor_plan.h"
#include "room/reader.h"

/* Positions within this fraction of the extent from the outline count as inside, like positions on
 * the walls of a box. */
static const double on_outline = 1e-9;

int refuse_floor_plan(struct reader *r, const struct origin *origin, const char *what, const double (*corners)[2],
                      size_t count)
{
    const struct plan_fault fault = floor_plan_fault(corners, count);
    const double *a = corners[fault.a], *b = corners[fault.b];
    switch (fault.kind) {
    case PLAN_REPEATS:
        return reader_refuse_at(r, origin, "%s.corners[%zu]: (%g, %g) m repeats the corner before it; remove it", what,
                                fault.a, a[0], a[1]);
    case PLAN_TURNS_BACK:
        return reader_refuse_at(r, origin,
                                "%s.corners[%zu]: at (%g, %g) m the outline turns back on itself; remove the corner",
                                what, fault.a, a[0], a[1]);
    case PLAN_CROSSES:
        return reader_refuse_at(r, origin,
                                "%s.corners: the sides from corner %zu, (%g, %g) m, and from corner %zu, (%g, %g) m, "
                                "cross or touch; list the corners in order around the floor plan",
                                what, fault.a, a[0], a[1], fault.b, b[0], b[1]);
    default:
        return 0;
    }
}

int check_plan(struct reader *r)
{
    struct room *room = r->room;
    const double(*corners)[2] = (const double(*)[2])room->corners;
    double upper[2];
    if (!room->corner_count || !room->height_count) /* refused before */
        return 0;
    if (refuse_floor_plan(r, &room->size_origin, "room", corners, room->corner_count))
        return -1;
    room->plan = calloc(room->corner_count, sizeof *room->plan);
    if (!room->plan)
        return reader_no_memory(r);
    if (floor_plan_triangles(corners, room->corner_count, room->plan, &room->plan_count, r->error))
        return -1;
    floor_plan_bounds(corners, room->corner_count, room->lower, upper);
    for (int axis = 0; axis < 2; axis++)
        room->size[axis] = upper[axis] - room->lower[axis];
    for (size_t i = 0; i < room->height_count; i++)
        room->size[2] = fmax(room->size[2], room->heights[i]);
    return 0;
}

/* The ceiling height above a position in a triangle, by barycentric interpolation. Returns false if
 * the position lies outside. */
static bool height_over(const struct room *room, const uint32_t triangle[3], const double at[2], double *height)
{
    double areas[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *p = room->corners[triangle[(k + 1) % 3]], *q = room->corners[triangle[(k + 2) % 3]];
        areas[k] = (p[0] - at[0]) * (q[1] - at[1]) - (p[1] - at[1]) * (q[0] - at[0]);
        sum += areas[k];
    }
    *height = 0.0;
    for (int k = 0; k < 3; k++)
        *height += areas[k] / sum * room->heights[triangle[k]];
    return areas[0] / sum >= -on_outline && areas[1] / sum >= -on_outline && areas[2] / sum >= -on_outline;
}

double room_ceiling(const struct room *room, const double at[2])
{
    double height;
    for (size_t i = 0; i < room->plan_count; i++)
        if (height_over(room, room->plan[i], at, &height))
            return height;
    return room->size[2]; /* on the outline, and outside by rounding */
}

static bool plan_spans(const struct room *room, const double position[3])
{
    const double(*corners)[2] = (const double(*)[2])room->corners;
    const double near = on_outline * fmax(room->size[0], room->size[1]);
    if (!floor_plan_holds(corners, room->corner_count, position) &&
        !(floor_plan_distance(corners, room->corner_count, position) <= near))
        return false;
    return position[2] >= 0.0 && position[2] <= room_ceiling(room, position) + near;
}

bool room_spans(const struct room *room, const double position[3])
{
    if (room_form(room) == ROOM_POLYGON && room->plan_count)
        return plan_spans(room, position);
    for (int axis = 0; axis < 3; axis++) {
        const double lower = room->lower[axis];
        if (!(position[axis] >= lower) || (!room->sized_by_points && !(position[axis] <= lower + room->size[axis])))
            return false;
    }
    return true;
}

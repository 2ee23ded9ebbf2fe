/* SPDX-License-Identifier: MIT */
#include "room/grid/neighbours.h"

#include <math.h>

#include "base/text.h"
#include "geometry/floor_plan.h"
#include "room/grid/placement.h"
#include "room/room.h"

struct notes {
    char ***lines;
    size_t *count;
    const struct room *room;
    const struct grid *grid;
    double lower[3], size[3]; /* m, as in the file: of the box around the room */
    struct error *error;
};

/* A source or a receiver. */
struct place {
    const char *what, *name;
    const double *position;
};

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* From a box between two corners. */
static double distance_to_box(const double from[3], const double to[3], const double position[3])
{
    double apart[3];
    for (int i = 0; i < 3; i++)
        apart[i] = fmax(0.0, fmax(from[i] - position[i], position[i] - to[i]));
    return length_of(apart);
}

static double distance_to_cylinder(const struct object *o, const double position[3])
{
    double apart[3], axis[3], along = 0.0;
    for (int i = 0; i < 3; i++)
        axis[i] = o->to[i] - o->from[i];
    const double length = length_of(axis);
    for (int i = 0; i < 3; i++) {
        apart[i] = position[i] - o->from[i];
        along += apart[i] * axis[i] / length;
    }
    for (int i = 0; i < 3; i++)
        apart[i] -= along * axis[i] / length;
    return hypot(fmax(0.0, fmax(-along, along - length)), fmax(0.0, length_of(apart) - o->radius));
}

/* Rotates a position into the frame of a box or wedge before its rotation. */
static void turn_back(double turned[3], const struct object *o, const double position[3])
{
    double matrix[3][3];
    object_turn(o, matrix);
    for (int i = 0; i < 3; i++) {
        turned[i] = 0.5 * (o->from[i] + o->to[i]);
        for (int k = 0; k < 3; k++)
            turned[i] += matrix[k][i] * (position[k] - 0.5 * (o->from[k] + o->to[k]));
    }
}

/* The larger of the distances to the box and to the half space below the slope; exact except at the
 * edges of the slope. */
static double distance_to_wedge(const struct object *o, const double position[3])
{
    const int axis = o->rises == RISE_Y_MIN || o->rises == RISE_Y_MAX;
    const double run = o->to[axis] - o->from[axis], rise = o->to[2] - o->from[2];
    const bool up = o->rises == RISE_X_MAX || o->rises == RISE_Y_MAX;
    const double into = up ? position[axis] - o->from[axis] : o->to[axis] - position[axis];
    const double above = (position[2] - o->from[2] - into * rise / run) * run / hypot(run, rise);
    return fmax(distance_to_box(o->from, o->to, position), above);
}

static double distance_to_polygon(const struct object *o, const double position[3])
{
    const double(*corners)[2] = (const double(*)[2])o->corners;
    const double beside = floor_plan_holds(corners, o->corner_count, position)
                              ? 0.0
                              : floor_plan_distance(corners, o->corner_count, position);
    return hypot(beside, fmax(0.0, fmax(o->bottom - position[2], position[2] - o->top)));
}

double distance_to_object(const struct object *o, const double position[3])
{
    double apart[3], turned[3];
    switch (o->shape) {
    case SHAPE_CYLINDER:
        return distance_to_cylinder(o, position);
    case SHAPE_SPHERE:
        for (int i = 0; i < 3; i++)
            apart[i] = position[i] - o->position[i];
        return fmax(0.0, length_of(apart) - o->radius);
    case SHAPE_POLYGON:
        return distance_to_polygon(o, position);
    default:
        turn_back(turned, o, position);
        return o->shape == SHAPE_WEDGE ? distance_to_wedge(o, turned) : distance_to_box(o->from, o->to, turned);
    }
}

static int note_object(const struct notes *n, size_t index)
{
    const struct object *o = &n->room->objects[index];
    char sides[FACES * 24] = "", label[OBJECT_NAME];
    size_t used = 0;
    double lower[3], upper[3];
    object_bounds(o, lower, upper);
    for (int wall = 0; wall < FACES; wall++) {
        const double low = lower[wall / 2] - n->lower[wall / 2], high = upper[wall / 2] - n->lower[wall / 2];
        if (high <= 0.0 || low >= n->size[wall / 2])
            return 0; /* as a whole */
        const double beyond = wall % 2 ? high - n->size[wall / 2] : -low;
        if (beyond > 1e-6 * n->size[wall / 2] && used < sizeof sides)
            used += (size_t)snprintf(sides + used, sizeof sides - used, "%s%s by %.3g m", used ? ", " : "",
                                     face_names[wall], beyond);
    }
    if (!used)
        return 0;
    return lines_add(n->lines, n->count, n->error, "%s (%s) extends beyond the room at %s; the part outside is ignored",
                     room_object_name(n->room, index, label), n->room->materials[o->material].name, sides);
}

static int note_close(const struct notes *n, const struct place *p, double distance, const char *to)
{
    return lines_add(n->lines, n->count, n->error, "%s %s is %.3g m from %s, closer than the grid resolves (%.3g m)",
                     p->what, p->name, distance, to, n->grid->spacing);
}

/* Notes every wall of a box and every object within one cell. Walls are skipped on the 19-point
 * grid, where the stencil is folded back without loss of accuracy. */
static int note_surroundings(const struct notes *n, const struct place *p)
{
    char text[OBJECT_NAME];
    for (int wall = 0; wall < FACES && n->grid->stencil == STENCIL_7_POINT && room_form(n->room) == ROOM_BOX; wall++) {
        const double at = p->position[wall / 2], distance = fmax(0.0, wall % 2 ? n->size[wall / 2] - at : at);
        snprintf(text, sizeof text, "the wall %s", face_names[wall]);
        if (distance < n->grid->spacing && note_close(n, p, distance, text))
            return -1;
    }
    for (size_t i = 0; i < n->room->object_count; i++) {
        const double distance = distance_to_object(&n->room->objects[i], p->position);
        if (distance < n->grid->spacing && note_close(n, p, distance, room_object_name(n->room, i, text)))
            return -1;
    }
    return 0;
}

/* A source closer to an ambisonic receiver than this, m, makes its orders ring at low frequencies
 * before they can be faded in. */
static const double FADED = 1.0;

/* Notes a receiver that coincides with a source, and one whose orders are affected by a nearby
 * source. */
static int note_coincidence(const struct notes *n, const struct source *s, const struct receiver *r)
{
    double apart[3];
    for (int i = 0; i < 3; i++)
        apart[i] = receiver_place(r, 0)[i] - s->position[i];
    const double distance = length_of(apart), cells = distance / n->grid->spacing;
    if (!(cells > 1e-3))
        return lines_add(n->lines, n->count, n->error,
                         "receiver %s coincides with source %s, where the sound of a point source is unbounded; the "
                         "level of its direct sound depends on the grid",
                         r->name, s->name);
    if (receiver_records(r) != RECORDS_PRESSURE && cells < ORDERS_NEAREST)
        return lines_add(n->lines, n->count, n->error,
                         "receiver %s is %.3g m from source %s, less than a grid cell (%.3g m); the level of the "
                         "direct sound in its directional channels depends on the grid",
                         r->name, distance, s->name, n->grid->spacing);
    if (r->kind != RECEIVER_AMBISONIC || cells < DIRECT_SOUND_SPACINGS || !(distance < FADED))
        return 0;
    return lines_add(n->lines, n->count, n->error,
                     "receiver %s is %.3g m from source %s; its direct sound of order n is valid above n times %.3g "
                     "Hz, and its onset is faded in below",
                     r->name, distance, s->name, n->grid->sound_speed / distance);
}

/* Direct sound near a source is replaced by the analytical field (render/near_sound.h); a
 * reflection over as short a path is not. */
static const double REFLECTION_CELLS = 4.0;

/* Notes each wall of a box whose reflection reaches a receiver over a path of few cells. */
static int note_reflections(const struct notes *n, const struct source *s, const struct receiver *r)
{
    for (int wall = 0; wall < FACES && room_form(n->room) == ROOM_BOX; wall++) {
        const double end = wall % 2 ? n->size[wall / 2] : 0.0;
        double apart[3];
        for (int i = 0; i < 3; i++)
            apart[i] = receiver_place(r, 0)[i] - (i == wall / 2 ? 2.0 * end - s->position[i] : s->position[i]);
        const double cells = length_of(apart) / n->grid->spacing;
        if (cells < REFLECTION_CELLS &&
            lines_add(n->lines, n->count, n->error,
                      "the reflection of source %s at the wall %s reaches receiver %s after %.3g m (%.2g grid cells); "
                      "within 4 cells its level may be off by up to 12 dB",
                      s->name, face_names[wall], r->name, length_of(apart), cells))
            return -1;
    }
    return 0;
}

int neighbours_note(char ***lines, size_t *count, const struct room *room, const struct grid *g, struct error *e)
{
    struct notes n = {lines, count, room, g, .error = e};
    for (int i = 0; i < 3; i++) {
        n.lower[i] = room->lower[i];
        n.size[i] = room->sized_by_points ? g->size[i] : room->size[i];
    }
    for (size_t i = 0; i < room->object_count; i++)
        if (note_object(&n, i))
            return -1;
    for (size_t i = 0; i < room->source_count; i++)
        if (note_surroundings(&n, &(struct place){"source", room->sources[i].name, room->sources[i].position}))
            return -1;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        if (note_surroundings(&n, &(struct place){"receiver", r->name, receiver_place(r, 0)}))
            return -1;
        for (size_t k = 0; k < room->source_count; k++)
            if (note_coincidence(&n, &room->sources[k], r) || note_reflections(&n, &room->sources[k], r))
                return -1;
    }
    return 0;
}

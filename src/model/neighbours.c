#include "model/neighbours.h"

#include <math.h>

#include "base/lines.h"
#include "room/room.h"

struct notes {
    char ***lines;
    size_t *count;
    const struct room *room;
    const struct grid *grid;
    double size[3]; /* m, as in the file */
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

double distance_to_object(const struct object *o, const double position[3])
{
    double apart[3], axis[3], along = 0.0;
    for (int i = 0; i < 3; i++) {
        apart[i] = fmax(0.0, fmax(o->from[i] - position[i], position[i] - o->to[i]));
        axis[i] = o->to[i] - o->from[i];
    }
    if (o->shape == SHAPE_BOX)
        return length_of(apart);
    const double length = length_of(axis);
    for (int i = 0; i < 3; i++) {
        apart[i] = position[i] - o->from[i];
        along += apart[i] * axis[i] / length;
    }
    for (int i = 0; i < 3; i++)
        apart[i] -= along * axis[i] / length;
    return hypot(fmax(0.0, fmax(-along, along - length)), fmax(0.0, length_of(apart) - o->radius));
}

/* Extent of an object along an axis, m. */
static void reach(double range[2], const struct object *o, int axis)
{
    double across = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++)
        square += (o->to[i] - o->from[i]) * (o->to[i] - o->from[i]);
    if (o->shape == SHAPE_CYLINDER) {
        const double along = o->to[axis] - o->from[axis];
        across = o->radius * sqrt(fmax(0.0, 1.0 - along * along / square));
    }
    range[0] = fmin(o->from[axis], o->to[axis]) - across;
    range[1] = fmax(o->from[axis], o->to[axis]) + across;
}

static int note_object(const struct notes *n, size_t index)
{
    const struct object *o = &n->room->objects[index];
    char sides[FACES * 24] = "", label[OBJECT_NAME];
    size_t used = 0;
    for (int wall = 0; wall < FACES; wall++) {
        double range[2];
        reach(range, o, wall / 2);
        if (range[1] <= 0.0 || range[0] >= n->size[wall / 2])
            return 0; /* as a whole */
        const double beyond = wall % 2 ? range[1] - n->size[wall / 2] : -range[0];
        if (beyond > 1e-6 * n->size[wall / 2] && used < sizeof sides)
            used += (size_t)snprintf(sides + used, sizeof sides - used, "%s%s by %.3g m", used ? ", " : "",
                                     face_names[wall], beyond);
    }
    if (!used)
        return 0;
    return lines_add(n->lines, n->count, n->error, "%s (%s) sticks out of the room at %s: that part is not there",
                     room_object_name(n->room, index, label), n->room->materials[o->material].name, sides);
}

static int note_close(const struct notes *n, const struct place *p, double distance, const char *to)
{
    return lines_add(
        n->lines, n->count, n->error,
        "%s %s is %.3g m from %s, less than a cell of the grid (%.3g m): it is as near as the grid can tell", p->what,
        p->name, distance, to, n->grid->spacing);
}

/* Notes every wall and object within a cell, but on the 19-point grid no wall: the stencil folds back there, which is as
 * good as in the middle of the room. */
static int note_surroundings(const struct notes *n, const struct place *p)
{
    char text[OBJECT_NAME];
    for (int wall = 0; wall < FACES && n->grid->stencil == STENCIL_7_POINT; wall++) {
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

/* Notes a receiver within a cell of a source. */
static int note_coincidence(const struct notes *n, const struct source *s, const struct receiver *r)
{
    double apart[3];
    for (int i = 0; i < 3; i++)
        apart[i] = r->position[i] - s->position[i];
    const double distance = length_of(apart);
    if (!(distance < n->grid->spacing))
        return 0;
    return lines_add(
        n->lines, n->count, n->error,
        "receiver %s is %.3g m from source %s, less than a cell of the grid (%.3g m): the level of its direct "
        "sound is the grid's, not the room's",
        r->name, distance, s->name, n->grid->spacing);
}

int neighbours_note(char ***lines, size_t *count, const struct room *room, const struct grid *g, struct error *e)
{
    struct notes n = {lines, count, room, g, .error = e};
    for (int i = 0; i < 3; i++)
        n.size[i] = room->sized_by_points ? g->size[i] : room->size[i];
    for (size_t i = 0; i < room->object_count; i++)
        if (note_object(&n, i))
            return -1;
    for (size_t i = 0; i < room->source_count; i++)
        if (note_surroundings(&n, &(struct place){"source", room->sources[i].name, room->sources[i].position}))
            return -1;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        if (note_surroundings(&n, &(struct place){"receiver", r->name, r->position}))
            return -1;
        for (size_t k = 0; k < room->source_count; k++)
            if (note_coincidence(&n, &room->sources[k], r))
                return -1;
    }
    return 0;
}

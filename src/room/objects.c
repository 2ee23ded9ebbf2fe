/* Geometry of objects, and their names in messages. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "room/room.h"

bool object_holds(const struct object *o, const double at[3])
{
    double along = 0.0, length = 0.0, distance = 0.0;
    for (int i = 0; i < 3; i++) {
        if (o->shape == SHAPE_BOX && !(at[i] >= o->from[i] && at[i] < o->to[i]))
            return false;
        along += (at[i] - o->from[i]) * (o->to[i] - o->from[i]);
        length += (o->to[i] - o->from[i]) * (o->to[i] - o->from[i]);
        distance += (at[i] - o->from[i]) * (at[i] - o->from[i]);
    }
    double t = along / length;
    return o->shape == SHAPE_BOX || (t >= 0.0 && t < 1.0 && distance - t * along <= o->radius * o->radius);
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

/* Patterns of sources, and the signals that drive the grid for them. */
#include "room/room.h"

/* Supercardioid: the greatest ratio of front to back at random incidence, (sqrt 3 - 1)/2; hypercardioid: the least
 * random incidence of order 1. */
const double directivity_pressure[DIRECTIVITIES] = {1.0, 0.5, 0.36602540378443865, 0.25, 0.0};

size_t source_drives(const struct source *s)
{
    return s->directivity == DIRECTIVITY_OMNI ? 1 : 2;
}

size_t room_first_drive(const struct room *room, size_t source)
{
    size_t first = 0;
    for (size_t i = 0; i < source && i < room->source_count; i++)
        first += source_drives(&room->sources[i]);
    return first;
}

size_t room_drive_count(const struct room *room)
{
    return room_first_drive(room, room->source_count);
}

/* What things of a room file are called in pictures. For messages: room_object_name. */
#ifndef AULA_ROOM_LABEL_H
#define AULA_ROOM_LABEL_H

#include "room/room.h"

enum { LABEL = 80 };

/* Its name, or "objects[2]", as its key counts. Returns text. */
const char *object_label(const struct room *room, size_t object, char text[LABEL]);

#endif

/* What things of a room file are called in messages and pictures. */
#ifndef AULA_ROOM_LABEL_H
#define AULA_ROOM_LABEL_H

#include "room/room.h"

enum { LABEL = 80 };

/* "objects[2]", as its key counts. Returns text. */
const char *object_label(const struct room *room, size_t object, char text[LABEL]);

#endif

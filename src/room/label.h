/* SPDX-License-Identifier: MIT */
/* Labels of objects in drawings. Messages use room_object_name. */
#ifndef AULA_ROOM_LABEL_H
#define AULA_ROOM_LABEL_H

#include "room/room.h"

enum { LABEL = 80 };

/* The name of an object, or "objects[2]", counted from 0. Returns text. */
const char *object_label(const struct room *room, size_t object, char text[LABEL]);

#endif

/* SPDX-License-Identifier: MIT */
#include "room/label.h"

#include <stdio.h>

#include "base/text.h"

const char *object_label(const struct room *room, size_t object, char text[LABEL])
{
    char name[QUOTED];
    if (room->objects[object].name)
        snprintf(text, LABEL, "%s", quoted(name, room->objects[object].name));
    else
        snprintf(text, LABEL, "objects[%zu]", object);
    return text;
}

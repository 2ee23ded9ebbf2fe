#include "room/label.h"

#include <stdio.h>

const char *object_label(const struct room *room, size_t object, char text[LABEL])
{
    (void)room;
    snprintf(text, LABEL, "objects[%zu]", object);
    return text;
}

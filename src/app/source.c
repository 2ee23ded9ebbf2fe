/* SPDX-License-Identifier: MIT */
/* Finds a source by name. */
#include "app/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* "A, B and C", truncated to the buffer. */
static const char *names_text(char text[256], const char *const *names, size_t count)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < count && used < 256; i++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", names[i]);
    return text;
}

int find_source(const struct room *room, const char *name, size_t *index, struct error *e)
{
    const char **names = calloc(room->source_count, sizeof *names);
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    size_t i = 0;
    for (; i < room->source_count && strcmp(names[i] = room->sources[i].name, name) != 0; i++)
        ;
    int status = 0;
    *index = i;
    if (i == room->source_count) {
        char hint[HINT], known[256];
        status = fail(e, ERROR_USAGE, "--source %s: %s has no such source%s%s%s", name, room->path, i ? ", only " : "",
                      names_text(known, names, i), text_hint(hint, name, names, room->source_count));
    }
    free(names);
    return status;
}

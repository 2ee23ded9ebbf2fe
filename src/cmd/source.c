/* SPDX-License-Identifier: MIT */
#include "cmd/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

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
        char hint[HINT];
        status = fail(e, ERROR_USAGE, "--source %s: %s has no such source%s", name, room->path,
                      text_hint(hint, name, names, room->source_count));
    }
    free(names);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Finds a source or a receiver by name. */
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

/* kind: "source"; names [count] */
static int find_named(const struct room *room, const char *kind, const char *name, const char *const *names,
                      size_t count, size_t *index, struct error *e)
{
    char hint[HINT], known[256];
    for (*index = 0; *index < count; ++*index)
        if (!strcmp(names[*index], name))
            return 0;
    return fail(e, ERROR_USAGE, "--%s %s: %s has no such %s%s%s%s", kind, name, room->path, kind,
                count ? ", only " : "", names_text(known, names, count), text_hint(hint, name, names, count));
}

int find_source(const struct room *room, const char *name, size_t *index, struct error *e)
{
    const char **names = calloc(room->source_count + 1, sizeof *names);
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room->source_count; i++)
        names[i] = room->sources[i].name;
    const int status = find_named(room, "source", name, names, room->source_count, index, e);
    free(names);
    return status;
}

int find_receiver(const struct room *room, const char *name, size_t *index, struct error *e)
{
    const char **names = calloc(room->receiver_count + 1, sizeof *names);
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room->receiver_count; i++)
        names[i] = room->receivers[i].name;
    const int status = find_named(room, "receiver", name, names, room->receiver_count, index, e);
    free(names);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Reads targets from rooms/targets.cfg, which describes their keys, and from files of the same form. */
#ifndef AULA_ROOM_TARGETS_H
#define AULA_ROOM_TARGETS_H

#include "dsp/measure/target.h"

struct target_list {
    struct target *items; /* [count] those of the user's file first */
    size_t count;
};

/* All targets of `file` (NULL: none) and of the library. ERROR_INPUT with file, line and key of each mistake;
 * ERROR_MEMORY. Free in any case. */
int targets_read(struct target_list *list, const char *file, struct error *e);
void targets_free(struct target_list *list); /* NULL-safe */

/* The target by this name; "NAME:GRADE" asks for at least this grade, and sets `least`. ERROR_USAGE with the closest
 * name, in a message that begins with `said`, as "--target". */
int targets_find(const struct target **target, struct target_list *list, const char *name, const char *said,
                 struct error *e);

#endif

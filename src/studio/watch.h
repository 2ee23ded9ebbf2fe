/* SPDX-License-Identifier: MIT */
/* Files that room files name, such as models and included files: pages hear when one of them changes. */
#ifndef AULA_STUDIO_WATCH_H
#define AULA_STUDIO_WATCH_H

#include "studio/events.h"

struct room;
struct watch;

struct watch *watch_make(void); /* NULL: out of memory */
void watch_free(struct watch *w);

/* From now on the files of this room are looked at; those of the same room file before, too. `state` differs whenever one of
 * the files of the room does, by its date or size; "" without files. To be called before they are read. */
enum { WATCH_STATE = 17 };
void watch_room(struct watch *w, const struct room *room, char state[WATCH_STATE]);

/* Sends {type: "input", path, name} for each file that changed: the path of the room file, the name of the file. */
void watch_look(struct watch *w, struct events *events);

#endif

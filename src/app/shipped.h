/* SPDX-License-Identifier: MIT */
/* Rooms and sounds that ship with aula, by name: `studio` is rooms/studio.cfg and `voice` is sounds/voice.flac in the
 * program's folders. A name has no '/'; a file of that name in the current folder takes precedence. */
#ifndef AULA_APP_SHIPPED_H
#define AULA_APP_SHIPPED_H

#include "app/options.h"
#include "room/room.h"

/* Finds the path of `word`, a file or a name; the caller frees *path. ERROR_INPUT if it is neither. */
int shipped_sound(char **path, const char *word, struct error *e);

/* Reads the room of the first argument, a file or a name, with the settings of --set, and `format` (may be NULL) as the
 * last of them. Errors as of room_read. */
int read_named_room(struct room **room, const struct common_options *o, const char *format, struct error *e);

/* aula info --rooms: prints rooms, pieces and sounds with a line about each. */
int shipped_print(bool json, struct error *e);

#endif

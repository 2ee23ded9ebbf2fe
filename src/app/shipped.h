/* SPDX-License-Identifier: MIT */
/* Rooms and sounds that ship, found by name: `studio` is rooms/studio.cfg, `voice` is sounds/voice.flac, in the
 * program's folders. A name has no '/', and a file of that name in the current folder comes first. */
#ifndef AULA_APP_SHIPPED_H
#define AULA_APP_SHIPPED_H

#include "app/options.h"
#include "room/room.h"

/* Path of `word`, a file or a name, in fresh memory. ERROR_INPUT for neither, with the known names and the closest
 * one. */
int shipped_sound(char **path, const char *word, struct error *e);

/* room_read of the first argument, file or name, with the settings given and --format as the last of them. */
int read_named_room(struct room **room, const struct common_options *o, const char *format, struct error *e);

/* aula info --rooms: rooms, pieces and sounds with a line about each. */
int shipped_print(bool json, struct error *e);

#endif

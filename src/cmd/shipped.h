/* Rooms and sounds that ship are found by their names: `studio` is rooms/studio.cfg, `voice` is sounds/voice.flac, wherever
 * the program has its files. A name has no '/', and a file of that name in the current folder comes first. */
#ifndef AULA_CMD_SHIPPED_H
#define AULA_CMD_SHIPPED_H

#include "cmd/options.h"
#include "room/room.h"

/* The path that `word` means, fresh. A word that is neither a file nor a name: what cannot be read and the names there are, with
 * the closest one. ERROR_INPUT. */
int shipped_room(char **path, const char *word, struct error *e);
int shipped_sound(char **path, const char *word, struct error *e);

/* room_read of the first argument, file or name, with the settings given and --format as the last of them. */
int read_named_room(struct room **room, const struct options *o, struct error *e);

/* For aula info --rooms: rooms, pieces and sounds with a line about each. */
int shipped_print(bool json, struct error *e);

#endif

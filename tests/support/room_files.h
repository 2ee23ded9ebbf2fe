/* SPDX-License-Identifier: MIT */
/* Shared by the tests of room files: a separate folder with a library of materials, and parts of a room. */
#ifndef AULA_TESTS_ROOM_FILES_H
#define AULA_TESTS_ROOM_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "room/room.h"

#define BOX "room: { size = [4.0, 3.0, 2.5]; walls: { default = \"rigid\"; }; };\n"
#define SOURCE "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
#define RECEIVER "receivers: ( { position = [2.0, 1.0, 1.0]; } );\n"
#define ENDS SOURCE RECEIVER
#define WALL(name) "room: { size = [4.0, 3.0, 2.5]; walls: { default = \"" name "\"; }; };\n"
#define OBJECT(text) "room: { size = [4.0, 3.0, 2.5]; walls: { default = \"rigid\"; };\nobjects: ( " text " ); };\n"
#define EIGHT(x) "[" x "," x "," x "," x "," x "," x "," x "," x "]"

extern char room_folder[];        /* AULA_DATA points to it */
extern const char room_library[]; /* its rooms/materials.cfg: plaster, brick, foam */

extern const char room_with_everything[]; /* a room that sets every key */

int room_files_set_up(void **state);
int room_files_tear_down(void **state);

char *in_folder(const char *name); /* the caller frees it */
void write_bytes(const char *name, const char *bytes, size_t length);
void write_file(const char *name, const char *text);

/* Whether a line of the message begins with `start` and contains `expected`. */
bool tells(const char *message, const char *start, const char *expected);

/* NULL: refused, with the reason in *e. */
struct room *read_room(const char *name, const char *const *settings, size_t count, struct error *e);
/* Reads the text as room.cfg; fails the test when it is refused. */
struct room *good_room(const char *text);

#endif

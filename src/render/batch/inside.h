/* SPDX-License-Identifier: MIT */
/* Files inside the folder of a data set: no link is followed on the way to them. */
#ifndef AULA_RENDER_BATCH_INSIDE_H
#define AULA_RENDER_BATCH_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/checksum.h"

/* Whether `name` is that of a file of this room, "rooms/0012/room_0012345_A.wav": below room_stem, and in no other
 * folder. */
bool inside_is_of_room(const char *name, size_t room);

/* A descriptor of the folder that the file `name`, relative to the data set's `folder`, is in. Folders that are not there,
 * the data set's own as well, are made. -1 with ERROR_OUTPUT where one of them is a link, or anything but a folder. */
int inside_make(const char *folder, const char *name, struct error *e);

/* Length in bytes and checksum of the file (NULL: not wanted). Returns whether it is there: neither it nor a folder on the way
 * to it is a link, it is a regular file and can be read. Not there, with e->code ERROR_STOPPED: on request. */
bool inside_look(const char *folder, const char *name, uint64_t *bytes, char checksum[CHECKSUM_TEXT], struct error *e);

#endif

/* SPDX-License-Identifier: MIT */
/* The source that --source names, and the receiver that --receiver names. */
#ifndef AULA_APP_SOURCE_H
#define AULA_APP_SOURCE_H

#include "room/room.h"

/* Finds the index of a source. ERROR_USAGE, with the known names and the closest one, if the room has none of that
 * name. */
int find_source(const struct room *room, const char *name, size_t *index, struct error *e);

/* The same for --receiver. */
int find_receiver(const struct room *room, const char *name, size_t *index, struct error *e);

#endif

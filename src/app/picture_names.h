/* SPDX-License-Identifier: MIT */
/* Names of films and maps, before any work: what may be written under them. */
#ifndef AULA_APP_PICTURE_NAMES_H
#define AULA_APP_PICTURE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "room/room.h"

/* outputs_check; ERROR_USAGE when one is an input of the room, or another of them, through links as well. */
int picture_names_check(const struct room *room, const char *const *paths, size_t count, bool no_clobber,
                        struct error *e);

/* The same of the frames NAME_0000.png .. of a film NAME.png. ERROR_OUTPUT, too, when there is a frame of another film
 * of that name which this one would leave beside its own. */
int frame_names_check(const struct room *room, const char *path, size_t frames, bool no_clobber, struct error *e);

#endif

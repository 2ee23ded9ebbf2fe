/* SPDX-License-Identifier: MIT */
/* The room of an instrument that is named by its preset, or of a piece. */
#ifndef AULA_APP_PLAY_INSTRUMENT_H
#define AULA_APP_PLAY_INSTRUMENT_H

#include "app/options.h"
#include "room/room.h"

/* Reads the first argument: a preset of rooms/instruments.cfg, unless there is a file of that name, or else a room file
 * with instruments, as read_named_room does. Without pickups it gets one on each instrument. ERROR_INPUT with a
 * remedy. */
int read_instrument(struct room **room, const struct common_options *o, struct error *e);

#endif

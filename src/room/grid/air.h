/* SPDX-License-Identifier: MIT */
/* The air of a room, and the method by which a render includes its absorption. */
#ifndef AULA_ROOM_GRID_AIR_H
#define AULA_ROOM_GRID_AIR_H

#include "base/acoustics/air.h"
#include "room/room.h"

struct air_conditions air_conditions(const struct room *room);

/* AIR_NONE: lossless. AIR_FILTER: lossless steps, then a time-varying filter on the impulse response; follows ISO
 * 9613-1 at all frequencies, for a single impulse only. AIR_SCHEME: absorption in the scheme, ω²τ/(2c), for any signals
 * and several sources at once. */
enum air_method { AIR_NONE, AIR_FILTER, AIR_SCHEME };
extern const char *const air_method_names[];

/* The method for `count` of the room's sources at once, from `first`. */
enum air_method air_method(const struct room *room, size_t first, size_t count);

#endif

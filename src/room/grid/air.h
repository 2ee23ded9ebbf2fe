/* SPDX-License-Identifier: MIT */
/* The air of a room, and the method by which a render includes its absorption. */
#ifndef AULA_ROOM_GRID_AIR_H
#define AULA_ROOM_GRID_AIR_H

#include "base/acoustics/air.h"
#include "room/room.h"

struct air_conditions air_conditions(const struct room *room);

/* AIR_NONE: lossless. AIR_FILTER: lossless steps, then a time-varying filter on the impulse
 * response, which follows ISO 9613-1 at all frequencies but works for a single impulse only.
 * AIR_SCHEME: absorption ω²τ/(2c) in the scheme, for any signals and several simultaneous sources. */
enum air_method { AIR_NONE, AIR_FILTER, AIR_SCHEME };
extern const char *const air_method_names[];

/* The method for `count` simultaneous sources of the room, from `first`. */
enum air_method air_method(const struct room *room, size_t first, size_t count);

#endif

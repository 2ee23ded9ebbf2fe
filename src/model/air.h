/* The air of a room, and by which method a render takes its absorption into account. */
#ifndef AULA_MODEL_AIR_H
#define AULA_MODEL_AIR_H

#include "acoustics/air.h"
#include "room/room.h"

struct air_conditions air_conditions(const struct room *room);

/* AIR_NONE: lossless. AIR_FILTER: lossless steps, then a filter on the impulse response that varies with the time since
 * emission: follows ISO 9613-1 at every frequency, but there is such a time for a single impulse only. AIR_SCHEME: the
 * scheme itself absorbs, as ω²τ/(2c): for signals and for several sources at once. */
enum air_method { AIR_NONE, AIR_FILTER, AIR_SCHEME };
extern const char *const air_method_names[];

/* How a render of `count` of the room's sources at once, from `first` on, takes the air into account. */
enum air_method air_method(const struct room *room, size_t first, size_t count);

#endif

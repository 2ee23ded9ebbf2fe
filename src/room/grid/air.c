/* SPDX-License-Identifier: MIT */
#include "room/grid/air.h"

const char *const air_method_names[] = {[AIR_NONE] = "none", [AIR_FILTER] = "filter", [AIR_SCHEME] = "scheme"};

struct air_conditions air_conditions(const struct room *room)
{
    return (struct air_conditions){
        .temperature = room->air.temperature, .humidity = room->air.humidity, .pressure = room->air.pressure};
}

enum air_method air_method(const struct room *room, size_t first, size_t count)
{
    if (!room->air.losses)
        return AIR_NONE;
    if (first >= room->source_count) /* instruments give no impulse response */
        return AIR_SCHEME;
    const enum signal_kind signal = room->sources[first].signal;
    return count == 1 && signal_gives_response(signal) ? AIR_FILTER : AIR_SCHEME;
}

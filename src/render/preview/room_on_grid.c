/* SPDX-License-Identifier: MIT */
#include "render/preview/room_on_grid.h"

#include <string.h>

struct room room_on_grid(const struct room *room, const struct grid *own, double rate)
{
    struct room copy = *room;
    copy.grid.rate = rate;
    copy.grid.max_frequency = 0.0;
    copy.grid.scheme = scheme_key(own->stencil);
    copy.grid.points_per_wavelength = own->points_per_wavelength;
    copy.sized_by_points = false;
    if (room->sized_by_points)
        memcpy(copy.size, own->size, sizeof copy.size);
    return copy;
}

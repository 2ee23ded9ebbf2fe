/* SPDX-License-Identifier: MIT */
#include "present/views/viewed_room.h"

#include <math.h>

#include "io/drawing/drawing.h"

size_t view_material(const struct viewed_room *r, unsigned code)
{
    const size_t material = code - CELL_SOLID;
    return code >= CELL_SOLID && material < r->material_count ? material : r->material_count;
}

const char *view_material_name(const struct viewed_room *r, size_t material)
{
    return material < r->material_count ? r->materials[material] : "fixed";
}

uint32_t view_colour(size_t material)
{
    static const struct {
        unsigned towards; /* level of each channel */
        double share;
    } shades[] = {{0, 0.0}, {255, 0.45}, {0, 0.4}, {255, 0.7}};
    enum { SHADES = sizeof shades / sizeof *shades };
    const uint32_t base = drawing_light(DRAWING_SERIES + (int)(material % DRAWING_SERIES_COUNT));
    const size_t shade = material / DRAWING_SERIES_COUNT % SHADES;
    uint32_t colour = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const double level = base >> shift & 255u;
        colour |= (uint32_t)lrint(level + shades[shade].share * (shades[shade].towards - level)) << shift;
    }
    return colour;
}

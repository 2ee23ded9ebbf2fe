/* SPDX-License-Identifier: MIT */
#include "present/film/colours.h"

#include <math.h>

#include "io/drawing/colour_map.h"

void film_colours_make(struct film_colours *c, bool diverging, double low, double high)
{
    c->low = low;
    c->high = high;
    for (int i = 0; i < FILM_COLOURS; i++) {
        const double share = (double)i / (FILM_COLOURS - 1);
        c->colour[i] = diverging ? diverging_colour(2.0 * share - 1.0) : map_colour(share);
    }
}

uint32_t film_colour(const struct film_colours *c, double value)
{
    const double at = (value - c->low) / (c->high - c->low) * (FILM_COLOURS - 1);
    return c->colour[at > 0.0 ? (int)(fmin(at, FILM_COLOURS - 1) + 0.5) : 0];
}

double film_colour_value(const struct film_colours *c, uint32_t colour)
{
    for (int i = 0; i < FILM_COLOURS; i++)
        if (c->colour[i] == (colour & 0xffffffu))
            return c->low + (c->high - c->low) * i / (FILM_COLOURS - 1);
    return NAN;
}

/* Colours for values in pictures. */
#ifndef AULA_DRAWING_COLOUR_MAP_H
#define AULA_DRAWING_COLOUR_MAP_H

#include <stdint.h>

/* 0..1 to 0xRRGGBB, from dark violet over green to yellow: a few points of the map "viridis" (van der Walt and Smith,
 * public domain), which rises evenly in lightness and survives grey printing. Values beyond are clamped, NaN is 0. */
uint32_t map_colour(double share);

#endif

/* SPDX-License-Identifier: MIT */
/* Colours for values in pictures. */
#ifndef AULA_IO_DRAWING_COLOUR_MAP_H
#define AULA_IO_DRAWING_COLOUR_MAP_H

#include <stdint.h>

/* 0..1 to 0xRRGGBB, from dark violet over green to yellow: a few points of the map "viridis" (van der Walt and Smith,
 * public domain), which rises evenly in lightness and survives grey printing. Values beyond are clamped, NaN is 0. */
uint32_t map_colour(double share);

/* -1..1 to 0xRRGGBB, from blue over light grey at 0 to red: K. Moreland, "Diverging Color Maps for Scientific
 * Visualization" (2009), computed by its equations from its cool and warm ends. Lightness falls evenly to both sides,
 * and blue and red stay apart for eyes that tell no red from green. Values beyond are clamped, NaN is 0. */
uint32_t diverging_colour(double share);

#endif

/* SPDX-License-Identifier: MIT */
/* Values as colours of films and maps: few enough that every colour is exact in a GIF and can be turned back. */
#ifndef AULA_PRESENT_FILM_COLOURS_H
#define AULA_PRESENT_FILM_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILM_COLOURS = 201 }; /* odd: 0 of a diverging scale has a colour of its own */

struct film_colours {
    double low, high;              /* values of the first and the last colour; beyond: those */
    uint32_t colour[FILM_COLOURS]; /* 0xRRGGBB */
};

/* diverging: low is -high, and 0 is light grey (diverging_colour); else map_colour. */
void film_colours_make(struct film_colours *c, bool diverging, double low, double high);

/* NaN is the first colour. */
uint32_t film_colour(const struct film_colours *c, double value);

/* The value in the middle of a colour's interval; NaN: no colour of the scale. */
double film_colour_value(const struct film_colours *c, uint32_t colour);

#endif

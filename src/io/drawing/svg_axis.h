/* SPDX-License-Identifier: MIT */
/* Building blocks of SVG charts: page, axes with ticks at round numbers, labels, the frame of a plot. */
#ifndef AULA_IO_DRAWING_SVG_AXIS_H
#define AULA_IO_DRAWING_SVG_AXIS_H

#include <stddef.h>
#include <stdio.h>

#define SVG_WIDTH 900.0
#define SVG_INK "#1f2933"
#define SVG_FAINT "#52606d"
#define SVG_GRID "#e4e7eb"

/* Colour of the i-th line or group; repeats after eight. */
const char *svg_colour(size_t i);

/* Estimated width of a text of one line in units, at this font size. */
double svg_text_width(const char *text, double size);

void svg_begin(FILE *stream, const char *title, double height);
void svg_end(FILE *stream);

/* anchor: start, middle or end. The text is escaped; NULL writes nothing. */
void svg_text(FILE *stream, double x, double y, double size, const char *anchor, const char *colour, const char *text);

struct svg_axis {
    double min, max; /* data limits */
    double from, to; /* their places on the page */
    double step;     /* between ticks: 1, 2 or 5 times a power of ten */
    int decimals;    /* of the labels */
    int exponent;    /* labels are divided by 10^exponent */
};

/* Limits that are equal, reversed or not finite become min..min+1. `ticks`: about how many are wanted. */
struct svg_axis svg_axis_make(double min, double max, double from, double to, int ticks);
double svg_axis_place(const struct svg_axis *axis, double value); /* kept near the page for any value */

/* The i-th tick from the bottom; returns 0 beyond the last one. label has its power of ten left out. */
int svg_axis_tick(const struct svg_axis *axis, int i, double *value, char label[32]);
/* "×10⁻⁵", or "" */
void svg_axis_power(const struct svg_axis *axis, char text[32]);

/* A place on an axis that is not linear in what it shows. */
struct plot_tick {
    double at;
    const char *label;
};

struct svg_frame {
    const char *x_label, *y_label;
    const struct plot_tick *x_ticks, *y_ticks; /* in place of round numbers; NULL: those */
    size_t x_tick_count, y_tick_count;
};
/* Both axes of a plot, with grid lines, ticks and labels. The y axis goes up: y->from is its lower end. */
void svg_frame(FILE *stream, const struct svg_frame *frame, const struct svg_axis *x, const struct svg_axis *y);

#endif

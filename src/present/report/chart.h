/* SPDX-License-Identifier: MIT */
/* A chart with axes, grid lines and curves as SVG. */
#ifndef AULA_PRESENT_REPORT_CHART_H
#define AULA_PRESENT_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/drawing/drawing.h"
#include "io/drawing/svg_axis.h"

/* Narrow enough for 12-unit text to be legible on a phone. */
#define CHART_WIDTH 480.0

struct chart_settings {
    const char *name; /* of the drawing */
    const char *x_label, *y_label;
    double x_min, x_max, y_min, y_max; /* finite, min < max */
    bool octaves;                      /* x is a frequency on a logarithmic axis; x_min > 0 */
    double height;                     /* of the plot area, units */
    double margin;                     /* more space on the right, units */
};

struct chart {
    struct drawing *drawing;
    struct svg_axis x, y; /* of log2(x) on a logarithmic axis */
    bool octaves;
    double left, right, top, bottom; /* of the plot area */
};

int chart_open(struct chart *c, const struct chart_settings *s, struct error *e);
void chart_free(struct chart *c); /* NULL-safe; after chart_finish nothing to do */

double chart_x(const struct chart *c, double value);

/* A curve through (x[i], y[i]), x rising; it breaks where a value is not finite. Cut at the frame. ERROR_MEMORY. */
int chart_curve(struct chart *c, const double *x, const double *y, size_t count, int colour, double width,
                struct error *e);

/* An upright dashed line at x with words at its top, when x lies within the frame. */
void chart_mark(struct chart *c, double x, const char *text);

/* Writes the <svg> and frees the drawing. */
int chart_finish(struct chart *c, const char *label, FILE *stream, struct error *e);

/* Decimation of long curves. */

/* Indices of the points of a curve to draw: of each column (`width` units of x, x rising) the smallest and the largest
 * y, in their order; of points whose y is not finite the first, where the line breaks. kept[count]; returns how many.
 * Covers the same pixels as the whole curve. */
size_t decimate(size_t *kept, const double *x, const double *y, size_t count, double width);

#endif

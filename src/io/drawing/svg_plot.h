/* SPDX-License-Identifier: MIT */
/* Plain line and bar charts as SVG text, for pictures of results that open in any browser. */
#ifndef AULA_IO_DRAWING_SVG_PLOT_H
#define AULA_IO_DRAWING_SVG_PLOT_H

#include <stddef.h>

#include "base/error.h"
#include "io/drawing/svg_axis.h"

struct plot_line {
    const char *label;
    const double *y; /* [count] */
    size_t count;
    double x0, dx; /* x of sample i is x0 + i dx */
};

struct plot_panel {
    const char *title, *x_label, *y_label;
    const struct plot_line *lines;
    size_t line_count;
    double x_min, x_max, y_min, y_max; /* equal limits: taken from the data */
    const struct plot_tick *x_ticks;   /* in place of round numbers; NULL: those */
    size_t x_tick_count;
};

/* One SVG of panels below each other, 900 units wide, with axes, ticks at round numbers, grid lines and a legend; long
 * lines are reduced to the minimum and maximum in each pixel column. Written by output_file_text, or in fresh memory,
 * NULL when that is out. Text is escaped. Values that are not finite break the line. */
char *svg_plot_text(const char *title, const struct plot_panel *panels, size_t panel_count);
int svg_plot(const char *path, const char *title, const struct plot_panel *panels, size_t panel_count, struct error *e);

struct plot_bar {
    const char *label;
    const char *group; /* bars of one group share a colour and a legend entry */
    double value;
};
/* Horizontal bars with the value printed at the end of each; optional vertical reference line (NaN: none) with its
 * label. */
int svg_bars(const char *path, const char *title, const char *x_label, const struct plot_bar *bars, size_t bar_count,
             double reference, const char *reference_label, struct error *e);

#endif

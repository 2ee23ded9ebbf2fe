/* SPDX-License-Identifier: MIT */
#include "io/drawing/svg_plot.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/drawing/svg_axis.h"
#include "io/text_stream.h"

static const double LEFT = 84.0, RIGHT = 876.0; /* of the plot area */
static const double PLOT_HEIGHT = 220.0;
static const double LEGEND_ROW = 20.0;
static const double LEGEND_MARK = 26.0; /* stroke and gap before a label */

struct extent {
    double x_min, x_max, y_min, y_max;
};

static double line_x(const struct plot_line *line, size_t i)
{
    return line->x0 + (double)i * line->dx;
}

static struct extent panel_extent(const struct plot_panel *panel)
{
    struct extent t = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    bool fixed_x = panel->x_max > panel->x_min, fixed_y = panel->y_max > panel->y_min;
    for (size_t k = 0; k < panel->line_count; k++) {
        const struct plot_line *line = &panel->lines[k];
        for (size_t i = 0; i < line->count; i++) {
            double x = line_x(line, i), y = line->y[i];
            if (!isfinite(x) || !isfinite(y) || (fixed_x && (x < panel->x_min || x > panel->x_max)))
                continue;
            t.x_min = fmin(t.x_min, x);
            t.x_max = fmax(t.x_max, x);
            t.y_min = fmin(t.y_min, y);
            t.y_max = fmax(t.y_max, y);
        }
    }
    if (!(t.x_min <= t.x_max))
        t = (struct extent){0.0, 1.0, 0.0, 1.0};
    if (fixed_x) {
        t.x_min = panel->x_min;
        t.x_max = panel->x_max;
    }
    double space = 0.05 * (t.y_max - t.y_min);
    if (!(space > 0.0))
        space = t.y_max != 0.0 ? 0.1 * fabs(t.y_max) : 1.0;
    t.y_min -= space;
    t.y_max += space;
    if (fixed_y) {
        t.y_min = panel->y_min;
        t.y_max = panel->y_max;
    }
    return t;
}

static bool has_legend(const struct plot_panel *panel)
{
    for (size_t k = 0; k < panel->line_count; k++)
        if (panel->lines[k].label && *panel->lines[k].label)
            return true;
    return false;
}

/* Draws the legend from the top edge y on (nothing when stream is NULL) and returns its height. */
static double legend(FILE *stream, const struct plot_panel *panel, double y)
{
    if (!has_legend(panel))
        return 0.0;
    double x = LEFT, height = LEGEND_ROW;
    for (size_t k = 0; k < panel->line_count; k++) {
        const char *label = panel->lines[k].label ? panel->lines[k].label : "";
        double width = LEGEND_MARK + svg_text_width(label, 12.0) + 18.0;
        if (x > LEFT && x + width > RIGHT) {
            x = LEFT;
            height += LEGEND_ROW;
        }
        if (stream) {
            double baseline = y + height - 6.0;
            fprintf(stream, "<path d=\"M%.1f %.1fh18\" stroke=\"%s\" stroke-width=\"3\" stroke-linecap=\"round\"/>\n",
                    x, baseline - 4.0, svg_colour(k));
            svg_text(stream, x + LEGEND_MARK, baseline, 12.0, "start", SVG_INK, label);
        }
        x += width;
    }
    return height;
}

/* The pen of a path: knows whether the next point continues a line. */
struct pen {
    FILE *stream;
    const struct svg_axis *x, *y;
    bool down, alone; /* a line has begun; it has one point so far */
};

static void pen_lift(struct pen *pen)
{
    if (pen->down && pen->alone)
        fputs("h0", pen->stream); /* with round caps, a single point shows as a dot */
    pen->down = false;
}

static void pen_to(struct pen *pen, double x, double y)
{
    fprintf(pen->stream, "%c%.1f %.1f", pen->down ? 'L' : 'M', svg_axis_place(pen->x, x), svg_axis_place(pen->y, y));
    pen->alone = !pen->down;
    pen->down = true;
}

/* Smallest and largest sample that fall into one column of the page, in the order in which they come. */
struct column {
    long index;
    size_t count, min, max;
};

static void flush_column(struct pen *pen, const struct plot_line *line, struct column *column)
{
    if (column->count) {
        size_t first = column->min < column->max ? column->min : column->max;
        size_t last = column->min < column->max ? column->max : column->min;
        pen_to(pen, line_x(line, first), line->y[first]);
        if (last != first)
            pen_to(pen, line_x(line, last), line->y[last]);
    }
    column->count = 0;
}

static void draw_line(FILE *stream, const struct plot_line *line, const char *colour, const struct svg_axis *x,
                      const struct svg_axis *y)
{
    fputs("<path d=\"", stream);
    struct pen pen = {.stream = stream, .x = x, .y = y};
    struct column column = {0};
    for (size_t i = 0; i < line->count; i++) {
        double at = line_x(line, i);
        if (!isfinite(line->y[i]) || !isfinite(at)) {
            flush_column(&pen, line, &column);
            pen_lift(&pen);
            continue;
        }
        long index = lrint(2.0 * svg_axis_place(x, at)); /* half units: still sharp on dense displays */
        if (column.count && index != column.index)
            flush_column(&pen, line, &column);
        if (!column.count)
            column = (struct column){.index = index, .min = i, .max = i};
        column.count++;
        if (line->y[i] < line->y[column.min])
            column.min = i;
        if (line->y[i] > line->y[column.max])
            column.max = i;
    }
    flush_column(&pen, line, &column);
    pen_lift(&pen);
    fprintf(
        stream,
        "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
        colour);
}

/* Height of a panel, legend and labels included. */
static double panel_height(const struct plot_panel *panel)
{
    double title = panel->title && *panel->title ? 24.0 : 0.0;
    return title + legend(NULL, panel, 0.0) + 16.0 + PLOT_HEIGHT + 58.0;
}

static void draw_panel(FILE *stream, const struct plot_panel *panel, size_t number, double top)
{
    double at = top;
    if (panel->title && *panel->title) {
        svg_text(stream, LEFT, at + 16.0, 14.0, "start", SVG_INK, panel->title);
        at += 24.0;
    }
    at += legend(stream, panel, at) + 16.0;
    struct extent t = panel_extent(panel);
    struct svg_axis x = svg_axis_make(t.x_min, t.x_max, LEFT, RIGHT, 9);
    struct svg_axis y = svg_axis_make(t.y_min, t.y_max, at + PLOT_HEIGHT, at, 5);
    const struct svg_frame frame = {.x_label = panel->x_label,
                                    .y_label = panel->y_label,
                                    .x_ticks = panel->x_ticks,
                                    .x_tick_count = panel->x_tick_count};
    svg_frame(stream, &frame, &x, &y);
    fprintf(stream,
            "<clipPath id=\"panel%zu\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>\n"
            "<g clip-path=\"url(#panel%zu)\">\n",
            number, LEFT - 2.0, at - 2.0, RIGHT - LEFT + 4.0, PLOT_HEIGHT + 4.0, number);
    for (size_t k = 0; k < panel->line_count; k++)
        draw_line(stream, &panel->lines[k], svg_colour(k), &x, &y);
    fputs("</g>\n", stream);
}

char *svg_plot_text(const char *title, const struct plot_panel *panels, size_t panel_count)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return NULL;
    double top = title && *title ? 58.0 : 20.0, height = top;
    for (size_t i = 0; i < panel_count; i++)
        height += panel_height(&panels[i]);
    svg_begin(stream, title, height);
    for (size_t i = 0; i < panel_count; i++) {
        draw_panel(stream, &panels[i], i, top);
        top += panel_height(&panels[i]);
    }
    svg_end(stream);
    return text_stream_close(&page, NULL);
}

int svg_plot(const char *path, const char *title, const struct plot_panel *panels, size_t panel_count, struct error *e)
{
    char *text = svg_plot_text(title, panels, panel_count);
    int status = text ? output_file_text(path, text, e) : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    free(text);
    return status;
}

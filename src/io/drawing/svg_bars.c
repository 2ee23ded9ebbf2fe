/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/drawing/svg_axis.h"
#include "io/drawing/svg_plot.h"
#include "io/text_stream.h"

static const double RIGHT = 806.0; /* of the plot area; the values of the longest bars stand beyond it */
static const double WIDEST_LABEL = 320.0;
static const double BAR_PITCH = 26.0, BAR_HEIGHT = 17.0;

static bool same_group(const struct plot_bar *a, const struct plot_bar *b)
{
    return !strcmp(a->group ? a->group : "", b->group ? b->group : "");
}

/* Groups are numbered in the order in which they first appear. */
static size_t group_number(const struct plot_bar *bars, size_t i)
{
    size_t number = 0;
    for (size_t k = 0; k < i; k++) {
        if (same_group(&bars[k], &bars[i]))
            return group_number(bars, k);
        bool first = true;
        for (size_t j = 0; j < k && first; j++)
            first = !same_group(&bars[j], &bars[k]);
        number += first;
    }
    return number;
}

static bool starts_group(const struct plot_bar *bars, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_group(&bars[k], &bars[i]))
            return false;
    return true;
}

static double legend(FILE *stream, const struct plot_bar *bars, size_t count, double left, double y)
{
    double x = left, height = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!bars[i].group || !*bars[i].group || !starts_group(bars, i))
            continue;
        double width = 18.0 + svg_text_width(bars[i].group, 12.0) + 18.0;
        if (height == 0.0)
            height = 20.0;
        if (x > left && x + width > RIGHT) {
            x = left;
            height += 20.0;
        }
        if (stream) {
            fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" rx=\"2\" fill=\"%s\"/>\n", x,
                    y + height - 17.0, svg_colour(group_number(bars, i)));
            svg_text(stream, x + 18.0, y + height - 7.0, 12.0, "start", SVG_INK, bars[i].group);
        }
        x += width;
    }
    return height;
}

/* Three or four significant digits, never an exponent where digits do. */
static void value_text(double value, char text[32])
{
    double magnitude = fabs(value);
    const char *sign = value < 0.0 ? "\u2212" : "";
    if (!isfinite(value))
        snprintf(text, 32, "no value");
    else if (magnitude >= 1e7)
        snprintf(text, 32, "%s%.3g", sign, magnitude);
    else
        snprintf(text, 32, "%s%.*f", sign,
                 magnitude >= 100.0  ? 0
                 : magnitude >= 10.0 ? 1
                 : magnitude >= 1.0  ? 2
                                     : 3,
                 magnitude);
    if (isfinite(value) && magnitude > 0.0 && magnitude < 0.01)
        snprintf(text, 32, "%s%.3g", sign, magnitude);
}

static void draw_axis(FILE *stream, const struct svg_axis *axis, double top, double bottom, const char *x_label)
{
    char label[32];
    double value;
    for (int i = 0; svg_axis_tick(axis, i, &value, label); i++) {
        double at = svg_axis_place(axis, value);
        fprintf(stream, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"" SVG_GRID "\"/>\n", at, bottom, top);
        svg_text(stream, at, bottom + 18.0, 12.0, "middle", SVG_FAINT, label);
    }
    svg_axis_power(axis, label);
    svg_text(stream, axis->to, bottom + 36.0, 12.0, "end", SVG_FAINT, label);
    svg_text(stream, 0.5 * (axis->from + axis->to), bottom + 38.0, 13.0, "middle", SVG_INK, x_label);
}

static void draw_bars(FILE *stream, const struct svg_axis *axis, const struct plot_bar *bars, size_t count, double top)
{
    double zero = svg_axis_place(axis, 0.0);
    for (size_t i = 0; i < count; i++) {
        double y = top + (double)i * BAR_PITCH + 0.5 * (BAR_PITCH - BAR_HEIGHT);
        double end = isfinite(bars[i].value) ? svg_axis_place(axis, bars[i].value) : zero;
        char text[32];
        if (isfinite(bars[i].value))
            fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"/>\n",
                    fmin(zero, end), y, fmax(1.0, fabs(end - zero)), BAR_HEIGHT, svg_colour(group_number(bars, i)));
        value_text(bars[i].value, text);
        bool leftwards = end < zero;
        svg_text(stream, end + (leftwards ? -6.0 : 6.0), y + 13.0, 12.0, leftwards ? "end" : "start", SVG_INK, text);
        svg_text(stream, axis->from - (axis->min < 0.0 ? 70.0 : 10.0), y + 13.0, 12.0, "end", SVG_INK, bars[i].label);
    }
    fprintf(stream, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#9aa5b1\"/>\n", zero, top, top + (double)count * BAR_PITCH);
}

static void draw(FILE *stream, const char *title, const char *x_label, const struct plot_bar *bars, size_t count,
                 double reference, const char *reference_label)
{
    double left = 60.0, min = 0.0, max = 0.0;
    for (size_t i = 0; i < count; i++) {
        left = fmax(left, fmin(WIDEST_LABEL, svg_text_width(bars[i].label, 12.0)) + 34.0);
        if (isfinite(bars[i].value)) {
            min = fmin(min, bars[i].value);
            max = fmax(max, bars[i].value);
        }
    }
    if (isfinite(reference)) {
        min = fmin(min, reference);
        max = fmax(max, reference);
    }
    if (min < 0.0)
        left += 60.0; /* for the values left of negative bars */
    double top = title && *title ? 54.0 : 16.0, legend_top = top;
    top += legend(NULL, bars, count, left, legend_top) + (isfinite(reference) ? 26.0 : 8.0);
    double bottom = top + (double)count * BAR_PITCH + 4.0;
    struct svg_axis axis = svg_axis_make(min, max, left, RIGHT, 7);
    svg_begin(stream, title, bottom + 56.0);
    legend(stream, bars, count, left, legend_top);
    draw_axis(stream, &axis, top, bottom, x_label);
    draw_bars(stream, &axis, bars, count, top);
    if (isfinite(reference)) {
        double at = svg_axis_place(&axis, reference);
        bool near_right = at > 0.5 * (left + RIGHT);
        fprintf(stream,
                "<path d=\"M%.1f %.1fV%.1f\" stroke=\"" SVG_INK "\" stroke-width=\"1.4\" stroke-dasharray=\"5 4\"/>\n",
                at, top - 18.0, bottom);
        svg_text(stream, at + (near_right ? -6.0 : 6.0), top - 8.0, 12.0, near_right ? "end" : "start", SVG_INK,
                 reference_label);
    }
    svg_end(stream);
}

int svg_bars(const char *path, const char *title, const char *x_label, const struct plot_bar *bars, size_t bar_count,
             double reference, const char *reference_label, struct error *e)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    draw(stream, title, x_label, bars, bar_count, reference, reference_label);
    char *text = text_stream_close(&page, NULL);
    int status = text ? output_file_text(path, text, e) : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    free(text);
    return status;
}

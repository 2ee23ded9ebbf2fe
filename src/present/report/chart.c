/* SPDX-License-Identifier: MIT */
#include "present/report/chart.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct column {
    bool open;
    double index;
    size_t min, max;
};

static size_t flush(struct column *column, size_t *kept, size_t count)
{
    if (!column->open)
        return count;
    column->open = false;
    kept[count++] = column->min < column->max ? column->min : column->max;
    if (column->min != column->max)
        kept[count++] = column->min < column->max ? column->max : column->min;
    return count;
}

size_t decimate(size_t *kept, const double *x, const double *y, size_t count, double width)
{
    struct column column = {.open = false};
    size_t done = 0;
    bool broken = false;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(y[i]) || !isfinite(x[i])) {
            done = flush(&column, kept, done);
            if (!broken)
                kept[done++] = i;
            broken = true;
            continue;
        }
        broken = false;
        const double index = floor(x[i] / width);
        if (column.open && index != column.index)
            done = flush(&column, kept, done);
        if (!column.open)
            column = (struct column){true, index, i, i};
        if (y[i] < y[column.min])
            column.min = i;
        if (y[i] > y[column.max])
            column.max = i;
    }
    return flush(&column, kept, done);
}

static const double LETTERS = 12.0; /* units */
static const double LEFT = 52.0, RIGHT = 468.0, TOP = 14.0, BELOW = 40.0;

double chart_x(const struct chart *c, double value)
{
    return svg_axis_place(&c->x, c->octaves ? log2(value) : value);
}

static double chart_y(const struct chart *c, double value)
{
    return svg_axis_place(&c->y, value);
}

static void draw_x_tick(struct chart *c, double at, const char *label)
{
    drawing_move(c->drawing, at, c->top);
    drawing_line(c->drawing, at, c->bottom);
    drawing_stroke(c->drawing, DRAWING_GRID, 1.0);
    drawing_text(c->drawing, at, c->bottom + 15.0, LETTERS, "middle", DRAWING_FAINT, label);
}

/* 31.5, 63, 125 .. Hz; only every second octave on a wide axis. */
static void draw_octaves(struct chart *c)
{
    static const char *const names[] = {"8",  "16", "31.5", "63", "125", "250", "500",
                                        "1k", "2k", "4k",   "8k", "16k", "32k"};
    const double first = log2(1000.0) - 7.0, span = c->x.max - c->x.min;
    const int step = span > 10.0 ? 2 : 1;
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if ((i + 1) % step == 0 && first + i >= c->x.min && first + i <= c->x.max)
            draw_x_tick(c, svg_axis_place(&c->x, first + i), names[i]);
}

static void draw_axes(struct chart *c, const struct chart_settings *s)
{
    char label[32];
    double value;
    if (c->octaves)
        draw_octaves(c);
    for (int i = 0; !c->octaves && svg_axis_tick(&c->x, i, &value, label); i++)
        draw_x_tick(c, svg_axis_place(&c->x, value), label);
    for (int i = 0; svg_axis_tick(&c->y, i, &value, label); i++) {
        const double at = svg_axis_place(&c->y, value);
        drawing_move(c->drawing, c->left, at);
        drawing_line(c->drawing, c->right, at);
        drawing_stroke(c->drawing, DRAWING_GRID, 1.0);
        drawing_text(c->drawing, c->left - 6.0, at + 4.0, LETTERS, "end", DRAWING_FAINT, label);
    }
    char power[32], x_label[96], y_label[96];
    svg_axis_power(&c->x, power);
    snprintf(x_label, sizeof x_label, "%s%s%s", s->x_label, *power ? " " : "", power);
    svg_axis_power(&c->y, power);
    snprintf(y_label, sizeof y_label, "%s%s%s", s->y_label, *power ? " " : "", power);
    drawing_text(c->drawing, 0.5 * (c->left + c->right), c->bottom + 33.0, LETTERS, "middle", DRAWING_INK, x_label);
    drawing_text_up(c->drawing, 10.0, 0.5 * (c->top + c->bottom), LETTERS, "middle", DRAWING_INK, y_label);
}

int chart_open(struct chart *c, const struct chart_settings *s, struct error *e)
{
    memset(c, 0, sizeof *c);
    if (drawing_open(&c->drawing, s->name, CHART_WIDTH, TOP + s->height + BELOW, e))
        return -1;
    c->left = LEFT;
    c->right = RIGHT - s->margin;
    c->top = TOP;
    c->bottom = TOP + s->height;
    c->octaves = s->octaves;
    c->x = svg_axis_make(s->octaves ? log2(s->x_min) : s->x_min, s->octaves ? log2(s->x_max) : s->x_max, c->left,
                         c->right, 8);
    c->y = svg_axis_make(s->y_min, s->y_max, c->bottom, c->top, 5);
    draw_axes(c, s);
    return 0;
}

void chart_free(struct chart *c)
{
    if (!c)
        return;
    drawing_free(c->drawing);
    c->drawing = NULL;
}

/* The axis bounds coordinates to the vicinity of the page; the clip cuts curves at the frame. */
static void draw_points(struct chart *c, const double *at, const double *y, const size_t *kept, size_t count)
{
    bool down = false;
    for (size_t i = 0; i < count; i++) {
        const size_t k = kept[i];
        if (!isfinite(y[k]) || !isfinite(at[k])) {
            down = false;
            continue;
        }
        if (!down)
            drawing_move(c->drawing, at[k], chart_y(c, y[k]));
        drawing_line(c->drawing, at[k], chart_y(c, y[k])); /* an isolated point becomes a dot */
        down = true;
    }
}

int chart_curve(struct chart *c, const double *x, const double *y, size_t count, int colour, double width,
                struct error *e)
{
    double *at = malloc((count + 1) * sizeof *at);
    size_t *kept = malloc((count + 1) * sizeof *kept);
    int status = 0;
    if (at && kept) {
        for (size_t i = 0; i < count; i++)
            at[i] = chart_x(c, x[i]);
        const size_t points = decimate(kept, at, y, count, 0.75);
        drawing_clip(c->drawing, c->left, c->top - 1.0, c->right - c->left, c->bottom - c->top + 2.0);
        draw_points(c, at, y, kept, points);
        drawing_stroke(c->drawing, colour, width);
        drawing_unclip(c->drawing);
    } else {
        status = fail(e, ERROR_MEMORY, "out of memory");
    }
    free(at);
    free(kept);
    return status;
}

void chart_mark(struct chart *c, double x, const char *text)
{
    const double at = chart_x(c, x);
    if (!(at >= c->left && at <= c->right))
        return;
    drawing_move(c->drawing, at, c->top);
    drawing_line(c->drawing, at, c->bottom);
    drawing_stroke_dashed(c->drawing, DRAWING_FAINT, 1.0);
    const bool left = at > 0.5 * (c->left + c->right);
    drawing_text(c->drawing, at + (left ? -4.0 : 4.0), c->top - 3.0, 11.0, left ? "end" : "start", DRAWING_FAINT, text);
}

int chart_finish(struct chart *c, const char *label, FILE *stream, struct error *e)
{
    struct drawing *drawing = c->drawing;
    c->drawing = NULL;
    return drawing_finish(drawing, label, stream, e);
}

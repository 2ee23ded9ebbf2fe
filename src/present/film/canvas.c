/* SPDX-License-Identifier: MIT */
#include "present/film/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "io/drawing/svg_axis.h"
#include "present/report/room_in_voxels.h"
#include "present/report/room_views.h"

/* pixels */
static const double MARGIN = 14.0, TITLE = 34.0, CAPTION = 24.0, SCALE = 86.0, FOOT = 30.0, LINE = 17.0, BAR = 14.0;
static const double FONT = 13.0, TALLEST = 900.0;
static const size_t WIDTH = 960;
enum { LEAST_WINDOW = 48, PAPER = 0xffffff, GAP_COLOUR = 0xd5dae0 };

/* Space next to and above the windows. */
static void find_borders(double border[2], size_t windows, size_t across, bool own_scales)
{
    const double in_row = (double)(windows < across ? windows : across), rows = ceil((double)windows / (double)across);
    border[0] = (in_row + 1.0) * MARGIN + SCALE * (own_scales ? in_row : 1.0);
    border[1] = TITLE + rows * CAPTION + FOOT + PAPER_LINES_MAX * LINE;
}

static size_t even(double value)
{
    return 2 * (size_t)ceil(0.5 * value);
}

static void place_windows(struct canvas *p, size_t across, bool own_scales)
{
    const double step[2] = {(double)p->view.columns + MARGIN + (own_scales ? SCALE : 0.0),
                            (double)p->view.rows + CAPTION};
    for (size_t i = 0; i < p->window_count; i++) {
        p->window[i].x = MARGIN + step[0] * (double)(i % across);
        p->window[i].y = TITLE + CAPTION + step[1] * (double)(i / across);
    }
}

int canvas_lay_out(struct canvas *p, const struct film_view *view, size_t windows, size_t across, bool own_scales,
                   size_t width, size_t height, struct error *e)
{
    double border[2];
    p->view = *view;
    p->window_count = windows;
    find_borders(border, windows, across, own_scales);
    const double in_row = (double)(windows < across ? windows : across), rows = ceil((double)windows / (double)across);
    const double extent[2] = {view->walls ? 4.0 * (view->box[2] - view->box[0]) : view->size[view->across],
                              view->walls ? 3.0 * (view->box[3] - view->box[1]) : view->size[view->up]};
    double scale = ((double)(width ? width : WIDTH) - border[0]) / (in_row * extent[0]);
    scale = fmin(scale, (height ? (double)height - border[1] : TALLEST) / (rows * extent[1]));
    p->view.scale = scale;
    p->view.columns = (size_t)fmax(0.0, floor(scale * extent[0]));
    p->view.rows = (size_t)fmax(0.0, floor(scale * extent[1]));
    if (!(scale > 0.0) || p->view.columns < LEAST_WINDOW || p->view.rows < LEAST_WINDOW / 4)
        return fail(e, ERROR_USAGE, "--size: too small for this view of the room; use %zux%zu or omit the option",
                    WIDTH, even(border[1] + 0.5 * (double)WIDTH));
    p->columns = width ? width : even(fmax(420.0, border[0] + in_row * (double)p->view.columns));
    p->rows = height ? height : even(border[1] + rows * (double)p->view.rows);
    place_windows(p, across, own_scales);
    return 0;
}

/* Replaces the minus sign by a hyphen, the only one in cairo's built-in font for machines without fonts. */
static void plain_minus(char *text)
{
    static const char minus[] = "\u2212";
    char *at = strstr(text, minus);
    if (!at)
        return;
    *at = '-';
    memmove(at + 1, at + strlen(minus), strlen(at + strlen(minus)) + 1);
}

/* Labels of the colour scale; the scale itself is painted later, on top of the drawing. */
static void draw_scale(struct drawing *d, const struct film_colours *c, const char *unit, double x, double y,
                       double height)
{
    const struct svg_axis axis = svg_axis_make(c->low, c->high, y + height, y, (int)fmin(9.0, height / 28.0) + 1);
    char label[32], text[64];
    double value;
    for (int i = 0; svg_axis_tick(&axis, i, &value, label); i++) {
        const double at = svg_axis_place(&axis, value);
        drawing_move(d, x + BAR, at);
        drawing_line(d, x + BAR + 4.0, at);
        drawing_stroke(d, DRAWING_FAINT, 1.0);
        plain_minus(label);
        drawing_text(d, x + BAR + 7.0, at + 4.5, FONT, "start", DRAWING_INK, label);
    }
    if (axis.exponent)
        snprintf(text, sizeof text, "1e%d %s", axis.exponent, unit);
    else
        snprintf(text, sizeof text, "%s", unit);
    drawing_text(d, x, y - 8.0, FONT, "start", DRAWING_INK, text);
}

static void paint_scale(struct canvas *p, const struct film_colours *c, double x, double y, size_t height)
{
    for (size_t row = 0; row < height; row++)
        for (size_t column = 0; column < (size_t)BAR; column++) {
            const size_t shade =
                (size_t)((double)(FILM_COLOURS - 1) * (double)(height - 1 - row) / (double)(height - 1) + 0.5);
            const size_t at = ((size_t)y + row) * p->columns + (size_t)x + column;
            p->overlay[at] = 0xff000000u | c->colour[shade];
        }
}

static double scale_place(const struct canvas *p, size_t window)
{
    return p->window[window].x + (double)p->view.columns + 10.0;
}

static size_t last_of_row(const struct canvas *p)
{
    size_t i = 0;
    while (i + 1 < p->window_count && p->window[i + 1].y <= p->window[0].y)
        i++;
    return i;
}

/* Marks on walls, with names that do not cover the previous one. */
static void draw_marks(const struct canvas_window *w, struct drawing *d, const struct slice_sampler *s,
                       const struct viewed_room *voxels)
{
    const double high = 13.0;
    double last[3] = {0.0, 0.0, -high}; /* of a name: from, to; base */
    for (size_t i = 0; i < voxels->mark_count; i++) {
        const double x = w->x + s->marks[i][0], y = w->y + s->marks[i][1];
        (voxels->marks[i].receiver ? room_view_receiver : room_view_source)(d, x, y, DRAWING_INK);
        const double from = x + 8.0, to = from + svg_text_width(voxels->marks[i].name, 12.0);
        if (fabs(y - last[2]) < high && from < last[1] && to > last[0])
            continue;
        drawing_text(d, from, y + 4.0, 12.0, "start", DRAWING_INK, voxels->marks[i].name);
        last[0] = from;
        last[1] = to;
        last[2] = y;
    }
}

/* Edges, marks and names of a window, and in the first window the legend of the materials along its edges. */
static int draw_window(const struct canvas *p, struct drawing *d, const struct model *m, const struct slice_sampler *s,
                       const struct viewed_room *voxels, size_t window, bool *used, struct error *e)
{
    const struct canvas_window *w = &p->window[window];
    if (w->caption)
        drawing_text(d, w->x, w->y - 7.0, FONT, "start", DRAWING_INK, w->caption);
    if (p->view.walls) {
        draw_marks(w, d, s, voxels);
        return 0;
    }
    struct room_view v = {.d = d,
                          .room = m->room,
                          .size = p->view.size,
                          .voxels = voxels,
                          .across = p->view.across,
                          .up = p->view.up,
                          .x = w->x,
                          .y = w->y + (double)p->view.rows,
                          .scale = p->view.scale,
                          .left = w->x - MARGIN,
                          .right = w->x + (double)p->view.columns + MARGIN,
                          .named = p->window_count == 1,
                          .over = true,
                          .used = used};
    v.cut[3 - p->view.across - p->view.up] = s->middle;
    return room_view_draw(&v, "", e);
}

static void draw_legend(const struct canvas *p, struct drawing *d, const struct viewed_room *voxels, const bool *used,
                        double y)
{
    double x = MARGIN;
    for (size_t i = 0; i < voxels->material_count; i++) {
        const double width = svg_text_width(voxels->materials[i], 12.0);
        if (!used[i] || x + 26.0 + width > (double)p->columns - 190.0) /* the rest is for the scale bar */
            continue;
        drawing_move(d, x, y - 4.0);
        drawing_line(d, x + 16.0, y - 4.0);
        drawing_stroke(d, room_view_colour(i), 3.0);
        drawing_text(d, x + 22.0, y, 12.0, "start", DRAWING_INK, voxels->materials[i]);
        x += 22.0 + width + 16.0;
    }
}

static void draw_foot(const struct canvas *p, struct drawing *d, const struct viewed_room *voxels, const bool *used)
{
    double y = (double)p->rows - PAPER_LINES_MAX * LINE - 12.0;
    draw_legend(p, d, voxels, used, y);
    if (!p->view.walls)
        room_view_scale(d, p->view.scale, (double)p->columns - MARGIN, y);
    for (size_t i = 0; i < PAPER_LINES_MAX && p->lines[i]; i++)
        drawing_text(d, MARGIN, y + 4.0 + LINE * (double)(i + 1), 12.0, "start", DRAWING_FAINT, p->lines[i]);
}

static int draw_sheet(struct canvas *p, struct drawing *d, const struct model *m, const struct slice_sampler *s,
                      const struct viewed_room *voxels, bool *used, struct error *e)
{
    drawing_text(d, MARGIN, 24.0, 16.0, "start", DRAWING_INK, p->title);
    for (size_t i = 0; i < p->window_count; i++)
        if (draw_window(p, d, m, s, voxels, i, used, e))
            return -1;
    const size_t last = last_of_row(p);
    if (p->colours)
        draw_scale(d, p->colours, p->unit, scale_place(p, last), p->window[last].y, (double)p->view.rows);
    for (size_t i = 0; i < p->window_count && !p->colours; i++)
        draw_scale(d, p->window[i].colours, p->window[i].unit, scale_place(p, i), p->window[i].y, (double)p->view.rows);
    draw_foot(p, d, voxels, used);
    return 0;
}

static void paint_scales(struct canvas *p)
{
    const size_t last = last_of_row(p);
    if (p->colours)
        paint_scale(p, p->colours, scale_place(p, last), p->window[last].y, p->view.rows);
    for (size_t i = 0; i < p->window_count && !p->colours; i++)
        paint_scale(p, p->window[i].colours, scale_place(p, i), p->window[i].y, p->view.rows);
}

int canvas_draw(struct canvas *p, const struct model *m, const struct slice_sampler *s, struct error *e)
{
    struct room_in_voxels v = {0};
    struct drawing *d = NULL;
    bool *used = calloc(m->room->material_count + 1, sizeof *used);
    p->picture = malloc(p->columns * p->rows * sizeof *p->picture);
    int status = used && p->picture
                     ? room_in_voxels_make(&v, m->room, m->voxels.set, m->grid.origin, m->grid.spacing, e)
                     : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = drawing_open_pixels(&d, p->columns, p->rows, e);
    if (!status && draw_sheet(p, d, m, s, &v.view, used, e)) {
        drawing_free(d);
        status = -1;
    } else if (!status) {
        status = drawing_finish_pixels(d, &p->overlay, e);
    }
    if (!status)
        paint_scales(p);
    room_in_voxels_free(&v);
    free(used);
    return status;
}

static uint32_t lit(uint32_t colour, unsigned light)
{
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8)
        result |= ((colour >> shift & 255u) * light + 127u) / 255u << shift;
    return result;
}

void canvas_begin(struct canvas *p)
{
    for (size_t i = 0; i < p->columns * p->rows; i++)
        p->picture[i] = PAPER;
}

void canvas_show(struct canvas *p, size_t window, const struct slice_sampler *s, const struct film_colours *colours,
                 const float *values)
{
    const size_t left = (size_t)p->window[window].x, top = (size_t)p->window[window].y;
    for (size_t row = 0; row < s->rows && !stop_requested(); row++) {
        uint32_t *to = p->picture + (top + row) * p->columns + left;
        for (size_t column = 0; column < s->columns; column++) {
            const size_t at = row * s->columns + column;
            to[column] = PAPER;
            if (s->nearest[at] == SCREEN_NONE)
                continue;
            const float value = slice_sampler_value(s, values, column, row);
            to[column] = isfinite(value) ? film_colour(colours, (double)value) : GAP_COLOUR;
            if (s->light)
                to[column] = lit(to[column], s->light[at]);
        }
    }
}

void canvas_lay_over(struct canvas *p)
{
    for (size_t i = 0; i < p->columns * p->rows; i++) {
        const uint32_t over = p->overlay[i], rest = 255u - (over >> 24);
        if (rest == 255u)
            continue;
        uint32_t colour = 0;
        for (int shift = 0; shift < 24; shift += 8)
            colour |= ((over >> shift & 255u) + ((p->picture[i] >> shift & 255u) * rest + 127u) / 255u) << shift;
        p->picture[i] = colour;
    }
}

int canvas_write(struct canvas *p, size_t window, const char *text, struct error *e)
{
    const size_t columns = p->view.columns < 160 ? p->view.columns : 160, rows = (size_t)CAPTION - 2;
    const size_t left = (size_t)p->window[window].x + p->view.columns - columns;
    const size_t top = (size_t)p->window[window].y - rows - 1;
    struct drawing *d;
    uint32_t *pixels;
    if (drawing_open_pixels(&d, columns, rows, e))
        return -1;
    drawing_text(d, (double)columns - 2.0, (double)rows - 6.0, FONT, "end", DRAWING_INK, text);
    if (drawing_finish_pixels(d, &pixels, e))
        return -1;
    for (size_t i = 0; i < columns * rows; i++) {
        const uint32_t rest = 255u - (pixels[i] >> 24);
        uint32_t colour = 0;
        for (int shift = 0; shift < 24; shift += 8)
            colour |= ((pixels[i] >> shift & 255u) + rest) << shift; /* on white */
        p->picture[(top + i / columns) * p->columns + left + i % columns] = colour;
    }
    free(pixels);
    return 0;
}

void canvas_free(struct canvas *p)
{
    free(p->overlay);
    free(p->picture);
    memset(p, 0, sizeof *p);
}

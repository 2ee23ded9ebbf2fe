/* SPDX-License-Identifier: MIT */
#include "present/report/room_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/drawing/svg_axis.h"
#include "present/views/section.h"
#include "room/label.h"

static int by_place(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Andrew's monotone chain (1979). */
static size_t hull(double out[][2], double points[][2], size_t count)
{
    size_t n = 0;
    qsort(points, count, sizeof *points, by_place);
    for (int half = 0; half < 2; half++) {
        const size_t start = n;
        for (size_t i = 0; i < count; i++) {
            double *point = points[half ? count - 1 - i : i];
            while (n >= start + 2 && turn(out[n - 2], out[n - 1], point) <= 0.0)
                n--;
            memcpy(out[n++], point, sizeof *points);
        }
        n--; /* the last point begins the other half */
    }
    return n;
}

/* A point on the rim of one end of a cylinder. */
static void rim_point(double point[3], const struct object *o, const double *end, double angle)
{
    double axis[3], across[3], third[3], length = 0.0;
    for (int i = 0; i < 3; i++)
        length = hypot(length, axis[i] = o->to[i] - o->from[i]);
    for (int i = 0; i < 3; i++)
        axis[i] = length > 0.0 ? axis[i] / length : i == 2;
    const int min = fabs(axis[0]) < 0.6 ? 0 : 1; /* an axis that is not along it */
    double norm = 0.0;
    for (int i = 0; i < 3; i++)
        norm = hypot(norm, across[i] = (i == min) - axis[i] * axis[min]);
    for (int i = 0; i < 3; i++)
        across[i] /= norm;
    for (int i = 0; i < 3; i++)
        third[i] = axis[(i + 1) % 3] * across[(i + 2) % 3] - axis[(i + 2) % 3] * across[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        point[i] = end[i] + o->radius * (across[i] * cos(angle) + third[i] * sin(angle));
}

size_t object_outline(double outline[OUTLINE_POINTS][2], const struct object *o, int across, int up)
{
    enum { RIM = 48 };
    double points[2 * RIM][2];
    size_t count = 0;
    for (int k = 0; k < (o->shape == SHAPE_BOX ? 8 : 2 * RIM); k++) {
        double p[3];
        if (o->shape == SHAPE_BOX)
            for (int i = 0; i < 3; i++)
                p[i] = k >> i & 1 ? o->to[i] : o->from[i];
        else
            rim_point(p, o, k < RIM ? o->from : o->to, 2.0 * M_PI * k / RIM);
        points[count][0] = p[across];
        points[count++][1] = p[up];
    }
    return hull(outline, points, count);
}

static double place_x(const struct room_view *v, double x)
{
    return v->x + v->scale * (x - v->room->lower[v->across]);
}

static double place_y(const struct room_view *v, double y)
{
    return v->y - v->scale * (y - v->room->lower[v->up]);
}

static bool is_free(const struct room_view *v, const double box[4])
{
    for (size_t i = 0; i < v->taken_count; i++) {
        const double *t = v->taken[i];
        if (box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3])
            return false;
    }
    return box[0] > v->left && box[2] < v->right;
}

static void take(struct room_view *v, double x0, double y0, double x1, double y1)
{
    if (v->taken_count < sizeof v->taken / sizeof *v->taken)
        memcpy(v->taken[v->taken_count++], (double[4]){x0, y0, x1, y1}, sizeof *v->taken);
}

/* Labels a mark if there is space next to it. */
static void label_mark(struct room_view *v, double x, double y, const char *text)
{
    const double width = svg_text_width(text, 12.0);
    const double tries[][2] = {{8.0, 4.0},           {-8.0 - width, 4.0},  {-0.5 * width, -9.0},
                               {-0.5 * width, 18.0}, {8.0, -7.0},          {8.0, 15.0},
                               {-8.0 - width, -7.0}, {-8.0 - width, 15.0}, {-0.5 * width, 30.0}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        const double left = x + tries[i][0], base = y + tries[i][1];
        const double box[4] = {left, base - 10.0, left + width, base + 2.0};
        if (!is_free(v, box))
            continue;
        take(v, box[0], box[1], box[2], box[3]);
        drawing_text(v->d, left, base, 12.0, "start", DRAWING_INK, text);
        return;
    }
}

int room_view_colour(size_t material)
{
    return DRAWING_SERIES + (int)(material % DRAWING_SERIES_COUNT);
}

static void draw_object(const struct room_view *v, size_t k)
{
    double outline[OUTLINE_POINTS][2];
    const struct object *o = &v->room->objects[k];
    const size_t count = object_outline(outline, o, v->across, v->up);
    for (size_t i = 0; i < count; i++)
        (i ? drawing_line : drawing_move)(v->d, place_x(v, outline[i][0]), place_y(v, outline[i][1]));
    drawing_close_path(v->d);
    drawing_fill(v->d, v->named ? room_view_colour(o->material) : DRAWING_SOLID, v->named ? 0.25 : 0.55);
    drawing_stroke(v->d, v->named ? room_view_colour(o->material) : DRAWING_FAINT, 1.0);
}

/* Labels an object near the centre of its part inside the room if there is space. */
static void label_object(struct room_view *v, size_t k)
{
    double outline[OUTLINE_POINTS][2], low[2], high[2];
    char text[LABEL];
    const int axes[2] = {v->across, v->up};
    const size_t count = object_outline(outline, &v->room->objects[k], v->across, v->up);
    for (int i = 0; i < 2; i++) {
        low[i] = v->size[axes[i]];
        high[i] = 0.0;
        for (size_t n = 0; n < count; n++) {
            low[i] = fmin(low[i], fmax(outline[n][i], 0.0));
            high[i] = fmax(high[i], fmin(outline[n][i], v->size[axes[i]]));
        }
    }
    const double x = place_x(v, 0.5 * (low[0] + high[0])), y = place_y(v, 0.5 * (low[1] + high[1])) + 3.5;
    const double half = 0.5 * svg_text_width(object_label(v->room, k, text), 11.0);
    static const double lines[] = {0.0, 12.0, -12.0, 24.0, -24.0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const double box[4] = {x - half, y + lines[i] - 9.0, x + half, y + lines[i] + 2.0};
        if (!is_free(v, box))
            continue;
        take(v, box[0], box[1], box[2], box[3]);
        drawing_text(v->d, x, y + lines[i], 11.0, "middle", DRAWING_INK, text);
        return;
    }
}

void room_view_source(struct drawing *d, double x, double y, int colour)
{
    drawing_move(d, x - 6.0, y + 5.0);
    drawing_line(d, x + 6.0, y + 5.0);
    drawing_line(d, x, y - 6.0);
    drawing_close_path(d);
    drawing_fill(d, colour, 1.0);
    drawing_stroke(d, colour, 1.0);
}

void room_view_receiver(struct drawing *d, double x, double y, int colour)
{
    drawing_circle(d, x, y, 4.5);
    drawing_fill(d, colour, 0.35);
    drawing_stroke(d, colour, 1.75);
}

/* "S2", or the name if the view shows names. */
static void mark_label(char text[LABEL], const struct room_view *v, size_t mark)
{
    const bool source = mark < v->room->source_count;
    const size_t index = source ? mark : mark - v->room->source_count;
    if (v->named)
        snprintf(text, LABEL, "%s", source ? v->room->sources[index].name : v->room->receivers[index].name);
    else
        snprintf(text, LABEL, "%c%zu", source ? 'S' : 'R', index + 1);
}

/* A section through voxels shows only nearby positions; a plan shows all. */
static bool is_seen(const struct room_view *v, const double at[3])
{
    static const double near = 0.5; /* m */
    const int axis = 3 - v->across - v->up;
    return !v->voxels || axis == 2 || fabs(at[axis] - v->cut[axis]) <= near;
}

static void draw_marks(struct room_view *v)
{
    const size_t sources = v->room->source_count, all = sources + v->room->receiver_count;
    for (int pass = 0; pass < 2; pass++) /* all marks first, so that no label covers a mark */
        for (size_t i = 0; i < all; i++) {
            const bool source = i < sources;
            const double *at =
                source ? v->room->sources[i].position : receiver_place(&v->room->receivers[i - sources], 0);
            const double x = place_x(v, at[v->across]), y = place_y(v, at[v->up]);
            char text[LABEL];
            if (!is_seen(v, at))
                continue;
            if (pass) {
                mark_label(text, v, i);
                label_mark(v, x, y, text);
                continue;
            }
            if (v->over) { /* light background that makes marks visible on any colour */
                drawing_circle(v->d, x, y, 8.0);
                drawing_fill(v->d, DRAWING_GRID, 0.85);
                drawing_stroke(v->d, DRAWING_GRID, 0.5);
            }
            if (source)
                room_view_source(v->d, x, y, v->named ? DRAWING_INK : DRAWING_SERIES + 1);
            else
                room_view_receiver(v->d, x, y, v->named ? DRAWING_INK : DRAWING_SERIES);
            take(v, x - 5.0, y - 5.0, x + 5.0, y + 5.0);
        }
}

/* Spikes reach up to the nearest wall of the view, within limits; those that point out of the page are short. */
static void draw_spikes(const struct room_view *v)
{
    static const double least = 36.0, most = 110.0; /* units */
    const struct room_spikes *s = v->spikes;
    double space = most;
    const int axes[2] = {v->across, v->up};
    for (int i = 0; i < 2; i++) {
        const double from = s->from[axes[i]] - v->room->lower[axes[i]];
        space = fmin(space, v->scale * fmin(from, v->size[axes[i]] - from));
    }
    const double reach = fmax(space, least);
    const double x = place_x(v, s->from[v->across]), y = place_y(v, s->from[v->up]);
    for (size_t i = 0; i < s->count; i++) {
        const struct room_spike *spike = &s->spike[i];
        const double right = x + reach * spike->length * spike->direction[v->across],
                     upper = y - reach * spike->length * spike->direction[v->up];
        drawing_move(v->d, x, y);
        drawing_line(v->d, right, upper);
        drawing_stroke(v->d, spike->colour, spike->bold ? 2.5 : 1.5);
        drawing_circle(v->d, right, upper, spike->bold ? 3.0 : 2.25);
        drawing_fill(v->d, spike->colour, 1.0);
        drawing_stroke(v->d, spike->colour, 0.5);
    }
}

static void draw_sizes(struct room_view *v, const char *title)
{
    const double *size = v->size;
    char text[48];
    drawing_text(v->d, v->x, v->y - v->scale * size[v->up] - 8.0, 12.0, "start", DRAWING_INK, title);
    snprintf(text, sizeof text, "%.4g m", size[v->across]);
    const double middle = v->x + 0.5 * v->scale * size[v->across], half = 0.5 * svg_text_width(text, 12.0);
    drawing_text(v->d, middle, v->y + 16.0, 12.0, "middle", DRAWING_FAINT, text);
    take(v, middle - half, v->y + 5.0, middle + half, v->y + 18.0);
    snprintf(text, sizeof text, "%.4g m", size[v->up]);
    const double centre = v->y - 0.5 * v->scale * size[v->up], reach = 0.5 * svg_text_width(text, 12.0);
    drawing_text_up(v->d, v->x - 8.0, centre, 12.0, "middle", DRAWING_FAINT, text);
    take(v, v->x - 18.0, centre - reach, v->x - 6.0, centre + reach);
}

/* One line, or each wall in the colour of its material. */
static void draw_walls(const struct room_view *v)
{
    const double corners[5][2] = {
        {0.0, 0.0}, {v->size[v->across], 0.0}, {v->size[v->across], v->size[v->up]}, {0.0, v->size[v->up]}, {0.0, 0.0}};
    const int walls[4] = {2 * v->up, 2 * v->across + 1, 2 * v->up + 1, 2 * v->across}; /* below, right, above, left */
    for (int i = 0; i < 4; i++) {
        if (i == 0 || v->named)
            drawing_move(v->d, place_x(v, corners[i][0]), place_y(v, corners[i][1]));
        if (i < 3 || v->named)
            drawing_line(v->d, place_x(v, corners[i + 1][0]), place_y(v, corners[i + 1][1]));
        if (v->named)
            drawing_stroke(v->d, room_view_colour(v->room->walls[walls[i]]), 3.0);
    }
    if (v->named)
        return;
    drawing_close_path(v->d);
    drawing_stroke(v->d, DRAWING_INK, 2.0);
}

/* Draws objects and the walls of a box as in the room file. */
static void draw_given(struct room_view *v)
{
    const double margin = 10.0; /* units beyond the room; the rest is clipped */
    drawing_clip(v->d, v->x - margin, place_y(v, v->size[v->up]) - margin, v->scale * v->size[v->across] + 2.0 * margin,
                 v->scale * v->size[v->up] + 2.0 * margin);
    for (size_t k = 0; k < v->room->object_count; k++)
        draw_object(v, k);
    drawing_unclip(v->d);
    draw_walls(v);
}

static int draw_voxels(const struct room_view *v, struct error *e)
{
    const double *lower = v->room->lower;
    const struct section_place place = {.across = v->across,
                                        .up = v->up,
                                        .cut = v->cut[3 - v->across - v->up],
                                        .x = v->x,
                                        .y = v->y,
                                        .scale = v->scale,
                                        .from = {lower[0], lower[1], lower[2]}};
    if (v->over)
        return section_draw_edges(&place, v->voxels, v->d, v->used, e);
    return section_draw(&place, v->voxels, v->d, e);
}

static bool is_cut(const struct room_view *v, size_t k)
{
    const int axis = 3 - v->across - v->up;
    double lower[3], upper[3];
    object_bounds(&v->room->objects[k], lower, upper);
    return lower[axis] <= v->cut[axis] && v->cut[axis] <= upper[axis];
}

/* Labels objects in a cut through voxels, unnamed ones by a number on a page that lists them. */
static bool is_labelled(const struct room_view *v, size_t k)
{
    return (v->room->objects[k].name || (v->named && !v->over)) && (!v->voxels || is_cut(v, k));
}

static int draw_over(struct room_view *v, struct error *e)
{
    if (draw_voxels(v, e))
        return -1;
    draw_marks(v);
    for (size_t k = 0; k < v->room->object_count; k++)
        if (is_labelled(v, k))
            label_object(v, k);
    return 0;
}

int room_view_draw(struct room_view *v, const char *title, struct error *e)
{
    if (v->over)
        return draw_over(v, e);
    char text[64];
    snprintf(text, sizeof text, "%s", title);
    if (v->voxels) {
        const int axis = 3 - v->across - v->up;
        snprintf(text, sizeof text, "%s at %c = %.4g m", title, 'x' + axis, v->cut[axis]);
        if (draw_voxels(v, e))
            return -1;
    } else {
        draw_given(v);
    }
    draw_sizes(v, text);
    if (v->spikes)
        draw_spikes(v);
    draw_marks(v);
    for (size_t k = 0; k < v->room->object_count; k++)
        if (is_labelled(v, k))
            label_object(v, k);
    return 0;
}

void room_view_scale(struct drawing *d, double scale, double right, double y)
{
    char text[32];
    double length = pow(10.0, floor(log10(120.0 / scale)));
    for (int k = 5; k > 1; k -= 3) /* 5 or 2 times that, where it fits */
        if (k * length * scale <= 120.0) {
            length *= k;
            break;
        }
    const double left = right - scale * length;
    drawing_move(d, left, y - 4.0);
    drawing_line(d, left, y);
    drawing_line(d, right, y);
    drawing_line(d, right, y - 4.0);
    drawing_stroke(d, DRAWING_FAINT, 1.5);
    snprintf(text, sizeof text, "%g m", length);
    drawing_text(d, left - 6.0, y + 2.0, 12.0, "end", DRAWING_FAINT, text);
}

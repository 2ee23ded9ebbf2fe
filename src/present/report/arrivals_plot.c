/* SPDX-License-Identifier: MIT */
#include "present/report/arrivals_plot.h"

#include <math.h>

#include "dsp/space/harmonics.h"
#include "io/drawing/drawing.h"
#include "io/drawing/svg_axis.h"
#include "io/text_stream.h"
#include "present/report/room_plan.h"
#include "present/report/room_views.h"
#include "present/report/tables.h"

static const double WIDTH = 480.0, HEIGHT = 280.0, RADIUS = 98.0, LETTERS = 12.0, SMALL = 11.0; /* units */
static const double ABOVE_X = 148.0, SIDE_X = 328.0, CENTRE_Y = 140.0;
static const double STEEP = 60.0; /* degrees of elevation beyond which the azimuth means little */
static const double TEXT_ROOM = 10.0;

enum { PERIODS = 4 };
static const struct {
    double until; /* s after the direct sound */
    int colour;
    const char *name;
} periods[PERIODS] = {{0.0, DRAWING_INK, "direct sound"},
                      {0.02, DRAWING_SERIES + 1, "up to 20 ms"},
                      {0.05, DRAWING_SERIES + 4, "20 to 50 ms"},
                      {INFINITY, DRAWING_SERIES, "50 to 80 ms"}};

static int colour_of(const struct arrival *a)
{
    size_t i = 0;
    while (a->time > periods[i].until)
        i++;
    return periods[i].colour;
}

/* 0 at ARRIVALS_LEAST, 1 at the level of the direct sound; a louder arrival lies beyond the rim, but not far. */
static double share_of(const struct arrival *a)
{
    return fmin(fmax(1.0 - a->level / ARRIVALS_LEAST, 0.0), 1.08);
}

/* Areas that labels have taken. */
struct labels {
    double taken[4 * ARRIVALS_MAX + 16][4];
    size_t count;
};

static void take(struct labels *l, double x0, double y0, double x1, double y1)
{
    double *t = l->taken[l->count];
    if (l->count == sizeof l->taken / sizeof *l->taken)
        return;
    t[0] = x0, t[1] = y0, t[2] = x1, t[3] = y1;
    l->count++;
}

static bool is_free(const struct labels *l, double x0, double y0, double x1, double y1)
{
    for (size_t i = 0; i < l->count; i++)
        if (x0 < l->taken[i][2] && l->taken[i][0] < x1 && y0 < l->taken[i][3] && l->taken[i][1] < y1)
            return false;
    return true;
}

static void fixed_label(struct drawing *d, struct labels *l, double x, double y, const char *anchor, const char *text)
{
    const double width = svg_text_width(text, SMALL), left = *anchor == 's'   ? x
                                                             : *anchor == 'e' ? x - width
                                                                              : x - 0.5 * width;
    drawing_text(d, x, y, SMALL, anchor, DRAWING_FAINT, text);
    take(l, left - 6.0, y - TEXT_ROOM, left + width + 6.0, y + 3.0);
}

/* Rings every 10 dB. half: only the right half. */
static void draw_rings(struct drawing *d, struct labels *l, double x, double y, bool half)
{
    for (int k = 1; k <= 3; k++) {
        const double r = RADIUS * k / 3.0;
        if (half)
            drawing_clip(d, x, y - RADIUS - 1.0, RADIUS + 2.0, 2.0 * RADIUS + 2.0);
        drawing_circle(d, x, y, r);
        drawing_stroke(d, DRAWING_GRID, k == 3 ? 1.5 : 1.0);
        if (half)
            drawing_unclip(d);
        char text[16];
        snprintf(text, sizeof text, k == 3 ? "0 dB" : "−%d", 30 - 10 * k);
        if (!half)
            fixed_label(d, l, x + r * 0.7071 + 3.0, y + r * 0.7071 + 9.0, "start", text);
    }
    drawing_move(d, half ? x : x - RADIUS, y);
    drawing_line(d, x + RADIUS, y);
    drawing_move(d, x, y - RADIUS);
    drawing_line(d, x, y + RADIUS);
    drawing_stroke(d, DRAWING_GRID, 1.0);
}

static void place_of(double at[2], const struct arrival *a, bool above)
{
    const double angle = (above ? arrival_azimuth(a) : arrival_elevation(a)) * M_PI / 180.0, r = RADIUS * share_of(a);
    at[0] = above ? ABOVE_X - r * sin(angle) : SIDE_X + r * cos(angle);
    at[1] = CENTRE_Y - (above ? r * cos(angle) : r * sin(angle));
}

/* A steep arrival is an open circle in the azimuth plot, because its azimuth means little. */
static void draw_stem(struct drawing *d, const struct arrival *a, bool above)
{
    double at[2];
    place_of(at, a, above);
    drawing_move(d, above ? ABOVE_X : SIDE_X, CENTRE_Y);
    drawing_line(d, at[0], at[1]);
    drawing_stroke(d, colour_of(a), a->time > 0.0 ? 1.25 : 2.0);
    drawing_circle(d, at[0], at[1], 3.5);
    if (!(above && fabs(arrival_elevation(a)) > STEEP))
        drawing_fill(d, colour_of(a), 1.0);
    drawing_stroke(d, colour_of(a), 1.25);
}

/* The number of an arrival next to its dot, outwards first; left out if there is no space, as the table has it. */
static void draw_number(struct drawing *d, struct labels *l, const struct arrival *a, size_t index, bool above)
{
    double at[2];
    char text[24];
    snprintf(text, sizeof text, "%zu", index + 1);
    place_of(at, a, above);
    const double width = svg_text_width(text, SMALL), x = at[0] - (above ? ABOVE_X : SIDE_X), y = at[1] - CENTRE_Y;
    const double outwards = atan2(y, x);
    static const double turns[] = {0.0, 0.6, -0.6, 1.2, -1.2, 1.8, -1.8, 2.5, -2.5};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        const double middle_x = at[0] + 11.0 * cos(outwards + turns[i]),
                     middle_y = at[1] + 11.0 * sin(outwards + turns[i]);
        const double left = middle_x - 0.5 * width, base = middle_y + 4.0;
        if (!is_free(l, left, base - 9.0, left + width, base + 1.0))
            continue;
        drawing_text(d, middle_x, base, SMALL, "middle", DRAWING_INK, text);
        take(l, left, base - 9.0, left + width, base + 1.0);
        return;
    }
}

int arrivals_polar(FILE *stream, const struct arrivals *a, const char *name, struct error *e)
{
    struct drawing *d;
    if (drawing_open(&d, name, WIDTH, HEIGHT, e))
        return -1;
    for (int view = 0; view < 2; view++) {
        const bool above = view == 0;
        const double x = above ? ABOVE_X : SIDE_X;
        struct labels labels = {.count = 0};
        draw_rings(d, &labels, x, CENTRE_Y, !above);
        if (above) {
            fixed_label(d, &labels, x, CENTRE_Y - RADIUS - 20.0, "middle", "front");
            fixed_label(d, &labels, x - RADIUS - 22.0, CENTRE_Y + 4.0, "end", "left");
            fixed_label(d, &labels, x + RADIUS + 20.0, CENTRE_Y + 4.0, "start", "right");
            fixed_label(d, &labels, x, CENTRE_Y + RADIUS + 28.0, "middle", "back");
        } else {
            fixed_label(d, &labels, x, CENTRE_Y - RADIUS - 20.0, "middle", "up");
            fixed_label(d, &labels, x + RADIUS + 20.0, CENTRE_Y + 4.0, "start", "0°");
            fixed_label(d, &labels, x, CENTRE_Y + RADIUS + 28.0, "middle", "down");
        }
        drawing_text(d, above ? 8.0 : SIDE_X - 40.0, 14.0, LETTERS, above ? "start" : "end", DRAWING_INK,
                     above ? "azimuth" : "elevation");
        for (size_t i = a->count; i-- > 0;) { /* the first on top */
            double at[2];
            place_of(at, &a->at[i], above);
            take(&labels, at[0] - 4.0, at[1] - 4.0, at[0] + 4.0, at[1] + 4.0);
            draw_stem(d, &a->at[i], above);
        }
        for (size_t i = 0; i < a->count; i++)
            draw_number(d, &labels, &a->at[i], i, above);
    }
    return drawing_finish(d, "Azimuth and elevation of the first arrivals", stream, e);
}

static void keys(FILE *stream)
{
    fputs("<div class=\"keys\">", stream);
    for (size_t i = 0; i < PERIODS; i++) {
        char variable[32];
        fprintf(stream, "<span style=\"--key:%s\">%s</span>", drawing_variable(periods[i].colour, variable),
                periods[i].name);
    }
    fputs("</div>\n", stream);
}

static void table(FILE *stream, const struct arrivals *a)
{
    fputs("<div class=\"wide\"><table><thead><tr><th "
          "scope=\"col\">arrival</th><th>delay<br><i>ms</i></th><th>level<br><i>dB</i></th><th>azimuth<br><i>°</i></"
          "th><th>elevation<br><i>°</i></th></tr></thead><tbody>\n",
          stream);
    for (size_t i = 0; i < a->count; i++) {
        const double values[4] = {1000.0 * a->at[i].time, a->at[i].level, arrival_azimuth(&a->at[i]),
                                  arrival_elevation(&a->at[i])};
        fprintf(stream, "<tr><th scope=\"row\">%zu</th>", i + 1);
        for (int k = 0; k < 4; k++) {
            fputs("<td>", stream);
            write_number(stream, k < 2 ? 1 : 0, values[k]);
            fputs("</td>", stream);
        }
        fputs("</tr>\n", stream);
    }
    fprintf(stream,
            "</tbody></table></div>\n<p class=\"notes\">The strongest arrivals within %.0f ms and %.0f dB of the "
            "direct sound, between %.0f and %.0f Hz. Delay and level are relative to the direct sound. Azimuth is "
            "positive to the left of the receiver’s front; open circles there mark arrivals steeper than %.0f°.</p>\n",
            1000.0 * ARRIVALS_LAST, -ARRIVALS_LEAST, a->low, a->high, STEEP);
}

/* Spikes from the receiver in the directions of arrival, in the axes of the room. */
static int hedgehog(FILE *stream, const struct subject *s, const struct arrivals *a, const char *name,
                    const struct viewed_room *voxels, struct error *e)
{
    struct room_spikes spikes = {.count = a->count};
    const double *place = receiver_place(&s->room->receivers[0], 0);
    for (int i = 0; i < 3; i++)
        spikes.from[i] = place[i];
    for (size_t i = 0; i < a->count; i++) {
        struct room_spike *spike = &spikes.spike[a->count - 1 - i]; /* the first on top */
        turn_apply(spike->direction, &s->recording.space.orientation, a->at[i].direction);
        spike->length = share_of(&a->at[i]);
        spike->colour = colour_of(&a->at[i]);
        spike->bold = i == 0;
    }
    return room_plan(stream, s->room, s->size, voxels, &spikes, name, e);
}

int arrivals_write(FILE *stream, const struct subject *s, size_t file, const struct viewed_room *voxels,
                   struct error *e)
{
    struct arrivals a;
    char name[32];
    if (s->recording.space.field_channels < 4)
        return 0;
    if (arrivals_find(&a, &s->recording, s->channel[0].arrival + s->recording.delay, e))
        return -1;
    if (a.count < 2) {
        fputs("<p class=\"notes\">First arrivals are not shown: fewer than two could be separated in the valid "
              "band.</p>\n",
              stream);
        return 0;
    }
    fputs("<div class=\"pair\">\n<figure><figcaption><b>First arrivals</b> level and direction, numbered in order of "
          "arrival</figcaption>\n",
          stream);
    snprintf(name, sizeof name, "p%zu", file + 1);
    if (arrivals_polar(stream, &a, name, e))
        return -1;
    keys(stream);
    table(stream, &a);
    fputs("</figure>\n", stream);
    if (s->room && s->room->receiver_count) {
        fputs("<figure><figcaption><b>First arrivals in the room</b> spikes point in the direction of arrival; their "
              "length shows the level</figcaption>\n",
              stream);
        snprintf(name, sizeof name, "h%zu", file + 1);
        if (hedgehog(stream, s, &a, name, voxels, e))
            return -1;
        keys(stream);
        fputs("</figure>\n", stream);
    }
    fputs("</div>\n", stream);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* The candidates on the floor plan. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/drawing/colour_map.h"
#include "io/drawing/drawing.h"
#include "present/place/files.h"
#include "present/report/room_in_voxels.h"
#include "present/report/room_views.h"

static const double WIDTH = 760.0, TALLEST = 620.0; /* units */
static const double SIDE = 40.0, HEAD = 84.0, FOOT = 78.0;
static const double PATCH_MOST = 26.0, PATCH_LEAST = 6.0, RADIUS = 9.0;
enum { SHADES = 64 };

struct sheet {
    const struct place *place;
    struct drawing *d;
    double x, y, scale, low, high;
    const double *lower;
};

static void across(const struct sheet *s, const double at[3], double to[2])
{
    to[0] = s->x + s->scale * (at[0] - s->lower[0]);
    to[1] = s->y - s->scale * (at[1] - s->lower[1]);
}

static void range(struct sheet *s)
{
    s->low = INFINITY;
    s->high = -INFINITY;
    for (size_t i = 0; i < s->place->candidates.count; i++) {
        s->low = fmin(s->low, s->place->found.least[i]);
        s->high = fmax(s->high, s->place->found.least[i]);
    }
    if (!(s->high - s->low > 1e-3)) {
        s->low -= 0.5;
        s->high += 0.5;
    }
}

/* Light is even. */
static uint32_t colour_of(const struct sheet *s, double spread)
{
    return map_colour((s->high - spread) / (s->high - s->low));
}

/* Units: squares that leave a gap to the nearest other one. */
static double patch_size(const struct sheet *s)
{
    const struct place_points *points = &s->place->candidates;
    double nearest = PATCH_MOST / s->scale;
    for (size_t i = 0; i < points->count; i++)
        for (size_t k = 0; k < i; k++) {
            const double distance =
                fmax(fabs(points->at[i][0] - points->at[k][0]), fabs(points->at[i][1] - points->at[k][1]));
            nearest = distance > 1e-3 ? fmin(nearest, distance) : nearest;
        }
    return fmax(PATCH_LEAST, 0.85 * s->scale * nearest);
}

static void draw_candidates(const struct sheet *s)
{
    const double size = patch_size(s);
    for (size_t i = 0; i < s->place->candidates.count; i++) {
        const uint32_t pixel = colour_of(s, s->place->found.least[i]);
        double at[2];
        across(s, s->place->candidates.at[i], at);
        drawing_image(s->d, at[0] - 0.5 * size, at[1] - 0.5 * size, size, size, &pixel, 1, 1);
    }
}

static void draw_scale(const struct sheet *s, double top)
{
    uint32_t shades[SHADES];
    char text[64];
    for (int i = 0; i < SHADES; i++)
        shades[i] = map_colour((double)i / (SHADES - 1));
    drawing_image(s->d, SIDE, top, 200.0, 12.0, shades, SHADES, 1);
    snprintf(text, sizeof text, "%.1f dB", s->high);
    drawing_text(s->d, SIDE, top + 27.0, 12.0, "start", DRAWING_FAINT, text);
    snprintf(text, sizeof text, "%.1f dB", s->low);
    drawing_text(s->d, SIDE + 200.0, top + 27.0, 12.0, "end", DRAWING_FAINT, text);
    drawing_text(s->d, SIDE + 216.0, top + 11.0, 12.0, "start", DRAWING_INK,
                 "least spread of a set that holds the place, equal signals, dB");
}

static void draw_winner(const struct sheet *s)
{
    char text[24];
    double at[2];
    for (size_t i = 0; i < s->place->seats.count; i++) {
        across(s, s->place->seats.at[i], at);
        room_view_receiver(s->d, at[0], at[1], DRAWING_INK);
    }
    for (size_t k = 0; k < s->place->winner.count; k++) {
        across(s, s->place->candidates.at[s->place->winner.candidate[k]], at);
        drawing_circle(s->d, at[0], at[1], RADIUS + 4.0);
        drawing_stroke(s->d, DRAWING_SERIES + 3, 3.0);
        snprintf(text, sizeof text, "%zu", k + 1);
        drawing_text(s->d, at[0] + RADIUS + 8.0, at[1] - RADIUS, 14.0, "start", DRAWING_INK, text);
    }
}

static int draw(struct sheet *s, const struct model *m, const struct viewed_room *voxels, const double size[3],
                struct error *e)
{
    char text[256];
    struct room bare = *m->room;
    bare.source_count = bare.receiver_count = 0;
    struct room_view view = {.d = s->d,
                             .room = &bare,
                             .size = size,
                             .voxels = voxels,
                             .across = 0,
                             .up = 1,
                             .x = s->x,
                             .y = s->y,
                             .scale = s->scale,
                             .right = WIDTH};
    room_cut_place(view.cut, &bare, size);
    view.cut[2] = s->place->candidates.at[0][2];
    if (room_view_draw(&view, "", e))
        return -1;
    snprintf(text, sizeof text, "%.200s", m->room->path);
    drawing_text(s->d, SIDE, 28.0, 17.0, "start", DRAWING_INK, text);
    snprintf(text, sizeof text, "%zu sub%s, %zu seat%s, %g to %g Hz: spread %.1f dB", s->place->winner.count,
             s->place->winner.count == 1 ? "" : "s", s->place->seats.count, s->place->seats.count == 1 ? "" : "s",
             s->place->wish.low, s->place->wish.high, s->place->winner.score.spread);
    drawing_text(s->d, SIDE, 48.0, 12.0, "start", DRAWING_FAINT, text);
    draw_candidates(s);
    draw_winner(s);
    draw_scale(s, s->y + 34.0);
    room_view_scale(s->d, s->scale, WIDTH - SIDE, s->y + 46.0);
    return 0;
}

static int draw_sheet(FILE *stream, struct sheet *s, const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    struct room_in_voxels in_voxels = {0};
    double size[3];
    for (int k = 0; k < 3; k++)
        size[k] = room->sized_by_points ? m->grid.size[k] : room->size[k];
    s->scale = fmin((WIDTH - 2.0 * SIDE) / size[0], TALLEST / size[1]);
    s->x = 0.5 * (WIDTH - s->scale * size[0]);
    s->y = HEAD + s->scale * size[1];
    range(s);
    const bool plain = room_is_plain(room);
    if (!plain && room_in_voxels_make(&in_voxels, room, m->voxels.set, m->grid.origin, m->grid.spacing, e))
        return -1;
    int status = drawing_open(&s->d, NULL, WIDTH, s->y + FOOT, e);
    if (!status) {
        status = draw(s, m, plain ? NULL : &in_voxels.view, size, e);
        if (status)
            drawing_free(s->d);
        else
            status = drawing_finish(s->d, "Places for subs on the floor of the room", stream, e);
    }
    room_in_voxels_free(&in_voxels);
    return status;
}

int place_picture(FILE *stream, const struct place *place, const struct room *room, struct error *e)
{
    struct room bare = *room;
    struct model *m = NULL;
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES};
    bare.source_count = bare.receiver_count = bare.instrument_count = 0;
    bare.pickup_count = bare.event_count = 0;
    struct sheet s = {.place = place, .lower = room->lower};
    if (bare.grid.max_frequency > 1000.0)
        bare.grid.max_frequency = 1000.0;
    int status = model_make_for(&m, &bare, &use, e);
    if (!status)
        status = draw_sheet(stream, &s, m, e);
    model_free(m);
    return status ? -1 : 0;
}

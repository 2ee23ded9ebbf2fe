/* SPDX-License-Identifier: MIT */
#include "present/report/room_page.h"

#include <math.h>
#include <stdlib.h>

#include "base/output_file.h"
#include "base/text.h"
#include "io/text_stream.h"
#include "present/report/room_in_voxels.h"
#include "present/report/room_views.h"
#include "room/label.h"

static const double WIDTH = 900.0, SIDE = 44.0, HEAD = 88.0, GAP = 56.0, TALLEST = 640.0, LINE = 18.0, INDENT = 24.0;
enum { ROWS_MAX = 60 }; /* of a list; the rest is only counted */

struct page {
    const struct model *m;
    const struct viewed_room *voxels;
    double size[3]; /* m, as drawn */
    double scale;   /* units a metre */
    double top;     /* of the lists */
    struct drawing *d;
    double y; /* base of the next line */
};

static void write_at(const struct page *p, double x, int colour, const char *text)
{
    drawing_text(p->d, x, p->y, 12.0, "start", colour, text);
}

static void heading(struct page *p, const char *text)
{
    p->y += 1.6 * LINE;
    drawing_text(p->d, SIDE, p->y, 14.0, "start", DRAWING_INK, text);
    p->y += 0.3 * LINE;
}

/* Height of a list of `count` items with its heading, units. */
static double list_height(size_t count)
{
    const double rows = (double)(count > ROWS_MAX ? ROWS_MAX + 1 : count);
    return count ? (1.9 + rows) * LINE : 0.0;
}

static bool goes_on(struct page *p, size_t index, size_t count)
{
    char text[48];
    p->y += LINE;
    if (index < ROWS_MAX)
        return true;
    snprintf(text, sizeof text, "and %zu more", count - index);
    write_at(p, SIDE + INDENT, DRAWING_FAINT, text);
    return false;
}

static void square(const struct page *p, size_t material)
{
    const double left = SIDE, right = SIDE + 14.0, top = p->y - 10.0, bottom = p->y + 1.0;
    drawing_move(p->d, left, top);
    drawing_line(p->d, right, top);
    drawing_line(p->d, right, bottom);
    drawing_line(p->d, left, bottom);
    drawing_close_path(p->d);
    drawing_fill(p->d, room_view_colour(material), 0.4);
    drawing_stroke(p->d, room_view_colour(material), 1.5);
}

static void list_materials(struct page *p)
{
    const struct model *m = p->m;
    char text[96];
    heading(p, "Materials");
    drawing_text(p->d, 300.0, p->y, 12.0, "end", DRAWING_FAINT, "area, m²");
    for (size_t b = 0; b < m->bands; b++) {
        snprintf(text, sizeof text, "%g Hz", octave_band_centre[b]);
        drawing_text(p->d, 370.0 + 62.0 * (double)b, p->y, 12.0, "end", DRAWING_FAINT, text);
    }
    for (size_t i = 0; i < m->room->material_count && goes_on(p, i, m->room->material_count); i++) {
        square(p, i);
        write_at(p, SIDE + INDENT, DRAWING_INK, m->room->materials[i].name);
        snprintf(text, sizeof text, "%.1f", m->space.area[i]);
        drawing_text(p->d, 300.0, p->y, 12.0, "end", DRAWING_INK, text);
        for (size_t b = 0; b < m->bands; b++) {
            snprintf(text, sizeof text, "%.2f", m->walls[i].fitted[b]);
            drawing_text(p->d, 370.0 + 62.0 * (double)b, p->y, 12.0, "end", DRAWING_INK,
                         isnan(m->walls[i].fitted[b]) ? "–" : text);
        }
    }
}

static void list_objects(struct page *p)
{
    const struct room *room = p->m->room;
    heading(p, "Objects");
    for (size_t i = 0; i < room->object_count && goes_on(p, i, room->object_count); i++) {
        const struct object *o = &room->objects[i];
        char label[LABEL], text[256], radius[48] = "";
        if (o->shape == SHAPE_CYLINDER)
            snprintf(radius, sizeof radius, ", radius %.4g m", o->radius);
        snprintf(text, sizeof text, "%s from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m%s, %s",
                 o->shape == SHAPE_BOX ? "box" : "cylinder", o->from[0], o->from[1], o->from[2], o->to[0], o->to[1],
                 o->to[2], radius, room->materials[o->material].name);
        square(p, o->material);
        write_at(p, SIDE + INDENT, DRAWING_INK, object_label(room, i, label));
        write_at(p, 200.0, DRAWING_INK, text);
    }
}

static void list_place(struct page *p, const char *name, const double position[3])
{
    char text[96];
    snprintf(text, sizeof text, "(%.4g, %.4g, %.4g) m", position[0], position[1], position[2]);
    write_at(p, SIDE + INDENT, DRAWING_INK, name);
    write_at(p, 300.0, DRAWING_INK, text);
}

static void list_places(struct page *p)
{
    const struct room *room = p->m->room;
    if (room->source_count)
        heading(p, "Sources");
    for (size_t i = 0; i < room->source_count && goes_on(p, i, room->source_count); i++) {
        room_view_source(p->d, SIDE + 7.0, p->y - 4.0, DRAWING_INK);
        list_place(p, room->sources[i].name, room->sources[i].position);
    }
    if (room->receiver_count)
        heading(p, "Receivers");
    for (size_t i = 0; i < room->receiver_count && goes_on(p, i, room->receiver_count); i++) {
        room_view_receiver(p->d, SIDE + 7.0, p->y - 4.0, DRAWING_INK);
        list_place(p, room->receivers[i].name, receiver_place(&room->receivers[i], 0));
    }
}

/* The plan; below it the section seen from y = 0, and to the right of that the section seen from x = 0. */
static int draw_views(const struct page *p, struct error *e)
{
    const double plan = HEAD + p->scale * p->size[1], section = plan + GAP + p->scale * p->size[2];
    const double second = SIDE + p->scale * p->size[0] + GAP;
    struct room_view v = {.d = p->d,
                          .room = p->m->room,
                          .size = p->size,
                          .voxels = room_is_plain(p->m->room) ? NULL : p->voxels,
                          .across = 0,
                          .up = 1,
                          .x = SIDE,
                          .y = plan,
                          .scale = p->scale,
                          .right = WIDTH,
                          .named = true};
    room_cut_place(v.cut, p->m->room, p->size);
    struct room_view front = v, side = v;
    front.up = side.up = 2;
    front.y = side.y = section;
    front.right = second - 0.5 * GAP;
    side.across = 1;
    side.left = second - 0.4 * GAP;
    side.x = second;
    if (room_view_draw(&v, "plan (x, y)", e) || room_view_draw(&front, "section (x, z)", e) ||
        room_view_draw(&side, "section (y, z)", e))
        return -1;
    room_view_scale(p->d, p->scale, WIDTH - SIDE, HEAD - 8.0);
    return 0;
}

static void lay_out(struct page *p)
{
    const struct room *room = p->m->room;
    for (int i = 0; i < 3; i++)
        p->size[i] = room->sized_by_points ? p->m->grid.size[i] : room->size[i];
    p->scale =
        fmin((WIDTH - 2.0 * SIDE - GAP) / (p->size[0] + p->size[1]), (TALLEST - GAP) / (p->size[1] + p->size[2]));
    p->top = HEAD + p->scale * (p->size[1] + p->size[2]) + GAP + 24.0;
}

static int draw_page(struct page *p, FILE *stream, struct error *e)
{
    const struct room *room = p->m->room;
    char text[512];
    lay_out(p);
    char volume[PLAIN_TEXT], surface[PLAIN_TEXT];
    p->y = p->top;
    const double height = p->top + list_height(room->material_count) + list_height(room->object_count) +
                          list_height(room->source_count) + list_height(room->receiver_count) + LINE;
    if (drawing_open(&p->d, NULL, WIDTH, height, e))
        return -1;
    snprintf(text, sizeof text, "%.400s", room->path);
    drawing_text(p->d, SIDE, 32.0, 18.0, "start", DRAWING_INK, text);
    snprintf(text, sizeof text,
             "%.4g × %.4g × %.4g m, volume %s m³, surface %s m²; grid spacing %.4g mm, grid rate %.6g Hz", p->size[0],
             p->size[1], p->size[2], text_plain(volume, p->m->space.volume, 4),
             text_plain(surface, p->m->space.surface, 4), 1000.0 * p->m->grid.spacing, p->m->grid.rate);
    drawing_text(p->d, SIDE, 52.0, 12.0, "start", DRAWING_FAINT, text);
    if (draw_views(p, e)) {
        drawing_free(p->d);
        return -1;
    }
    list_materials(p);
    if (room->object_count)
        list_objects(p);
    list_places(p);
    return drawing_finish(p->d, "Plan and sections of the room", stream, e);
}

int room_page_write(const char *path, const struct model *m, const struct viewed_room *voxels, struct error *e)
{
    struct page p = {.m = m, .voxels = voxels};
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = draw_page(&p, stream, e);
    char *text = text_stream_close(&page, NULL);
    if (!text && !status)
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = output_file_text(path, text, e);
    free(text);
    return status;
}

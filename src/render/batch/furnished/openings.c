/* SPDX-License-Identifier: MIT */
/* Doors, windows with curtains, and the blackboard. */
#include "render/batch/furnished/sketch.h"

enum { FROM_CORNER = 100 };

struct rect opening_zone(const struct opening *o, int depth)
{
    struct frame f = o->wall;
    frame_point(f.at, &o->wall, o->from, 0);
    return frame_rect(&f, o->to - o->from, depth);
}

/* Whether nothing else is on this part of the wall, with the floor before a door inside the room. */
static bool fits(const struct sketch *s, const struct opening *o)
{
    const struct rect zone = opening_zone(o, o->surface == SURFACE_DOOR ? SWING + 100 : STEP);
    if (!outline_contains(s, &zone) || s->opening_count == OPENINGS_MAX)
        return false;
    for (size_t i = 0; i < s->opening_count; i++) {
        const struct opening *other = &s->openings[i];
        const struct rect taken = opening_zone(other, other->surface == SURFACE_DOOR ? SWING : STEP);
        if (rects_overlap(&zone, &taken))
            return false;
    }
    return true;
}

static bool add(struct sketch *s, const struct opening *o)
{
    if (!fits(s, o))
        return false;
    s->openings[s->opening_count++] = *o;
    return true;
}

/* A wall with room for `width`, by its length; false: there is none. */
static bool draw_wall(const struct sketch *s, struct opening *o, int width, bool outer, struct random *r)
{
    int lengths[CORNERS_MAX], total = 0, length;
    for (size_t i = 0; i < s->corner_count; i++) {
        const struct frame wall = outline_wall(s, i, &length);
        const int far = wall.along[0] ? s->size[1] : s->size[0], at = wall.along[0] ? wall.at[1] : wall.at[0];
        const bool is_outer = at == 0 || at == far;
        lengths[i] = length >= width + 2 * FROM_CORNER && (is_outer || !outer) ? length : 0;
        total += lengths[i];
    }
    if (!total)
        return false;
    int at = (int)random_between(r, 0, (size_t)total - 1);
    size_t side = 0;
    while (at >= lengths[side])
        at -= lengths[side++];
    o->wall = outline_wall(s, side, &length);
    o->from = draw_length(r, FROM_CORNER, length - FROM_CORNER - width, STEP);
    o->to = o->from + width;
    return true;
}

static void draw_board(struct sketch *s, struct random *r)
{
    struct opening o = {.surface = SURFACE_BOARD};
    int length;
    for (int tries = 0; tries < 20; tries++) {
        o.wall = outline_wall(s, random_between(r, 0, s->corner_count - 1), &length);
        if (length < 4500)
            continue;
        const int width = draw_length(r, 2000, 4000, 100);
        o.from = (length - width) / 2 / STEP * STEP;
        o.to = o.from + width;
        o.bottom = draw_length(r, 850, 950, 10);
        o.top = o.bottom + 1200;
        if (add(s, &o))
            return;
    }
}

static void draw_doors(struct sketch *s, struct random *r)
{
    const double area = outline_area(s);
    size_t count = s->use == USE_CORRIDOR ? 2 + random_between(r, 0, (size_t)(area / 6.0)) : 1;
    if (s->use == USE_CLASSROOM || s->use == USE_LIVING_ROOM)
        count += draw_chance(r, 0.3);
    const int height = draw_length(r, 1950, s->height > 2500 ? 2200 : 2100, 10);
    size_t made = 0;
    for (int tries = 0; made < count && tries < 200; tries++) {
        const int width = draw_length(r, 700, s->use == USE_BEDROOM || s->use == USE_LIVING_ROOM ? 950 : 1100, STEP);
        struct opening o = {.surface = SURFACE_DOOR, .top = height};
        if (draw_wall(s, &o, width, false, r))
            made += add(s, &o);
    }
}

static void draw_curtains(struct sketch *s, const struct opening *window, struct random *r)
{
    const int width = draw_length(r, 250, 750, STEP);
    struct opening o = *window;
    o.surface = SURFACE_CURTAIN;
    o.bottom = draw_chance(r, 0.6) ? 50 : window->bottom - 100;
    o.top = window->top + 100 < s->height ? window->top + 100 : s->height;
    int length = 0;
    for (size_t i = 0; i < s->corner_count; i++) {
        int one;
        const struct frame wall = outline_wall(s, i, &one);
        if (wall.at[0] == window->wall.at[0] && wall.at[1] == window->wall.at[1])
            length = one;
    }
    o.from = window->from - width;
    o.to = window->from;
    if (o.from >= 0)
        add(s, &o);
    o.from = window->to;
    o.to = window->to + width;
    if (o.to <= length)
        add(s, &o);
}

static void draw_windows(struct sketch *s, struct random *r)
{
    static const double curtains[ROOM_USES] = {0.85, 0.2, 0.25, 0.85, 0.0};
    const size_t least = s->use == USE_CORRIDOR ? 0 : 1;
    const size_t count =
        least + random_between(r, 0, (size_t)(outline_area(s) / (s->use == USE_CORRIDOR ? 12.0 : 9.0)));
    const int sill = draw_length(r, 700, 1100, 10);
    const int highest = s->height - 200 < sill + 1600 ? s->height - 200 : sill + 1600;
    const int top = draw_length(r, sill + 900 < highest ? sill + 900 : highest, highest, 10);
    const bool has_curtains = draw_chance(r, curtains[s->use]);
    size_t made = 0;
    for (int tries = 0; made < count && tries < 100; tries++) {
        struct opening o = {.surface = SURFACE_WINDOW, .bottom = sill, .top = top};
        if (!draw_wall(s, &o, draw_length(r, 600, 2200, STEP), true, r) || !add(s, &o))
            continue;
        made++;
        if (has_curtains)
            draw_curtains(s, &o, r);
    }
}

void openings_draw(struct sketch *s, struct random *r)
{
    s->opening_count = 0;
    if (s->use == USE_CLASSROOM)
        draw_board(s, r);
    draw_doors(s, r);
    draw_windows(s, r);
}

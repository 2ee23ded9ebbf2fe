/* SPDX-License-Identifier: MIT */
/* Outlines of one to three rectangles: a box from which up to two corners are cut. */
#include <math.h>
#include <string.h>

#include "render/batch/furnished/sketch.h"

const char *const room_use_names[ROOM_USES] = {"bedroom", "office", "classroom", "living_room", "corridor"};
const double room_use_area[ROOM_USES][2] = {{7.0, 26.0}, {8.0, 60.0}, {40.0, 90.0}, {12.0, 50.0}, {5.0, 50.0}};

static const int heights[ROOM_USES][2] = {{2350, 2700}, {2500, 3200}, {2800, 3500}, {2400, 2900}, {2300, 3000}};
/* Probabilities of no notch and of at most one. */
static const double shapes[ROOM_USES][2] = {{0.75, 1.0}, {0.75, 0.95}, {0.9, 1.0}, {0.55, 0.9}, {0.5, 0.8}};
/* Longer side over shorter side. */
static const double aspects[ROOM_USES][2] = {{1.0, 1.5}, {1.0, 1.7}, {1.1, 1.5}, {1.0, 1.7}, {1.0, 1.6}};

int draw_length(struct random *r, int low, int high, int step)
{
    return low + step * (int)random_between(r, 0, (size_t)((high - low) / step));
}

bool draw_chance(struct random *r, double probability)
{
    return random_unit(r) < probability;
}

void frame_point(int point[2], const struct frame *f, int along, int inward)
{
    point[0] = f->at[0] + along * f->along[0] - inward * f->along[1];
    point[1] = f->at[1] + along * f->along[1] + inward * f->along[0];
}

struct rect frame_rect(const struct frame *f, int length, int depth)
{
    int end[2];
    struct rect rect;
    frame_point(end, f, length, depth);
    for (int i = 0; i < 2; i++) {
        rect.low[i] = f->at[i] < end[i] ? f->at[i] : end[i];
        rect.high[i] = f->at[i] < end[i] ? end[i] : f->at[i];
    }
    return rect;
}

struct frame outline_wall(const struct sketch *s, size_t side, int *length)
{
    const int *from = s->corners[side], *to = s->corners[(side + 1) % s->corner_count];
    struct frame wall = {{from[0], from[1]}, {0, 0}};
    const int dx = to[0] - from[0], dy = to[1] - from[1];
    wall.along[0] = (dx > 0) - (dx < 0);
    wall.along[1] = (dy > 0) - (dy < 0);
    *length = dx * wall.along[0] + dy * wall.along[1];
    return wall;
}

bool outline_contains(const struct sketch *s, const struct rect *rect)
{
    for (int i = 0; i < 2; i++)
        if (rect->low[i] < 0 || rect->high[i] > s->size[i])
            return false;
    for (size_t i = 0; i < s->notch_count; i++)
        if (rects_overlap(rect, &s->notches[i]))
            return false;
    return true;
}

double outline_area(const struct sketch *s)
{
    double area = (double)s->size[0] * s->size[1];
    for (size_t i = 0; i < s->notch_count; i++)
        area -= (double)(s->notches[i].high[0] - s->notches[i].low[0]) * (s->notches[i].high[1] - s->notches[i].low[1]);
    return area * 1e-6;
}

static int on_lattice(double millimetres)
{
    return STEP * (int)floor(millimetres / STEP + 0.5);
}

/* Corners are numbered 0 to 3 counterclockwise from the origin. */
static void cut(struct sketch *s, int corner, int x, int y)
{
    const bool right = corner == 1 || corner == 2, upper = corner >= 2;
    s->notches[s->notch_count++] = (struct rect){{right ? s->size[0] - x : 0, upper ? s->size[1] - y : 0},
                                                 {right ? s->size[0] : x, upper ? s->size[1] : y}};
}

static void add_corner(struct sketch *s, int x, int y)
{
    s->corners[s->corner_count][0] = x;
    s->corners[s->corner_count++][1] = y;
}

static void trace(struct sketch *s)
{
    s->corner_count = 0;
    for (int corner = 0; corner < 4; corner++) {
        const int x = corner == 1 || corner == 2 ? s->size[0] : 0, y = corner >= 2 ? s->size[1] : 0;
        const struct rect *notch = NULL;
        for (size_t i = 0; i < s->notch_count; i++)
            if ((x ? s->notches[i].high[0] == x : s->notches[i].low[0] == 0) &&
                (y ? s->notches[i].high[1] == y : s->notches[i].low[1] == 0))
                notch = &s->notches[i];
        if (!notch) {
            add_corner(s, x, y);
            continue;
        }
        const int inner[2] = {x ? notch->low[0] : notch->high[0], y ? notch->low[1] : notch->high[1]};
        const bool arrives_along_x = corner == 1 || corner == 3;
        add_corner(s, arrives_along_x ? inner[0] : x, arrives_along_x ? y : inner[1]);
        add_corner(s, inner[0], inner[1]);
        add_corner(s, arrives_along_x ? x : inner[0], arrives_along_x ? inner[1] : y);
    }
}

enum { LONGEST = 28000 /* mm, all arms of a corridor */ };

/* Corridors: a straight one, an L, or a T, all arms of one width. */
static void draw_corridor(struct sketch *s, double area, size_t notches, struct random *r)
{
    const int least = on_lattice(area * 1e6 / LONGEST + 0.5 * STEP);
    const int width = draw_length(r, least > 1400 ? least : 1400, 2400, STEP);
    const double length = area * 1e6 / width; /* of all arms */
    const int first = on_lattice(length * (0.5 + 0.2 * random_unit(r)) + 0.5 * width);
    const int second = on_lattice(length - first + width);
    if (!notches || second < width + 1500 || first < 2 * width + 2000) {
        s->size[0] = on_lattice(length) > width + STEP ? on_lattice(length) : width + STEP;
        s->size[1] = width;
        return;
    }
    s->size[0] = first;
    s->size[1] = second;
    const int corner = (int)random_between(r, 0, 3);
    if (notches == 1) {
        cut(s, corner, first - width, second - width);
        return;
    }
    const int left = draw_length(r, 1000, first - width - 1000, STEP);
    cut(s, corner < 2 ? 0 : 2, left, second - width);
    cut(s, corner < 2 ? 1 : 3, first - width - left, second - width);
}

static void draw_box(struct sketch *s, double area, size_t notches, struct random *r)
{
    const double aspect = aspects[s->use][0] + (aspects[s->use][1] - aspects[s->use][0]) * random_unit(r);
    const double share[2] = {0.2 + 0.15 * random_unit(r), 0.25 + 0.2 * random_unit(r)};
    const double whole = area * 1e6 / (1.0 - (double)notches * share[0] * share[1]);
    const int longer = (int)random_between(r, 0, 1);
    s->size[longer] = on_lattice(sqrt(whole * aspect));
    s->size[1 - longer] = on_lattice(whole / s->size[longer]);
    const int x = on_lattice(share[0] * s->size[0]), y = on_lattice(share[1] * s->size[1]);
    const int corner = (int)random_between(r, 0, 3);
    if (notches)
        cut(s, corner, x, y);
    if (notches > 1) /* beside it, or opposite */
        cut(s, draw_chance(r, 0.5) ? (corner ^ 1) : (corner + 2) % 4, x, y);
}

/* Small rooms are boxes. */
static size_t notches_of(enum room_use use, double area, double shape)
{
    const size_t notches = (size_t)(shape >= shapes[use][0]) + (size_t)(shape >= shapes[use][1]);
    const size_t most = use == USE_CORRIDOR || area > 20.0 ? 2 : area > 11.0 ? 1 : 0;
    return notches < most ? notches : most;
}

void outline_draw(struct sketch *s, const struct furnished_wishes *wishes, struct random *r)
{
    const double *of_use = room_use_area[s->use];
    const double low = fmax(of_use[0], wishes->area[0]), high = fmin(of_use[1], wishes->area[1]);
    for (int tries = 0; tries < 1000; tries++) { /* sides on the lattice may miss narrow limits */
        const double at = random_unit(r), shape = random_unit(r);
        const double area = low + (high - low) * at * at; /* small rooms are more frequent */
        const size_t notches = notches_of(s->use, area, shape);
        s->notch_count = 0;
        if (s->use == USE_CORRIDOR)
            draw_corridor(s, area, notches, r);
        else
            draw_box(s, area, notches, r);
        if (outline_area(s) >= low && outline_area(s) <= high)
            break;
    }
    s->height = draw_length(r, heights[s->use][0], heights[s->use][1], 10);
    trace(s);
}

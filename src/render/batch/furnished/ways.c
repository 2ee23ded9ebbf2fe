/* SPDX-License-Identifier: MIT */
/* Free ways. A person is a square of 0.6 m that moves on the lattice of the footprints. Obstacles
 * have their edges on this lattice, too, so that a way exists on it if one exists at all. */
#include <stdlib.h>
#include <string.h>

#include "render/batch/furnished/sketch.h"

struct ways {
    int count[2];       /* points of the lattice */
    unsigned char *map; /* [count[1] * count[0]] */
    int *queue;
};
enum { POINT_FREE, POINT_BLOCKED, POINT_REACHED };

struct ways *ways_make(const struct sketch *s)
{
    struct ways *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    for (int i = 0; i < 2; i++)
        w->count[i] = s->size[i] / STEP + 1;
    const size_t points = (size_t)w->count[0] * (size_t)w->count[1];
    w->map = malloc(points);
    w->queue = malloc(points * sizeof *w->queue);
    if (w->map && w->queue)
        return w;
    ways_free(w);
    return NULL;
}

void ways_free(struct ways *w)
{
    if (!w)
        return;
    free(w->map);
    free(w->queue);
    free(w);
}

/* Points at which the square overlaps the rectangle. */
static void block(struct ways *w, const struct rect *rect)
{
    int low[2], high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = (rect->low[i] - WAY / 2) / STEP + 1;
        high[i] = (rect->high[i] + WAY / 2) / STEP - 1;
        if (rect->low[i] < WAY / 2)
            low[i] = 0;
        if (high[i] >= w->count[i])
            high[i] = w->count[i] - 1;
    }
    for (int y = low[1]; y <= high[1]; y++)
        for (int x = low[0]; x <= high[0]; x++)
            w->map[y * w->count[0] + x] = POINT_BLOCKED;
}

static void block_all(struct ways *w, const struct sketch *s)
{
    const int x = s->size[0], y = s->size[1], beyond = STEP;
    const struct rect outside[] = {
        {{-beyond, 0}, {0, y}}, {{x, 0}, {x + beyond, y}}, {{0, -beyond}, {x, 0}}, {{0, y}, {x, y + beyond}}};
    memset(w->map, POINT_FREE, (size_t)w->count[0] * (size_t)w->count[1]);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        block(w, &outside[i]);
    for (size_t i = 0; i < s->notch_count; i++)
        block(w, &s->notches[i]);
    for (size_t i = 0; i < s->piece_count; i++) {
        const struct rect rect = piece_rect(&s->pieces[i]);
        if (s->pieces[i].kind != PIECE_CARPET)
            block(w, &rect);
    }
}

/* The point of the square just inside a door. */
static int at_door(const struct ways *w, const struct opening *door)
{
    int at[2];
    frame_point(at, &door->wall, (door->from + door->to) / 2 / STEP * STEP, WAY / 2);
    return at[1] / STEP * w->count[0] + at[0] / STEP;
}

static void spread(struct ways *w, int start)
{
    const int x_count = w->count[0];
    size_t done = 0, count = 0;
    if (w->map[start] != POINT_FREE)
        return;
    w->map[start] = POINT_REACHED;
    w->queue[count++] = start;
    while (done < count) {
        const int at = w->queue[done++]; /* points at the edge of the map are blocked */
        const int next[] = {at - 1, at + 1, at - x_count, at + x_count};
        for (int k = 0; k < 4; k++)
            if (w->map[next[k]] == POINT_FREE) {
                w->map[next[k]] = POINT_REACHED;
                w->queue[count++] = next[k];
            }
    }
}

/* Whether the square touches the rectangle at a point that has been reached. */
static bool touches(const struct ways *w, const struct rect *rect)
{
    for (int y = (rect->low[1] - WAY / 2) / STEP; y <= (rect->high[1] + WAY / 2) / STEP; y++)
        for (int x = (rect->low[0] - WAY / 2) / STEP; x <= (rect->high[0] + WAY / 2) / STEP; x++)
            if (x >= 0 && y >= 0 && x < w->count[0] && y < w->count[1] && w->map[y * w->count[0] + x] == POINT_REACHED)
                return true;
    return false;
}

bool ways_are_free(struct ways *w, const struct sketch *s)
{
    bool started = false;
    block_all(w, s);
    for (size_t i = 0; i < s->opening_count; i++) {
        if (s->openings[i].surface != SURFACE_DOOR)
            continue;
        if (!started)
            spread(w, at_door(w, &s->openings[i]));
        started = true;
        if (w->map[at_door(w, &s->openings[i])] != POINT_REACHED)
            return false;
    }
    for (size_t i = 0; i < s->piece_count; i++) {
        const struct rect rect = piece_rect(&s->pieces[i]);
        if (piece_is_reached(s->pieces[i].kind) && !touches(w, &rect))
            return false;
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "geometry/row_faces.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/voxels_before.h"

static int put(struct row_faces *f, uint32_t x, uint32_t length, int side, const struct seen *seen, unsigned before)
{
    struct seen_run *last = f->count ? &f->runs[f->count - 1] : NULL;
    if (last && last->side == side && last->start + last->length == x && last->seen.element == seen->element &&
        last->seen.back == seen->back && last->seen.component == seen->component && last->before == before) {
        last->length += length;
        return 0;
    }
    if (f->count == f->capacity) {
        const size_t capacity = 2 * f->capacity + 64;
        struct seen_run *more = realloc(f->runs, capacity * sizeof *more);
        if (!more)
            return -1;
        f->runs = more;
        f->capacity = capacity;
    }
    f->runs[f->count++] = (struct seen_run){x, length, side, *seen, before};
    return 0;
}

/* A side of a row of voxels, looked through by ascending x. */
struct look {
    const struct room_cuts *room;
    size_t y, z;
    int side;
    bool wall;                  /* beyond it is a wall, in which no solid reaches */
    const crossing *next, *end; /* of the links through it */
};

static struct look look_through(const struct room_cuts *r, size_t y, size_t z, int side)
{
    struct look look = {.room = r, .y = y, .z = z, .side = side};
    size_t beside[3];
    const size_t at[3] = {r->shift, y, z};
    const bool inside = cuts_beside(beside, r, at, side);
    const size_t next = beside[1] + r->count[1] * beside[2];
    look.wall = side / 2 != 0 && inside && cuts_is_wall(r, beside) &&
                !(r->solids.start && r->solids.start[next] < r->solids.start[next + 1]);
    const size_t row = side % 2 || !inside ? y + r->count[1] * z : next;
    look.next = r->crossings.at[side / 2] + r->crossings.start[side / 2][row];
    look.end = r->crossings.at[side / 2] + r->crossings.start[side / 2][row + 1];
    return look;
}

/* Faces of voxels start <= x < end, beyond which is no air. */
static int put_all(struct row_faces *f, struct look *l, size_t start, size_t end)
{
    for (size_t x = start; x < end; x++) {
        const size_t lower = x - (l->side == FACE_X_MIN); /* wraps below 0, and has no crossings */
        size_t count = 0;
        while (l->next < l->end && crossing_x(*l->next) < lower && lower != SIZE_MAX)
            l->next++;
        while (l->next + count < l->end && crossing_x(l->next[count]) == lower)
            count++;
        const size_t at[3] = {x, l->y, l->z};
        const struct seen seen = cuts_see(l->room, at, l->side, l->next, count);
        const unsigned before = f->slopes ? voxels_before(l->room, at, l->side, &seen) : 0;
        size_t length = 1;
        if (l->wall && !count) /* alike up to the next crossing */
            length = (l->next < l->end && crossing_x(*l->next) < end ? crossing_x(*l->next) : end) - x;
        if (put(f, (uint32_t)x, (uint32_t)length, l->side, &seen, before))
            return -1;
        x += length - 1;
    }
    return 0;
}

/* Faces at the ends of runs. */
static int put_ends(struct row_faces *f, const struct room_cuts *r, size_t y, size_t z, int side)
{
    const size_t row = y + r->count[1] * z;
    const uint32_t first = r->air.start[row], end = r->air.start[row + 1];
    struct look look = look_through(r, y, z, side);
    for (uint32_t i = first; i < end; i++) {
        const struct air_run *run = &r->air.runs[i];
        const bool touches =
            side % 2 ? i + 1 < end && run[1].start == run->end : i > first && run[-1].end == run->start;
        const size_t x = side % 2 ? run->end - 1 : run->start;
        if (!touches && put_all(f, &look, x, x + 1))
            return -1;
    }
    return 0;
}

/* Faces to a neighbouring row, where that has no air. */
static int put_between(struct row_faces *f, const struct room_cuts *r, size_t y, size_t z, int side)
{
    const struct regions *g = &r->air;
    const size_t row = y + r->count[1] * z;
    struct look look = look_through(r, y, z, side);
    size_t beside[3];
    const struct air_run *other = NULL, *other_end = NULL;
    if (cuts_beside(beside, r, (const size_t[3]){0, y, z}, side)) {
        const size_t next = beside[1] + r->count[1] * beside[2];
        other = g->runs + g->start[next];
        other_end = g->runs + g->start[next + 1];
    }
    for (uint32_t i = g->start[row]; i < g->start[row + 1]; i++) {
        uint32_t from = g->runs[i].start;
        const uint32_t end = g->runs[i].end;
        while (other < other_end && other->end <= from)
            other++;
        for (const struct air_run *o = other; from < end; o++) {
            const uint32_t until = o < other_end && o->start < end ? o->start : end;
            if (from < until && put_all(f, &look, from, until))
                return -1;
            from = until < end ? o->end : end;
        }
    }
    return 0;
}

int row_faces_find(struct row_faces *f, const struct room_cuts *r, size_t y, size_t z)
{
    const size_t row = y + r->count[1] * z;
    f->count = 0;
    if (r->air.start[row] == r->air.start[row + 1])
        return 0;
    for (int side = 0; side < FACES; side++)
        if (side / 2 == 0 ? put_ends(f, r, y, z, side) : put_between(f, r, y, z, side))
            return -1;
    return 0;
}

void row_faces_free(struct row_faces *f)
{
    free(f->runs);
    memset(f, 0, sizeof *f);
}

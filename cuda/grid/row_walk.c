/* SPDX-License-Identifier: MIT */
#include "cuda/grid/row_walk.h"

static bool inside_box(const struct layout *l, const size_t at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < l->from[axis] || at[axis] >= l->to[axis])
            return false;
    return true;
}

struct row_walk row_walk_from(const struct layout *l, const struct rows *rows, const struct problem *p, size_t row)
{
    const size_t start[3] = {l->from[0], row % rows->ny, row / rows->ny};
    return (struct row_walk){.layout = l,
                             .rows = rows,
                             .precision = p->precision,
                             .at = {0, start[1], start[2]},
                             .inside = inside_box(l, start),
                             .run = rows->run_start[row],
                             .run_end = rows->run_start[row + 1],
                             .wall = rows->wall_start[row],
                             .wall_end = rows->wall_start[row + 1]};
}

/* The kind expected at the next point; lowers *end to the point where it changes. */
static struct point_kind expect(const struct row_walk *walk, size_t *end)
{
    const struct layout *l = walk->layout;
    const size_t edges[4] = {l->from[0], l->from[0] + 1, l->to[0] - 1, l->to[0]};
    if (!walk->inside)
        return (struct point_kind){0};
    for (int i = 0; i < 4; i++)
        if (edges[i] > walk->at[0]) {
            *end = edges[i] < *end ? edges[i] : *end;
            break;
        }
    return inside_box(l, walk->at) ? l->states[state_at(l, walk->at)] : (struct point_kind){0};
}

/* The kind of the next point, which belongs to a run; lowers *end to the point where it changes. */
static struct point_kind kind_in_run(struct row_walk *walk, size_t *end)
{
    const struct rows *rows = walk->rows;
    const struct run run = rows->runs[walk->run];
    const size_t x = walk->at[0], run_end = (size_t)run.start + run.length;
    struct point_kind kind = {links_of(rows, run), true, 0.0};
    *end = run_end < *end ? run_end : *end;
    while (walk->wall < walk->wall_end && rows->wall_x[walk->wall] < x)
        walk->wall++;
    if (walk->wall == walk->wall_end || rows->wall_x[walk->wall] >= *end)
        return kind;
    if (rows->wall_x[walk->wall] > x) {
        *end = rows->wall_x[walk->wall];
        return kind;
    }
    kind.weight = weight_at(rows, walk->precision, walk->wall);
    for (size_t length = 1; x + length < *end; length++)
        if (walk->wall + length == walk->wall_end || rows->wall_x[walk->wall + length] != x + length ||
            weight_at(rows, walk->precision, walk->wall + length) != kind.weight)
            *end = x + length;
    return kind;
}

bool row_walk_next(struct row_walk *walk, struct stretch *s)
{
    const struct rows *rows = walk->rows;
    const size_t x = walk->at[0];
    *s = (struct stretch){.x = x, .end = rows->nx};
    if (x == rows->nx)
        return false;
    s->expected = expect(walk, &s->end);
    while (walk->run < walk->run_end && rows->runs[walk->run].start + rows->runs[walk->run].length <= x)
        walk->run++;
    if (walk->run < walk->run_end) {
        if (rows->runs[walk->run].start <= x)
            s->kind = kind_in_run(walk, &s->end);
        else if (rows->runs[walk->run].start < s->end)
            s->end = rows->runs[walk->run].start;
    }
    walk->at[0] = s->end;
    return true;
}

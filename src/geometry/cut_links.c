/* SPDX-License-Identifier: MIT */
#include "geometry/cut_links.h"

#include "base/stop.h"

/* Looks up voxels of a row by ascending x. */
struct cursor {
    const struct air_run *run, *end;
};

static struct cursor open_row(const struct regions *g, size_t row)
{
    return (struct cursor){g->runs + g->start[row], g->runs + g->start[row + 1]};
}

static bool is_air(struct cursor *c, size_t x)
{
    while (c->run < c->end && c->run->end <= x)
        c->run++;
    return c->run < c->end && c->run->start <= x;
}

static void visit_row(const struct room_cuts *r, int axis, size_t y, size_t z,
                      void (*visit)(void *context, const struct cut_link *link), void *context)
{
    const size_t row = y + r->count[1] * z, step[3] = {0, 1, r->count[1]};
    const crossing *c = r->crossings.at[axis] + r->crossings.start[axis][row];
    const crossing *end = r->crossings.at[axis] + r->crossings.start[axis][row + 1];
    if (c == end)
        return;
    struct cursor lower = open_row(&r->air, row), upper = open_row(&r->air, row + step[axis]);
    while (c < end) {
        struct cut_link link = {.axis = axis, .lower = {crossing_x(*c), y, z}, .cuts = c};
        while (c < end && crossing_x(*c) == link.lower[0])
            c++;
        link.count = (size_t)(c - link.cuts);
        link.air[0] = is_air(&lower, link.lower[0]);
        link.air[1] = is_air(&upper, link.lower[0] + (axis == 0));
        visit(context, &link);
    }
}

int cut_links_visit(const struct room_cuts *r, size_t from, size_t end,
                    void (*visit)(void *context, const struct cut_link *link), void *context, struct error *e)
{
    for (int axis = 0; axis < 3; axis++) {
#pragma omp parallel for schedule(dynamic, 8) num_threads(r->threads)
        for (size_t z = from; z < end; z++)
            for (size_t y = 0; y < r->count[1] && !stop_requested(); y++)
                visit_row(r, axis, y, z, visit, context);
    }
    return stop_check(e);
}

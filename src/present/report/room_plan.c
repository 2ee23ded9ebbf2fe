/* SPDX-License-Identifier: MIT */
#include "present/report/room_plan.h"

#include <math.h>

#include "present/report/room_in_voxels.h"
#include "present/report/room_views.h"

static const double WIDTH = 480.0, TALLEST = 560.0; /* of the drawing, units */
static const double SIDE = 30.0, HEAD = 24.0, GAP = 46.0, FOOT = 40.0;

int room_plan(FILE *stream, const struct room *room, const double size[3], const struct viewed_room *voxels,
              const struct room_spikes *spikes, const char *name, struct error *e)
{
    const double scale = fmin((WIDTH - 2.0 * SIDE) / size[0], TALLEST / (size[1] + size[2]));
    const double left = 0.5 * (WIDTH - scale * size[0]);
    const double plan = HEAD + scale * size[1], section = plan + GAP + scale * size[2];
    struct drawing *d;
    if (drawing_open(&d, name, WIDTH, section + FOOT, e))
        return -1;
    struct room_view above = {.d = d,
                              .room = room,
                              .size = size,
                              .voxels = voxels,
                              .spikes = spikes,
                              .up = 1,
                              .x = left,
                              .y = plan,
                              .scale = scale,
                              .right = WIDTH};
    room_cut_place(above.cut, room, size);
    struct room_view front = above;
    front.up = 2;
    front.y = section;
    if (room_view_draw(&above, "plan (x, y)", e) || room_view_draw(&front, "section (x, z)", e)) {
        drawing_free(d);
        return -1;
    }
    room_view_scale(d, scale, WIDTH - SIDE, section + 28.0);
    return drawing_finish(
        d, spikes ? "First arrivals on the plan and section of the room" : "Plan and section of the room", stream, e);
}

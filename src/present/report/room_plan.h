/* SPDX-License-Identifier: MIT */
/* Plan and section of a room as one drawing. */
#ifndef AULA_PRESENT_REPORT_ROOM_PLAN_H
#define AULA_PRESENT_REPORT_ROOM_PLAN_H

#include <stdio.h>

#include "present/report/room_views.h"
#include "present/views/room_model.h"
#include "room/room.h"

/* Plan (x, y) and below it section (x, z) at one scale, with objects, sources (S1 ..) and receivers (R1 ..), as one
 * <svg>. size: m, of the room. voxels: of a room that is not room_is_plain, which is drawn from them; else NULL.
 * spikes: drawn over both, or NULL. `name`: a word, unique in the page. */
int room_plan(FILE *stream, const struct room *room, const double size[3], const struct viewed_room *voxels,
              const struct room_spikes *spikes, const char *name, struct error *e);

#endif

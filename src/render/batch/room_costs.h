/* SPDX-License-Identifier: MIT */
/* Estimated costs of the rooms of a plan, without rendering them. */
#ifndef AULA_RENDER_BATCH_ROOM_COSTS_H
#define AULA_RENDER_BATCH_ROOM_COSTS_H

#include "render/batch/room_task.h"

/* Times on this machine, from short trials with one room of the plan. */
struct room_speed {
    double point, point_step; /* s for a grid point, and for a step of one */
    double reflection;        /* s for a mean free path of the response to one source, by image sources and rays */
    double bytes;             /* of a grid point */
};

/* Tries the first readable room. ERROR_INPUT, ERROR_STOPPED, ERROR_MEMORY. */
int room_speed_measure(struct room_speed *speed, const struct room_task *task, struct error *e);

/* *line, fresh: a line of JSON with the room's number, values, grid points of its bounding box, steps of all sources,
 * bytes and seconds; or the message, if it cannot be drawn or read. ERROR_STOPPED, ERROR_MEMORY. */
int room_costs_line(char **line, const struct room_task *task, const struct room_speed *speed, size_t room,
                    struct error *e);

#endif

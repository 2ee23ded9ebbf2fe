/* SPDX-License-Identifier: MIT */
/* Draws, renders, writes and measures a room of a plan. */
#ifndef AULA_RENDER_BATCH_ROOM_TASK_H
#define AULA_RENDER_BATCH_ROOM_TASK_H

#include "render/batch/draw.h"
#include "render/render.h"

struct room_task {
    const struct plan *plan;
    const char *folder; /* of the data set */
    const char *const *settings;
    size_t setting_count;
    struct solver_options choice;
    struct watch watch;
};

/* Time spent on a room, s. */
struct room_account {
    double total, stepping;
};

/* *line, fresh: the record of the room, one line of JSON: "done" with its files, checksums, metrics
 * and valid band, or "failed" with the message. Nonzero, with *line NULL, if no room can succeed:
 * ERROR_STOPPED, ERROR_OUTPUT, ERROR_DEVICE. */
int room_task_run(char **line, struct room_account *account, const struct room_task *task, size_t room,
                  struct error *e);

/* Number, base room and drawn values of a room, as its record begins: fresh cJSON. */
struct cJSON;
struct cJSON *room_record_begin(const struct plan *plan, const struct drawn *drawn, size_t room);

/* The record of a failed room; NULL: out of memory. */
char *room_failed_line(const struct room_task *task, size_t room, const char *message);

/* "rooms/012/room_012345": path of a room's files in the folder, without suffixes. Fresh memory;
 * NULL: out of memory. */
char *room_stem(size_t room);

#endif

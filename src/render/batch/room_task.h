/* SPDX-License-Identifier: MIT */
/* One room of a plan: drawn, rendered, written, measured. */
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

/* Where the time of a room went, s. */
struct room_account {
    double total, stepping;
};

/* *line: the record of the room as JSON in fresh memory, one line: "done" with its files, checksums, metrics and
 * valid band, or "failed" with the message. Nonzero where no room can succeed: ERROR_STOPPED, ERROR_OUTPUT,
 * ERROR_DEVICE; then *line is NULL. */
int room_task_run(char **line, struct room_account *account, const struct room_task *task, size_t room,
                  struct error *e);

/* The record of a room that failed; NULL: memory is out. */
char *room_failed_line(const struct room_task *task, size_t room, const char *message);

/* "rooms/012/room_012345": where the files of a room are in the folder, without their suffixes. Fresh memory; NULL:
 * none. */
char *room_stem(size_t room);

#endif

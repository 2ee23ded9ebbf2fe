/* SPDX-License-Identifier: MIT */
/* Output files of a room of a plan. */
#ifndef AULA_RENDER_BATCH_ROOM_FILES_H
#define AULA_RENDER_BATCH_ROOM_FILES_H

#include "render/batch/room_task.h"

struct cJSON;

/* Writes the responses to all sources (renderings [room->source_count]) in the format of the plan,
 * and adds an object for each file to `list`: its name relative to the folder, bytes, checksum,
 * content. ERROR_OUTPUT, ERROR_MEMORY. */
int room_files_write(struct cJSON *list, const struct room_task *task, size_t room, const struct model *m,
                     struct rendering *renderings, struct error *e);

/* ERROR_INPUT if the format of the plan cannot represent the room. */
int room_files_check(const struct room_task *task, struct room *room, const struct model *m, struct error *e);

#endif

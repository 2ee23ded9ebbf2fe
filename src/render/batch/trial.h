/* SPDX-License-Identifier: MIT */
/* Checks a plan before its first room: whether it can be read, its base rooms, and the resources of
 * a room. Runs in a worker, because reading and modelling rooms starts threads, which a process
 * that forks must not have. */
#ifndef AULA_RENDER_BATCH_TRIAL_H
#define AULA_RENDER_BATCH_TRIAL_H

#include "render/batch/room_task.h"

struct cJSON;

/* *text, fresh: JSON with "bases", the base rooms as understood; "inputs", checksums by path of the
 * files that they and the plan's values name; "note" on deprecated keys, if any; "bytes" that the
 * first room needs, 0: unknown; "available" bytes; "devices", the GPUs that can take it, 0: it runs
 * on the processor. ERROR_INPUT if a base room cannot be read, or none of 64 rooms spread over the
 * plan. */
int trial_run(char **text, const struct room_task *task, struct error *e);

/* The first of up to 64 rooms, spread over the plan, that can be drawn and read; ERROR_INPUT: none. */
int trial_read_room(struct room **room, const struct room_task *task, struct error *e);

#endif

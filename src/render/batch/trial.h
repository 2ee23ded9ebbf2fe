/* SPDX-License-Identifier: MIT */
/* What is known of a plan before its first room: that it can be read, what its base rooms are, and what a room
 * takes. Called in a worker, because reading and modelling rooms starts threads, which a process that starts others
 * must not have. */
#ifndef AULA_RENDER_BATCH_TRIAL_H
#define AULA_RENDER_BATCH_TRIAL_H

#include "render/batch/room_task.h"

struct cJSON;

/* *text, fresh: JSON with "bases", their rooms as aula understood them; "inputs", checksums by path of
 * the files that they and the plan's values name; "note", where one gives keys by former names; "bytes" that the first room takes, 0: not
 * known; "available" bytes; "devices", the GPUs that can take it, 0: it runs on the processor. ERROR_INPUT where a
 * base room cannot be read, or none of 64 rooms, spread over the plan, can. */
int trial_run(char **text, const struct room_task *task, struct error *e);

#endif

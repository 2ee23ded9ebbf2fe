/* SPDX-License-Identifier: MIT */
/* Worker processes that render the rooms of a plan, one room at a time. A worker that crashes or is
 * killed loses only its room. */
#ifndef AULA_RENDER_BATCH_WORKERS_H
#define AULA_RENDER_BATCH_WORKERS_H

#include "render/batch/room_task.h"

struct worker;

struct workers {
    const struct room_task *task;
    struct worker *all; /* [count] */
    size_t count;
    size_t devices; /* GPUs: worker i uses GPU i mod devices; 0: the task chooses */
    bool sharing;   /* workers use the same GPU concurrently instead of in turns */
    size_t at_work;
    int turns;                   /* an empty file that workers lock while they start a GPU; -1: none */
    struct room_account account; /* total over all rooms up to now */
};

/* A message from a worker. */
struct worker_news {
    size_t room;
    char *line; /* the record, fresh; NULL: none */
};

/* Runs the trial (render/batch/trial.h) in a process of its own. */
int workers_trial(char **text, const struct room_task *task, struct error *e);

/* Starts the workers. This process must not have started threads. */
int workers_start(struct workers *w, const struct room_task *task, size_t count, size_t devices, bool sharing,
                  struct error *e);

/* Assigns a room to an idle worker, which steps it with `threads` threads. */
int workers_give(struct workers *w, size_t room, int threads, struct error *e);

/* Waits at most `seconds` for a finished room: news->line, NULL if there is none. Nonzero if no
 * room can succeed, or a stop is requested. */
int workers_wait(struct workers *w, double seconds, struct worker_news *news, struct error *e);

/* Ends all workers. Busy ones have 0.15 s to remove incomplete files. Safe on a zeroed struct. */
void workers_end(struct workers *w);

#endif

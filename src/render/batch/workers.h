/* SPDX-License-Identifier: MIT */
/* Processes that render the rooms of a plan, a room at a time each. One that crashes or is killed costs its room
 * alone. */
#ifndef AULA_RENDER_BATCH_WORKERS_H
#define AULA_RENDER_BATCH_WORKERS_H

#include "render/batch/room_task.h"

struct worker;

struct workers {
    const struct room_task *task;
    struct worker *all; /* [count] */
    size_t count;
    size_t devices; /* GPUs: worker i takes GPU i mod devices; 0: each takes the choice of the task */
    size_t sharing; /* processes with such workers that use the same GPUs side by side; 0: workers take turns */
    size_t at_work;
    int turns;                   /* a file without bytes, which those that start a GPU lock; -1: none */
    struct room_account account; /* of all rooms so far */
};

/* What a worker has to say. */
struct worker_news {
    size_t room;
    char *line; /* the record, fresh; NULL: there is none */
};

/* Starts a process for the trial (render/batch/trial.h), and ends it. */
int workers_trial(char **text, const struct room_task *task, struct error *e);

/* Starts them. This process must not have started threads. */
int workers_start(struct workers *w, const struct room_task *task, size_t count, size_t devices, size_t sharing,
                  struct error *e);

/* Gives a room to one that is idle, to be stepped by `threads` threads. */
int workers_give(struct workers *w, size_t room, int threads, struct error *e);

/* Waits for at most `seconds` for a room to be ready: news->line, or NULL if none is. Nonzero where no room can
 * succeed, and once a stop is requested. */
int workers_wait(struct workers *w, double seconds, struct worker_news *news, struct error *e);

/* Ends all, at once: those that work have 0.15 s to remove what they have half written. Safe on a zeroed struct. */
void workers_end(struct workers *w);

#endif

/* SPDX-License-Identifier: MIT */
/* A plan to a data set: the folder, the rooms that are left, the processes that render them, the manifest. */
#ifndef AULA_RENDER_BATCH_BATCH_H
#define AULA_RENDER_BATCH_BATCH_H

#include "render/batch/plan.h"
#include "render/batch/room_task.h"

struct transport;

/* How far it is. */
struct batch_progress {
    size_t count, done, failed; /* rooms: of the plan, or of this process's part of it */
    size_t before;              /* of them done before this run */
    size_t at_work;
    double seconds; /* since the first room was begun */
};

struct batch {
    const char *plan_path, *folder;
    const char *const *settings; /* of the command line */
    size_t setting_count;
    struct solver_options choice;
    int workers;                 /* rooms at once; 0: what suits */
    struct transport *transport; /* between processes that share the rooms; NULL: this is the only one */
    void (*look)(void *context, const struct batch_progress *progress); /* several times a second */
    void *context;
    /* results */
    struct plan plan;
    struct batch_progress progress;
    struct room_account account; /* of the rooms of this run */
    size_t worker_count;
    size_t devices;
    char *note;          /* on keys by former names (room.h); NULL: there is none */
    bool shares_devices; /* several workers on a GPU are side by side, and not in turns */
};

/* Renders what is left of the plan into the folder. 0: all rooms are there or have failed (progress.failed).
 * ERROR_INPUT: the plan or a base room is wrong, or the folder has another plan's rooms; ERROR_OUTPUT,
 * ERROR_STOPPED, ERROR_MEMORY: what is done stays, and a later run goes on. Free with batch_free in any case. */
int batch_run(struct batch *b, struct error *e);
void batch_free(struct batch *b);

#endif

/* SPDX-License-Identifier: MIT */
/* From a plan to a data set: the folder, the remaining rooms of a run or of one of its shards, the processes that render
 * them, the manifest. */
#ifndef AULA_RENDER_BATCH_BATCH_H
#define AULA_RENDER_BATCH_BATCH_H

#include <stdio.h>

#include "render/batch/plan.h"
#include "render/batch/room_task.h"
#include "render/batch/shard.h"
#include "render/batch/summary.h"

/* Progress of a run. */
struct batch_progress {
    size_t count, done, failed; /* rooms: of the plan, or of its shard */
    size_t before;              /* finished before this run */
    size_t at_work;
    double seconds; /* since the first room began */
};

struct batch {
    const char *plan_path, *folder;
    const char *const *settings; /* of the command line */
    size_t setting_count;
    struct solver_options choice;
    bool summarize;                                                     /* makes the summary; of all rooms alone */
    int workers;                                                        /* concurrent rooms; 0: automatic */
    struct shard shard;                                                 /* the rooms of this run; the caller frees it */
    void (*look)(void *context, const struct batch_progress *progress); /* called several times a second */
    void *context;
    /* results */
    struct plan plan;
    struct summary summary; /* of the finished rooms */
    struct batch_progress progress;
    struct room_account account; /* total over the rooms of this run */
    size_t worker_count;
    size_t devices;
    char *missing;       /* of batch_merge: "5, 17-19, ...": rooms that no shard has finished; NULL: none */
    char *note;          /* on deprecated keys (room.h); NULL: none */
    bool card_kept;      /* README.md is not aula's, or has been edited, and stays as it is */
    bool shares_devices; /* several workers use a GPU concurrently instead of in turns */
};

/* Renders the remaining rooms of the plan into the folder. 0: all rooms are finished or have failed
 * (progress.failed). ERROR_INPUT: the plan or a base room is invalid, or the folder belongs to
 * another plan. ERROR_OUTPUT, ERROR_STOPPED, ERROR_MEMORY: finished rooms stay, and a later run
 * continues. Free with batch_free in any case. */
int batch_run(struct batch *b, struct error *e);

/* Writes a line of JSON for each room of the plan or shard: number, values, grid points, steps, bytes, seconds
 * (room_costs.h). Renders nothing, needs no folder. ERROR_INPUT, ERROR_STOPPED, ERROR_MEMORY. Free with batch_free in
 * any case. */
int batch_list(struct batch *b, FILE *to, struct error *e);

/* Makes the manifests, and the netCDF file of a plan that has one, from what shards have rendered. Renders nothing. 0
 * also while rooms are missing, which progress.done and .failed tell, and batch.missing names. ERROR_USAGE: the folder is
 * no data set of this plan. ERROR_OUTPUT, ERROR_STOPPED, ERROR_MEMORY. Free with batch_free in any case. */
int batch_merge(struct batch *b, struct error *e);
void batch_free(struct batch *b);

#endif

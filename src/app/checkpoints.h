/* SPDX-License-Identifier: MIT */
/* Checkpoints of long runs on the command line: --checkpoint, --checkpoint-interval, --resume. */
#ifndef AULA_APP_CHECKPOINTS_H
#define AULA_APP_CHECKPOINTS_H

#include "app/options.h"
#include "app/progress.h"
#include "room/grid/model.h"
#include "solver/checkpoint/checkpoint.h"

struct checkpoint_options {
    const char *folder; /* --checkpoint; NULL: none */
    const char *every;  /* --checkpoint-interval as typed; NULL: the default */
    bool resume;
};

extern const struct option_row option_checkpoint, option_every, option_resume;

/* ERROR_USAGE for --checkpoint-interval or --resume without --checkpoint, and for a malformed time. */
int checkpoints_check(const struct checkpoint_options *o, struct error *e);

/* Opens the checkpoint folder; *c is NULL without --checkpoint. `run` is JSON that two runs must share for one to resume
 * the other. It is freed here; NULL with --checkpoint is ERROR_MEMORY. */
int checkpoints_open(struct checkpoint **c, const struct checkpoint_options *o, char *run,
                     const struct common_options *common, struct error *e);

/* Adds to the error of a stopped run how it can be resumed. The code becomes ERROR_SUSPENDED after SIGTERM, unless
 * writing failed and no checkpoint exists. c may be NULL. */
void checkpoints_tell(const struct checkpoint *c, const struct checkpoint_options *o, struct error *e);

/* A run in progress. */
struct looking {
    struct progress progress;
    const struct checkpoint_options *options;
    bool quiet;
    bool *suggested; /* whether checkpoints were suggested */
};
/* `look` of struct watch: progress_look, and one suggestion to use checkpoints if much time remains. */
bool checkpoints_look(void *looking, size_t done, size_t total, double points_per_second);

#endif
